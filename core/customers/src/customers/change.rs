//! What the operator changes about a customer: name, address, verification, password.

use serde_json::{Map, Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::ListenerError;

use super::account::CustomerAccount;
use super::fields::{stored_email, stored_name};
use super::queries;
use super::sessions::{EndedAccess, end_access};
use crate::email_tokens::void_reset_tokens;
use crate::guests::claim_guests;

/// Why a customer was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeCustomerError {
    /// The address is no e-mail address.
    #[error("`{0}` is not an e-mail address")]
    Email(String),
    /// The name is empty, too long, or holds control characters.
    #[error("the name must have 1 to 255 characters, without control characters")]
    Name,
    /// The address is taken.
    #[error("there is a customer with the e-mail address {0} already")]
    Taken(String),
    /// A guest has nothing to log in to.
    #[error(
        "the customer {0} is a guest, who has no account: whoever registers with the same e-mail address and confirms it gets the guest's orders"
    )]
    Guest(i64),
    /// A feature or module could not take over what a guest has bought.
    #[error("what guests with this e-mail address have bought could not be taken over: {0}")]
    Claim(#[source] ListenerError),
    /// There is no such customer, or none with an account any more.
    #[error("the customer {0} does not exist or is anonymized")]
    Gone(i64),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// What shall be different about a customer.
#[derive(Debug, Clone, Default)]
pub struct CustomerChanges {
    /// A new name.
    pub name: Option<String>,
    /// A new e-mail address. It is not verified, whatever the old one was.
    pub email: Option<String>,
}

/// A customer after a change.
#[derive(Debug, Clone)]
pub struct ChangedCustomer {
    /// The customer as it is now.
    pub account: CustomerAccount,
    /// Whether the address is another one than before.
    pub has_new_email: bool,
}

/// Changes name and address in one transaction. The address that a customer has already is no change.
pub async fn change_customer(
    db: &Db,
    customer_id: i64,
    changes: CustomerChanges,
) -> Result<ChangedCustomer, ChangeCustomerError> {
    let name = changes.name.map(|text| stored_name(&text).ok_or(ChangeCustomerError::Name)).transpose()?;
    let email = changes.email.map(|text| stored_email(&text).ok_or(ChangeCustomerError::Email(text))).transpose()?;
    db.write(async |tx| -> Result<ChangedCustomer, ChangeCustomerError> {
        let now = tx.now();
        let LockedUser { id: user_id, email: present, .. } = lock_user(tx, customer_id).await?;
        let before = tx.run(queries::FIND_ACCOUNT).bind(customer_id).one::<CustomerAccount>().await?;
        if let Some(name) = &name {
            tx.run(queries::SET_NAME).bind(customer_id).bind(name.as_str()).bind(now).execute().await?;
        }
        let new_email = email.filter(|email| *email != present);
        if let Some(email) = &new_email {
            let set = tx.run(queries::SET_EMAIL).bind(user_id).bind(email.as_str()).execute().await;
            set.map_err(|error| match error {
                taken if taken.is_unique_violation() => ChangeCustomerError::Taken(email.clone()),
                error => ChangeCustomerError::Db(error),
            })?;
        }
        let account = tx.run(queries::FIND_ACCOUNT).bind(customer_id).one::<CustomerAccount>().await?;
        let (before, after) = differing(&before, &account);
        if after != json!({}) {
            tx.audit_operator("customers.edit", Subject::customer(customer_id), before, after).await?;
        }
        Ok(ChangedCustomer { account, has_new_email: new_email.is_some() })
    })
    .await
}

/// What of name and address is another now, as the audit log tells it.
fn differing(before: &CustomerAccount, after: &CustomerAccount) -> (Value, Value) {
    let (mut old, mut new) = (Map::new(), Map::new());
    for (member, before, after) in [("name", &before.name, &after.name), ("email", &before.email, &after.email)] {
        if before != after {
            old.insert(member.to_owned(), json!(before));
            new.insert(member.to_owned(), json!(after));
        }
    }
    (Value::Object(old), Value::Object(new))
}

/// Whether an e-mail address counts as the customer's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// It does.
    Verified,
    /// It does not.
    Unverified,
}

/// Sets whether the address counts as verified; false when it was so before. Once it does, the customer gets what guests
/// with that address have bought.
pub async fn set_verification(
    db: &Db,
    customer_id: i64,
    verification: Verification,
) -> Result<bool, ChangeCustomerError> {
    db.write(async |tx| -> Result<bool, ChangeCustomerError> {
        let now = tx.now();
        let user_id = lock_account(tx, customer_id).await?;
        let set = match verification {
            Verification::Verified => tx.run(queries::VERIFY_EMAIL).bind(user_id).bind(now),
            Verification::Unverified => tx.run(queries::UNVERIFY_EMAIL).bind(user_id),
        };
        let has_changed = set.execute().await? == 1;
        if verification == Verification::Verified {
            claim_guests(tx, user_id).await.map_err(ChangeCustomerError::Claim)?;
        }
        if has_changed {
            let is_verified = verification == Verification::Verified;
            let (before, after) = (json!({"verified": !is_verified}), json!({"verified": is_verified}));
            tx.audit_operator("customers.verify-email", Subject::customer(customer_id), before, after).await?;
        }
        Ok(has_changed)
    })
    .await
}

/// Sets the password, and ends all sessions, access tokens and links for a new password: whoever got in with the old one,
/// or reads the customer's mail, is out.
///
/// `password_hash` is a PHC string; hash before the transaction.
pub async fn set_password(
    tx: &mut Tx,
    customer_id: i64,
    password_hash: &str,
) -> Result<EndedAccess, ChangeCustomerError> {
    let user_id = lock_account(tx, customer_id).await?;
    tx.run(queries::SET_PASSWORD).bind(user_id).bind(password_hash).execute().await?;
    void_reset_tokens(tx, user_id).await?;
    let ended = end_access(tx, user_id).await?;
    let after = json!({"sessions_ended": ended.sessions, "tokens_revoked": ended.tokens});
    tx.audit_operator("customers.set-password", Subject::customer(customer_id), Value::Null, after).await?;
    Ok(ended)
}

#[derive(sqlx::FromRow)]
struct LockedUser {
    id: i64,
    email: String,
    guest: bool,
}

/// The id of the user of somebody who has an account, with the row taken.
async fn lock_account(tx: &mut Tx, customer_id: i64) -> Result<i64, ChangeCustomerError> {
    let user = lock_user(tx, customer_id).await?;
    if user.guest { Err(ChangeCustomerError::Guest(customer_id)) } else { Ok(user.id) }
}

/// The user, with the row taken so that no other change comes in between.
async fn lock_user(tx: &mut Tx, customer_id: i64) -> Result<LockedUser, ChangeCustomerError> {
    let now = tx.now();
    let locked = tx.run(queries::LOCK_USER).bind(customer_id).bind(now).optional().await?;
    locked.ok_or(ChangeCustomerError::Gone(customer_id))
}
