//! Withdrawals of a customer who is anonymized or exported.
//!
//! A withdrawal says what has become of an order, and is kept with it, as credit notes are: the shop has to prove for years what was
//! declared and when. What the customer wrote goes with the customer.

use stoa_customers::customers::{CustomerAnonymizing, CustomerExporting};
use stoa_kernel::db::{Db, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};

use super::queries;
use super::read::{WithdrawalFilter, list_withdrawals};

/// Erases what whoever is anonymized wrote.
pub(super) struct EraseStatements;

impl InTransaction<CustomerAnonymizing> for EraseStatements {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::ERASE_STATEMENTS).bind(event.customer_id).execute().await?;
        Ok(())
    }
}

/// Adds the part `withdrawals` to an export, oldest first.
pub(super) struct ExportWithdrawals;

impl Preflight<CustomerExporting> for ExportWithdrawals {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let filter = WithdrawalFilter { customer_id: Some(event.customer_id), ..WithdrawalFilter::default() };
        let records = list_withdrawals(db, &filter).await?;
        let withdrawals = records.into_iter().rev().map(|record| record.withdrawal).collect::<Vec<_>>();
        event.add("withdrawals", &withdrawals)
    }
}
