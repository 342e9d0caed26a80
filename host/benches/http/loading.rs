//! How fast the catalog was imported.

use crate::report::{Report, Row};
use crate::shop::Shop;

/// Seconds that 100,000 products may take.
const LIMIT_SECONDS: f64 = 60.0;

/// Reports the import that has made the shop.
pub(crate) fn report(shop: &Shop, report: &mut Report) {
    let Some(time) = shop.imported_in else { return };
    let seconds = time.as_secs_f64();
    let products = u32::try_from(shop.catalog.slugs.len()).map_or(f64::MAX, f64::from);
    let rate = products / seconds;
    let row = Row::new("import", shop).measured(format!("{seconds:.1} s, {rate:.0} products/s"));
    let row = if shop.catalog.slugs.len() == 100_000 {
        row.target("< 60 s on two cores", seconds < LIMIT_SECONDS)
    } else {
        row
    };
    report.add(row);
}
