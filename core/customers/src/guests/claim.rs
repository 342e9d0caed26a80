//! What guests have bought goes over to whoever has confirmed their e-mail address.

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::ListenerError;
use stoa_kernel::guest_claiming::GuestClaiming;
use stoa_kernel::personal_data::CustomerAnonymizing;

use super::queries;
use crate::customers::anonymize_locked;

#[derive(sqlx::FromRow)]
struct Guest {
    id: i64,
    user_id: i64,
    email: String,
    customer_id: i64,
}

/// Hands what guests have bought over to the account of this user, who has confirmed the address that they share, and whose row
/// this transaction has locked. Nothing is left of the guests.
pub(crate) async fn claim_guests(tx: &mut Tx, user_id: i64) -> Result<(), ListenerError> {
    let now = tx.now();
    let mut guests = tx.run(queries::LOCK_OF_ADDRESS).bind(user_id).bind(now).all::<Guest>().await?;
    // A statement that changes rows gives them in no order.
    guests.sort_by_key(|guest| guest.id);
    for guest in guests {
        let Guest { id: guest_id, user_id, email, customer_id } = guest;
        tx.announce(&GuestClaiming { guest_id, customer_id }).await?;
        anonymize_locked(tx, CustomerAnonymizing { customer_id: guest_id, user_id, email }).await?;
    }
    Ok(())
}

/// How many guests have this e-mail address, in any case.
pub async fn count_guests(db: &Db, email: &str) -> Result<i64, DbError> {
    db.read(queries::COUNT_OF_ADDRESS).bind(email.trim().to_lowercase()).scalar().await
}
