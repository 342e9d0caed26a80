//! Guests who go on under another name in the same browser, or not at all: they log in, register, begin as a guest once more, or log
//! out.

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

/// A guest has logged out; announced inside the transaction, which holds the guest's row.
#[derive(Debug, Clone, Copy)]
pub struct GuestLoggedOut {
    /// The id of the guest as a customer.
    pub guest_id: i64,
}

impl Event for GuestLoggedOut {
    const NAME: &'static str = "GuestLoggedOut";
}

impl TransactionEvent for GuestLoggedOut {}

/// The guest of a session, which may be over.
pub(crate) async fn guest_of_session(tx: &mut Tx, secret: &SessionSecret) -> Result<Option<i64>, DbError> {
    tx.run(queries::FIND_BY_SESSION).bind(secret.hash().to_vec()).optional_scalar().await
}
