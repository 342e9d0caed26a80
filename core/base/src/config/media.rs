//! `[media]`: images of products and categories.

use std::path::PathBuf;

use serde::Deserialize;

use super::check::Check;
use super::s3::S3Access;
use super::value::{self, Malformed, read_from_text, within};
use crate::storage::Bucket;

/// Settings of media.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MediaConfig {
    /// Folder whose files are served below `/media`, unless `url` is set.
    #[serde(deserialize_with = "value::path")]
    pub folder: PathBuf,
    /// Folder of scaled copies, which are made again when they are gone.
    #[serde(deserialize_with = "value::path")]
    pub scaled_folder: PathBuf,
    /// Most room for these copies, in MiB; 0 makes none.
    #[serde(deserialize_with = "within::<_, _, 0, 1_048_576>")]
    pub scaled_megabytes: u64,
    /// A bucket instead of both folders.
    pub url: Option<BucketUrl>,
    /// The server of the bucket, and who may use it.
    pub s3: Option<S3Access>,
}

/// A bucket and a folder in it: `s3://bucket/prefix`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketUrl {
    bucket: String,
    prefix: String,
}

impl MediaConfig {
    /// The bucket of this shop's files, if they do not lie in folders.
    pub fn bucket(&self) -> Option<Bucket> {
        let (url, access) = self.url.as_ref().zip(self.s3.as_ref())?;
        Some(Bucket { name: url.bucket.clone(), prefix: url.prefix.clone(), access: access.clone() })
    }

    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if !check.is_sound() {
            return;
        }
        match (&self.url, &self.s3) {
            (Some(_), None) => {
                let reason = "a bucket needs [media.s3] with `access_key_id` and `secret_access_key`";
                check.refuse_because_of("url", "s3", reason);
            }
            (None, Some(_)) => {
                let reason = "[media.s3] does not say which bucket; write url = \"s3://BUCKET/FOLDER\"";
                check.refuse_because_of("s3", "url", reason);
            }
            (_, access) => {
                if let Some((key, reason)) = access.as_ref().and_then(S3Access::problem) {
                    check.refuse(key, reason);
                }
            }
        }
    }
}

read_from_text!(BucketUrl, "a bucket and a folder in it, such as \"s3://my-shop/media\"", |text| {
    let rest = text.strip_prefix("s3://").ok_or(Malformed::Unexpected)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = prefix.trim_end_matches('/');
    let is_bucket = (3..=63).contains(&bucket.len())
        && bucket.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    if is_bucket && (prefix.is_empty() || is_folder(prefix)) {
        return Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() });
    }
    Err(Malformed::Unexpected)
});

/// Whether a text names a folder of a bucket.
pub(super) fn is_folder(prefix: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    prefix
        .split('/')
        .all(|part| is_part(part) && !part.contains(|letter: char| letter.is_whitespace() || letter.is_control()))
}
