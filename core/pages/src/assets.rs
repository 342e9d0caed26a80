//! Style sheets, scripts and pictures of a theme, under names that change with their content, so that browsers may keep them
//! forever.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

use stoa_kernel::http::accept::takes_gzip;
use stoa_kernel::http::file::FILE_POLICY;
use stoa_kernel::http::gzip;

/// A file of a theme.
struct Asset {
    content_type: &'static str,
    content: Bytes,
    /// None for what is compressed by itself, as photos are.
    gzip: Option<Bytes>,
}

/// The files of a theme by the name that they are sent under.
#[derive(Default)]
pub struct Assets {
    files: BTreeMap<String, Asset>,
    /// The name to ask for by the one that templates know.
    names: BTreeMap<String, String>,
}

impl Assets {
    /// Adds a file, or puts it in the place of the one with this name.
    pub fn put(&mut self, name: &str, content: Vec<u8>) {
        let hash = hex::encode(&Sha256::digest(&content)[..8]);
        let hashed = match name.rsplit_once('.') {
            Some((stem, extension)) => format!("{stem}.{hash}.{extension}"),
            None => format!("{name}.{hash}"),
        };
        let (content_type, is_text) = kind_of(name);
        let gzip = is_text.then(|| gzip::small(&content));
        if let Some(earlier) = self.names.insert(name.to_owned(), hashed.clone()) {
            self.files.remove(&earlier);
        }
        self.files.insert(hashed, Asset { content_type, content: content.into(), gzip });
    }

    /// The name that a file is asked for by.
    pub fn name_of(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// Answers a file.
    pub fn answer(&self, hashed: &str, headers: &HeaderMap) -> Option<Response> {
        let asset = self.files.get(hashed)?;
        let mut answer = HeaderMap::new();
        answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
        answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        // A picture that is opened by itself runs nothing either.
        answer.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
        let body = match &asset.gzip {
            Some(gzip) if takes_gzip(headers) => {
                answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                gzip.clone()
            }
            _ => asset.content.clone(),
        };
        Some((answer, Body::from(body)).into_response())
    }
}

/// The media type of a file by its name, and whether it is text.
fn kind_of(name: &str) -> (&'static str, bool) {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "css" => ("text/css; charset=utf-8", true),
        "js" => ("text/javascript; charset=utf-8", true),
        "svg" => ("image/svg+xml", true),
        "png" => ("image/png", false),
        "jpg" | "jpeg" => ("image/jpeg", false),
        "webp" => ("image/webp", false),
        "avif" => ("image/avif", false),
        "ico" => ("image/x-icon", false),
        "woff2" => ("font/woff2", false),
        _ => ("application/octet-stream", false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_another_content_has_another_name() {
        let mut assets = Assets::default();
        assets.put("shop.css", b"a{}".to_vec());
        let first = assets.name_of("shop.css").expect("it is there").to_owned();
        assets.put("shop.css", b"b{}".to_vec());
        let second = assets.name_of("shop.css").expect("it is there").to_owned();
        assert_ne!(first, second);
        assert!(assets.answer(&first, &HeaderMap::new()).is_none());
        assert!(assets.answer(&second, &HeaderMap::new()).is_some());
    }
}
