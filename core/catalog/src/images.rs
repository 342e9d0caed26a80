//! Copying images that lie on other servers to where the shop's pictures lie.
//!
//! The addresses come from files that others may have written, so only what is public is asked, on every step of a
//! redirection anew; what comes back must be an image of a bounded size.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use http::{HeaderValue, StatusCode, header};
use reqwest::Response;
use sha2::{Digest, Sha256};
use url::Url;

use stoa_kernel::config::Config;
use stoa_kernel::doctor::without_number;
use stoa_kernel::error_chain;
use stoa_kernel::outbound::{Destination, HttpClient, Reach, ResolveError, destination_client};
use stoa_kernel::storage::{MediaStore, StorageError};
use stoa_kernel::telemetry::Traced;

pub use super::render::is_elsewhere;

/// The largest image that is copied, in bytes (20 MiB).
pub const MAX_IMAGE_BYTES: u64 = 20 * 1024 * 1024;

/// Where copies lie below the media folder.
pub const FOLDER: &str = "imported";

/// How long one image may take, redirections included.
const LIMIT: Duration = Duration::from_mins(1);

/// The most redirections that are followed.
const MAX_REDIRECTIONS: usize = 5;

/// Kinds of images, by the ending of their names.
const KINDS: [&str; 5] = ["jpg", "png", "gif", "webp", "avif"];

/// Copies images into the media folder. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct ImageCopier {
    client: HttpClient,
    reach: Reach,
    media: MediaStore,
}

impl ImageCopier {
    /// A copier into the configured media folder. What is not public is asked for only where
    /// `webhooks.allow_private_destinations` permits it. The error names the setting that is wrong.
    pub fn new(config: &Config) -> Result<Self, String> {
        let reach = match Reach::of(&config.webhooks) {
            Reach::Anywhere => Reach::Anywhere,
            Reach::Public | Reach::PublicPlain => Reach::PublicPlain,
        };
        let client = destination_client(&config.webhooks, reach)?;
        Ok(Self { client, reach, media: MediaStore::of(&config.media) })
    }

    /// The path below the media folder of an image's copy, which is made unless it is there. The error is a sentence
    /// without its beginning, such as "answers with 404 Not Found".
    pub async fn copy(&self, address: &str) -> Result<String, String> {
        let name = name_of(address);
        for kind in KINDS {
            let path = format!("{name}.{kind}");
            if self.media.has(&path).await.map_err(|error| self.cannot_write(&error))? {
                return Ok(path);
            }
        }
        match tokio::time::timeout(LIMIT, self.fetch(address, &name)).await {
            Ok(copied) => copied,
            Err(_) => Err(format!("takes longer than {} seconds", LIMIT.as_secs())),
        }
    }

    async fn fetch(&self, address: &str, name: &str) -> Result<String, String> {
        let mut answer = self.ask(address).await?;
        let too_large = || format!("has more than {} MiB", MAX_IMAGE_BYTES / (1024 * 1024));
        if answer.content_length().is_some_and(|length| length > MAX_IMAGE_BYTES) {
            return Err(too_large());
        }
        let mut content = Vec::new();
        while let Some(bytes) = answer.chunk().await.map_err(|error| failed(&error))? {
            if content.len() as u64 + bytes.len() as u64 > MAX_IMAGE_BYTES {
                return Err(too_large());
            }
            content.extend_from_slice(&bytes);
        }
        let kind = kind_of(&content).ok_or("is no JPEG, PNG, GIF, WebP or AVIF image")?;
        let path = format!("{name}.{kind}");
        self.media.put(&path, content.into()).await.map_err(|error| self.cannot_write(&error))?;
        Ok(path)
    }

    fn cannot_write(&self, error: &StorageError) -> String {
        format!("cannot be kept in {}: {}", self.media.shown(), without_number(error_chain(error)))
    }

