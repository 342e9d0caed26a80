//! What a guest has bought goes over to a customer who has an account.

use crate::db::{Sql, Tx};
use crate::events::{Event, InTransaction, ListenerError, TransactionEvent};

/// What a guest has bought goes over to the account of a customer who has confirmed the guest's e-mail address; announced inside
/// the transaction, once for each guest.
///
/// Whoever keeps the guest's id beside an order writes down the customer's instead, mostly by
/// [`ModuleContext::claims_from_guests`](crate::module::ModuleContext::claims_from_guests). The guest is anonymized right
/// afterwards, so what is not taken over is erased. Orders come first: whoever holds one, as
/// `customer_of_order` does, writes what belongs to the guest before this, or to the customer after it.
#[derive(Debug, Clone, Copy)]
pub struct GuestClaiming {
    /// The id of the guest as a customer.
    pub guest_id: i64,
    /// The customer who gets what the guest has bought.
    pub customer_id: i64,
}

impl Event for GuestClaiming {
    const NAME: &'static str = "GuestClaiming";
}

impl TransactionEvent for GuestClaiming {}

/// Statements that hand over to the customer `$2` what the guest `$1` has.
pub(crate) struct ClaimBy(pub(crate) &'static [Sql]);

impl InTransaction<GuestClaiming> for ClaimBy {
    async fn in_transaction(&self, event: &GuestClaiming, tx: &mut Tx) -> Result<(), ListenerError> {
        for statement in self.0 {
            tx.run(*statement).bind(event.guest_id).bind(event.customer_id).execute().await?;
        }
        Ok(())
    }
}
