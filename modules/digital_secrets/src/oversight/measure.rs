//! The module's part of `GET /metrics`.

use stoa_core::prelude::*;

use super::list_stocks;

/// Measures what is left in the pools.
pub(crate) struct Gauges {
    pub(crate) low_water: u32,
}

impl Measure for Gauges {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let stocks = list_stocks(db).await?;
        let samples = stocks.iter().flat_map(|stock| {
            let gauge = |name, help, value| Sample::gauge(name, help, value).label("pool", stock.name.as_str());
            [
                gauge("stoa_digital_secrets_available", "Values that can be sold.", stock.available),
                gauge("stoa_digital_secrets_reserved", "Values kept for orders that are not paid.", stock.reserved),
                gauge("stoa_digital_secrets_waiting", "Units that are paid and wait for a value.", stock.waiting),
                gauge(
                    "stoa_digital_secrets_low",
                    "Whether a pool runs low: 1, else 0.",
                    i64::from(stock.is_low(self.low_water)),
                ),
            ]
        });
        Ok(samples.collect())
    }
}
