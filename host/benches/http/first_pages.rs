//! What a page costs that nobody has asked for yet: early pages against late ones.

use std::time::Instant;

use crate::Outcome;
use crate::process::Cores;
use crate::report::{Report, Row};
use crate::shop::Shop;
use crate::throughput::{PER_PAGE, ratio};
use crate::wire::get;

/// Pages of each kind; they alternate.
const PAGES: usize = 40;

/// The first of the late pages, where the catalog is long enough.
const LATE: usize = 400;

/// How much the late ones may differ.
const TOLERANCE: f64 = 0.15;

/// Measures a freshly started server, one request at a time.
pub(crate) fn measure(shops: &[Shop], cores: &Cores, report: &mut Report) -> Outcome<()> {
    for shop in shops.iter().filter(|shop| shop.catalog.slugs.len() > (LATE + PAGES) * PER_PAGE) {
        eprintln!("first requests of pages with {} products", shop.name());
        let (mut server, _) = shop.serve(cores)?;
        server.wait_for_search()?;
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for offset in 0..PAGES {
            for (first, times) in [(2, &mut early), (LATE, &mut late)] {
                let request = get(&format!("/api/v1/products?page={}", first + offset));
                let start = Instant::now();
                server.client.send(&request)?;
                times.push(start.elapsed().as_secs_f64());
            }
        }
        early.sort_unstable_by(f64::total_cmp);
        late.sort_unstable_by(f64::total_cmp);
        let (early, late) = (early[PAGES / 2], late[PAGES / 2]);
        let text = format!("{:.0} µs against {:.0} µs, {}", late * 1e6, early * 1e6, ratio(late / early));
        let row = Row::new("page never asked before: from 400 on against from 2 on", shop).measured(text);
        report.add(row.target("same, ± 15 %", (late / early - 1.0).abs() < TOLERANCE));
    }
    Ok(())
}
