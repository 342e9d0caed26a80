//! `stoa token list` and `stoa token show`.

use chrono::{DateTime, Utc};
use clap::Args;
use stoa_core::tokens::{TokenRecord, find_token, list_tokens, list_tokens_of};

use super::{Context, describe};
use crate::cli::customer::CustomerArgument;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_list, print_members, shown_time};

/// List access tokens, oldest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa token list
  stoa token list --customer ada@example.com --json")]
pub(super) struct List {
    /// Only those of this customer: their e-mail address or id.
    #[arg(long, value_name = "CUSTOMER")]
    customer: Option<CustomerArgument>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let tokens = match &self.customer {
            Some(customer) => list_tokens_of(&db, customer.find(&db).await?.id).await?,
            None => list_tokens(&db).await?,
        };
        let now = db.now();
        if self.json {
            let described = tokens.iter().map(|token| describe(token, now)).collect::<Result<Vec<_>, _>>()?;
            return print_json_list(&described);
        }
        let head = ["ID", "CUSTOMER", "NAME", "ABILITIES", "NETWORKS", "CREATED", "LAST USED", "EXPIRES"];
        print_list(&head, tokens.iter().map(|token| cells(token, now)), "`stoa token create` makes an access token")
    }
}

/// Show one access token. Its secret is stored nowhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa token show 17
  stoa token show 17 --json")]
pub(super) struct Show {
    /// The token's id: the number before the `|`.
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let Some(token) = find_token(&db, self.id).await? else {
            return Err(Failure::operation(format!(
                "there is no access token {}; `stoa token list` shows all",
                self.id
            )));
        };
        let now = db.now();
        if self.json {
            return print_json(&describe(&token, now)?);
        }
        let names = ["id", "customer", "name", "abilities", "networks", "created", "last used", "expires"];
        print_members(names.into_iter().zip(cells(&token, now)))
    }
}

fn cells(token: &TokenRecord, now: DateTime<Utc>) -> Vec<String> {
    let networks = token.networks.0.iter().map(ToString::to_string).collect::<Vec<_>>();
    let or = |texts: &[String], none: &str| if texts.is_empty() { none.to_owned() } else { texts.join(" ") };
    let end = match token.expires_at {
        Some(end) if token.is_expired(now) => format!("{} (expired)", shown_time(end)),
        Some(end) => shown_time(end),
        None => String::from("never"),
    };
    vec![
        token.id.to_string(),
        token.email.clone(),
        token.name.clone(),
        or(&token.abilities.0, "none"),
        or(&networks, "anywhere"),
        shown_time(token.created_at),
        token.last_used_at.map_or_else(|| String::from("never"), shown_time),
        end,
    ]
}
