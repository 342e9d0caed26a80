//! Whether mails are sent.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, OVERDUE, START_A_WORKER, counted};

use super::queries;

/// Looks for mails that were given up, or that nobody sends.
pub(super) struct ExamineMail;

impl Examine for ExamineMail {
    type Uses = (Db, Arc<Config>);

    async fn examine(&self, (db, config): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "mail";
        let mut findings = Vec::new();
        let failed = db.read(queries::COUNT_FAILED_MAILS).scalar::<i64>().await?;
        if failed > 0 {
            let error = db.read(queries::LATEST_MAIL_ERROR).optional_scalar::<Option<String>>().await?.flatten();
            let message = format!(
                "{} not be delivered in the last 30 days; the latest: {}",
                counted(failed, "mail could", "mails could"),
                error.unwrap_or_default()
            );
            findings.push(Finding::warning(
                CHECK,
                message,
                "look at `mail.from` and `mail.smtp`; mistyped addresses fail too",
            ));
        }
        let (retried, error) = db.read(queries::RETRIED_MAILS).one::<(i64, Option<String>)>().await?;
        if retried > 0 {
            let message = format!(
                "{} not be delivered yet and will be tried again; the latest: {}",
                counted(retried, "mail could", "mails could"),
                error.unwrap_or_default()
            );
            findings.push(Finding::warning(CHECK, message, "see them with `stoa mail list --state pending`"));
        }
        let overdue = db.read(queries::COUNT_OVERDUE_MAILS).bind(db.now() - OVERDUE);
        let overdue = overdue.scalar::<i64>().await?;
        if overdue > 0 {
            let message = format!("{} for more than a minute", counted(overdue, "mail waits", "mails wait"));
            let fix = if config.mail.smtp.host.is_some() {
                START_A_WORKER
            } else {
                "set `mail.smtp.host`, which was there before"
            };
            findings.push(Finding::warning(CHECK, message, fix));
        }
        if findings.is_empty() {
            let message = if config.mail.smtp.host.is_some() {
                "none has failed"
            } else {
                "none is sent: there is no `mail.smtp.host`"
            };
            findings.push(Finding::ok(CHECK, message));
        }
        Ok(findings)
    }
}
