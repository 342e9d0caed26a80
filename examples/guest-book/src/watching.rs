//! What the operator is told without asking for it: `stoa verify`, `stoa doctor` and `GET /metrics`.

use stoa_core::chrono::TimeDelta;
use stoa_core::prelude::*;

use crate::queries;

/// The lasting name of what must hold.
const TEXT: &str = "guest_book_text";

/// What must hold at any time. The statement selects each breach as two texts: what it is about, and what is wrong.
pub(crate) const HAS_TEXT: Invariant = Invariant::new(TEXT, "an entry says something", queries::FIND_EMPTY);

/// The name of the check.
const AGE: &str = "guest_book.age";

/// Whatever the operator keeps, nothing is kept for ever.
const EVER: TimeDelta = TimeDelta::days(3650);

/// The module's part of `stoa doctor`.
pub(crate) struct LookAtEntries;

impl Examine for LookAtEntries {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        let before = db.now() - EVER;
        let old = db.read(queries::COUNT_OLDER).bind(before).scalar::<i64>().await?;
        Ok(vec![match old {
            0 => Finding::ok(AGE, "no entry is older than ten years"),
            old => Finding::warning(
                AGE,
                format!("{old} entries are older than ten years"),
                "see whether the worker runs: `stoa jobs list`",
            ),
        }])
    }
}

/// The name of what is measured.
const ENTRIES: &str = "stoa_guest_book_entries";

/// The module's part of `GET /metrics`.
pub(crate) struct CountEntries;

impl Measure for CountEntries {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let entries = db.read(queries::COUNT_ALL).scalar::<i64>().await?;
        Ok(vec![Sample::gauge(ENTRIES, "Entries that are kept.", entries)])
    }
}
