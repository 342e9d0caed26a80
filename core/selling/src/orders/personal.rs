//! Orders of a customer who is anonymized or exported.
//!
//! Orders are records of business, as invoices and credit notes are: the law wants them kept for years as they were
//! issued, with whom they were issued to. Anonymizing the customer therefore changes nothing of what was sold, of
//! addresses, VAT identification number, amounts and payments, and no document. What no law asks for goes: the note that the customer wrote.
//! The account is gone, so nobody reads the orders through the API any more; the operator still can.

use std::sync::Arc;

use stoa_customers::customers::{CustomerAnonymizing, CustomerExporting};
use stoa_kernel::db::{Db, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};
use stoa_kernel::money::MoneyFormatter;

use super::model::OrderResource;
use super::queries;
use super::read::load_orders;
use crate::withdrawals::tell_rights_of;

/// Erases the notes in the orders of whoever is anonymized.
pub(super) struct EraseNotes;

impl InTransaction<CustomerAnonymizing> for EraseNotes {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        let now = tx.now();
        tx.run(queries::ERASE_NOTES).bind(event.customer_id).bind(now).execute().await?;
        Ok(())
    }
}

/// Adds the part `orders` to an export: the orders as the API shows them, oldest first.
pub(super) struct ExportOrders {
    pub(super) money: Arc<MoneyFormatter>,
    /// Whether the shop has a function to withdraw.
    pub(super) tells_rights: bool,
}

impl Preflight<CustomerExporting> for ExportOrders {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let ids = db.read(queries::ALL_OF_CUSTOMER).bind(event.customer_id).scalars::<i64>().await?;
        let records = load_orders(db, &self.money, &ids).await?;
        let mut orders = records.into_iter().rev().map(|record| record.order).collect::<Vec<OrderResource>>();
        if self.tells_rights {
            tell_rights_of(db, &mut orders).await?;
        }
        event.add("orders", &orders)
    }
}
