//! Resident memory, idle and under load.

use std::sync::Arc;

use crate::Outcome;
use crate::fixture::{encoded, terms};
use crate::full_load;
use crate::options::Options;
use crate::process::Cores;
use crate::report::{Report, Row};
use crate::shop::{LIST, Shop};
use crate::throughput::PER_PAGE;
use crate::wire::get;

/// Most MiB under load, by the number of products.
const LIMITS: [(usize, f64); 2] = [(1_000, 64.0), (100_000, 250.0)];

/// Rounds of load; the cache of answers is full long before their end.
const ROUNDS: u32 = 5;

/// Measures a new server of each shop: when its index is complete, and after asking for everything.
pub(crate) fn measure(shops: &[Shop], options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for shop in shops {
        eprintln!("memory with {} products", shop.name());
        let (mut server, _) = shop.serve(cores)?;
        server.wait_for_search()?;
        let Some((idle, idle_highest)) = server.process.memory() else { return Ok(()) };
        let requests = everything(shop);
        for _ in 0..ROUNDS {
            full_load::run(server.address, &server.process, &requests, options.connections, options.duration())?;
        }
        let Some((loaded, loaded_highest)) = server.process.memory() else { return Ok(()) };
        let text = format!("{idle:.0} MiB, highest {idle_highest:.0} MiB");
        report.add(Row::new("resident memory, idle", shop).measured(text));
        let text = format!("{loaded:.0} MiB, highest {loaded_highest:.0} MiB");
        let row = Row::new("resident memory, under load", shop).measured(text);
        let limit = LIMITS.iter().find(|(products, _)| *products == shop.catalog.slugs.len());
        report.add(match limit {
            Some((_, most)) => row.target(format!("< {most} MiB"), loaded_highest < *most),
            None => row,
        });
    }
    Ok(())
}

/// All pages, all products, all terms.
fn everything(shop: &Shop) -> Arc<[Box<[u8]>]> {
    let pages = (1..=shop.catalog.slugs.len().div_ceil(PER_PAGE)).map(|page| format!("{LIST}?page={page}"));
    let products = shop.catalog.slugs.iter().map(|slug| format!("{LIST}/{slug}"));
    let terms = terms(&shop.catalog.texts, 0);
    let searches = terms.iter().map(|term| format!("/api/v1/search?q={}", encoded(term)));
    pages.chain(products).chain(searches).map(|target| get(&target)).collect()
}
