//! `stoa token`: access tokens, as the operator gives them out.

use std::net::IpAddr;

use clap::{Args, Subcommand};
use ipnet::IpNet;
use serde_json::json;
use stoa_core::auth::{AbilityCatalog, FULL_ACCESS, NewToken, issue_token};
use stoa_core::customers::find_customer;
use stoa_core::db::DbError;
use stoa_core::random::Random;

use super::Context;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Longest name of a token, in characters; the same as through the API.
const MAX_NAME: usize = 80;

/// Manage access tokens.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa token create --customer ada@example.com --name 'Her laptop'
  stoa token create --customer ada@example.com --name Reports --ability orders.read --ip 10.0.0.0/8 --json")]
pub(super) struct Token {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Create(Create),
}

/// Create an access token for a customer, and print it this once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa token create --customer ada@example.com --name 'Her laptop'
  stoa token create --customer ada@example.com --name Reports --ability orders.read --ability invoices.read
  stoa token create --customer ada@example.com --name Office --ip 192.0.2.0/24 --ip 2001:db8::/32 --json")]
struct Create {
    /// E-mail address of the customer.
    #[arg(long, value_name = "EMAIL")]
    customer: String,
    /// A name by which the customer knows the token.
    #[arg(long, value_parser = token_name)]
    name: String,
    /// What the token opens, such as `orders.read`; may be repeated. Default: everything.
    #[arg(long = "ability", value_name = "ABILITY")]
    abilities: Vec<String>,
    /// Address or network that the token may be used from; may be repeated. Default: anywhere.
    #[arg(long = "ip", value_name = "CIDR", value_parser = network)]
    networks: Vec<IpNet>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Token {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.action {
            Action::Create(create) => create.run(context).await,
        }
    }
}

impl Create {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let abilities = granted(&self.abilities, &installation.program.registry.abilities)?;
        let db = installation.open_current().await?;
        let customer = find_customer(&db, &self.customer).await?.ok_or_else(|| {
            Failure::operation(format!("there is no customer with the e-mail address {}", self.customer))
        })?;
        let mut networks = self.networks.clone();
        networks.sort_unstable();
        networks.dedup();
        let new = NewToken { customer_id: customer.id, name: &self.name, abilities: &abilities, networks: &networks };
        let random = Random::system();
        let token = db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &random, new).await }).await?;
        if !self.json {
            eprintln!("This token of {} is shown only this once:", customer.email);
            return print_line(&token);
        }
        let id = token.split('|').next().and_then(|id| id.parse::<i64>().ok());
        print_json(&json!({
            "id": id,
            "token": token,
            "token_type": "Bearer",
            "name": self.name,
            "abilities": abilities,
            "networks": networks,
            "customer_id": customer.id,
        }))
    }
}

/// What the token shall hold: everything when nothing was said, each name once, `*` alone when it
/// is among them (S5.2 rules 1 to 3).
fn granted(asked: &[String], catalog: &AbilityCatalog) -> Result<Vec<String>, Failure> {
    let unknown = asked.iter().filter(|name| !catalog.contains(name)).map(|name| {
        let meant = catalog.nearest(name).map(|nearest| format!("; did you mean `{nearest}`?"));
        format!("there is no ability `{name}`{}", meant.unwrap_or_default())
    });
    let mut mistakes = unknown.collect::<Vec<_>>();
    if !mistakes.is_empty() {
        let known = catalog.names().collect::<Vec<_>>().join(", ");
        mistakes.push(format!("abilities are: {FULL_ACCESS}, {known}"));
        return Err(Failure::usage(mistakes.join("\n")));
    }
    if asked.is_empty() || asked.iter().any(|name| name == FULL_ACCESS) {
        return Ok(vec![FULL_ACCESS.to_owned()]);
    }
    let mut names = asked.to_vec();
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

fn token_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(format!("a name has 1 to {MAX_NAME} characters, without control characters"));
    }
    Ok(name.to_owned())
}

/// An address, or a network in CIDR notation; IPv4 in IPv6 form is taken for what it is.
fn network(text: &str) -> Result<IpNet, String> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(address.to_canonical().into());
    }
    let network = text.parse::<IpNet>().map_err(|_| {
        String::from("an address or a network is expected, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32")
    })?;
    if let IpNet::V6(mapped) = network
        && let Some(address) = mapped.addr().to_ipv4_mapped()
        && let Some(prefix) = mapped.prefix_len().checked_sub(96)
        && let Ok(network) = IpNet::new(address.into(), prefix)
    {
        return Ok(network.trunc());
    }
    Ok(network.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_or_a_network_is_read() {
        for (text, read) in [
            ("192.0.2.7", "192.0.2.7/32"),
            ("192.0.2.7/24", "192.0.2.0/24"),
            ("2001:db8::1", "2001:db8::1/128"),
            ("2001:db8::1/32", "2001:db8::/32"),
            ("::ffff:192.0.2.7", "192.0.2.7/32"),
            ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ] {
            assert_eq!(network(text).expect(text).to_string(), read);
        }
        for text in ["", "ten", "192.0.2.0/33", "192.0.2", "192.0.2.0/-1", "192.0.2.0/24/8", "localhost", "*"] {
            assert!(network(text).is_err(), "{text}");
        }
    }

    #[test]
    fn abilities_are_named_once_and_everything_stands_alone() {
        let catalog = AbilityCatalog::default();
        let granted = |asked: &[&str]| {
            let asked = asked.iter().map(ToString::to_string).collect::<Vec<_>>();
            granted(&asked, &catalog).map_err(|failure| failure.to_string())
        };
        assert_eq!(granted(&[]), Ok(vec!["*".to_owned()]));
        assert_eq!(granted(&["orders.read", "*"]), Ok(vec!["*".to_owned()]));
        let twice = granted(&["orders.read", "account.read", "orders.read"]);
        assert_eq!(twice, Ok(vec!["account.read".to_owned(), "orders.read".to_owned()]));
        let refusal = granted(&["orders.raed", "zebra"]).expect_err("unknown names");
        assert!(refusal.contains("`orders.raed`; did you mean `orders.read`?"), "{refusal}");
        assert!(refusal.contains("no ability `zebra`\n"), "{refusal}");
    }
}
