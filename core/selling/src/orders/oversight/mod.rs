//! What must hold of orders at any time, and what waits for the operator.

mod queries;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, counted};
use stoa_kernel::invariant::Invariant;

use super::attention::count_orders_to_review;

/// What `stoa verify` holds orders to.
pub(super) const INVARIANTS: [Invariant; 5] = [
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
        "shipped_units",
        "what was shipped is what the shipments say, and never more than was sold",
        queries::SHIPPED_UNITS,
    ),
    Invariant::new("bought", "how often a customer has bought is what the orders say", queries::BOUGHT),
    Invariant::new("history", "what happened to an order stands in its history, with actor and time", queries::HISTORY),
];

/// Looks for orders that something has happened to which nobody but the operator can decide about.
pub(super) struct OrdersToReview;

impl Examine for OrdersToReview {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "orders.review";
        let count = count_orders_to_review(db).await?;
        if count == 0 {
            return Ok(vec![Finding::ok(CHECK, "no order needs a review")]);
        }
        let message = format!("{} a review", counted(count, "order needs", "orders need"));
        let fix = "look with `stoa order list --review` and `stoa order show N`, then `stoa order reviewed N`";
        Ok(vec![Finding::warning(CHECK, message, fix)])
    }
}
