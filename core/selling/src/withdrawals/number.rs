//! What people call a withdrawal.

use stoa_kernel::record_number::{NumberedRecord, RecordNumber};

/// The number of a withdrawal, made from its id: `W-000042`.
pub type WithdrawalNumber = RecordNumber<NumberedWithdrawal>;

/// The records with a [`WithdrawalNumber`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberedWithdrawal;

impl NumberedRecord for NumberedWithdrawal {
    const PREFIX: &'static str = "W-";
    const NOUN: &'static str = "withdrawal";
}
