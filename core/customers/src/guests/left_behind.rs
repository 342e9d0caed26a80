//! Guests who go on under another name in the same browser: they log in, register, or begin as a guest once more.

use stoa_kernel::auth::SessionSecret;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::events::{Event, TransactionEvent};

use super::queries;

/// A guest goes on as another customer; announced inside the transaction in which the new session begins. What the guest has bought
/// stays the guest's until the e-mail address is confirmed; what is not bought yet goes along.
#[derive(Debug, Clone, Copy)]
pub struct GuestLeftBehind {
    /// The id of the guest as a customer.
    pub guest_id: i64,
    /// Who they are now.
    pub customer_id: i64,
}

impl Event for GuestLeftBehind {
    const NAME: &'static str = "GuestLeftBehind";
}

impl TransactionEvent for GuestLeftBehind {}

/// The guest of a session, which may be over.
pub(crate) async fn guest_of_session(tx: &mut Tx, secret: &SessionSecret) -> Result<Option<i64>, DbError> {
    tx.run(queries::FIND_BY_SESSION).bind(secret.hash().to_vec()).optional_scalar().await
}
