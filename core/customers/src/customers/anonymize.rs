//! Forgetting a person while keeping what the law wants kept: the customer's row stays, without anything personal.

use serde_json::Value;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::{ListenerError, Veto};
use stoa_kernel::personal_data::{CustomerAnonymized, CustomerAnonymizing};

use super::account::CustomerAccount;
use super::queries;

/// The name of everybody who was anonymized.
const NAME: &str = "Anonymized customer";

/// How anonymizing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anonymization {
    /// It was done now.
    Done,
    /// It had been done before.
    DoneBefore,
}

/// Why a customer was not anonymized. Everything is as it was.
#[derive(Debug, thiserror::Error)]
pub enum AnonymizeError {
    /// There is no such customer.
    #[error("there is no customer {0}")]
    Unknown(i64),
    /// A feature or module refuses.
    #[error("refused")]
    Refused(Veto),
    /// A feature or module could not erase what it keeps.
    #[error("what is kept about the customer could not be erased: {0}")]
    Failed(String),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<ListenerError> for AnonymizeError {
    fn from(error: ListenerError) -> Self {
        match error {
            ListenerError::Veto(veto) => Self::Refused(veto),
            ListenerError::Db(error) => Self::Db(error),
            ListenerError::Failed(text) => Self::Failed(text),
        }
    }
}

/// Erases everything personal about a customer in one transaction.
///
/// Features and modules erase what they keep as listeners of [`CustomerAnonymizing`]. The user's row stays without
/// password, its address replaced by a text that nobody can register or log in with (S5.2 rule 5), so the address is
/// free for a new customer.
pub async fn anonymize_customer(db: &Db, customer_id: i64) -> Result<(CustomerAccount, Anonymization), AnonymizeError> {
    db.write(async |tx| -> Result<(CustomerAccount, Anonymization), AnonymizeError> {
        let now = tx.now();
        let locked = tx.run(queries::LOCK_USER).bind(customer_id).bind(now).optional::<(i64, String, bool)>().await?;
        let Some((user_id, email, _)) = locked else {
            let account = tx.run(queries::FIND_ACCOUNT).bind(customer_id).optional().await?;
            let account = account.ok_or(AnonymizeError::Unknown(customer_id))?;
            return Ok((account, Anonymization::DoneBefore));
        };
        anonymize_locked(tx, CustomerAnonymizing { customer_id, user_id, email }).await?;
        tx.audit_operator("customers.anonymize", Subject::customer(customer_id), Value::Null, Value::Null).await?;
        Ok((tx.run(queries::FIND_ACCOUNT).bind(customer_id).one().await?, Anonymization::Done))
    })
    .await
}

/// Does so to a customer whose user this transaction has locked.
pub(crate) async fn anonymize_locked(tx: &mut Tx, customer: CustomerAnonymizing) -> Result<(), ListenerError> {
    tx.announce(&customer).await?;
    let CustomerAnonymizing { customer_id, user_id, .. } = customer;
    let now = tx.now();
    tx.run(queries::SET_NAME).bind(customer_id).bind(NAME).bind(now).execute().await?;
    let no_address = format!("anonymized-{user_id}");
    tx.run(queries::ANONYMIZE_USER).bind(user_id).bind(no_address).bind(now).execute().await?;
    tx.emit(&CustomerAnonymized { customer_id, user_id }).await?;
    Ok(())
}
