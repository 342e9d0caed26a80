//! Declaring a withdrawal: one transaction, with the receipt, and behind the lock of the order.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sqlx::types::Json;

use stoa_kernel::db::{DbError, Reader, Tx};
use stoa_kernel::from_shop;
use stoa_kernel::mail::{MailNotice, Mailer};
use stoa_kernel::record_number::OrderNumber;
use stoa_notices::webhooks::{self, WebhookEvent, WithdrawnUnits};

use super::events::{DeclaredUnits, WithdrawalDeclared};
use super::facts;
use super::mails::RECEIVED;
use super::model::ExcludedUnits;
use super::number::WithdrawalNumber;
use super::queries;
use super::rights::{ItemFacts, OrderFacts};
use super::status::WithdrawalStatus;
use crate::order_mails::{OwnerWithdrawal, tell_owner_of_withdrawal};
use crate::orders::{Actor, lock_order, record};

/// How long the shop has to send the money back (directive 2011/83, article 13).
const MONEY_BACK: TimeDelta = TimeDelta::days(14);

from_shop! {
    /// What writes declarations down.
    #[derive(Clone)]
    pub struct Declarations {
        /// What sends receipts.
        pub mailer: Mailer,
    }
}

/// Units of an item that a customer withdraws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclaredLine {
    /// The item.
    pub item_id: i64,
    /// Units, at least one.
    pub quantity: i64,
}

/// What a customer declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The order.
    pub order_id: i64,
    /// Whose order it must be; none where the link or the address of the order stands for that.
    pub customer_id: Option<i64>,
    /// What of it; none for everything that can be withdrawn.
    pub lines: Option<Vec<DeclaredLine>>,
    /// What the customer writes.
    pub statement: Option<String>,
    /// When it was declared, if that was before this transaction.
    pub declared_at: Option<DateTime<Utc>>,
}

/// Why nothing was withdrawn.
#[derive(Debug, thiserror::Error)]
pub enum DeclareError {
    /// There is no such order of this customer.
    #[error("there is no such order")]
    NotFound,
    /// No line was named.
    #[error("no line was named")]
    NoLines,
    /// The order has no such item, or it is none that can be withdrawn from by itself.
    #[error("the order has no item {item_id}")]
    UnknownItem {
        /// Which of the lines, from 0 on.
        line: usize,
        /// What was named.
        item_id: i64,
    },
    /// An item was named twice.
    #[error("item {item_id} is named twice")]
    Repeated {
        /// Which of the lines, from 0 on.
        line: usize,
        /// What was named.
        item_id: i64,
    },
    /// Fewer units can be withdrawn: those that were withdrawn, refunded or excluded do not count.
    #[error("{left} of {label} can be withdrawn")]
    TooMany {
        /// Which of the lines, from 0 on.
        line: usize,
        /// The product's name.
        label: String,
        /// Units that can be.
        left: i64,
    },
    /// All that could be withdrawn was.
    #[error("all of the order that can be withdrawn was withdrawn before")]
    Already,
    /// Nothing can be withdrawn: everything was refunded, the order was cancelled, or what it holds is excluded.
    #[error("nothing of the order can be withdrawn")]
    NothingLeft,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Units of an item that are being withdrawn.
struct Chosen<'a> {
    item: &'a ItemFacts,
    units: Vec<i64>,
}

impl Chosen<'_> {
    fn quantity(&self) -> i64 {
        i64::try_from(self.units.len()).unwrap_or(i64::MAX)
    }
}

