//! Requests per second at full load, beside the bare server, turn by turn.

use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::Outcome;
use crate::bare::{Bare, Bodies};
use crate::full_load::{self, Measured};
use crate::options::{Options, Scenario};
use crate::process::Cores;
use crate::report::{Report, Row};
use crate::shop::{LIST, Server, Shop};
use crate::wire::get;

/// Products on a page.
pub(crate) const PER_PAGE: usize = 24;

/// The page that has to cost what the first one costs.
const DEEP_PAGE: usize = 400;

/// Least share of the bare server's rate.
const SHARE: f64 = 0.70;

/// Least share of the small catalog's rate that the large one reaches.
const LARGE_SHARE: f64 = 0.85;

/// Products whose answers are looked at to find one of average size.
const SIZE_SAMPLE: usize = 500;

/// A shop, its bare server, and the bodies that both answer with.
struct Pair<'a> {
    shop: &'a Shop,
    stoa: Server,
    bare: Bare,
    bodies: Bodies,
}

/// One scenario's requests to both servers of a pair.
struct Requests {
    stoa: Arc<[Box<[u8]>]>,
    bare: Arc<[Box<[u8]>]>,
}

/// One round: the two servers of a pair, one after the other.
struct Round {
    stoa: Measured,
    bare: Measured,
}

/// Measures the chosen scenarios with all shops.
pub(crate) fn measure(shops: &[Shop], options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    let scenarios = [Scenario::List, Scenario::Page400, Scenario::Product];
    let chosen = scenarios.into_iter().filter(|scenario| options.wants(*scenario)).collect::<Vec<_>>();
    if chosen.is_empty() {
        return Ok(());
    }
    let pairs = shops.iter().map(|shop| Pair::start(shop, cores)).collect::<Outcome<Vec<_>>>()?;
    for scenario in chosen {
        eprintln!("full load: {}", scenario.name());
        let rounds = rounds(scenario, &pairs, options)?;
        for (pair, rounds) in pairs.iter().zip(&rounds) {
            report_pair(scenario, pair, rounds, report);
        }
        report_growth(scenario, &pairs, &rounds, report);
    }
    Ok(())
}

