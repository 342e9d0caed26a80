//! Pages of the storefront at full load, beside a bare server that sends as many bytes.

use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::Outcome;
use crate::bare::{Bare, Bodies};
use crate::fixture::{encoded, terms};
use crate::full_load;
use crate::options::Options;
use crate::process::Cores;
use crate::report::{Report, Row};
use crate::shop::{LIST, Server, Shop};
use crate::throughput::{median, ratio};
use crate::wire::get;

/// Least share of the bare server's rate.
const SHARE: f64 = 0.25;

/// Different products, and different searches, that are asked for.
const DIFFERENT: usize = 500;

/// A kind of page: what it is called, and the addresses that are asked for in turn.
struct Kind {
    name: &'static str,
    targets: Vec<String>,
}

/// Measures each kind of page of a shop with the storefront.
pub(crate) fn measure(shop: &Shop, options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    let (mut stoa, _) = shop.serve_with(cores, &[("STOA_MODULES__STOREFRONT__ENABLED", "true")])?;
    stoa.wait_for_search()?;
    for kind in kinds(shop, &mut stoa)? {
        eprintln!("full load: {}", kind.name);
        let body = stoa.client.body(&kind.targets[0])?.to_vec();
        let bodies = Bodies { list: body.clone(), page: body.clone(), product: body.clone() };
        let bare = Bare::start(shop.bare_folder(), &bodies, cores)?;
        let asked: Arc<[_]> = kind.targets.iter().map(|target| get(target)).collect();
        let plain: Arc<[_]> = [get(LIST)].into();
        let mut rates = Vec::new();
        for round in 0..=options.rounds {
            let run = |address, process, requests| {
                full_load::run(address, process, requests, options.connections, options.duration())
            };
            let measured = run(stoa.address, &stoa.process, &asked)?;
            let beside = run(bare.address, &bare.process, &plain)?;
            if round > 0 {
                rates.push((measured.rate, beside.rate));
            }
        }
        let share = median(rates.iter().map(|(page, bare)| page / bare));
        let text = format!(
            "{}: {:.0}/s, bare {:.0}/s, body of {} bytes",
            ratio(share),
            median(rates.iter().map(|(page, _)| *page)),
            median(rates.iter().map(|(_, bare)| *bare)),
            body.len()
        );
        report.add(Row::new(kind.name, shop).measured(text).target("≥ 25 % of bare axum", share >= SHARE));
    }
    Ok(())
}

fn kinds(shop: &Shop, stoa: &mut Server) -> Outcome<Vec<Kind>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let slugs = &shop.catalog.slugs;
    let products = (0..DIFFERENT).map(|_| format!("/p/{}", slugs[random.random_range(0..slugs.len())])).collect();
    let found: Value = serde_json::from_slice(stoa.client.body("/api/v1/categories")?)?;
    let categories = found["data"].as_array().into_iter().flatten().filter_map(|category| category["slug"].as_str());
    let categories = categories.map(|slug| format!("/c/{slug}")).collect::<Vec<_>>();
    let searches = terms(&shop.catalog.texts, 1).into_iter().take(DIFFERENT);
    let searches = searches.map(|term| format!("/search?q={}", encoded(&term))).collect();
    let kinds = [
        Kind { name: "page `/`", targets: vec![String::from("/")] },
        Kind { name: "page `/c/{slug}`", targets: categories },
        Kind { name: "page `/p/{slug}`, random", targets: products },
        Kind { name: "page `/search?q=`, random", targets: searches },
    ];
    Ok(kinds.into_iter().filter(|kind| !kind.targets.is_empty()).collect())
}
