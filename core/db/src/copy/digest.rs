//! A fingerprint of a table's rows that does not depend on their order.

use std::fmt;

use sha2::{Digest, Sha256};

use super::CopyError;
use super::plan::TablePlan;
use super::value::Value;

/// How many rows a table has, and a fingerprint of their content.
///
/// Digests of one table can be compared within a database product, and between the two ends of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDigest {
    /// The table.
    pub table: String,
    /// The number of rows.
    pub rows: u64,
    /// The sum of the rows' SHA-256 hashes modulo 2^256, in hexadecimal. A sum, since rows come in any order and two
    /// equal rows must not cancel each other out.
    pub sha256: String,
}

impl fmt::Display for TableDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows, content {}", self.rows, &self.sha256[..16])
    }
}

/// A digest that rows are still added to.
#[derive(Default)]
pub(super) struct Sum {
    rows: u64,
    /// Least significant part first.
    parts: [u64; 4],
}

impl Sum {
    /// Adds a row, whose values are in the plan's order.
    pub(super) fn add(&mut self, plan: &TablePlan, row: &[Value]) -> Result<(), CopyError> {
        let mut hash = Sha256::new();
        for (value, column) in row.iter().zip(&plan.columns) {
            value.hash(&mut hash).map_err(|error| CopyError::Value {
                table: plan.name.clone(),
                column: column.name.clone(),
                reason: format!("it is no JSON document ({error})"),
            })?;
        }
        self.add_hash(&hash.finalize().into());
        Ok(())
    }

    fn add_hash(&mut self, hash: &[u8; 32]) {
        self.rows += 1;
        let (hash, _) = hash.as_chunks::<8>();
        let mut carry = false;
        for (part, bytes) in self.parts.iter_mut().zip(hash) {
            let (sum, over) = part.overflowing_add(u64::from_le_bytes(*bytes));
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            (*part, carry) = (sum, over || over_again);
        }
    }

    pub(super) fn finish(self, table: &str) -> TableDigest {
        let digits = self.parts.iter().rev().map(|part| format!("{part:016x}"));
        TableDigest { table: table.to_owned(), rows: self.rows, sha256: digits.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(hashes: &[[u8; 32]]) -> TableDigest {
        let mut sum = Sum::default();
        for hash in hashes {
            sum.add_hash(hash);
        }
        sum.finish("t")
    }

    #[test]
    fn the_order_of_rows_does_not_matter_but_their_number_does() {
        let (one, other) = ([0xf1; 32], [0x9c; 32]);
        assert_eq!(digest(&[one, other]), digest(&[other, one]));
        assert_ne!(digest(&[one, one]), digest(&[]));
        assert_ne!(digest(&[one, one, other]).sha256, digest(&[other]).sha256);
    }

    #[test]
    fn a_sum_carries_over() {
        let mut one = [0; 32];
        one[0] = 1;
        let sum = digest(&[[0xff; 32], one]);
        assert_eq!((sum.rows, sum.sha256), (2, "0".repeat(64)));
        let mut low = [0; 32];
        low[..8].fill(0xff);
        assert_eq!(digest(&[low, one]).sha256, format!("{}1{}", "0".repeat(47), "0".repeat(16)));
    }
}
