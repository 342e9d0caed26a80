//! The addresses that are used unless a customer says otherwise (S3.3).

use stoa_kernel::db::{DbError, Tx};

use super::model::AddressDraft;
use super::queries;

/// Takes the flags that a draft sets from whichever of the customer's addresses have them. The customer is locked.
pub(super) async fn make_way(tx: &mut Tx, customer_id: i64, draft: &AddressDraft) -> Result<(), DbError> {
    let now = tx.now();
    let flags = [
        (draft.is_default_billing, queries::CLEAR_DEFAULT_BILLING),
        (draft.is_default_shipping, queries::CLEAR_DEFAULT_SHIPPING),
    ];
    for (_, clear) in flags.into_iter().filter(|(asked, _)| *asked == Some(true)) {
        tx.run(clear).bind(customer_id).bind(now).execute().await?;
    }
    Ok(())
}
