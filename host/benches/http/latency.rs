//! Latency of searches that arrive at a fixed rate, none of them asked before.

use std::time::Duration;

use crate::Outcome;
use crate::fixture::{encoded, terms};
use crate::options::{Options, Scenario};
use crate::process::Cores;
use crate::report::{Report, Row, milliseconds};
use crate::shop::Shop;
use crate::steady_rate::{self, Latencies};
use crate::wire::get;

/// Longest time that 99 of 100 requests may take.
const LIMIT: Duration = Duration::from_millis(5);

/// The longest answer without products: a list page's links and numbers.
const EMPTY_SEARCH: usize = r#"{"data":[]}"#.len();
const EMPTY_LIST: usize = 900;

/// Measures the chosen searches. Each round starts a new server, for which all terms are new.
pub(crate) fn measure(shop: &Shop, options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    let searches = [(Scenario::Search, "/search?q=", EMPTY_SEARCH), (Scenario::ListSearch, "/products?q=", EMPTY_LIST)];
    for (scenario, target, empty) in searches.into_iter().filter(|(scenario, ..)| options.wants(*scenario)) {
        eprintln!("fixed rate: {}", scenario.name());
        let mut all = Latencies::default();
        for round in 0..options.rounds {
            let terms = terms(&shop.catalog.texts, u64::from(round));
            let requests = terms.iter().map(|term| get(&format!("/api/v1{target}{}", encoded(term))));
            let (mut server, _) = shop.serve(cores)?;
            server.wait_for_search()?;
            all.extend(steady_rate::run(server.address, &requests.collect::<Vec<_>>(), options.rate, empty)?);
        }
        let percentiles = [("p50", 500), ("p95", 950), ("p99", 990), ("p99.9", 999), ("max", 1000)];
        let text = percentiles.map(|(name, per_mille)| format!("{name} {}", milliseconds(all.per_mille(per_mille))));
        let row = Row::new(format!("`{target}`, {} requests a second", options.rate), shop).measured(text.join(", "));
        report.add(row.target("p99 < 5 ms", all.per_mille(990) < LIMIT));
        report.note(format!(
            "fixed rate `{}`: {} requests in {} rounds, a third of them of two letters, {} answers without products; \
             sent late by the generator itself: p99 {}, max {}",
            scenario.name(),
            all.count(),
            options.rounds,
            all.empty,
            milliseconds(all.late(990)),
            milliseconds(all.late(1000)),
        ));
    }
    Ok(())
}
