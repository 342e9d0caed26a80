//! Tokens of a customer who is anonymized or exported.

use stoa_kernel::db::{Db, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};

use super::records::{list_tokens_of, revoke_tokens_of};
use crate::customers::{CustomerAnonymizing, CustomerExporting};

/// Revokes the tokens of whoever is anonymized.
pub(super) struct RevokeTokens;

impl InTransaction<CustomerAnonymizing> for RevokeTokens {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        revoke_tokens_of(tx, event.customer_id).await?;
        Ok(())
    }
}

/// Adds the part `tokens` to an export.
pub(super) struct ExportTokens;

impl Preflight<CustomerExporting> for ExportTokens {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let tokens = list_tokens_of(db, event.customer_id).await?;
        event.add("tokens", &tokens)
    }
}
