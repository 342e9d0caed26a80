//! First-party sessions, kept in the database (contract 2.4). The browser holds a random secret, of
//! which only the SHA-256 is stored.

use chrono::{DateTime, TimeDelta, Utc};

use super::principal::AccountHolder;
use super::queries;
use super::random_secret::RandomSecret;
use crate::clock::Clock;
use crate::config::{Config, SessionsConfig};
use crate::db::{Db, DbError, Tx};
use crate::http::error::ApiError;
use crate::random::Random;

/// Longest name of a browser that is kept, in characters.
const MAX_USER_AGENT: usize = 255;

/// The value of a session's cookie.
pub type SessionSecret = RandomSecret;

/// A session that was presented and found alive.
#[derive(Debug, Clone)]
pub struct Session {
    /// The session's id.
    pub session_id: i64,
    /// Whose session it is.
    pub customer_id: i64,
    /// The user behind the customer.
    pub user_id: i64,
    /// The last request that was noted.
    pub(super) last_seen_at: DateTime<Utc>,
    pub(super) holder: AccountHolder,
}

#[derive(sqlx::FromRow)]
struct SessionRow {
    id: i64,
    customer_id: i64,
    user_id: i64,
    last_seen_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    #[sqlx(flatten)]
    holder: AccountHolder,
}

/// Finds the session of a cookie. One that is unknown, over, idle for too long, or of an anonymized
/// customer is 401.
pub(crate) async fn authenticate_session(
    db: &Db,
    clock: &Clock,
    config: &Config,
    secret: &SessionSecret,
) -> Result<Session, ApiError> {
    let found = db.read(queries::FIND_SESSION).bind(secret.hash().to_vec()).optional::<SessionRow>().await?;
    let row = found.ok_or_else(ApiError::unauthenticated)?;
    let now = clock.now();
    let sessions = &config.accounts.sessions;
    // One that was begun while the clock was years ahead would last for years. Smaller corrections end nobody's session.
    let is_beyond = row.expires_at > now + absolute(sessions) * 2;
    if row.expires_at <= now || is_beyond || row.last_seen_at + idle(sessions) <= now {
        return Err(ApiError::unauthenticated());
    }
    let SessionRow { id, customer_id, user_id, last_seen_at, holder, .. } = row;
    Ok(Session { session_id: id, customer_id, user_id, last_seen_at, holder })
}

/// How long a session may go without a request.
pub(crate) fn idle(sessions: &SessionsConfig) -> TimeDelta {
    TimeDelta::minutes(i64::from(sessions.idle_minutes))
}

/// How long a session may last, with however many requests.
fn absolute(sessions: &SessionsConfig) -> TimeDelta {
    TimeDelta::minutes(i64::from(sessions.absolute_minutes))
}

/// Starts a session for a user and returns its secret, which is nowhere else.
pub async fn start_session(
    tx: &mut Tx,
    random: &Random,
    sessions: &SessionsConfig,
    user_id: i64,
    user_agent: Option<&str>,
) -> Result<SessionSecret, DbError> {
    let secret = SessionSecret::new(random);
    let now = tx.now();
    let expires_at = now + absolute(sessions);
    let user_agent = user_agent.map(|text| text.chars().take(MAX_USER_AGENT).collect::<String>());
    tx.run(queries::INSERT_SESSION)
        .bind(user_id)
        .bind(secret.hash().to_vec())
        .bind(user_agent)
        .bind(now)
        .bind(expires_at)
        .execute()
        .await?;
    Ok(secret)
}

/// Ends a session, if there is such a one.
pub async fn end_session(tx: &mut Tx, secret: &SessionSecret) -> Result<(), DbError> {
    tx.run(queries::DELETE_SESSION).bind(secret.hash().to_vec()).execute().await.map(drop)
}
