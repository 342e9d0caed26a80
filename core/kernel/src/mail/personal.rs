//! What a customer was written, for an export.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::queries;
use crate::db::Db;
use crate::events::{ListenerError, Preflight};
use crate::personal_data::CustomerExporting;

#[derive(Serialize, sqlx::FromRow)]
struct ExportedMail {
    kind: Option<String>,
    subject: String,
    language: String,
    created_at: DateTime<Utc>,
    sent_at: Option<DateTime<Utc>>,
}

/// Adds the part `mails` to an export: what was written to the customer lately, the oldest first.
pub(super) struct ExportMails;

impl Preflight<CustomerExporting> for ExportMails {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let mails = db.read(queries::ALL_OF_CUSTOMER).bind(event.customer_id).all::<ExportedMail>().await?;
        event.add("mails", &mails)
    }
}
