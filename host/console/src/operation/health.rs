//! `/console/health`: what the shop and its modules find when they look at themselves.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::doctor::{Examination, Finding, State};
use stoa_core::from_shop::{FromShop, ShopParts};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, RowAct, sentence};
use stoa_kernel::doctor::Needs;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use tokio::task::AbortHandle;
use tokio::time::Instant;

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

    /// How many of them are problems.
    pub(crate) async fn problems(self) -> i64 {
        let problems = self.findings().await.iter().filter(|finding| finding.state != State::Ok).count();
        i64::try_from(problems).unwrap_or(i64::MAX)
    }
}

/// How many problems were found lately, for the first page: nobody waits there for a slow provider.
#[derive(Clone, Default)]
pub(crate) struct LateProblems(Arc<Mutex<Looks>>);

/// How many problems were found at a look at the shop.
#[derive(Clone, Copy)]
struct Look {
    problems: i64,
    /// From then on the shop is looked at anew.
    counts_until: DateTime<Utc>,
    /// Until then the number is shown meanwhile.
    shown_until: DateTime<Utc>,
}

#[derive(Default)]
struct Looks {
    last: Option<Look>,
    /// The newest look.
    newest: Option<AbortHandle>,
}

/// How long a number counts at least.
const FRESH: TimeDelta = TimeDelta::minutes(5);

/// A number counts so many times as long as the look took: a large catalog takes seconds, and is not to be looked through all the time.
const TIMES_AS_LONG: i32 = 100;

/// How much longer a number is shown, while the shop is looked at anew.
const SHOWN: TimeDelta = TimeDelta::hours(1);

/// How long a page waits for a number where there is none to show.
const PATIENCE: Duration = Duration::from_secs(1);

impl LateProblems {
    /// The number of the last minutes. Where it is older, the shop is looked at by `look`, and the new one is there for the next page; only
    /// where there is none to show meanwhile does this page wait for it, and not for long.
    pub(crate) async fn count(
        &self,
        now: DateTime<Utc>,
        look: impl Future<Output = i64> + Send + 'static,
    ) -> Option<i64> {
        let (last, looking) = {
            let mut looks = self.looks();
            let counts = looks.last.is_some_and(|last| now < last.counts_until);
            let is_going_on = looks.newest.as_ref().is_some_and(|newest| !newest.is_finished());
            if counts || is_going_on {
                return looks.last.map(|last| last.problems);
            }
            let kept = self.clone();
            let looking = tokio::spawn(async move {
                let started = Instant::now();
                let problems = look.await;
                let took = TimeDelta::from_std(started.elapsed()).unwrap_or(SHOWN);
                let counts_until = now + FRESH.max(took * TIMES_AS_LONG);
                kept.looks().last = Some(Look { problems, counts_until, shown_until: counts_until + SHOWN });
                problems
            });
            looks.newest = Some(looking.abort_handle());
            (looks.last, looking)
        };
        match last {
            Some(last) if now < last.shown_until => Some(last.problems),
            _ => match tokio::time::timeout(PATIENCE, looking).await {
                Ok(Ok(number)) => Some(number),
                Ok(Err(_)) | Err(_) => last.map(|last| last.problems),
            },
        }
    }

