//! `stoa withdrawal list` and `stoa withdrawal show`.

use clap::Args;
use stoa_core::db::Reader;
use stoa_core::withdrawals::{
    ExcludedUnits, WithdrawalChangeError, WithdrawalFilter, WithdrawalLine, WithdrawalNumber, WithdrawalRecord,
    WithdrawalStatus, find_withdrawal, list_withdrawals,
};

use super::{Context, refused};
use crate::cli::list_options::{ListOptions, OfCustomer};
use crate::cli::one_of::one_of;
use crate::failure::Failure;
use crate::output::{print_json, print_members, print_part, shown_time};

/// List withdrawals, the newest first.
#[derive(Debug, Args)]
#[command(
    after_help = "`declared` ones wait for you: accept or refuse them. `accepted` ones are completed when money and goods are back.

Examples:
  stoa withdrawal list --status declared
  stoa withdrawal list --customer ada@example.com --json"
)]
pub(super) struct List {
    /// Only those in this state.
    #[arg(long, value_parser = one_of(WithdrawalStatus::ALL, WithdrawalStatus::as_str))]
    status: Option<WithdrawalStatus>,
    #[command(flatten)]
    of: OfCustomer,
    #[command(flatten)]
    options: ListOptions,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let customer_id = self.of.id(&db).await?;
        let filter = WithdrawalFilter { status: self.status, customer_id, limit: self.options.limit };
        let records = list_withdrawals(&db, &filter).await?;
        let head = ["NUMBER", "STATUS", "ORDER", "CUSTOMER", "DECLARED", "IN TIME", "UNITS"];
        self.options.print(
            &records,
            WithdrawalRecord::to_json,
            &head,
            row,
            "customers withdraw on the page of their order",
        )
    }
}

fn row(record: &WithdrawalRecord) -> Vec<String> {
    let withdrawal = &record.withdrawal;
    vec![
        withdrawal.number.clone(),
        withdrawal.status.as_str().to_owned(),
        withdrawal.order_number.clone(),
        record.customer_email.clone().unwrap_or_else(|| record.customer_id.to_string()),
        shown_time(withdrawal.declared_at),
        yes_or_late(withdrawal.within_period).to_owned(),
        withdrawal.lines.iter().map(|line| line.quantity).sum::<i64>().to_string(),
    ]
}

fn yes_or_late(within_period: bool) -> &'static str {
    if within_period { "yes" } else { "late" }
}

/// Show a withdrawal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa withdrawal show W-000007
  stoa withdrawal show 7 --json")]
pub(super) struct Show {
    /// The withdrawal's number or id.
    #[arg(value_name = "WITHDRAWAL")]
    number: WithdrawalNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let found = find_withdrawal(&mut Reader::from(&db), self.number).await?;
        let record = found.ok_or_else(|| refused(WithdrawalChangeError::Unknown(self.number)))?;
        if self.json {
            return print_json(&record.to_json()?);
        }
        let withdrawal = &record.withdrawal;
        let time = |time: Option<_>| time.map(shown_time);
        let customer = record.customer_email.as_ref().map(|email| format!("{email} ({})", record.customer_id));
        let members = [
            ("number", Some(withdrawal.number.clone())),
            ("status", Some(withdrawal.status.as_str().to_owned())),
            ("order", Some(withdrawal.order_number.clone())),
            ("customer", Some(customer.unwrap_or_else(|| format!("anonymized ({})", record.customer_id)))),
            ("declared", time(Some(withdrawal.declared_at))),
            ("period ends", time(withdrawal.deadline)),
            ("in time", Some(yes_or_late(withdrawal.within_period).to_owned())),
            ("decided", time(record.decided_at)),
            ("refused because", withdrawal.refusal_reason.clone()),
            ("refund", record.refund_id.map(|id| id.to_string())),
            ("completed", time(record.completed_at)),
        ];
        print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))?;
        for (heading, lines) in [
            ("Withdrawn", withdrawal.lines.iter().map(line).collect()),
            ("Cannot be withdrawn", withdrawal.excluded.iter().map(excluded).collect()),
            ("What the customer wrote", written(withdrawal.statement.as_deref())),
        ] {
            print_part(heading, lines)?;
        }
        Ok(())
    }
}

fn line(line: &WithdrawalLine) -> String {
    format!("{}: {} x {}", line.item_id, line.quantity, line.label)
}

fn excluded(units: &ExcludedUnits) -> String {
    let counted = if units.quantity == 1 { String::from("1 unit") } else { format!("{} units", units.quantity) };
    format!("{}: {counted}, {}", units.item_id, units.reason.as_str())
}

fn written(statement: Option<&str>) -> Vec<String> {
    statement.into_iter().flat_map(str::lines).map(str::to_owned).collect()
}
