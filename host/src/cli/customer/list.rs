//! `stoa customer list` and `stoa customer show`.

use clap::Args;
use stoa_core::buyers::CustomerState;
use stoa_core::customers::{AccountFilter, CustomerAccount, list_accounts};

use super::Context;
use super::argument::Which;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_list, print_members, print_remark, shown_time};

/// List customers in the order of their ids, anonymized ones too.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer list
  stoa customer list --search lovelace
  stoa customer list --limit 100 --after 1100 --json")]
pub(super) struct List {
    /// Only those whose name or e-mail address contains this, in any case.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// At most this many. Default: all.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Only those after the customer with this id: the last one of the page before.
    #[arg(
        long,
        value_name = "ID",
        default_value_t = 0,
        hide_default_value = true,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i64).range(0..)
    )]
    after: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let search = self.search.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        // One more tells whether there are more.
        let filter = AccountFilter {
            search: search.map(str::to_owned),
            after: self.after,
            limit: limit.map(|limit| limit.saturating_add(1)),
        };
        let mut accounts = list_accounts(&db, &filter).await?;
        let has_more = limit.is_some_and(|limit| accounts.len() > limit);
        accounts.truncate(limit.unwrap_or(usize::MAX));
        if self.json {
            return print_json_list(&accounts.iter().map(CustomerAccount::to_json).collect::<Vec<_>>());
        }
        print_list(
            &["ID", "NAME", "E-MAIL", "STATE", "CREATED"],
            accounts.iter().map(row),
            "customers register or order; `stoa customer create` makes one",
        )?;
        if let Some(last) = accounts.last().filter(|_| has_more) {
            print_remark(&format!("There are more: --after {}", last.id));
        }
        Ok(())
    }
}

fn row(account: &CustomerAccount) -> Vec<String> {
    vec![
        account.id.to_string(),
        account.name.clone(),
        account.address().unwrap_or_default().to_owned(),
        CustomerState::of(account).as_str().to_owned(),
        shown_time(account.created_at),
    ]
}

/// Show one customer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer show --email ada@example.com
  stoa customer show 1001 --json")]
pub(super) struct Show {
    #[command(flatten)]
    which: Which,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let account = self.which.chosen().find(&db).await?;
        if self.json {
            return print_json(&account.to_json());
        }
        let time = |time: Option<_>| time.map(shown_time);
        let members = [
            ("id", Some(account.id.to_string())),
            ("name", Some(account.name.clone())),
            ("e-mail", account.address().map(str::to_owned)),
            ("state", Some(CustomerState::of(&account).as_str().to_owned())),
            ("password", Some(String::from(if account.has_password { "set" } else { "none" }))),
            ("user id", Some(account.user_id.to_string())),
            ("created", time(Some(account.created_at))),
            ("verified", time(account.email_verified_at)),
            ("anonymized", time(account.anonymized_at)),
        ];
        print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }
}
