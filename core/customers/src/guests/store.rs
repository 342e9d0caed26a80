//! Guests as they are stored: a user without a password, and the customer.

use stoa_kernel::db::{DbError, Tx};

use super::queries;
use crate::customers::{CreateCustomerError, CustomerRecord, insert_customer_of, stored_email, stored_name};

/// The guest is one no more: what they have bought has gone over to an account, or they were anonymized.
#[derive(Debug, thiserror::Error)]
pub enum GuestIsGone {
    /// They are.
    #[error("the guest has become a customer with an account, or was anonymized")]
    Gone,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Writes a new guest, whoever else has the e-mail address.
pub(crate) async fn insert_guest(tx: &mut Tx, email: &str, name: &str) -> Result<CustomerRecord, CreateCustomerError> {
    let email = stored_email(email).ok_or_else(|| CreateCustomerError::Email(email.to_owned()))?;
    let name = stored_name(name).ok_or(CreateCustomerError::Name)?;
    let now = tx.now();
    let user_id = tx.run(queries::INSERT_USER).bind(email.as_str()).bind(now).scalar().await?;
    let id = insert_customer_of(tx, user_id, &name).await?;
    Ok(CustomerRecord {
        id,
        user_id,
        name,
        email,
        password_hash: None,
        email_verified_at: None,
        guest: true,
        created_at: now,
    })
}

/// Confirms, first of all in the transaction in which a guest orders, that there is still such a guest, and keeps it so until
/// the commit: an order that is placed while its guest becomes a customer with an account would be nobody's.
pub async fn confirm_guest(tx: &mut Tx, customer_id: i64) -> Result<(), GuestIsGone> {
    let now = tx.now();
    let confirmed = tx.run(queries::CONFIRM).bind(customer_id).bind(now).execute().await?;
    if confirmed == 1 { Ok(()) } else { Err(GuestIsGone::Gone) }
}
