//! `stoa token create`.

use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use stoa_core::auth::NewToken;
use stoa_core::random::Random;
use stoa_core::tokens::{
    AllowedNetwork, MAX_TOKEN_DAYS, MAX_TOKEN_NAME, allowed_network, create_token, find_token, granted,
};

use super::{Context, describe};
use crate::cli::customer::CustomerArgument;
use crate::cli::jobs::time;
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark};

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
    #[arg(long = "ip", value_name = "CIDR", value_parser = allowed_network)]
    networks: Vec<AllowedNetwork>,
    /// When the token ends: RFC 3339, or a day, which begins at midnight UTC. Default: never.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "expires_in")]
    expires_at: Option<DateTime<Utc>>,
    /// In how many days the token ends.
    #[arg(
        long,
        value_name = "DAYS",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i64).range(1..=MAX_TOKEN_DAYS)
    )]
    expires_in: Option<i64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let abilities = granted(&self.abilities, &installation.program.registry.abilities).map_err(Failure::usage)?;
        let db = installation.open_current().await?;
        let expires_at = self.end(db.now())?;
        let customer = self.customer.with_account(&db).await?;
        for notice in self.networks.iter().filter_map(|allowed| allowed.notice.as_deref()) {
            print_remark(&format!("stoa: --ip: {notice}"));
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
        let token = create_token(&db, &Random::system(), new).await?;
        let token = token.expose();
        if !self.json {
            print_remark(&format!("This token of {} is shown only this once:", customer.email));
            return print_line(token);
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
fn token_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() || name.chars().count() > MAX_TOKEN_NAME || name.chars().any(char::is_control) {
        return Err(format!("a name has 1 to {MAX_TOKEN_NAME} characters, without control characters"));
    }
    Ok(name.to_owned())
}
