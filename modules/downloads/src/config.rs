//! `[modules.downloads]`: the operator's settings.

use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use stoa_core::config::{S3Access, default_region};
use stoa_core::prelude::*;
use stoa_core::secret::Secret;
use stoa_core::storage::Bucket;

/// Most downloads, days and hours that a setting can say.
pub(crate) const MOST: i64 = 1_000_000;

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The folder that holds the files, unless `s3` is set; without both, they lie in the shop's bucket, if it has one.
    pub folder: Option<PathBuf>,
    /// Where relative paths begin.
    #[serde(skip)]
    start: PathBuf,
    /// Downloads of one file that a buyer has, where product and file say nothing; 0 for any number.
    pub default_limit: i64,
    /// Days for which a buyer can download, where product and file say nothing; 0 for ever.
    pub default_days: i64,
    /// Hours after a counted download in which going on with it is not counted.
    pub resume_hours: i64,
    /// Days for which earlier versions of a file are kept; nobody but the operator sees them.
    pub keep_versions_days: i64,
    /// Days for which started transfers are kept in the log.
    pub log_days: i64,
    /// A bucket of an S3-compatible server instead of the folder.
    pub s3: Option<S3Config>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            folder: None,
            start: PathBuf::new(),
            default_limit: 0,
            default_days: 0,
            resume_hours: 24,
            keep_versions_days: 30,
            log_days: 365,
            s3: None,
        }
    }
}

/// Where the bucket is, and who may use it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct S3Config {
    /// The bucket's name.
    pub bucket: String,
    /// The region, such as `eu-central-1`; servers of one's own want any.
    #[serde(default = "default_region")]
    pub region: String,
    /// The server's URL; Amazon's own when absent.
    pub endpoint: Option<String>,
    /// The key's public part.
    pub access_key_id: String,
    /// The key's secret part, best given as `STOA_MODULES__DOWNLOADS__S3__SECRET_ACCESS_KEY`.
    pub secret_access_key: Secret,
    /// A folder of the bucket, so that others can use it too.
    #[serde(default)]
    pub prefix: String,
    /// Whether the bucket is a part of the server's name instead of the path.
    #[serde(default)]
    pub virtual_hosted: bool,
}

impl Config {
    /// The folder that holds the files where no bucket does.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| self.start.join("data/downloads"))
    }

    /// What `stored` days or downloads mean: none for 0.
    pub(crate) fn limit(&self, stored: Option<i64>) -> Option<i64> {
        Some(stored.unwrap_or(self.default_limit)).filter(|limit| *limit > 0)
    }

    /// For how long a grant is good; none for ever.
    pub(crate) fn validity(&self, stored: Option<i64>) -> Option<TimeDelta> {
        Some(stored.unwrap_or(self.default_days)).filter(|days| *days > 0).map(TimeDelta::days)
    }

    /// How long after a counted download going on with it is free.
    pub(crate) fn resuming(&self) -> TimeDelta {
        TimeDelta::hours(self.resume_hours)
    }
}

impl ModuleConfig for Config {
    fn resolve_paths(&mut self, folder: &Path) {
        folder.clone_into(&mut self.start);
        if let Some(own) = &mut self.folder {
            *own = folder.join(&*own);
        }
    }

    fn validate(&self) -> Result<(), (&'static str, String)> {
        let numbers = [
            ("default_limit", self.default_limit, 0),
            ("default_days", self.default_days, 0),
            ("resume_hours", self.resume_hours, 0),
            ("keep_versions_days", self.keep_versions_days, 1),
            ("log_days", self.log_days, 1),
        ];
        for (key, number, least) in numbers {
            if !(least..=MOST).contains(&number) {
                return Err((key, format!("must be a whole number from {least} to {MOST}")));
            }
        }
        if self.folder.as_ref().is_some_and(|folder| folder.as_os_str().is_empty()) {
            return Err(("folder", String::from("must be a path")));
        }
        self.s3.as_ref().map_or(Ok(()), S3Config::validate)
    }
}

impl S3Config {
    /// The bucket that these settings name.
    pub(crate) fn bucket(&self) -> Bucket {
        let Self { bucket, prefix, .. } = self.clone();
        Bucket { name: bucket, prefix, access: self.access() }
    }

    fn access(&self) -> S3Access {
        let Self { region, endpoint, access_key_id, secret_access_key, virtual_hosted, .. } = self.clone();
        S3Access { region, endpoint, access_key_id, secret_access_key, virtual_hosted }
    }

    fn validate(&self) -> Result<(), (&'static str, String)> {
        if self.bucket.is_empty() || self.bucket.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err(("s3.bucket", String::from("must be a text without blanks")));
        }
        if let Some((key, reason)) = self.access().problem() {
            return Err((key, reason.to_owned()));
        }
        let is_folder = |part: &str| !part.is_empty() && part != "." && part != "..";
        if !self.prefix.is_empty() && !self.prefix.split('/').all(is_folder) {
            return Err(("s3.prefix", String::from("must be a folder of the bucket, such as `shop/downloads`")));
        }
        Ok(())
    }
}
