//! Which customer a command is about.

use std::convert::Infallible;
use std::str::FromStr;

use clap::Args;
use stoa_core::customers::{CustomerAccount, count_guests, find_account, find_account_by_email, nearest_email};
use stoa_core::db::Db;
use stoa_core::suggestion::did_you_mean;

use crate::failure::Failure;

/// A customer as operators name one: by id, or by e-mail address in any case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum CustomerArgument {
    Id(i64),
    Email(String),
}

impl FromStr for CustomerArgument {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let text = text.trim();
        Ok(text.parse().map_or_else(|_| Self::Email(text.to_owned()), Self::Id))
    }
}

impl CustomerArgument {
    /// The customer, anonymized or not.
    pub(in crate::cli) async fn find(&self, db: &Db) -> Result<CustomerAccount, Failure> {
        match self {
            Self::Id(id) => find_account(db, *id).await?.ok_or_else(|| {
                Failure::operation(format!("there is no customer {id}; `stoa customer list` shows all"))
            }),
            Self::Email(email) => match find_account_by_email(db, email).await? {
                Some(account) => Ok(account),
                None => Err(Failure::operation(match count_guests(db, email).await? {
                    0 => unknown(email, nearest_email(db, email).await?),
                    guests => only_guests(email, guests),
                })),
            },
        }
    }

    /// The customer, who must not be anonymized.
    pub(in crate::cli) async fn with_account(&self, db: &Db) -> Result<CustomerAccount, Failure> {
        let account = self.find(db).await?;
        if account.anonymized_at.is_some() {
            return Err(Failure::operation(format!(
                "customer {} is anonymized and has no account any more",
                account.id
            )));
        }
        Ok(account)
    }
}

fn only_guests(email: &str, guests: i64) -> String {
    let guests = if guests == 1 { String::from("a guest has") } else { format!("{guests} guests have") };
    format!(
        "no account has the e-mail address {email}, but {guests}: `stoa customer list --search {email}` shows their ids"
    )
}

fn unknown(email: &str, nearest: Option<String>) -> String {
    format!("there is no customer with the e-mail address {email}{}", did_you_mean(nearest))
}

/// The customer of a command that is about one.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Which {
    /// The customer's id or e-mail address.
    #[arg(value_name = "CUSTOMER")]
    customer: Option<CustomerArgument>,
    /// The customer's e-mail address.
    #[arg(long)]
    email: Option<String>,
}

impl Which {
    /// What was said, whichever way.
    pub(super) fn chosen(&self) -> CustomerArgument {
        let email = || CustomerArgument::Email(self.email.clone().unwrap_or_default().trim().to_owned());
        self.customer.clone().unwrap_or_else(email)
    }
}
