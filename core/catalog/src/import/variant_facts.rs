//! Facts that files tell of variants, and what they come to for their product (contract 6.2).

use super::header::{Column, Header};
use super::problems::shown;
use super::rules::MAX_WEIGHT_GRAMS;
use super::variants::Variant;
use super::woocommerce_columns::GramsOfUnit;
use super::{FactsRecord, Member};
use crate::facts::is_gtin;

/// What a file tells of one variant besides its price.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct VariantFacts {
    pub(super) gtin: Option<String>,
    pub(super) weight_grams: Option<i64>,
    /// The price before a reduction, in minor units.
    pub(super) compare_at: Option<i64>,
}

/// The columns that they come from, as far as the file has them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FactColumns<'a> {
    pub(super) gtin: Option<&'a Column>,
    pub(super) weight: Option<&'a Column>,
    pub(super) compare_at: Option<&'a Column>,
}

/// The facts of a product at its price: what all its variants have in common, and what the cheapest cost before. What the
/// variants differ in has no place and counts as left out.
pub(super) fn product_facts(
    variants: &[Variant],
    price: i64,
    columns: FactColumns<'_>,
    header: &mut Header,
) -> FactsRecord {
    let gtin = in_common(variants, |facts| facts.gtin.as_ref(), columns.gtin, header).cloned();
    let weight_grams = in_common(variants, |facts| facts.weight_grams.as_ref(), columns.weight, header).copied();
    let member = |column: Option<&Column>, value| if column.is_some() { Member::known(value) } else { Member::Absent };
    FactsRecord {
        gtin: if columns.gtin.is_some() { Member::known(gtin) } else { Member::Absent },
        weight_grams: member(columns.weight, weight_grams),
        compare_at_amount: member(columns.compare_at, compare_at(variants, price)),
        ..FactsRecord::default()
    }
}

/// What all variants say; where they differ, nothing, and the rows that say something are left out.
fn in_common<'v, T: PartialEq>(
    variants: &'v [Variant],
    of: impl Fn(&'v VariantFacts) -> Option<&'v T>,
    column: Option<&Column>,
    header: &mut Header,
) -> Option<&'v T> {
    let first = variants.first().and_then(|variant| of(&variant.facts));
    if variants.iter().all(|variant| of(&variant.facts) == first) {
        return first;
    }
    let told = variants.iter().filter(|variant| of(&variant.facts).is_some()).count();
    if let Some(column) = column {
        header.left_out.add(column, told as u64);
    }
    None
}

/// What the product cost before: none unless everything that is sold at its price now cost more.
fn compare_at(variants: &[Variant], price: i64) -> Option<i64> {
    let mut lowest: Option<i64> = None;
    for variant in variants.iter().filter(|variant| variant.price == price) {
        let before = variant.facts.compare_at.filter(|before| *before > price)?;
        lowest = Some(lowest.map_or(before, |lowest| lowest.min(before)));
    }
    lowest
}

/// The GTIN in a cell of another system, which may hold anything that was printed below a barcode; nothing if it is none.
pub(super) fn gtin(cell: &str) -> Option<String> {
    let digits = cell.trim_start_matches('\'').replace([' ', '-', '\u{a0}'], "");
    is_gtin(&digits).then_some(digits)
}

/// The whole grams of a weight in a unit, rounded; the reason when it is no weight. None is 0, which stands for not weighed.
pub(super) fn grams(text: &str, (grams, per): GramsOfUnit) -> Result<Option<i64>, String> {
    let malformed = || format!("{} is no weight and is left out", shown(text));
    let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let digits = format!("{whole}{decimals}");
    let scale = u32::try_from(decimals.len()).ok().and_then(|decimals| 10_i128.checked_pow(decimals));
    // As many digits as any weight needs keep the calculation within 128 bits.
    if digits.is_empty() || digits.len() > 18 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(malformed());
    }
    let (Ok(digits), Some(scale)) = (digits.parse::<i128>(), scale) else { return Err(malformed()) };
    let per = per * scale;
    let whole = i64::try_from((2 * digits * grams + per) / (2 * per)).ok();
    let whole = whole.filter(|grams| *grams <= MAX_WEIGHT_GRAMS).ok_or_else(malformed)?;
    Ok((whole > 0).then_some(whole))
}