/// Writes a declaration down, late ones too, with its receipt and what others hear of it; gives its id. Of two at once the second waits,
/// and finds what the first has left.
pub async fn declare(tx: &mut Tx, uses: &Declarations, new: &Declaration) -> Result<i64, DeclareError> {
    let order = lock_order(tx, new.order_id).await?.ok_or(DeclareError::NotFound)?;
    tx.run(queries::LOCK_ITEMS).bind(order.id).scalars::<i64>().await?;
    let facts = facts::read(&mut Reader::from(&mut *tx), &[order.id]).await?.remove(&order.id);
    let facts = facts.ok_or(DeclareError::NothingLeft)?;
    if new.customer_id.is_some_and(|customer_id| customer_id != facts.customer_id) {
        return Err(DeclareError::NotFound);
    }
    let chosen = choose(&facts, new.lines.as_deref())?;
    let excluded = facts.excluded();
    let declared_at = new.declared_at.unwrap_or(tx.now());
    let deadlines = chosen.iter().map(|line| facts.deadline(line.item));
    let deadline = deadlines.flatten().min();
    let within_period = deadline.is_none_or(|end| declared_at <= end);
    let insert = tx.run(queries::INSERT).bind(order.id).bind(new.statement.as_deref()).bind(deadline);
    let insert = insert.bind(within_period).bind(Json(&excluded)).bind(declared_at);
    let id = insert.scalar::<i64>().await?;
    for line in &chosen {
        let insert = tx.run(queries::INSERT_ITEM).bind(id).bind(line.item.id).bind(line.quantity());
        insert.execute().await?;
        let units = line.units.iter().map(|unit| json!({ "unit": unit })).collect::<Value>().to_string();
        tx.run(queries::INSERT_UNITS).bind(line.item.id).bind(id).bind(units).execute().await?;
    }
    let number = WithdrawalNumber::of(id).to_string();
    record(tx, order.id, "withdrawal_declared", Actor::Customer, Some(&number)).await?;
    let receipt = receipt(order.id, id, &chosen, &excluded, &facts);
    let receipt = receipt.lines("statement", new.statement.as_deref().unwrap_or_default());
    let declared_on = declared_at.format("%Y-%m-%d %H:%M:%S UTC").to_string();
    let receipt = receipt.line("declared_at", &declared_on);
    let receipt = match deadline {
        Some(deadline) if !within_period => receipt.date("ended_on", deadline),
        Some(_) | None => receipt,
    };
    uses.mailer.notice(tx, &receipt).await?;
    let (customer_name, customer_email) =
        tx.run(queries::BUYER_OF_ORDER).bind(order.id).one::<(String, String)>().await?;
    let owner = OwnerWithdrawal {
        order_id: order.id,
        number: &number,
        customer_name: &customer_name,
        customer_email: &customer_email,
        lines: &chosen.iter().map(|line| (line.quantity(), line.item.label.as_str())).collect::<Vec<_>>(),
        declared_at: &declared_on,
        statement: new.statement.as_deref().unwrap_or_default(),
        deadline: Some(declared_at + MONEY_BACK),
    };
    tell_owner_of_withdrawal(tx, &uses.mailer, &owner).await?;
    let told = WebhookEvent::WithdrawalDeclared {
        withdrawal_id: id,
        withdrawal_number: number,
        order_id: order.id,
        order_number: OrderNumber::of(order.id).to_string(),
        status: WithdrawalStatus::Declared.as_str(),
        within_period,
        lines: chosen.iter().map(|line| WithdrawnUnits { item_id: line.item.id, quantity: line.quantity() }).collect(),
    };
    webhooks::queue(tx, &told).await?;
    let units = chosen.iter().map(|line| DeclaredUnits { order_line_id: line.item.id, ordinals: line.units.clone() });
    let event = WithdrawalDeclared {
        withdrawal_id: id,
        order_id: order.id,
        customer_id: facts.customer_id,
        within_period,
        units: units.collect(),
    };
    tx.emit(&event).await?;
    Ok(id)
}

/// What is withdrawn: everything that can be, or what the lines name.
fn choose<'a>(facts: &'a OrderFacts, lines: Option<&[DeclaredLine]>) -> Result<Vec<Chosen<'a>>, DeclareError> {
    let all = facts.items.iter().map(|item| Chosen { item, units: facts.open_units(item) });
    let all = all.filter(|chosen| !chosen.units.is_empty()).collect::<Vec<_>>();
    if all.is_empty() {
        let is_again = facts.items.iter().any(|item| !item.units.withdrawn.is_empty());
        return Err(if is_again { DeclareError::Already } else { DeclareError::NothingLeft });
    }
    let Some(lines) = lines else { return Ok(all) };
    if lines.is_empty() {
        return Err(DeclareError::NoLines);
    }
    let mut chosen = Vec::<Chosen<'a>>::new();
    for (index, DeclaredLine { item_id, quantity }) in lines.iter().copied().enumerate() {
        let item = facts.items.iter().find(|item| item.id == item_id);
        let item = item.ok_or(DeclareError::UnknownItem { line: index, item_id })?;
        if chosen.iter().any(|other| other.item.id == item_id) {
            return Err(DeclareError::Repeated { line: index, item_id });
        }
        let mut units = facts.open_units(item);
        let left = i64::try_from(units.len()).unwrap_or(i64::MAX);
        let wanted = usize::try_from(quantity).ok().filter(|wanted| (1..=units.len()).contains(wanted));
        let Some(wanted) = wanted else {
            return Err(DeclareError::TooMany { line: index, label: item.label.clone(), left });
        };
        units.truncate(wanted);
        chosen.push(Chosen { item, units });
    }
    Ok(chosen)
}

/// The receipt, which says what was declared.
fn receipt(
    order_id: i64,
    withdrawal_id: i64,
    chosen: &[Chosen<'_>],
    excluded: &[ExcludedUnits],
    facts: &OrderFacts,
) -> MailNotice<'static> {
    let lines = chosen.iter().map(|line| format!("{} × {}", line.quantity(), line.item.label));
    let lines = lines.collect::<Vec<_>>().join("\n");
    let label = |item_id: i64| facts.items.iter().find(|item| item.id == item_id).map_or("", |item| &item.label);
    let excluded = excluded.iter().map(|units| format!("{} × {}", units.quantity, label(units.item_id)));
    let excluded = excluded.collect::<Vec<_>>().join("\n");
    MailNotice::new(&RECEIVED, order_id, withdrawal_id)
        .line("withdrawal_number", &WithdrawalNumber::of(withdrawal_id).to_string())
        .lines("withdrawal_lines", &lines)
        .lines("excluded_lines", &excluded)
}
