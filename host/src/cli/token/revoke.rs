//! `stoa token revoke`.

use clap::{ArgGroup, Args};
use stoa_core::db::Db;
use stoa_core::tokens::{TokenRecord, find_token, revoke_all_tokens, revoke_tokens};

use super::{Context, describe};
use crate::cli::customer::CustomerArgument;
use crate::failure::Failure;
use crate::output::{print_json_list, print_line};

/// Revoke access tokens. They are refused from now on.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("tokens").args(["ids", "customer"]).required(true),
    after_help = "Examples:
  stoa token revoke 17
  stoa token revoke 17 18 19
  stoa token revoke --customer ada@example.com --all"
)]
pub(super) struct Revoke {
    /// Ids of tokens: the number before the `|`.
    #[arg(value_name = "ID", value_parser = clap::value_parser!(i64).range(1..))]
    ids: Vec<i64>,
    /// The customer whose tokens are all revoked: their e-mail address or id.
    #[arg(long, value_name = "CUSTOMER", requires = "all")]
    customer: Option<CustomerArgument>,
    /// Revoke all tokens of the customer.
    #[arg(long, requires = "customer")]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Revoke {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let (revoked, unknown) = match &self.customer {
            Some(customer) => {
                let id = customer.find(&db).await?.id;
                (revoke_all_tokens(&db, id).await?, Vec::new())
            }
            None => self.revoke_by_id(&db).await?,
        };
        self.print(&db, &revoked)?;
        if unknown.is_empty() {
            return Ok(());
        }
        let unknown = unknown.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Err(Failure::operation(format!("there is no access token {unknown}; `stoa token list` shows all")))
    }

    /// What was revoked, and the ids of which there is no token. One that is wrong must not save the others.
    async fn revoke_by_id(&self, db: &Db) -> Result<(Vec<TokenRecord>, Vec<i64>), Failure> {
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        ids.dedup();
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for id in ids {
            match find_token(db, id).await? {
                Some(token) => known.push(token),
                None => unknown.push(id),
            }
        }
        revoke_tokens(db, &known).await?;
        Ok((known, unknown))
    }

    fn print(&self, db: &Db, revoked: &[TokenRecord]) -> Result<(), Failure> {
        if self.json {
            let described = revoked.iter().map(|token| describe(token, db.now())).collect::<Result<Vec<_>, _>>()?;
            return print_json_list(&described);
        }
        for token in revoked {
            print_line(&format!("revoked access token {} ({}) of {}", token.id, token.name, token.email))?;
        }
        if revoked.is_empty() && self.all {
            print_line("there are no access tokens to revoke")?;
        }
        Ok(())
    }
}
