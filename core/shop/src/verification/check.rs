//! The invariants, and looking for what breaks them.

use std::fmt;

use serde::Serialize;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::invariant::Invariant;
use stoa_selling::invoices::verify_documents;

use super::queries;

/// Something that breaks an invariant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Breach {
    /// The invariant's name.
    pub invariant: &'static str,
    /// What it is about: an order, a payment, a document.
    pub about: String,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.invariant, self.about, self.problem)
    }
}

/// Core's own that are statements; documents and the file itself are looked through besides.
pub const INVARIANTS: &[Invariant] = &[
    Invariant::new(
        "order_totals",
        "lines, discount, shipping and tax of an order come to its total",
        queries::ORDER_TOTALS,
    ),
    Invariant::new(
        "order_lines",
        "an order has items, and units times price is what a line comes to",
        queries::ORDER_LINES,
    ),
    Invariant::new(
        "payment_of_order",
        "an order that costs something has one payment of its total, and another none",
        queries::PAYMENT_OF_ORDER,
    ),
    Invariant::new(
        "paid_together",
        "an order and its payment are paid together; money for a cancelled order is flagged",
        queries::PAID_TOGETHER,
    ),
    Invariant::new(
        "paid_once",
        "one attempt at most has brought the money of an order, unless the order is flagged",
        queries::PAID_ONCE,
    ),
    Invariant::new(
        "attempt_amounts",
        "an attempt asks for what is owed, and none is open for an order that is paid or cancelled",
        queries::ATTEMPTS,
    ),
    Invariant::new(
        "refund_sums",
        "what went back is what the refunds say, and never more than came",
        queries::REFUND_SUMS,
    ),
    Invariant::new(
        "refund_units",
        "units are refunded once at most, and only those that were sold",
        queries::REFUND_UNITS,
    ),
    Invariant::new(
        "revoked_units",
        "goods are taken back for the very units that refunds have taken, and for no others",
        queries::REVOKED_UNITS,
    ),
    Invariant::new(
        "shipped_units",
        "what was shipped is what the shipments say, and never more than was sold",
        queries::SHIPPED_UNITS,
    ),
    Invariant::new(
        "discount_uses",
        "a discount was used as often as orders redeem it, and never more often than it can be",
        queries::DISCOUNT_USES,
    ),
    Invariant::new(
        "discount_released",
        "an order with a code redeems it, and gives it back when it is cancelled",
        queries::DISCOUNT_RELEASED,
    ),
    Invariant::new("history", "what happened to an order stands in its history, with actor and time", queries::HISTORY),
    Invariant::new(
        "callbacks",
        "a callback that was applied names its attempt, of the same gateway",
        queries::CALLBACKS,
    ),
    Invariant::new(
        "idempotency",
        "an idempotency key has made something, for the customer it belongs to",
        queries::IDEMPOTENCY,
    ),
    Invariant::new(
        "deliveries",
        "a webhook is under way, or has an end; it was attempted five times at most",
        queries::DELIVERIES,
    ),
];

/// Looks for everything that breaks an invariant of core or one of `modules`, at most a hundred breaches of each.
pub async fn verify(db: &Db, modules: &[Invariant]) -> Result<Vec<Breach>, DbError> {
    let mut breaches = Vec::new();
    for invariant in INVARIANTS.iter().chain(modules) {
        let found = db.read(invariant.finds).all::<(String, String)>().await?;
        let found = found.into_iter().map(|(about, problem)| Breach { invariant: invariant.name, about, problem });
        breaches.extend(found);
    }
    let documents = verify_documents(db).await?.into_iter();
    breaches.extend(documents.map(|found| Breach {
        invariant: "documents",
        about: found.about,
        problem: found.problem,
    }));
    let damage = db.damage().await?.into_iter();
    breaches.extend(damage.map(|problem| Breach {
        invariant: "database",
        about: String::from("the database"),
        problem,
    }));
    Ok(breaches)
}
