//! How fast the catalog was imported.

use crate::report::{Report, Row};
use crate::shop::Shop;

/// Seconds that 100,000 products may take.
const LIMIT_SECONDS: f64 = 60.0;

/// Reports the import that has made the shop.
pub(crate) fn report(shop: &Shop, report: &mut Report) {
    let Some(time) = shop.imported_in else { return };
    let seconds = time.as_secs_f64();
    let products = u32::try_from(shop.catalog.products()).map_or(f64::MAX, f64::from);
    let rate = products / seconds;
    let mebibytes = shop.catalog.bytes / 1024 / 1024;
    let row =
        Row::new("import", shop).measured(format!("{seconds:.1} s, {rate:.0} products/s, file of {mebibytes} MiB"));
    let row = if shop.catalog.products() == 100_000 {
        row.target("< 60 s on two cores", seconds < LIMIT_SECONDS)
    } else {
        row
    };
    report.add(row);
}