    fn looks(&self) -> MutexGuard<'_, Looks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the console does what commands mend: a check or the first word of several, who may look there, and the page.
const PAGES: [(&str, &str, &str); 19] = [
    ("webhooks", "webhooks.view", "/webhooks"),
    ("mail", "mails.view", "/mails"),
    ("events", "events.view", "/events"),
    ("jobs", "jobs.view", "/jobs"),
    ("orders.review", "orders.view", "/orders?review=1"),
    ("payments.callbacks", "payments.view", "/payments/callbacks"),
    ("payments.attempts", "payments.view", "/payments"),
    ("withdrawals.waiting", "withdrawals.view", "/withdrawals?status=declared"),
    ("catalog.categories", "products.view", "/categories"),
    ("catalog.capabilities", "products.view", "/products"),
    ("catalog.images", "products.view", "/products"),
    ("tax", "settings.view", "/settings?q=tax"),
    ("shipping", "settings.view", "/settings?q=shipping"),
    ("digital_secrets", "digital_secrets.view", "/m/digital_secrets/pools"),
    ("downloads", "downloads.view", "/m/downloads/files"),
    ("event_tickets", "event_tickets.view", "/m/event_tickets/events"),
    ("inventory", "inventory.view", "/m/inventory/stock"),
    ("services", "services.view", "/m/services/list"),
    ("subscriptions", "subscriptions.view", "/m/subscriptions/list"),
];

/// Whether a check is this one, or one of those whose names begin with this word.
fn is_of(check: &str, known: &str) -> bool {
    check.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a page of the console is where this is mended.
fn is_mended_at(finding: &Finding, known: &str) -> bool {
    finding.state != State::Ok && is_of(finding.check, known)
}

/// The name of a check for who never sees a terminal: `catalog.categories` is “Catalog: categories”.
fn in_words(check: &str) -> String {
    let words = check.replace('.', ": ").replace('_', " ").replace("vat ids", "VAT IDs");
    sentence(&words).trim_end_matches('.').to_owned()
}

/// What mends it. A command is below what can be done here instead.
fn mends(finding: &Finding) -> Option<Cell> {
    let fix = finding.fix.as_deref()?;
    let is_command = fix.starts_with("stoa ") || fix.contains("`stoa ");
    let has_page = PAGES.into_iter().any(|(known, ..)| is_mended_at(finding, known));
    let cell = Cell::from(plain(fix));
    Some(if is_command && has_page { Cell::from("Open its page, or on the command line:").over(cell) } else { cell })
}

/// Without what marks commands and settings in a terminal.
fn plain(text: &str) -> String {
    text.replace('`', "")
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
        .column("Check", |finding| Cell::from(in_words(finding.check)).over(finding.check))
        .column("State", |finding| {
            Cell::state(match finding.state {
                State::Ok => "ok",
                State::Warning => "warning",
                State::Failure => "failed",
            })
        })
        .column("Found", |finding| plain(&finding.message))
        .column("What mends it", mends);
    let list = PAGES.into_iter().fold(list, |list, (check, ability, path)| {
        list.act(ability, move |finding| is_mended_at(finding, check).then(|| RowAct::open("Open", path)))
    });
    list.show_all(query, found).await
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minute)
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_waits_for_a_look_at_the_shop_only_where_there_is_no_number_of_the_last_hour() {
        let problems = LateProblems::default();
        assert_eq!(problems.count(at(0), pending()).await, None, "nobody waits for ever");
        let problems = LateProblems::default();
        assert_eq!(problems.count(at(0), ready(2)).await, Some(2));
        assert_eq!(problems.count(at(4), ready(3)).await, Some(2), "it counts for five minutes");
        assert_eq!(problems.count(at(6), ready(3)).await, Some(2), "the next page has the new one");
        tokio::task::yield_now().await;
        assert_eq!(problems.count(at(7), pending()).await, Some(3));
        assert_eq!(problems.count(at(70), ready(4)).await, Some(3));
        tokio::task::yield_now().await;
        assert_eq!(problems.count(at(136), ready(5)).await, Some(5), "after more than an hour it is waited for");
    }

    #[tokio::test(start_paused = true)]
    async fn a_look_that_takes_long_is_repeated_more_seldom() {
        let problems = LateProblems::default();
        let slow = async {
            tokio::time::sleep(Duration::from_secs(6)).await;
            7
        };
        assert_eq!(problems.count(at(0), slow).await, None);
        tokio::time::sleep(Duration::from_secs(6)).await;
        assert_eq!(problems.count(at(9), pending()).await, Some(7));
        assert_eq!(problems.count(at(11), ready(8)).await, Some(7));
        tokio::task::yield_now().await;
        assert_eq!(problems.count(at(12), pending()).await, Some(8));
    }

    #[tokio::test(start_paused = true)]
    async fn one_look_goes_on_at_a_time() {
        let problems = LateProblems::default();
        assert_eq!(problems.count(at(0), ready(1)).await, Some(1));
        assert_eq!(problems.count(at(10), pending()).await, Some(1));
        let second = problems.count(at(20), async { panic!("nobody looks twice") }).await;
        assert_eq!(second, Some(1));
        tokio::task::yield_now().await;
    }
}
