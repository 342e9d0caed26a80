//! Which page of the shop a request comes from.

use http::{HeaderMap, header};
use url::{Position, Url};

/// Path and query of the page that a browser says it comes from; none of a page elsewhere.
pub(super) fn came_from(headers: &HeaderMap, base_url: &str) -> Option<String> {
    let page = Url::parse(headers.get(header::REFERER)?.to_str().ok()?).ok()?;
    let own = Url::parse(base_url).ok()?;
    let path = &page[Position::BeforePath..Position::AfterQuery];
    // Two slashes at the beginning, or what browsers take for them, would lead to another host.
    let is_here = page.origin() == own.origin() && !path.starts_with("//") && !path.contains('\\');
    is_here.then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn only_an_own_page_is_come_back_to() {
        for (page, expected) in [
            ("https://shop.example/console/products/new?a=1#b", Some("/console/products/new?a=1")),
            ("https://shop.example", Some("/")),
            ("https://shop.example//evil.example/", None),
            ("https://evil.example/console", None),
            ("http://shop.example/console", None),
            ("nonsense", None),
        ] {
            let headers = HeaderMap::from_iter([(header::REFERER, HeaderValue::from_static(page))]);
            assert_eq!(came_from(&headers, "https://shop.example").as_deref(), expected, "{page}");
        }
        assert_eq!(came_from(&HeaderMap::new(), "https://shop.example"), None);
    }
}
