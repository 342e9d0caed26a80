//! The page's headers, its assets, and what it makes of a shop's name.

use axum::body::to_bytes;
use http::header::{ACCEPT_ENCODING, IF_NONE_MATCH};

use super::*;

const VENDORED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reference/swagger-ui/SHA256SUMS"));

async fn text(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn asked(headers: &[(http::HeaderName, &str)]) -> HeaderMap {
    headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
}

fn current(name: &str) -> String {
    format!("{}/{name}", *BUNDLE)
}

#[tokio::test]
async fn page_allows_nothing_but_its_own_origin() {
    let page = page("Linden & Oak", DOCUMENT_URL);
    assert_eq!(page.status(), StatusCode::OK);
    let policy = page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
    for forbidden in ["unsafe", "http:", "https:", "*"] {
        assert!(!policy.contains(forbidden), "{policy}");
    }
    assert_eq!(page.headers()[REFERRER_POLICY], "no-referrer");
}

#[tokio::test]
async fn shop_name_cannot_break_out_of_the_page() {
    let page = text(page("<script>alert('1')</script>{document}\"", DOCUMENT_URL)).await;
    assert!(page.contains("&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#123;document&#125;&#34;"), "{page}");
    assert!(!page.contains("alert('1')"));
}

#[tokio::test]
async fn every_file_that_the_page_and_its_modules_name_exists() {
    let page = text(page("Stoa", DOCUMENT_URL)).await;
    let prefix = format!("\"{FOLDER}/");
    let linked: Vec<&str> = page.split(&prefix).skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(linked.len() > 5, "{page}");
    for path in linked {
        assert!(asset(path, &HeaderMap::new()).is_some(), "{path}");
    }
    for module in ASSETS.iter().filter(|asset| asset.content_type == JAVASCRIPT && asset.name != "swagger-ui-bundle.js")
    {
        let source = std::str::from_utf8(module.body).unwrap();
        for imported in source.split("from \"./").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(asset(&current(imported), &HeaderMap::new()).is_some(), "{} imports {imported}", module.name);
        }
    }
}

#[test]
fn unknown_names_older_hashes_and_paths_beside_the_folder_find_nothing() {
    for path in [
        "",
        "/",
        "reference.js",
        "0000000000000000/reference.js",
        "products",
        &current(""),
        &current("../page.html"),
        &current("page.html"),
    ] {
        assert!(asset(path, &HeaderMap::new()).is_none(), "{path}");
    }
}

#[test]
fn asset_may_be_kept_forever() {
    let answer = asset(&current("reference.css"), &HeaderMap::new()).unwrap();
    assert_eq!(answer.headers()[CACHE_CONTROL], "public, max-age=31536000, immutable");
    assert_eq!(answer.headers()[CONTENT_TYPE], STYLE_SHEET);
}

#[test]
fn unchanged_asset_is_not_sent_again() {
    let tag = asset(&current("theme.js"), &HeaderMap::new()).unwrap().headers()[ETAG].to_str().unwrap().to_owned();
    let again = asset(&current("theme.js"), &asked(&[(IF_NONE_MATCH, &format!("\"other\", W/{tag}"))])).unwrap();
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    let other = asset(&current("theme.js"), &asked(&[(IF_NONE_MATCH, "\"other\"")])).unwrap();
    assert_eq!(other.status(), StatusCode::OK);
}

#[tokio::test]
async fn compressed_body_is_for_those_who_accept_it_and_has_its_own_tag() {
    let compressed = asset(&current("swagger-ui.css"), &asked(&[(ACCEPT_ENCODING, "br, GZIP;q=0.5")])).unwrap();
    let plain = asset(&current("swagger-ui.css"), &asked(&[(ACCEPT_ENCODING, "br, gzip;q=0")])).unwrap();
    assert_eq!(compressed.headers()[CONTENT_ENCODING], "gzip");
    assert_ne!(compressed.headers()[ETAG], plain.headers()[ETAG]);
    assert!(!plain.headers().contains_key(CONTENT_ENCODING));
    let (compressed, plain) = (
        to_bytes(compressed.into_body(), usize::MAX).await.unwrap(),
        to_bytes(plain.into_body(), usize::MAX).await.unwrap(),
    );
    let mut restored = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&compressed[..]), &mut restored).unwrap();
    assert!(restored == plain, "the compressed body is not the plain one");
}

#[test]
fn vendored_files_are_the_published_ones() {
    let mut checked = 0;
    for line in VENDORED.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let asset = ASSETS.iter().find(|asset| asset.name == name).unwrap();
        assert_eq!(hex::encode(Sha256::digest(asset.body)), sum, "{name} was edited or updated without its sum");
        checked += 1;
    }
    assert_eq!(checked, 5);
}
