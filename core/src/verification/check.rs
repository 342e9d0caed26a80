//! The invariants, and looking for what breaks them.

use std::fmt;

use serde::Serialize;

use super::queries;
use crate::db::{Db, DbError, Sql};
use crate::invoices::verify_documents;

/// Something that must hold at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Invariant {
    /// A lasting name.
    pub name: &'static str,
    /// What must hold, in a sentence.
    pub promise: &'static str,
    finds: Sql,
}

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

impl Invariant {
    /// All of them that are statements; documents and the file itself are looked through besides.
    pub const ALL: &'static [Self] = &[
        Self {
            name: "order_totals",
            promise: "lines, discount, shipping and tax of an order come to its total",
            finds: queries::ORDER_TOTALS,
        },
        Self {
            name: "order_lines",
            promise: "an order has items, and units times price is what a line comes to",
            finds: queries::ORDER_LINES,
        },
        Self {
            name: "payment_of_order",
            promise: "an order that costs something has one payment of its total, and another none",
            finds: queries::PAYMENT_OF_ORDER,
        },
        Self {
            name: "paid_together",
            promise: "an order and its payment are paid together; money for a cancelled order is flagged",
            finds: queries::PAID_TOGETHER,
        },
        Self {
            name: "paid_once",
            promise: "one attempt at most has brought the money of an order, unless the order is flagged",
            finds: queries::PAID_ONCE,
        },
        Self {
            name: "attempt_amounts",
            promise: "an attempt asks for what is owed, and none is open for an order that is paid or cancelled",
            finds: queries::ATTEMPTS,
        },
        Self {
            name: "refund_sums",
            promise: "what went back is what the refunds say, and never more than came",
            finds: queries::REFUND_SUMS,
        },
        Self {
            name: "refund_units",
            promise: "units are refunded once at most, and only those that were sold",
            finds: queries::REFUND_UNITS,
        },
        Self {
            name: "shipped_units",
            promise: "what was shipped is what the shipments say, and never more than was sold",
            finds: queries::SHIPPED_UNITS,
        },
        Self {
            name: "discount_uses",
            promise: "a discount was used as often as orders redeem it, and never more often than it can be",
            finds: queries::DISCOUNT_USES,
        },
        Self {
            name: "discount_released",
            promise: "an order with a code redeems it, and gives it back when it is cancelled",
            finds: queries::DISCOUNT_RELEASED,
        },
        Self {
            name: "history",
            promise: "what happened to an order stands in its history, with actor and time",
            finds: queries::HISTORY,
        },
        Self {
            name: "callbacks",
            promise: "a callback that was applied names its attempt, of the same gateway",
            finds: queries::CALLBACKS,
        },
        Self {
            name: "idempotency",
            promise: "an idempotency key has made something, for the customer it belongs to",
            finds: queries::IDEMPOTENCY,
        },
        Self {
            name: "deliveries",
            promise: "a webhook is under way, or has an end; it was attempted five times at most",
            finds: queries::DELIVERIES,
        },
    ];
}

/// Looks for everything that breaks an invariant, at most a hundred breaches of each.
pub async fn verify(db: &Db) -> Result<Vec<Breach>, DbError> {
    let mut breaches = Vec::new();
    for invariant in Invariant::ALL {
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
