//! The way back to a list as it was narrowed: a cookie keeps the address of the list that was narrowed last, so that a page which its
//! rows lead to leads back to the same rows, also after something was done there.

use std::sync::Arc;

use axum::response::Response;
use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use http::{HeaderMap, HeaderValue, header};
use url::form_urlencoded;

use super::PageAddress;
use crate::auth::{are_secure, cookie_value};

const COOKIE: &str = "stoa_way_back";

/// Longest value, so that browsers keep the cookie.
const LONGEST: usize = 3500;

/// The address of a list: path and query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WayBack(Option<Arc<str>>);

impl WayBack {
    /// That of a list which is shown.
    pub(super) fn of(address: &PageAddress) -> Self {
        Self(Some(address.with(&[]).into()))
    }

    /// That of the list which this browser has narrowed last.
    pub(crate) fn presented(headers: &HeaderMap) -> Self {
        let value = cookie_value(headers, COOKIE).unwrap_or_default();
        let address = form_urlencoded::parse(value.as_bytes()).next();
        Self(address.map(|(address, _)| Arc::from(&*address)))
    }

    /// The way to this path: with the query, if it is that of the list.
    pub fn to(&self, path: &str) -> String {
        self.0.as_deref().filter(|_| self.path() == Some(path)).unwrap_or(path).to_owned()
    }

    fn path(&self) -> Option<&str> {
        self.0.as_deref()?.split('?').next()
    }

    /// As the cookie has it; none where the list is not narrowed, or too long.
    fn value(&self) -> Option<String> {
        let address = self.0.as_deref().filter(|address| address.contains('?'))?;
        let value = form_urlencoded::byte_serialize(address.as_bytes()).collect::<String>();
        Some(value).filter(|value| value.len() <= LONGEST)
    }
}

/// Has the browser keep the way to the list that an answer shows, or forget that of the same list which is not narrowed any more.
pub(crate) fn keep_way_back(response: &mut Response, before: &WayBack, base_url: &str, console: &str) {
    let Some(shown) = response.extensions_mut().remove::<WayBack>() else { return };
    match shown.value() {
        Some(value) if shown != *before => set(response, value, None, base_url, console),
        None if shown.path() == before.path() => forget_way_back(response, base_url, console),
        _ => {}
    }
}

/// Has the browser forget it: whoever logs in next has looked for something else.
pub(crate) fn forget_way_back(response: &mut Response, base_url: &str, console: &str) {
    set(response, String::new(), Some(Duration::ZERO), base_url, console);
}

fn set(response: &mut Response, value: String, lasts: Option<Duration>, base_url: &str, console: &str) {
    let mut cookie =
        Cookie::build((COOKIE, value)).path(console.to_owned()).http_only(true).secure(are_secure(base_url));
    cookie = cookie.same_site(SameSite::Strict);
    if let Some(lasts) = lasts {
        cookie = cookie.max_age(lasts);
    }
    if let Ok(line) = HeaderValue::from_str(&cookie.build().to_string()) {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_path_of_the_list_itself_leads_back_to_it() {
        let kept = |address: &str| {
            let value = WayBack(Some(address.into())).value().expect("it is narrowed");
            let line = HeaderValue::from_str(&format!("{COOKIE}={value}")).expect("visible ASCII");
            WayBack::presented(&HeaderMap::from_iter([(header::COOKIE, line)]))
        };
        let orders = kept("/console/orders?q=%C3%BC+b&status=paid");
        assert_eq!(orders.to("/console/orders"), "/console/orders?q=%C3%BC+b&status=paid");
        assert_eq!(orders.to("/console/orders/O-1"), "/console/orders/O-1");
        assert_eq!(kept("https://evil.example/?a=b").to("/console/orders"), "/console/orders");
        assert_eq!(WayBack::default().to("/console/orders"), "/console/orders");
        assert_eq!(WayBack(Some("/console/orders".into())).value(), None);
    }
}
