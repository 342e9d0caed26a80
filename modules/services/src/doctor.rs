//! The module's part of `stoa doctor`.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde_json::Value;
use sqlx::types::Json;
use stoa_core::prelude::*;
use stoa_core::queue::count_lane;

use crate::capacity::PlanRow;
use crate::capacity::queries::{LIST_PLANS, PRODUCT_SETTINGS};
use crate::config::Config;
use crate::model::ServiceSettings;
use crate::provider::{ProviderKind, Providers};
use crate::queries;
use crate::worker::SERVICES;

/// Work that is this late has no worker.
const LATE: TimeDelta = TimeDelta::minutes(15);

/// What is sold by hand should not wait longer for it.
const PATIENCE: TimeDelta = TimeDelta::days(2);

/// Looks for services that somebody has to do something about.
pub(crate) struct ExamineServices {
    pub(crate) config: Config,
    pub(crate) providers: Providers,
}

impl Examine for ExamineServices {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        let now = db.now();
        let attention = db.read(queries::COUNT_ATTENTION).scalar::<i64>().await?;
        let drift = db.read(queries::COUNT_DRIFT).scalar::<i64>().await?;
        let queued = count_lane(db, SERVICES).await?;
        let overdue = if queued.due_since.is_some_and(|since| since <= now - LATE) { queued.due } else { 0 };
        let waiting = db.read(queries::COUNT_WAITING).bind(now - PATIENCE).scalar::<i64>().await?;
        let mut findings = vec![
            match attention {
                0 => Finding::ok("services.attention", "providers have done what they were asked for"),
                count => Finding::failure(
                    "services.attention",
                    format!("{count} services were given up after failed calls to their provider"),
                    "look at `stoa services list --attention`, then run `stoa services retry`",
                ),
            },
            match drift {
                0 => Finding::ok("services.drift", "no service is known to differ from what its provider says"),
                count => Finding::warning(
                    "services.drift",
                    format!("{count} services differ from what their provider says"),
                    "look at `stoa services list --attention`, then run `stoa services retry`",
                ),
            },
            match overdue {
                0 => Finding::ok("services.worker", "no service waits for a worker"),
                count => Finding::warning(
                    "services.worker",
                    format!("{count} services wait for a worker, the first for more than 15 minutes"),
                    "run `stoa worker`, or `stoa serve` with worker.enabled = true",
                ),
            },
            match waiting {
                0 => Finding::ok("services.by_hand", "no service has waited for you for more than two days"),
                count => Finding::warning(
                    "services.by_hand",
                    format!("{count} services that were paid have waited for you for more than two days"),
                    "make those of `stoa services list --status pending`, then run `stoa services activate`",
                ),
            },
        ];
        findings.push(self.providers(db).await?);
        findings.push(self.capacity(db).await?);
        Ok(findings)
    }
}

impl ExamineServices {
    /// Whether all providers that products and services name can be called.
    async fn providers(&self, db: &Db) -> Result<Finding, DbError> {
        let mut names =
            db.read(queries::LIVING_PROVIDERS).scalars::<String>().await?.into_iter().collect::<BTreeSet<_>>();
        let settings = db.read(PRODUCT_SETTINGS).all::<(String, Json<Value>)>().await?;
        names.extend(settings.into_iter().filter_map(|(_, settings)| {
            serde_json::from_value::<ServiceSettings>(settings.0).ok().and_then(|settings| settings.provider)
        }));
        let problem = |name: &String| match self.providers.find(name) {
            ProviderKind::Missing(reason) => Some(format!("`{name}`: {reason}")),
            ProviderKind::ByHand | ProviderKind::Remote(_) => None,
        };
        let problems = names.iter().filter_map(problem).collect::<Vec<_>>();
        Ok(if problems.is_empty() {
            Finding::ok("services.providers", "all providers that products and services name can be called")
        } else {
            Finding::failure(
                "services.providers",
                format!("services cannot be provided: {}", problems.join("; ")),
                "set the provider up under [modules.services]",
            )
        })
    }

    /// Whether there is room left.
    async fn capacity(&self, db: &Db) -> Result<Finding, DbError> {
        let plans = db.read(LIST_PLANS).all::<PlanRow>().await?;
        let is_full =
            |row: &&PlanRow| row.limit(self.config.capacity(&row.plan)).is_some_and(|limit| row.used >= limit);
        let full = plans.iter().filter(is_full).map(|row| format!("`{}` of `{}`", row.plan, row.provider));
        let full = full.collect::<Vec<_>>();
        Ok(if full.is_empty() {
            Finding::ok("services.capacity", "there is room for every plan")
        } else {
            Finding::warning(
                "services.capacity",
                format!("there is no room left for {}, so nothing more of it is sold", full.join(", ")),
                "make room at the provider, and raise `capacity` under [modules.services.plans]",
            )
        })
    }
}
