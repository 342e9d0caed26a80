//! Reading deliveries.

use chrono::{DateTime, Utc};

use stoa_kernel::console::{MOST_COUNTED, RowCount};
use stoa_kernel::db::{Db, DbError};

use super::queries;

/// How far a delivery has come (S3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryState {
    /// It waits for its first or next attempt, or is being sent.
    Pending,
    /// It was answered with 2xx.
    Delivered,
    /// It was given up; only the operator brings it back.
    DeadLetter,
    /// Its endpoint was disabled before it could be sent.
    Skipped,
}

impl DeliveryState {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pending, Self::Delivered, Self::DeadLetter, Self::Skipped];

    /// The lower-case word of the database and of `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::DeadLetter => "dead_letter",
            Self::Skipped => "skipped",
        }
    }
}

impl TryFrom<String> for DeliveryState {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|state| state.as_str() == word);
        found.ok_or_else(|| format!("`{word}` is no state of a webhook delivery"))
    }
}

/// An event on its way to one endpoint.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Delivery {
    /// Its row's id, which grows.
    pub row_id: i64,
    /// The value of `X-Service-Delivery`.
    pub delivery_id: String,
    /// Where to.
    pub endpoint_id: i64,
    /// The event's type.
    pub event: String,
    /// What is sent, byte for byte.
    pub body: String,
    /// How far it has come.
    #[sqlx(try_from = "String")]
    pub state: DeliveryState,
    /// Attempts that were begun.
    pub attempts: i64,
    /// When it is due; none while it is being sent, and at an end.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// Whether it is being sent now.
    pub is_in_flight: bool,
    /// The status of the last answer, of which nothing else is kept.
    pub response_status: Option<i64>,
    /// Why it has not arrived yet.
    pub last_error: Option<String>,
    /// When the event happened.
    pub created_at: DateTime<Utc>,
    /// When it arrived, was given up or skipped.
    pub finished_at: Option<DateTime<Utc>>,
}

impl Delivery {
    /// When it arrived.
    pub fn delivered_at(&self) -> Option<DateTime<Utc>> {
        self.finished_at.filter(|_| self.state == DeliveryState::Delivered)
    }
}

/// Which deliveries are meant; all of them unless something is said.
#[derive(Debug, Clone, Default)]
pub struct DeliveryFilter {
    /// Those in this state.
    pub state: Option<DeliveryState>,
    /// Those to this endpoint.
    pub endpoint_id: Option<i64>,
    /// Those of this type.
    pub event: Option<String>,
    /// Those of events that happened then or later.
    pub since: Option<DateTime<Utc>>,
    /// Those of events that happened before.
    pub until: Option<DateTime<Utc>>,
    /// Those that are older than the one with this row.
    pub before_id: Option<i64>,
}

impl DeliveryFilter {
    pub(super) fn since(&self) -> DateTime<Utc> {
        self.since.unwrap_or(DateTime::UNIX_EPOCH)
    }

    pub(super) fn until(&self) -> DateTime<Utc> {
        // The year 9999, which both databases know.
        self.until.unwrap_or_else(|| DateTime::from_timestamp(253_402_300_799, 0).unwrap_or(DateTime::UNIX_EPOCH))
    }
}

/// The newest deliveries, at most `limit` of them.
pub async fn list_deliveries(db: &Db, filter: &DeliveryFilter, limit: i64) -> Result<Vec<Delivery>, DbError> {
    let list = db.read(queries::LIST).bind(filter.state.map(DeliveryState::as_str)).bind(filter.endpoint_id);
    let list = list.bind(filter.event.as_deref()).bind(filter.since()).bind(filter.until());
    list.bind(limit).bind(filter.before_id).all().await
}

/// How many there are on all pages together.
pub async fn count_deliveries(db: &Db, filter: &DeliveryFilter) -> Result<RowCount, DbError> {
    let count = db.read(queries::COUNT).bind(filter.state.map(DeliveryState::as_str)).bind(filter.endpoint_id);
    let count = count.bind(filter.event.as_deref()).bind(filter.since()).bind(filter.until());
    count.bind(MOST_COUNTED + 1).scalar().await.map(RowCount::of)
}

/// The delivery of this UUID.
pub async fn find_delivery(db: &Db, delivery_id: &str) -> Result<Option<Delivery>, DbError> {
    db.read(queries::FIND).bind(delivery_id.to_ascii_lowercase()).optional().await
}

/// One attempt, as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct RecordedAttempt {
    /// Which one it was, from 1; it begins anew when the operator has it sent again.
    pub number: i64,
    /// When it ended.
    pub ended_at: DateTime<Utc>,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
    /// The address and port that answered.
    pub address: Option<String>,
    /// The status of the answer.
    pub response_status: Option<i64>,
    /// What went wrong.
    pub error: Option<String>,
}

/// The recorded attempts of a delivery, the first one first.
pub async fn attempts_of(db: &Db, delivery: &Delivery) -> Result<Vec<RecordedAttempt>, DbError> {
    db.read(queries::ATTEMPTS).bind(delivery.row_id).all().await
}