/// Warms all servers up, then measures them in turn, so that what else happens on the machine hits
/// all of them alike.
fn rounds(scenario: Scenario, pairs: &[Pair<'_>], options: &Options) -> Outcome<Vec<Vec<Round>>> {
    let requests = pairs.iter().map(|pair| pair.requests(scenario)).collect::<Vec<_>>();
    let mut measured = pairs.iter().map(|_| Vec::new()).collect::<Vec<_>>();
    for round in 0..=options.rounds {
        for ((pair, requests), measured) in pairs.iter().zip(&requests).zip(&mut measured) {
            let run = |address, process, requests| {
                full_load::run(address, process, requests, options.connections, options.duration())
            };
            let stoa = run(pair.stoa.address, &pair.stoa.process, &requests.stoa)?;
            let bare = run(pair.bare.address, &pair.bare.process, &requests.bare)?;
            if round > 0 {
                measured.push(Round { stoa, bare });
            }
        }
    }
    Ok(measured)
}

fn report_pair(scenario: Scenario, pair: &Pair<'_>, rounds: &[Round], report: &mut Report) {
    let stoa = median(rounds.iter().map(|round| round.stoa.rate));
    let bare = median(rounds.iter().map(|round| round.bare.rate));
    let ratios = || rounds.iter().map(|round| round.stoa.rate / round.bare.rate);
    let share = median(ratios());
    let text = format!(
        "{} ({} to {}): {stoa:.0}/s, bare {bare:.0}/s, body of {} bytes",
        ratio(share),
        ratio(ratios().fold(f64::MAX, f64::min)),
        ratio(ratios().fold(0.0, f64::max)),
        pair.body(scenario).len(),
    );
    let name = match scenario {
        Scenario::List => String::from("`/products`"),
        Scenario::Page400 => format!("`/products?page={}`", pair.page()),
        _ => String::from("`/products/{slug}`, random"),
    };
    report.add(Row::new(name, pair.shop).measured(text).target("≥ 70 % of bare axum", share >= SHARE));
    for (who, measured) in [
        ("Stoa", rounds.iter().map(|round| round.stoa).collect::<Vec<_>>()),
        ("bare", rounds.iter().map(|round| round.bare).collect()),
    ] {
        report.note(format!(
            "full load `{}`, {} products, {who}: {:.1} µs of processor time for a request; server {} of its core, \
             generator {}",
            scenario.name(),
            pair.shop.name(),
            median(measured.iter().map(|measured| measured.cost)),
            ratio(median(measured.iter().map(|measured| measured.server))),
            ratio(median(measured.iter().map(|measured| measured.generator))),
        ));
    }
}

/// Compares the largest catalog with the smallest.
fn report_growth(scenario: Scenario, pairs: &[Pair<'_>], rounds: &[Vec<Round>], report: &mut Report) {
    let size = |index: &usize| pairs[*index].shop.catalog.slugs.len();
    let (Some(small), Some(large)) = ((0..pairs.len()).min_by_key(size), (0..pairs.len()).max_by_key(size)) else {
        return;
    };
    if small == large {
        return;
    }
    let shares = rounds[large].iter().zip(&rounds[small]).map(|(large, small)| large.stoa.rate / small.stoa.rate);
    let share = median(shares);
    let name = format!("`{}` against {} products", scenario.name(), pairs[small].shop.name());
    let row = Row::new(name, pairs[large].shop).measured(ratio(share));
    report.add(row.target("≥ 85 % of the rate", share >= LARGE_SHARE));
}

impl<'a> Pair<'a> {
    fn start(shop: &'a Shop, cores: &Cores) -> Outcome<Self> {
        let (mut stoa, _) = shop.serve(cores)?;
        stoa.wait_for_search()?;
        let list = stoa.client.body(LIST)?.to_vec();
        let page = stoa.client.body(&page_target(shop))?.to_vec();
        let product = average_product(shop, &mut stoa)?;
        let bodies = Bodies { list, page, product };
        let bare = Bare::start(shop.bare_folder(), &bodies, cores)?;
        Ok(Self { shop, stoa, bare, bodies })
    }

    fn page(&self) -> usize {
        page_number(self.shop)
    }

    fn body(&self, scenario: Scenario) -> &[u8] {
        match scenario {
            Scenario::List => &self.bodies.list,
            Scenario::Page400 => &self.bodies.page,
            _ => &self.bodies.product,
        }
    }

    fn requests(&self, scenario: Scenario) -> Requests {
        let (stoa, bare) = match scenario {
            Scenario::List => (vec![get(LIST)], vec![get(LIST)]),
            Scenario::Page400 => {
                let bare = get(&format!("/api/v1/pages?page={}", self.page()));
                (vec![get(&page_target(self.shop))], vec![bare])
            }
            _ => {
                let slugs = self.shop.catalog.slugs.iter();
                let all = slugs.map(|slug| get(&format!("{LIST}/{slug}"))).collect::<Vec<_>>();
                (all.clone(), all)
            }
        };
        Requests { stoa: stoa.into(), bare: bare.into() }
    }
}

/// Page 400, or the last full one of a short catalog.
fn page_number(shop: &Shop) -> usize {
    (shop.catalog.slugs.len() / PER_PAGE).clamp(1, DEEP_PAGE)
}

fn page_target(shop: &Shop) -> String {
    format!("{LIST}?page={}", page_number(shop))
}

/// The answer for a product, of the size nearest to the average.
fn average_product(shop: &Shop, stoa: &mut Server) -> Outcome<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let slugs = &shop.catalog.slugs;
    let mut bodies = Vec::new();
    for _ in 0..SIZE_SAMPLE {
        let slug = &slugs[random.random_range(0..slugs.len())];
        bodies.push(stoa.client.body(&format!("{LIST}/{slug}"))?.to_vec());
    }
    let average = bodies.iter().map(Vec::len).sum::<usize>() / bodies.len();
    let nearest = bodies.into_iter().min_by_key(|body| body.len().abs_diff(average));
    nearest.ok_or_else(|| "the catalog is empty".into())
}

/// The middle of the values; 0 for none.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values = values.collect::<Vec<_>>();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// A ratio in per cent.
pub(crate) fn ratio(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}
