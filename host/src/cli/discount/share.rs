//! Shares in percent as JSON shows them.

use serde_json::Number;
use stoa_core::config::BasisPoints;

/// A share in percent, without decimals that are zeros.
pub(super) fn number(share: BasisPoints) -> Number {
    let points = share.get();
    let exact = Number::from_f64(f64::from(points) / 100.0).filter(|_| !points.is_multiple_of(100));
    exact.unwrap_or_else(|| Number::from(points / 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_of_percent() {
        for (points, shown) in [(1_000, "10"), (1_250, "12.5"), (3_333, "33.33"), (1, "0.01"), (10_000, "100")] {
            let share = BasisPoints::new(points).expect("a share");
            assert_eq!(number(share).to_string(), shown);
        }
    }
}
