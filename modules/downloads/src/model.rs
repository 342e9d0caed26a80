//! What the module keeps, what it is asked, and what it answers.

use chrono::{DateTime, Utc};
use serde_json::Value;
use stoa_core::prelude::*;

use crate::config::MOST;
use crate::entitlement::GrantState;
use crate::storage::StorageKey;

/// The capability of products that come with files.
pub(crate) const CAPABILITY: &str = "digital";

/// What an import line says about a product under `modules.downloads`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ProductDownloads {
    /// Downloads of each file and unit; 0 for any number.
    pub(crate) limit: Option<i64>,
    /// Days for which a buyer can download; 0 for ever.
    pub(crate) days: Option<i64>,
}

impl ProductSettings for ProductDownloads {
    fn validate(&self) -> Result<(), String> {
        for (name, number) in [("limit", self.limit), ("days", self.days)] {
            if number.is_some_and(|number| !(0..=MOST).contains(&number)) {
                return Err(format!("`{name}` must be a whole number from 0 (none) to {MOST}"));
            }
        }
        Ok(())
    }

    fn form() -> Vec<SettingField> {
        vec![
            SettingField::new("limit", "Downloads of each file", SettingKind::Number).hint("0 for any number."),
            SettingField::new("days", "Days to download", SettingKind::Number).hint("0 for ever."),
        ]
    }
}

impl ProductDownloads {
    /// The settings as an order has kept them.
    pub(crate) fn kept(settings: Option<&Value>) -> Self {
        // They were checked when they were written. What another program wrote must not keep a buyer from the goods.
        settings
            .and_then(|settings| Self::deserialize(settings).ok())
            .filter(|kept| kept.validate().is_ok())
            .unwrap_or_default()
    }
}

/// A grant with its file.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct Grant {
    pub(crate) id: i64,
    pub(crate) token: String,
    pub(crate) customer_id: i64,
    pub(crate) order_id: i64,
    pub(crate) order_line_id: i64,
    pub(crate) unit: i64,
    pub(crate) asset_id: i64,
    pub(crate) product: String,
    pub(crate) label: String,
    pub(crate) filename: String,
    pub(crate) version: i64,
    pub(crate) size: i64,
    pub(crate) sha256: String,
    #[sqlx(flatten)]
    pub(crate) standing: GrantState,
    pub(crate) revoked_reason: Option<String>,
    pub(crate) granted_at: DateTime<Utc>,
}

/// A file that a customer has bought.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Download")]
pub(crate) struct DownloadResource {
    /// The name in the path of the file itself.
    token: String,
    /// What it is.
    label: String,
    /// What the file is called.
    filename: String,
    /// Bytes.
    size: i64,
    /// The SHA-256 of the file, in hexadecimal.
    sha256: String,
    /// Downloads that were counted.
    download_count: i64,
    /// Downloads that there are in all; null for any number.
    download_limit: Option<i64>,
    /// When it ends; null for never.
    expires_at: Option<DateTime<Utc>>,
    /// Whether the file can be downloaded now.
    can_download: bool,
    /// Why it cannot: `revoked`, `suspended`, `expired` or `used_up`; null when it can.
    unavailable_reason: Option<&'static str>,
    /// The number of the file's newest version, which is the one that comes.
    version: i64,
    /// When it was granted.
    granted_at: DateTime<Utc>,
    /// The order that it was bought with.
    order_id: i64,
}

impl Grant {
    /// What its customer sees at this time.
    pub(crate) fn shown(&self, now: DateTime<Utc>) -> DownloadResource {
        let refusal = self.standing.refusal(now);
        DownloadResource {
            token: self.token.clone(),
            label: self.label.clone(),
            filename: self.filename.clone(),
            size: self.size,
            sha256: self.sha256.clone(),
            download_count: self.standing.download_count,
            download_limit: self.standing.download_limit,
            expires_at: self.standing.expires_at,
            can_download: refusal.is_none(),
            unavailable_reason: refusal.map(crate::entitlement::Refusal::as_str),
            version: self.version,
            granted_at: self.granted_at,
            order_id: self.order_id,
        }
    }
}

/// The newest version of a file, as one grant opens it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct GrantedFile {
    pub(crate) grant_id: i64,
    pub(crate) filename: String,
    pub(crate) version: i64,
    pub(crate) storage_key: StorageKey,
    pub(crate) size: i64,
    pub(crate) sha256: String,
    #[sqlx(flatten)]
    pub(crate) standing: GrantState,
}

impl GrantedFile {
    /// Bytes; the table has no other sizes than positive ones.
    pub(crate) fn length(&self) -> u64 {
        u64::try_from(self.size).unwrap_or_default()
    }

    /// The strong validator of the content.
    pub(crate) fn etag(&self) -> String {
        format!("\"{}\"", self.sha256)
    }
}
