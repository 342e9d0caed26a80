//! `[media.s3]`: an S3-compatible server, and who may use it.

use serde::Deserialize;

use crate::secret::Secret;

/// A server, and a key to it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `access_key_id` and `secret_access_key`")]
pub struct S3Access {
    /// The region, such as `eu-central-1`; servers of one's own want any.
    #[serde(default = "default_region")]
    pub region: String,
    /// The server's URL; Amazon's own when absent.
    pub endpoint: Option<String>,
    /// The key's public part.
    #[serde(default)]
    pub access_key_id: String,
    /// The key's secret part, best given as `STOA_MEDIA__S3__SECRET_ACCESS_KEY`.
    #[serde(default = "none")]
    pub secret_access_key: Secret,
    /// Whether the bucket is a part of the server's name instead of the path.
    #[serde(default)]
    pub virtual_hosted: bool,
}

fn none() -> Secret {
    Secret::new("")
}

/// The region that servers of one's own take.
pub fn default_region() -> String {
    String::from("us-east-1")
}

impl S3Access {
    /// The first member that cannot be, by its name where the table is `s3`, and why.
    pub fn problem(&self) -> Option<(&'static str, &'static str)> {
        for (key, text) in [
            ("s3.region", self.region.as_str()),
            ("s3.access_key_id", &self.access_key_id),
            ("s3.secret_access_key", self.secret_access_key.expose()),
        ] {
            if text.is_empty() || text.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
                return Some((key, "must be a text without blanks"));
            }
        }
        let is_url = |text: &String| {
            let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
            host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace))
        };
        if !self.endpoint.as_ref().is_none_or(is_url) {
            return Some(("s3.endpoint", "must be an http or https URL, such as https://s3.example.com"));
        }
        None
    }
}
