//! `stoa token create`.

use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use serde_json::{Value, json};
use stoa_core::auth::{AbilityCatalog, FULL_ACCESS, NewToken, issue_token};
use stoa_core::db::DbError;
use stoa_core::random::Random;
use stoa_core::tokens::find_token;
use stoa_kernel::audit::Subject;

use super::network::{AllowedNetwork, network};
use super::{Context, describe};
use crate::cli::customer::CustomerArgument;
use crate::cli::jobs::time;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Longest name of a token, in characters; the same as through the API.
const MAX_NAME: usize = 80;

/// Longest life of a token that has an end, in days.
const MAX_DAYS: i64 = 3650;

/// Create an access token for a customer, and print it this once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa token create --customer ada@example.com --name 'Her laptop'
  stoa token create --customer ada@example.com --name Reports --ability orders.read --ability invoices.read
  stoa token create --customer ada@example.com --name Office --ip 192.0.2.0/24 --ip 2001:db8::/32 --json
  stoa token create --customer ada@example.com --name Trial --expires-in 30")]
pub(super) struct Create {
    /// E-mail address or id of the customer.
    #[arg(long, value_name = "CUSTOMER")]
    customer: CustomerArgument,
    /// A name by which the customer knows the token.
    #[arg(long, value_parser = token_name)]
    name: String,
    /// What the token opens, such as `orders.read`; may be repeated. Default: everything.
    #[arg(long = "ability", value_name = "ABILITY")]
    abilities: Vec<String>,
    /// Address or network that the token may be used from; may be repeated. Default: anywhere.
    #[arg(long = "ip", value_name = "CIDR", value_parser = network)]
    networks: Vec<AllowedNetwork>,
    /// When the token ends: RFC 3339, or a day, which begins at midnight UTC. Default: never.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "expires_in")]
    expires_at: Option<DateTime<Utc>>,
    /// In how many days the token ends.
    #[arg(
        long,
        value_name = "DAYS",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i64).range(1..=MAX_DAYS)
    )]
    expires_in: Option<i64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let abilities = granted(&self.abilities, &installation.program.registry.abilities)?;
        let db = installation.open_current().await?;
        let expires_at = self.end(db.now())?;
        let customer = self.customer.with_account(&db).await?;
        for notice in self.networks.iter().filter_map(|allowed| allowed.notice.as_deref()) {
            eprintln!("stoa: --ip: {notice}");
        }
        let mut networks = self.networks.iter().map(|allowed| allowed.network).collect::<Vec<_>>();
        networks.sort_unstable();
        networks.dedup();
        let new = NewToken {
            customer_id: customer.id,
            name: &self.name,
            abilities: &abilities,
            networks: &networks,
            expires_at,
        };
        let random = Random::system();
        let after = json!({"name": self.name, "abilities": abilities, "expires_at": expires_at});
        let subject = Subject::customer(customer.id);
        let token = db.write(async |tx| -> Result<String, DbError> {
            let token = issue_token(tx, &random, new).await?;
            tx.audit_operator("tokens.create", subject, Value::Null, after).await?;
            Ok(token)
        });
        let token = token.await?;
        if !self.json {
            eprintln!("This token of {} is shown only this once:", customer.email);
            return print_line(&token);
        }
        let id = token.split('|').next().and_then(|id| id.parse().ok()).unwrap_or_default();
        let record = find_token(&db, id).await?.ok_or_else(|| Failure::operation("the token was revoked at once"))?;
        let mut described = describe(&record, db.now())?;
        described["token"] = token.into();
        described["token_type"] = "Bearer".into();
        print_json(&described)
    }

    /// When the token ends, which must not be before it begins.
    fn end(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, Failure> {
        if let Some(end) = self.expires_at.filter(|end| *end <= now) {
            return Err(Failure::usage(format!("--expires-at: a time in the future is expected, and {end} is past")));
        }
        Ok(self.expires_at.or_else(|| self.expires_in.map(|days| now + TimeDelta::days(days))))
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

#[cfg(test)]
mod tests {
    use super::*;

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
