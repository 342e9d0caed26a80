//! Whether mails are sent.

use std::sync::Arc;

use stoa_kernel::config::{Config, PaymentsConfig};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, OVERDUE, START_A_WORKER, counted};
use stoa_kernel::mail::is_configured;

use super::queries;

/// What operators are told where there is no mail server.
pub const SENDS_NO_MAIL: &str = "this shop sends no mail: customers get no confirmation and no reply";

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
            let fix =
                if is_configured(config) { START_A_WORKER } else { "set `mail.smtp.host`, which was there before" };
            findings.push(Finding::warning(CHECK, message, fix));
        }
        let is_sent = is_configured(config);
        if !is_sent && !is_for_trying(&config.payments) {
            findings.push(Finding::warning(CHECK, SENDS_NO_MAIL, "set `mail.smtp.host` and `mail.from`"));
        } else if findings.is_empty() {
            let message = if is_sent { "none has failed" } else { "none is sent: this is a shop for trying" };
            findings.push(Finding::ok(CHECK, message));
        }
        Ok(findings)
    }
}

/// Whether orders can be paid without money, as in the demo: its customers wait for no mail.
fn is_for_trying(payments: &PaymentsConfig) -> bool {
    payments.development.enabled || payments.simulated.enabled
}
