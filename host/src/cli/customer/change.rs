//! `stoa customer edit` and `stoa customer verify-email`.

use std::collections::BTreeMap;

use clap::{ArgGroup, Args};
use stoa_core::addresses::{SetPropertiesError, set_properties};
use stoa_core::customers::{
    ChangeCustomerError, CustomerChanges, MAX_LENGTH, Verification, change_customer, set_verification, stored_email,
    stored_name,
};

use super::Context;
use super::argument::{CustomerArgument, Which};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark};

/// Reads an e-mail address that a customer shall have.
pub(super) fn email(text: &str) -> Result<String, String> {
    stored_email(text).ok_or_else(|| {
        format!("an e-mail address of at most {MAX_LENGTH} characters is expected, such as ada@example.com")
    })
}

/// An address cannot be had twice: who has it?
pub(super) fn taken(email: &str) -> Failure {
    Failure::operation(format!(
        "there is a customer with the e-mail address {email} already; `stoa customer show {email}` shows it"
    ))
}

/// Reads a name that a customer shall have.
pub(super) fn name(text: &str) -> Result<String, String> {
    stored_name(text).ok_or_else(|| format!("a name has 1 to {MAX_LENGTH} characters, without control characters"))
}

/// Reads a property with its value; none to remove it.
fn property(text: &str) -> Result<(String, Option<String>), String> {
    let (key, value) = text.split_once('=').ok_or("KEY=VALUE is expected, such as city=London")?;
    let value = value.trim();
    Ok((key.trim().to_owned(), (!value.is_empty()).then(|| value.to_owned())))
}

/// Change a customer's name, e-mail address or properties.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("changes").args(["name", "email", "property"]).required(true).multiple(true),
    after_help = "A new e-mail address is not verified, whatever the old one was.

Examples:
  stoa customer edit ada@example.com --name 'Ada King'
  stoa customer edit 1001 --email ada@example.org --json
  stoa customer edit 1001 --property city=London --property phone="
)]
pub(super) struct Edit {
    /// The customer's id or present e-mail address.
    #[arg(value_name = "CUSTOMER")]
    customer: CustomerArgument,
    /// The new name.
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// The new e-mail address, which is the login name.
    #[arg(long, value_parser = email)]
    email: Option<String>,
    /// What is known of the customer's address: phone, company_name, address, address2, city, state, zip or country.
    /// Without a value, it is removed. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = property)]
    property: Vec<(String, Option<String>)>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Edit {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let account = self.customer.with_account(&db).await?;
        if !self.property.is_empty() {
            let properties = self.property.iter().cloned().collect::<BTreeMap<_, _>>();
            let set = set_properties(&db, &installation.program.config, account.id, &properties).await;
            set.map_err(|error| match error {
                SetPropertiesError::Unknown { .. } | SetPropertiesError::Invalid(_) => {
                    Failure::usage(error.to_string())
                }
                SetPropertiesError::NoCustomer | SetPropertiesError::Db(_) => error.into(),
            })?;
        }
        let changes = CustomerChanges { name: self.name.clone(), email: self.email.clone() };
        let changed = change_customer(&db, account.id, changes).await.map_err(|error| match error {
            ChangeCustomerError::Taken(email) => taken(&email),
            error => error.into(),
        })?;
        if changed.has_new_email {
            print_remark(&format!(
                "The address {} is not verified; `stoa customer verify-email {}` counts it as verified.",
                changed.account.email, account.id
            ));
        }
        if self.json {
            return print_json(&changed.account.to_json());
        }
        print_line(&format!("customer {} is {} ({})", account.id, changed.account.name, changed.account.email))
    }
}

/// Count a customer's e-mail address as verified, or not any longer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer verify-email --email ada@example.com
  stoa customer verify-email 1001 --unverify")]
pub(super) struct VerifyEmail {
    #[command(flatten)]
    which: Which,
    /// Count it as not verified.
    #[arg(long)]
    unverify: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl VerifyEmail {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let account = self.which.chosen().with_account(&db).await?;
        let verification = if self.unverify { Verification::Unverified } else { Verification::Verified };
        let is_new = set_verification(&db, account.id, verification).await?;
        if self.json {
            return print_json(&CustomerArgument::Id(account.id).find(&db).await?.to_json());
        }
        let state = match verification {
            Verification::Verified => "verified",
            Verification::Unverified => "not verified",
        };
        print_line(&format!("{} {} {state}", account.email, if is_new { "is now" } else { "was already" }))
    }
}
