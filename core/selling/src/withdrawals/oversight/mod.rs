//! What must hold of withdrawals at any time, what waits for the operator, and what does not fit together in the settings.

mod queries;

use std::sync::Arc;

use chrono::TimeDelta;

use stoa_kernel::config::{Config, ConsumerRights, DigitalWithoutWaiver};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, counted};
use stoa_kernel::invariant::Invariant;
use stoa_kernel::mail::is_configured;
use stoa_kernel::metrics::{Measure, Sample};

use crate::orders::OrderLinks;

/// Money goes back within 14 days of the declaration (directive 2011/83/EU, article 13). Who hears of it after ten still has time.
const LATE: TimeDelta = TimeDelta::days(10);

/// What `stoa verify` holds withdrawals to.
pub(super) const INVARIANTS: [Invariant; 3] = [
    Invariant::new(
        "withdrawn_units",
        "units are withdrawn once at most, and only those that were sold; a refusal frees them",
        queries::WITHDRAWN_UNITS,
    ),
    Invariant::new(
        "withdrawal_states",
        "a withdrawal has the times and the refund that belong to its status",
        queries::WITHDRAWAL_STATES,
    ),
    Invariant::new("held_units", "digital goods that are held were not delivered", queries::HELD_UNITS),
];

#[derive(sqlx::FromRow)]
struct Waiting {
    open: i64,
    declared: i64,
    late: i64,
}

async fn open(db: &Db) -> Result<Waiting, DbError> {
    db.read(queries::COUNT_OPEN).bind(db.now() - LATE).one().await
}

/// Looks for withdrawals that wait for long.
pub(super) struct WaitingWithdrawals;

impl Examine for WaitingWithdrawals {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "withdrawals.waiting";
        let Waiting { open, late, .. } = open(db).await?;
        if late == 0 {
            let told = counted(open, "withdrawal waits", "withdrawals wait");
            return Ok(vec![Finding::ok(CHECK, format!("{told} for you, none for more than 10 days"))]);
        }
        let told = counted(late, "withdrawal was", "withdrawals were");
        let message = format!("{told} declared more than 10 days ago; the money has to go back within 14 days");
        let fix =
            "look with `stoa withdrawal list`, then `stoa withdrawal accept N --refund` or `stoa withdrawal refuse N`";
        Ok(vec![Finding::warning(CHECK, message, fix)])
    }
}

/// Looks at the settings about the rights of buyers.
pub(super) struct ConsumerRightsSettings;

impl Examine for ConsumerRightsSettings {
    type Uses = (Arc<Config>, OrderLinks);

    async fn examine(&self, (config, links): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "withdrawals.settings";
        let shop = &config.shop;
        let mut findings = Vec::new();
        if shop.consumer_rights == ConsumerRights::None {
            if shop.digital_without_waiver == DigitalWithoutWaiver::Later {
                let message = "digital goods are delivered at once, since `shop.digital_without_waiver` counts only with \
                               `shop.consumer_rights = \"eu\"`";
                let fix = "set `shop.consumer_rights = \"eu\"`, or leave `shop.digital_without_waiver` out";
                findings.push(Finding::warning(CHECK, message, fix));
            }
        } else {
            if !is_configured(config) {
                let message =
                    "customers who withdraw get no receipt, which the law wants at once: the shop sends no mail";
                findings.push(Finding::warning(CHECK, message, "set `mail.smtp.host` and `mail.from`"));
            }
            if !links.has_page() {
                let message = "mails have no link to the order, by which guests withdraw without a login";
                let fix = "switch `modules.storefront` on, or set `shop.order_url` to a page that shows one order";
                findings.push(Finding::warning(CHECK, message, fix));
            }
        }
        if findings.is_empty() {
            findings.push(Finding::ok(CHECK, "the settings about the rights of buyers fit together"));
        }
        Ok(findings)
    }
}

/// What `GET /metrics` shows.
pub(super) struct Gauges;

impl Measure for Gauges {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let Waiting { open, declared, late } = open(db).await?;
        Ok(vec![
            Sample::gauge("stoa_withdrawals_declared", "Withdrawals that were neither accepted nor refused.", declared),
            Sample::gauge("stoa_withdrawals_open", "Withdrawals whose money has not gone back.", open),
            Sample::gauge("stoa_withdrawals_late", "Those of them that are older than 10 days.", late),
        ])
    }
}
