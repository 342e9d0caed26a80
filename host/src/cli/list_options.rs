//! What the lists of the command line have in common: whom they are about, how many there are, and how they are printed.

use clap::Args;
use serde::Serialize;
use stoa_core::db::Db;

use super::customer::CustomerArgument;
use crate::failure::Failure;
use crate::output::{print_json_list, print_list};

// No doc comment: clap would take it for the description of every command that this is flattened into.
#[derive(Debug, Args)]
pub(super) struct ListOptions {
    /// At most this many. Default: all.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) limit: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ListOptions {
    /// Prints the records: as `to_json` describes them, or as a table with a `row` for each. When there are none, where they
    /// come from.
    pub(super) fn print<T, J: Serialize>(
        &self,
        records: &[T],
        to_json: impl Fn(&T) -> Result<J, serde_json::Error>,
        head: &[&str],
        row: impl Fn(&T) -> Vec<String>,
        come_from: &str,
    ) -> Result<(), Failure> {
        if self.json {
            return print_json_list(&records.iter().map(to_json).collect::<Result<Vec<_>, _>>()?);
        }
        print_list(head, records.iter().map(row), come_from)
    }
}

// As above.
#[derive(Debug, Args)]
pub(super) struct OfCustomer {
    /// Only those of this customer: their e-mail address or id.
    #[arg(long, value_name = "CUSTOMER")]
    customer: Option<CustomerArgument>,
}

impl OfCustomer {
    /// The customer's id; none when all customers are meant.
    pub(super) async fn id(&self, db: &Db) -> Result<Option<i64>, Failure> {
        match &self.customer {
            Some(customer) => Ok(Some(customer.find(db).await?.id)),
            None => Ok(None),
        }
    }
}
