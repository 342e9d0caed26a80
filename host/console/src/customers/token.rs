//! A new access token for a customer, which is shown once.

use std::sync::Arc;

use chrono::TimeDelta;
use serde::Deserialize;
use stoa_core::auth::{AbilityCatalog, FULL_ACCESS, NewToken};
use stoa_core::customers::find_account;
use stoa_core::db::Db;
use stoa_core::http::extract::Input;
use stoa_core::http::rules::{Rules, field};
use stoa_core::random::Random;
use stoa_core::tokens::{MAX_TOKEN_DAYS, MAX_TOKEN_NAME, allowed_network, create_token, granted};
use stoa_kernel::console::{ConsoleForm, FormStart, FormValues, Refused, Told, form as console_form};

/// Most networks of a token.
const MAX_NETWORKS: usize = 100;

#[derive(Deserialize)]
struct New {
    customer: i64,
    name: String,
    abilities: Vec<String>,
    networks: Option<Vec<String>>,
    expires_in: Option<i64>,
}

impl Input for New {
    const NAME: &'static str = "ConsoleToken";

    fn rules() -> Rules {
        let customer = field("customer").integer(1, i64::MAX).required();
        let name = field("name").max(MAX_TOKEN_NAME).required().describe("By which the customer knows it.");
        let abilities = field("abilities").label("What it opens").array(field("ability").max(100), 500).required();
        let networks = field("networks").array(field("network").max(100), MAX_NETWORKS);
        let networks = networks.describe(
            "Addresses or networks that it may be used from, one a line, such as 192.0.2.0/24. Left empty, anywhere.",
        );
        let ends = field("expires_in").label("Ends in days").integer(1, MAX_TOKEN_DAYS).describe("Left empty, never.");
        Rules::new([customer, name, abilities.describe("* is everything, also what is to come."), networks, ends])
    }
}

type Uses = (Db, Random, Arc<AbilityCatalog>);

/// `/console/customers/token`.
pub(super) fn form() -> ConsoleForm {
    let create = console_form("console.customers.token", "Create token", "customers.tokens", create);
    create.hides(&["customer"]).begins(|values: FormValues, (db, catalog): (Db, Arc<AbilityCatalog>)| async move {
        let all = std::iter::once(FULL_ACCESS).chain(catalog.names()).collect();
        let start = FormStart::default().offers("abilities", all).value("abilities", FULL_ACCESS);
        let id = values.get("customer").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
        Ok(match find_account(&db, id).await? {
            Some(account) => start.says(format!("For {}.", account.name)).back(format!("/customers/{id}")),
            None => start,
        })
    })
}

async fn create(new: New, (db, random, catalog): Uses) -> Result<Told, Refused> {
    let account = find_account(&db, new.customer).await?.filter(|account| account.anonymized_at.is_none());
    let Some(account) = account else { return Err(Refused::because(&"there is no such customer any more")) };
    if new.abilities.is_empty() {
        return Err(Refused::field("abilities", &"choose at least one"));
    }
    let abilities = granted(&new.abilities, &catalog).map_err(|reason| Refused::field("abilities", &reason))?;
    let mut networks = Vec::new();
    for text in new.networks.unwrap_or_default() {
        let allowed =
            allowed_network(&text).map_err(|reason| Refused::field("networks", &format!("{text}: {reason}")))?;
        networks.push(allowed.network);
    }
    networks.sort_unstable();
    networks.dedup();
    let token = NewToken {
        customer_id: new.customer,
        name: &new.name,
        abilities: &abilities,
        networks: &networks,
        expires_at: new.expires_in.map(|days| db.now() + TimeDelta::days(days)),
    };
    let token = create_token(&db, &random, token).await?;
    let told = Told::new(format!("Give this token to {}.", account.name));
    Ok(told.once("Token", token).at(format!("/customers/{}", new.customer)))
}
