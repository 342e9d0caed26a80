//! Customers and what is theirs: accounts, addresses, access tokens, sessions, links sent by mail, support tickets.

pub mod account;
pub mod addresses;
pub mod customers;
pub mod email_tokens;
pub mod guests;
pub mod notes;
pub mod sessions;
pub mod support_tickets;
pub mod tokens;

use stoa_kernel::config::Config;
use stoa_kernel::mail::is_configured;
use stoa_kernel::module::{ModuleContext, RegisterError};

use customers::Credentials;

/// The features of this storey.
pub fn register(cx: &mut ModuleContext<'_>, config: &Config, credentials: &Credentials) -> Result<(), RegisterError> {
    customers::register(cx);
    for (name, opens) in CONSOLE_ABILITIES {
        cx.console_ability(name, opens);
    }
    notes::register(cx);
    account::register(cx)?;
    tokens::register(cx, credentials.clone(), config.accounts.guests)?;
    addresses::register(cx)?;
    sessions::register(cx, credentials.clone(), &config.accounts)?;
    email_tokens::register(cx, credentials.clone(), is_configured(config))?;
    support_tickets::register(cx, is_configured(config))
}

stoa_kernel::texts!("texts");

/// What can be done in the console about what is here.
const CONSOLE_ABILITIES: [(&str, &str); 7] = [
    ("customers.view", "see customers with their addresses and orders"),
    ("customers.edit", "add and change customers, write notes about them, and log them out"),
    ("customers.anonymize", "erase what is personal about customers"),
    ("customers.export", "export what is kept about customers"),
    ("customers.tokens", "make and revoke access tokens"),
    ("support.view", "see support tickets"),
    ("support.reply", "answer, open and close support tickets"),
];
