//! What the operator is told: by `stoa doctor`, by the metrics, and by `stoa verify`.

use stoa_core::prelude::*;

use crate::config::Config;
use crate::queries;

const LOW: &str = "inventory.low";
const SHORT: &str = "inventory.short";

type Counts = (i64, i64, i64, i64, i64);

async fn counts(db: &Db, config: Config) -> Result<Counts, DbError> {
    db.read(queries::COUNTS).bind(config.low_stock_threshold).one().await
}

/// What `stoa doctor` looks at.
pub(crate) struct Look(pub(crate) Config);

impl Examine for Look {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        let (skus, low, out, short, _) = counts(db, self.0).await?;
        let low = if low == 0 {
            Finding::ok(LOW, format!("of {skus} SKUs that are counted, none is low"))
        } else {
            let text = format!("of {skus} SKUs that are counted, {low} are low, {out} of them sold out");
            Finding::warning(LOW, text, "look at `stoa inventory low`, and order more")
        };
        let short = if short == 0 {
            Finding::ok(SHORT, "nothing is promised that is not there")
        } else {
            let skus = db.read(queries::LIST_SHORT).scalars::<String>().await?.join(", ");
            let text = format!("of {short} SKUs more is promised than was counted: {skus}");
            let fix = "count them again with `stoa inventory set`, buy more, or cancel orders";
            Finding::warning(SHORT, text, fix)
        };
        Ok(vec![low, short])
    }
}

/// What `GET /metrics` shows.
pub(crate) struct Gauges(pub(crate) Config);

impl Measure for Gauges {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let (skus, low, out, short, reserved) = counts(db, self.0).await?;
        Ok(vec![
            Sample::gauge("stoa_inventory_skus", "SKUs that are counted.", skus),
            Sample::gauge("stoa_inventory_low", "SKUs whose stock is low or gone.", low),
            Sample::gauge("stoa_inventory_out_of_stock", "SKUs that cannot be sold.", out),
            Sample::gauge("stoa_inventory_short", "SKUs of which more is promised than is there.", short),
            Sample::gauge("stoa_inventory_reserved", "Pieces that orders hold.", reserved),
        ])
    }
}

/// What must hold at any time.
pub(crate) const INVARIANTS: [Invariant; 5] = [
    Invariant::new(
        "inventory_reserved",
        "what is reserved of a SKU is what open allocations have of it",
        queries::RESERVED_IS_HELD,
    ),
    Invariant::new(
        "inventory_ledger",
        "what is on hand and reserved of a SKU is what its movements come to",
        queries::LEDGER_SUMS,
    ),
    Invariant::new(
        "inventory_promises",
        "no order was ever promised more than there was, except where backorders are allowed",
        queries::OVERSOLD,
    ),
    Invariant::new("inventory_holds", "a cancelled order has no allocation", queries::HELD_FOR_NOTHING),
    Invariant::new(
        "inventory_gone",
        "only units of paid orders have left stock, and of what is sent only those that were",
        queries::GONE_UNSENT,
    ),
];
