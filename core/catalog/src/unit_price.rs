//! What an amount of a product costs that can be compared, such as a kilogram or a litre (Directive 98/6/EC).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use stoa_kernel::money::MoneyFormatter;

/// The price of the reference quantity, as clients see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ProductUnitPrice")]
pub struct ShownUnitPrice {
    /// Minor units of the currency.
    pub amount: i64,
    /// For people, as the shop's locale writes it; never calculate with it.
    pub formatted: String,
    /// What it is the price of, such as `1 kg` or `100 ml`.
    pub reference: String,
}

/// The price of the reference quantity, as records say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnitPriceRecord {
    /// Minor units of the currency.
    pub amount: i64,
    /// What it is the price of, such as `1 kg` or `100 ml`.
    pub reference: String,
}

/// What was said of the unit price, and the product's price then: when that changes alone, the unit price follows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedUnitPrice {
    amount: i64,
    reference: String,
    price_amount: i64,
}

impl StatedUnitPrice {
    /// What a record says of a product at this price.
    pub(super) fn new(record: UnitPriceRecord, price_amount: i64) -> Self {
        Self { amount: record.amount, reference: record.reference, price_amount }
    }

    /// The record that says the same while the product costs so much. What was said of something that is free is none at a price.
    pub(super) fn at(&self, price_amount: i64) -> Option<UnitPriceRecord> {
        let amount = match (self.price_amount, price_amount) {
            (then, now) if then == now => self.amount,
            (0, _) => return None,
            (then, now) => {
                let (amount, then, now) = (i128::from(self.amount), i128::from(then), i128::from(now));
                i64::try_from((2 * amount * now + then) / (2 * then)).ok()?
            }
        };
        Some(UnitPriceRecord { amount, reference: self.reference.clone() })
    }

    /// As clients see it while the product costs so much.
    pub(super) fn shown(&self, price_amount: i64, money: &MoneyFormatter) -> Option<ShownUnitPrice> {
        let UnitPriceRecord { amount, reference } = self.at(price_amount)?;
        Some(ShownUnitPrice { amount, formatted: money.format(amount), reference })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(stated: (i64, i64), price: i64) -> Option<i64> {
        let record = UnitPriceRecord { amount: stated.0, reference: String::from("1 kg") };
        StatedUnitPrice::new(record, stated.1).at(price).map(|record| record.amount)
    }

    #[test]
    fn a_unit_price_follows_the_price_and_comes_back_without_drifting() {
        assert_eq!(at((2380, 595), 595), Some(2380));
        assert_eq!(at((2380, 595), 499), Some(1996));
        assert_eq!(at((1, 3), 1), Some(0), "a third is rounded down");
        assert_eq!(at((1, 2), 1), Some(1), "a half is rounded up");
        assert_eq!(at((0, 0), 0), Some(0));
        assert_eq!(at((0, 0), 100), None, "nothing is known of what it costs now");
        assert_eq!(at((i64::MAX, 1), 2), None, "what cannot be counted is not said");
    }
}
