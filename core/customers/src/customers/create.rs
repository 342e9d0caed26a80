//! Creating and finding customers.

use chrono::{DateTime, Utc};

use stoa_kernel::db::{Db, DbError, Tx};

use super::fields::{MAX_LENGTH, stored_email, stored_name};
use super::queries;

/// A customer to be made.
#[derive(Debug, Clone)]
pub struct NewCustomer {
    /// The e-mail address; stored in lower case.
    pub email: String,
    /// The customer's name.
    pub name: String,
    /// The PHC string of the password; none for a customer who cannot log in yet.
    pub password_hash: Option<String>,
    /// Whether the address counts as verified.
    pub verified: bool,
}

/// A customer with the user behind it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct CustomerRecord {
    /// The customer's id.
    pub id: i64,
    /// The user's id.
    pub user_id: i64,
    /// The customer's name.
    pub name: String,
    /// The e-mail address in lower case.
    pub email: String,
    /// The PHC string of the password.
    pub password_hash: Option<String>,
    /// When the address was verified.
    pub email_verified_at: Option<DateTime<Utc>>,
    /// When the customer was created.
    pub created_at: DateTime<Utc>,
}

/// Why a customer was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateCustomerError {
    /// The address is no e-mail address.
    #[error("`{0}` is not an e-mail address")]
    Email(String),
    /// The name is empty, too long, or holds control characters.
    #[error("the name must have 1 to {MAX_LENGTH} characters, without control characters")]
    Name,
    /// The address is taken.
    #[error("there is a customer with the e-mail address {0} already")]
    Taken(String),
    /// The database failed.
    #[error("the database failed")]
    Db(#[from] DbError),
}

/// Creates a user and its customer in one transaction.
pub async fn create_customer(db: &Db, new: NewCustomer) -> Result<CustomerRecord, CreateCustomerError> {
    db.write(async |tx| insert_customer(tx, new).await).await
}

/// Creates a user and its customer in a running transaction.
pub(crate) async fn insert_customer(tx: &mut Tx, new: NewCustomer) -> Result<CustomerRecord, CreateCustomerError> {
    let email = stored_email(&new.email).ok_or(CreateCustomerError::Email(new.email))?;
    let name = stored_name(&new.name).ok_or(CreateCustomerError::Name)?;
    let now = tx.now();
    let email_verified_at = new.verified.then_some(now);
    let user_id = tx
        .run(queries::INSERT_USER)
        .bind(email.as_str())
        .bind(new.password_hash.as_deref())
        .bind(email_verified_at)
        .bind(now)
        .optional_scalar::<i64>()
        .await?
        .ok_or_else(|| CreateCustomerError::Taken(email.clone()))?;
    let id = tx.run(queries::INSERT_CUSTOMER).bind(user_id).bind(name.as_str()).bind(now).scalar().await?;
    let password_hash = new.password_hash;
    Ok(CustomerRecord { id, user_id, name, email, password_hash, email_verified_at, created_at: now })
}

/// The customer with this e-mail address in any case; anonymized ones are not found (S5.2 rule 5).
pub async fn find_customer(db: &Db, email: &str) -> Result<Option<CustomerRecord>, DbError> {
    db.read(queries::FIND_BY_EMAIL).bind(email.trim().to_lowercase()).optional().await
}
