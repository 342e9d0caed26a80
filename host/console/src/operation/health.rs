//! `/console/health`: what the shop and its modules find when they look at themselves.

use std::cmp::Reverse;

use stoa_core::doctor::{Examination, Finding, State};
use stoa_core::from_shop::{FromShop, ShopParts};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::doctor::Needs;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;

/// What looks at the shop looks at all of it.
pub(super) struct Examined(ShopParts);

impl FromShop for Examined {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

/// `GET /console/health`.
pub(super) async fn show(Uses(Examined(shop)): Uses<Examined>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let mut found = Vec::new();
    for needs in [Needs::Database, Needs::Shop] {
        let those = |examination: &&Examination| examination.needs == needs;
        for examination in shop.shown.examinations.iter().filter(those) {
            match examination.run(&shop).await {
                Ok(findings) => found.extend(findings),
                Err(error) => found.push(Finding::unanswered(examination.check, error)),
            }
        }
    }
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
