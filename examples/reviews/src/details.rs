//! The module's part of a product: how many stars it has, of how many reviews.

use std::collections::HashMap;

use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::queries;

/// What is told of a product that somebody has reviewed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "ReviewsDetails")]
pub(crate) struct Stars {
    /// The stars on average, from 1 to 5, with one decimal.
    average: f64,
    /// Published reviews.
    count: i64,
}

impl Stars {
    fn of(sum: i64, count: i64) -> Option<Self> {
        let tenths = i32::try_from((sum * 20 + count) / (count * 2)).ok()?;
        Some(Self { average: f64::from(tenths) / 10.0, count })
    }
}

/// Tells the stars. They change with `details_changed`, which whoever writes, withdraws or moderates a review calls.
pub(crate) struct TellStars;

impl TellDetails for TellStars {
    type Uses = Db;
    type Details = Stars;

    async fn details(&self, products: &[ShownProduct<'_>], db: &Db) -> Result<Vec<Option<Stars>>, DbError> {
        let ids = products.iter().map(|product| json!({"id": product.product_id})).collect::<Vec<_>>();
        let rows = db.read(queries::ADD_UP).bind(Value::Array(ids).to_string()).all::<(i64, i64, i64)>().await?;
        let stars = rows.into_iter().filter_map(|(id, sum, count)| Some((id, Stars::of(sum, count)?)));
        let stars = stars.collect::<HashMap<_, _>>();
        Ok(products.iter().map(|product| stars.get(&product.product_id).cloned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_rounded_to_one_decimal() {
        let average = |sum, count| Stars::of(sum, count).map(|stars| stars.average.to_string());
        assert_eq!(average(9, 2).as_deref(), Some("4.5"));
        assert_eq!(average(13, 3).as_deref(), Some("4.3"));
        assert_eq!(average(14, 3).as_deref(), Some("4.7"));
    }
}
