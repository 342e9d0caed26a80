//! What is known of a product besides its texts and its price (contract 6.2).

use serde::Serialize;

use sqlx::types::Json;

use super::record::Member;
use super::safety::ProductSafety;
use super::unit_price::{StatedUnitPrice, UnitPriceRecord};

/// The facts as they are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct ProductFacts {
    /// Who makes it.
    pub brand: Option<String>,
    /// The global trade item number: 8, 12, 13 or 14 digits, the last of which checks the others.
    pub gtin: Option<String>,
    /// The weight of one piece, in grams.
    pub weight_grams: Option<i64>,
    /// The price before a reduction, in minor units. Customers see it only while it is above the price.
    pub compare_at_amount: Option<i64>,
    /// What an amount of it costs that can be compared.
    pub unit_price: Option<Json<StatedUnitPrice>>,
    /// Who is responsible for it, and what there is to be warned of.
    pub safety: Option<Json<ProductSafety>>,
}

/// Whether a price is below the one that was told as the price before.
pub(super) fn is_reduced(price_amount: i64, compare_at_amount: Option<i64>) -> bool {
    compare_at_amount.is_some_and(|before| before > price_amount)
}

impl ProductFacts {
    /// The facts of a product at its price as members that say everything.
    pub fn record(self, price_amount: i64) -> FactsRecord {
        FactsRecord {
            brand: Member::known(self.brand),
            gtin: Member::known(self.gtin),
            weight_grams: Member::known(self.weight_grams),
            compare_at_amount: Member::known(self.compare_at_amount),
            unit_price: Member::known(self.unit_price.and_then(|stated| stated.at(price_amount))),
            safety: Member::known(self.safety.map(|safety| safety.0)),
        }
    }
}

/// The facts as members of a product's record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FactsRecord {
    /// Who makes it.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub brand: Member<String>,
    /// The global trade item number: 8, 12, 13 or 14 digits, the last of which checks the others.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub gtin: Member<String>,
    /// The weight of one piece, in grams.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub weight_grams: Member<i64>,
    /// The price before a reduction, in minor units.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub compare_at_amount: Member<i64>,
    /// What an amount of it costs that can be compared.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub unit_price: Member<UnitPriceRecord>,
    /// Who is responsible for it, and what there is to be warned of.
    #[serde(skip_serializing_if = "Member::is_absent")]
    pub safety: Member<ProductSafety>,
}

impl FactsRecord {
    /// What is to be stored of a product at its price, given what is stored now.
    pub(super) fn over(&self, stored: Option<&ProductFacts>, price_amount: i64) -> ProductFacts {
        let stored = stored.cloned().unwrap_or_default();
        let unit_price = match &self.unit_price {
            Member::Absent => stored.unit_price,
            Member::Null => None,
            Member::Value(said) => {
                // What says the same as before keeps following the price that it was first said at.
                let same = stored.unit_price.filter(|stated| stated.at(price_amount).as_ref() == Some(said));
                same.or_else(|| Some(Json(StatedUnitPrice::new(said.clone(), price_amount))))
            }
        };
        ProductFacts {
            brand: self.brand.clone().or_stored(stored.brand),
            gtin: self.gtin.clone().or_stored(stored.gtin),
            weight_grams: self.weight_grams.or_stored(stored.weight_grams),
            compare_at_amount: self.compare_at_amount.or_stored(stored.compare_at_amount),
            unit_price,
            safety: self.safety.clone().or_stored(stored.safety.map(|safety| safety.0)).map(Json),
        }
    }
}

/// Whether a text is a global trade item number of GS1: as many digits as one of them has, with the right check digit.
pub(super) fn is_gtin(text: &str) -> bool {
    let digits = || text.bytes().rev().map(|byte| u32::from(byte.wrapping_sub(b'0')));
    // From the right, every second digit counts three times, and the sum with the check digit is a multiple of ten.
    let sum = || digits().enumerate().map(|(at, digit)| if at % 2 == 0 { digit } else { 3 * digit }).sum::<u32>();
    matches!(text.len(), 8 | 12 | 13 | 14) && digits().all(|digit| digit < 10) && sum() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::is_gtin;

    #[test]
    fn a_gtin_has_one_of_four_lengths_and_the_right_check_digit() {
        for gtin in ["4006381333931", "96385074", "036000291452", "10614141000415", "9780306406157"] {
            assert!(is_gtin(gtin), "{gtin}");
        }
        for other in [
            "",
            "4006381333932",
            "400638133393",
            "40063813339310",
            "4006381333931 ",
            "400638133393X",
            "４００６３８１３",
        ] {
            assert!(!is_gtin(other), "{other}");
        }
    }
}