    /// Asks for an image, and where it has moved to; every address is judged before it is asked.
    async fn ask(&self, address: &str) -> Result<Response, String> {
        let mut url = Url::parse(address).map_err(|error| format!("is no URL: {error}"))?;
        for _ in 0..=MAX_REDIRECTIONS {
            url.set_fragment(None);
            let destination =
                Destination::parse(url.as_str(), self.reach).map_err(|refusal| format!("is not fetched: {refusal}"))?;
            let request = self.client.client().get(destination.url().clone()).timeout(LIMIT);
            let request = request.header(header::ACCEPT, HeaderValue::from_static("image/*"));
            let answer = request.traced().send().await.map_err(|error| failed(&error))?;
            if answer.status() == StatusCode::OK {
                return Ok(answer);
            }
            let moved = answer.headers().get(header::LOCATION).filter(|_| answer.status().is_redirection());
            let moved = moved.and_then(|location| location.to_str().ok()).and_then(|location| url.join(location).ok());
            url = moved.ok_or_else(|| format!("answers with {}", answer.status()))?;
        }
        Err(format!("is redirected more than {MAX_REDIRECTIONS} times"))
    }
}

/// The copy's path below the media folder without its ending: always the same one for the same address, and of the
/// address nothing but letters and digits that a file system cannot misunderstand.
fn name_of(address: &str) -> String {
    const LONGEST: usize = 60;
    let url = Url::parse(address).ok();
    let last = url.as_ref().and_then(|url| url.path_segments()?.next_back()).unwrap_or_default();
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let plain = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let plain = plain.collect::<String>();
    let words = plain.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let hash = hex::encode(&Sha256::digest(address.as_bytes())[..8]);
    let mut name = format!("{FOLDER}/{hash}");
    if !words.is_empty() {
        let _ = write!(name, "-{}", &words[..words.len().min(LONGEST)]);
    }
    name
}

/// The kind that the first bytes of an image tell.
pub(super) fn kind_of(first: &[u8]) -> Option<&'static str> {
    match first {
        [0xff, 0xd8, 0xff, ..] => Some("jpg"),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("png"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => Some("avif"),
        _ => None,
    }
}

/// Why there is no answer, without the address, which is told beside it.
fn failed(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(ResolveError::Refused(refusal)) = inner.downcast_ref() {
            return format!("is not fetched: {refusal}");
        }
        cause = inner.source();
    }
    match error.source() {
        _ if error.is_timeout() => String::from("is not answered in time"),
        Some(cause) => format!("cannot be fetched: {}", error_chain(cause)),
        None => String::from("cannot be fetched"),
    }
}

#[cfg(test)]
mod tests {
    use super::{kind_of, name_of};

    #[test]
    fn a_copy_is_named_by_its_address_and_by_nothing_that_leads_elsewhere() {
        let name = name_of("https://cdn.shopify.com/s/files/1/Blue%20Shirt_925x.jpg?v=12");
        assert!(name.starts_with("imported/") && name.ends_with("-blue-20shirt-925x"), "{name}");
        assert_eq!(name, name_of("https://cdn.shopify.com/s/files/1/Blue%20Shirt_925x.jpg?v=12"));
        assert_ne!(name, name_of("https://cdn.shopify.com/s/files/1/Blue%20Shirt_925x.jpg?v=13"));
        for address in
            ["https://a.example/..%2f..%2fetc/passwd", "https://a.example/", "https://a.example/日本.png", "x"]
        {
            let name = name_of(address);
            let rest = name.strip_prefix("imported/").expect("the folder");
            assert!(rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{name}");
        }
        assert!(name_of(&format!("https://a.example/{}.png", "x".repeat(500))).len() < 100);
    }

    #[test]
    fn an_image_is_told_by_its_first_bytes() {
        assert_eq!(kind_of(b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01"), Some("jpg"));
        assert_eq!(kind_of(b"\x89PNG\r\n\x1a\n\0\0\0\r"), Some("png"));
        assert_eq!(kind_of(b"GIF89a\x01\0\x01\0\0\0"), Some("gif"));
        assert_eq!(kind_of(b"RIFF\x10\0\0\0WEBP"), Some("webp"));
        assert_eq!(kind_of(b"\0\0\0\x1cftypavif"), Some("avif"));
        for other in [&b""[..], b"<svg xmlns=\"", b"<!doctype ht", b"RIFF\x10\0\0\0WAVE", b"\xff\xd8"] {
            assert_eq!(kind_of(other), None, "{other:?}");
        }
    }
}
