//! `/console/health`: what the shop and its modules find when they look at themselves.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::doctor::{Examination, Finding, State};
use stoa_core::from_shop::{FromShop, ShopParts};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::doctor::Needs;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;

/// What looks at the shop looks at all of it.
pub(crate) struct Examined(ShopParts);

impl FromShop for Examined {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

impl Examined {
    /// Everything that is found, providers and mail server asked.
    async fn findings(&self) -> Vec<Finding> {
        let Self(shop) = self;
        let mut found = Vec::new();
        for needs in [Needs::Database, Needs::Shop] {
            let those = |examination: &&Examination| examination.needs == needs;
            for examination in shop.shown.examinations.iter().filter(those) {
                match examination.run(shop).await {
                    Ok(findings) => found.extend(findings),
                    Err(error) => found.push(Finding::unanswered(examination.check, error)),
                }
            }
        }
        found
    }
}

/// How many problems were found lately, for the first page: nobody waits there for a slow provider.
#[derive(Clone, Default)]
pub(crate) struct LateProblems(Arc<Mutex<Option<Looked>>>);

/// When somebody looked, and how many problems there were.
type Looked = (DateTime<Utc>, i64);

/// How long a number counts.
const FRESH: TimeDelta = TimeDelta::minutes(5);

/// How long a page waits for a new one.
const PATIENCE: Duration = Duration::from_secs(1);

impl LateProblems {
    /// The number of the last five minutes. Where there is none yet, the shop is looked at; when that takes long, the number before counts, and
    /// the new one is there for the next page.
    pub(crate) async fn count(&self, examined: Examined) -> Option<i64> {
        let now = examined.0.clock.now();
        let known = *self.kept();
        if let Some((found_at, number)) = known
            && now - found_at < FRESH
        {
            return Some(number);
        }
        let kept = self.clone();
        let looking = tokio::spawn(async move {
            let problems = examined.findings().await.iter().filter(|finding| finding.state != State::Ok).count();
            let number = i64::try_from(problems).unwrap_or(i64::MAX);
            *kept.kept() = Some((now, number));
            number
        });
        match tokio::time::timeout(PATIENCE, looking).await {
            Ok(Ok(number)) => Some(number),
            Ok(Err(_)) | Err(_) => known.map(|(_, number)| number),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Looked>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `GET /console/health`.
pub(super) async fn show(Uses(examined): Uses<Examined>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let mut found = examined.findings().await;
    if query.is_on("problems") {
        found.retain(|finding| finding.state != State::Ok);
    }
    found.sort_by_key(|finding| Reverse(finding.state));
    let list = List::keyed("Health", |finding: &Finding| format!("{} {}", finding.check, finding.message))
        .about("What needs somebody, the worst first. On the command line, stoa doctor looks at files and the machine besides.")
        .flag("problems", "Problems only")
        .empty("All is well.")
        .column("Check", |finding| finding.check)
        .column("State", |finding| {
            Cell::state(match finding.state {
                State::Ok => "ok",
                State::Warning => "warning",
                State::Failure => "failed",
            })
        })
        .column("Found", |finding| finding.message.clone())
        .column("What mends it", |finding| finding.fix.clone());
    list.show_all(query, found).await
}
