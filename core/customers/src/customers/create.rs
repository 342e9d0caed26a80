//! Creating and finding customers.

use chrono::{DateTime, Utc};

use serde_json::{Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::ListenerError;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::i18n::Violation;

use super::fields::{MAX_LENGTH, stored_email, stored_name};
use super::queries;
use crate::guests::claim_guests;

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
    /// Whether it is a guest.
    pub guest: bool,
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
    /// A feature or module could not take over what a guest has bought.
    #[error("what guests with this e-mail address have bought could not be taken over: {0}")]
    Claim(#[source] ListenerError),
    /// The database failed.
    #[error(transparent)]
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
    let id = insert_customer_of(tx, user_id, &name).await?;
    if new.verified {
        claim_guests(tx, user_id).await.map_err(CreateCustomerError::Claim)?;
    }
    let after = json!({"name": name, "email": email, "verified": new.verified});
    tx.audit_operator("customers.create", Subject::customer(id), Value::Null, after).await?;
    let password_hash = new.password_hash;
    Ok(CustomerRecord { id, user_id, name, email, password_hash, email_verified_at, guest: false, created_at: now })
}

/// Writes the customer of a new user; gives its id.
pub(crate) async fn insert_customer_of(tx: &mut Tx, user_id: i64, name: &str) -> Result<i64, DbError> {
    let now = tx.now();
    tx.run(queries::INSERT_CUSTOMER).bind(user_id).bind(name).bind(now).scalar().await
}

impl From<CreateCustomerError> for ApiError {
    fn from(error: CreateCustomerError) -> Self {
        match error {
            CreateCustomerError::Taken(_) => Self::invalid_field("email", Violation::Taken.on("email")),
            CreateCustomerError::Email(_) => Self::invalid_field("email", Violation::Email.on("email")),
            CreateCustomerError::Name => Self::invalid_field("name", Violation::ControlCharacters.on("name")),
            CreateCustomerError::Db(error) => error.into(),
            CreateCustomerError::Claim(error) => error.into(),
        }
    }
}

/// The customer whose account has this e-mail address, in any case; guests and anonymized ones are not found (S5.2 rule 5).
pub async fn find_customer(db: &Db, email: &str) -> Result<Option<CustomerRecord>, DbError> {
    db.read(queries::FIND_BY_EMAIL).bind(email.trim().to_lowercase()).optional().await
}
