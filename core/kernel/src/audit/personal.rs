//! What the log says about a customer, when the customer is anonymized.

use super::{Subject, queries};
use crate::db::Tx;
use crate::events::{InTransaction, ListenerError};
use crate::personal_data::CustomerAnonymizing;

/// Erases what changes of the customer's account said; that there were such changes stays.
pub(super) struct EraseAudit;

impl InTransaction<CustomerAnonymizing> for EraseAudit {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::ERASE_OF_SUBJECT).bind(Subject::customer(event.customer_id).to_string()).execute().await?;
        Ok(())
    }
}
