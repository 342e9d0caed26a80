//! What an operator is told without asking for it: `stoa verify`, `stoa doctor` and `GET /metrics`.

use chrono::TimeDelta;
use stoa_core::prelude::*;

use crate::queries;

/// What must hold at any time. The statement selects each breach as two texts: what it is about, and what is wrong.
pub(crate) const INVARIANTS: [Invariant; 2] = [
    Invariant::new(
        "gift_wrap_orders",
        "a wish that belongs to an order is of the order's customer, and the order is not cancelled",
        queries::FIND_WRONG_ORDERS,
    ),
    Invariant::new("gift_wrap_cards", "a card that was printed has a message", queries::FIND_EMPTY_CARDS),
];

/// A card is printed within minutes; this long means that the printer or the worker stands still.
const LATE: TimeDelta = TimeDelta::hours(1);

/// The module's part of `stoa doctor`.
pub(crate) struct LookAtCards;

impl Examine for LookAtCards {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        let before = db.now() - LATE;
        let late = db.read(queries::COUNT_LATE_CARDS).bind(before).scalar::<i64>().await?;
        Ok(vec![match late {
            0 => Finding::ok("gift_wrap.cards", "no card waits to be printed for long"),
            late => Finding::warning(
                "gift_wrap.cards",
                format!("{late} card(s) wait to be printed since more than an hour"),
                "see whether the worker runs: `stoa events --failed`, `stoa jobs list`",
            ),
        }])
    }
}

/// The module's part of `GET /metrics`.
pub(crate) struct CountCards;

impl Measure for CountCards {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let (wishes, waiting) = db.read(queries::COUNT_CARDS).one::<(i64, i64)>().await?;
        Ok(vec![
            Sample::gauge("stoa_gift_wrap_wishes", "Wishes that are kept.", wishes),
            Sample::gauge("stoa_gift_wrap_cards_waiting", "Cards that are still to be printed.", waiting),
        ])
    }
}
