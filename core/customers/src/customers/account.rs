//! Customers as the operator sees them.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::fold::fold;
use stoa_kernel::suggestion::closest_email;

use super::queries;

/// Rows that are read at once.
const SLICE: i64 = 500;

/// A customer with the user behind it, without anything secret.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CustomerAccount {
    /// The customer's id.
    pub id: i64,
    /// The user's id.
    pub user_id: i64,
    /// The customer's name.
    pub name: String,
    /// The e-mail address in lower case; of an anonymized customer, a text that is no address.
    pub email: String,
    /// Whether there is a password to log in with.
    pub has_password: bool,
    /// When the address was verified.
    pub email_verified_at: Option<DateTime<Utc>>,
    /// Whether it is a guest, who has no account to log in to, and whose address others may have as well.
    pub guest: bool,
    /// When the customer was anonymized.
    pub anonymized_at: Option<DateTime<Utc>>,
    /// What is known about the customer, under the aliases of S4.4.
    pub properties: Json<Map<String, Value>>,
    /// When the customer was created.
    pub created_at: DateTime<Utc>,
}

impl CustomerAccount {
    /// The address; none of an anonymized customer.
    pub fn address(&self) -> Option<&str> {
        self.anonymized_at.is_none().then_some(self.email.as_str())
    }

    /// The account as the API shows it (S2.3), with what else the operator may know.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "name": self.name,
            "email": self.address(),
            "email_verified": self.email_verified_at.is_some(),
            "email_verified_at": self.email_verified_at,
            "has_password": self.has_password,
            "guest": self.guest,
            "properties": self.properties.0,
            "user_id": self.user_id,
            "created_at": self.created_at,
            "anonymized_at": self.anonymized_at,
        })
    }

    fn matches(&self, folded: &str) -> bool {
        fold(&self.name).contains(folded) || self.address().is_some_and(|address| address.contains(folded))
    }
}

/// The customer with this id, anonymized or not.
pub async fn find_account(db: &Db, customer_id: i64) -> Result<Option<CustomerAccount>, DbError> {
    db.read(queries::FIND_ACCOUNT).bind(customer_id).optional().await
}

/// The customer whose account has this e-mail address, in any case; guests and anonymized ones are not found.
pub async fn find_account_by_email(db: &Db, email: &str) -> Result<Option<CustomerAccount>, DbError> {
    db.read(queries::FIND_ACCOUNT_BY_EMAIL).bind(email.trim().to_lowercase()).optional().await
}

/// The guest who has bought last with this e-mail address, in any case; each purchase makes another.
pub async fn find_guest_by_email(db: &Db, email: &str) -> Result<Option<CustomerAccount>, DbError> {
    db.read(queries::FIND_GUEST_BY_EMAIL).bind(email.trim().to_lowercase()).optional().await
}

/// Which customers to list.
#[derive(Debug, Clone, Default)]
pub struct AccountFilter {
    /// Only those whose name or address contains this, in any case.
    pub search: Option<String>,
    /// Only those whose id is greater.
    pub after: i64,
    /// At most this many; all of them if none is said.
    pub limit: Option<usize>,
}

/// Customers in the order of their ids, anonymized ones too.
///
/// Case is folded here and not by the database, since each knows other letters.
pub async fn list_accounts(db: &Db, filter: &AccountFilter) -> Result<Vec<CustomerAccount>, DbError> {
    let folded = filter.search.as_deref().map(fold);
    let limit = filter.limit.unwrap_or(usize::MAX);
    let mut found = Vec::new();
    let mut after = filter.after;
    while found.len() < limit {
        let slice = slice_after(db, after).await?;
        let Some(last) = slice.last() else { break };
        after = last.id;
        let wanted = slice.into_iter().filter(|account| folded.as_deref().is_none_or(|text| account.matches(text)));
        found.extend(wanted.take(limit - found.len()));
    }
    Ok(found)
}

/// The address that an unknown one is most likely a typing error of, if any is likely.
pub async fn nearest_email(db: &Db, wrong: &str) -> Result<Option<String>, DbError> {
    let mut nearest: Option<String> = None;
    let mut after = 0;
    loop {
        let slice = slice_after(db, after).await?;
        let Some(last) = slice.last() else { break };
        after = last.id;
        let known = nearest.as_deref().into_iter().chain(slice.iter().filter_map(CustomerAccount::address));
        nearest = closest_email(wrong, known).map(str::to_owned);
    }
    Ok(nearest)
}

async fn slice_after(db: &Db, after: i64) -> Result<Vec<CustomerAccount>, DbError> {
    db.read(queries::LIST_ACCOUNTS).bind(after).bind(SLICE).all().await
}
