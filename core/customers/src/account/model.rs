//! The account as the API shows it.

use schemars::JsonSchema;
use serde::Serialize;

use stoa_kernel::auth::AccountHolder;
use stoa_kernel::http::extract::CurrentAccount;

use crate::customers::CustomerRecord;

/// A customer's account.
#[derive(Debug, Clone, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "Account")]
pub(crate) struct AccountResource {
    /// The customer's id.
    id: i64,
    /// The customer's name.
    name: String,
    /// The e-mail address, in lower case.
    email: String,
    /// Whether the address is known to be the customer's.
    email_verified: bool,
    /// Whether it is a guest, who buys without an account to log in to.
    guest: bool,
}

impl From<CurrentAccount> for AccountResource {
    fn from(CurrentAccount { customer_id: id, holder }: CurrentAccount) -> Self {
        let AccountHolder { name, email, email_verified, guest } = holder;
        Self { id, name, email, email_verified, guest }
    }
}

impl From<CustomerRecord> for AccountResource {
    fn from(customer: CustomerRecord) -> Self {
        let CustomerRecord { id, name, email, email_verified_at, guest, .. } = customer;
        Self { id, name, email, email_verified: email_verified_at.is_some(), guest }
    }
}
