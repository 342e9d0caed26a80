//! Spreading an amount over several: by largest remainder.

use std::cmp::Reverse;

use super::amount::{AmountOverflow, amount, sum};

/// Parts of `value` in proportion to the weights, which add up to `value` exactly.
///
/// Each part is rounded down; what is left over goes, one unit each, to those that lost most, and among equals to the
/// first. As long as `value` is at most the sum of the weights, no part is larger than its weight.
pub(super) fn spread(value: i64, weights: &[i64]) -> Result<Vec<i64>, AmountOverflow> {
    let whole = i128::from(sum(weights.iter().copied())?);
    if value < 0 || (whole == 0 && value > 0) {
        return Err(AmountOverflow);
    }
    if value == 0 {
        return Ok(vec![0; weights.len()]);
    }
    let products = weights.iter().map(|weight| i128::from(*weight) * i128::from(value)).collect::<Vec<_>>();
    let mut parts = products.iter().map(|product| amount(product / whole)).collect::<Result<Vec<_>, _>>()?;
    let left = i128::from(value) - parts.iter().map(|part| i128::from(*part)).sum::<i128>();
    let left = usize::try_from(left).map_err(|_| AmountOverflow)?;
    let mut by_loss = (0..weights.len()).collect::<Vec<_>>();
    // The sort is stable, so positions decide among equals.
    by_loss.sort_by_key(|index| Reverse(products[*index] % whole));
    for index in by_loss.into_iter().take(left) {
        parts[index] += 1;
    }
    Ok(parts)
}
