//! Sessions of the console, kept in the database. The browser holds a random secret, of which only the SHA-256 is stored.

use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};

use super::queries;
use crate::auth::RandomSecret;
use crate::config::ConsoleConfig;
use crate::db::{Db, DbError, Tx};
use crate::random::Random;

/// Longest name of a browser that is kept, in characters.
const MAX_USER_AGENT: usize = 255;

/// How exactly it is known when a session was used last.
const TOUCHED_EVERY: TimeDelta = TimeDelta::minutes(1);

/// How long somebody who has shown the password may take to show the second factor.
const FACTOR_WITHIN: TimeDelta = TimeDelta::minutes(10);

/// A session that was presented and found alive, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StaffSession {
    /// The session's id.
    pub id: i64,
    /// The person's id.
    pub staff_id: i64,
    /// Whether the second factor is still to be shown; such a session opens nothing.
    pub awaits_factor: bool,
    last_seen_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// The person's e-mail address.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// The person's role, as it is now.
    pub role: String,
    /// Whether the person has set up a second factor: an app, or a passkey.
    pub has_second_factor: bool,
    /// Whether the person has a password.
    pub has_password: bool,
}

/// Finds the session of a cookie; none if it is unknown, over, idle for too long, or of somebody who is disabled.
pub async fn find_staff_session(
    db: &Db,
    config: &ConsoleConfig,
    secret: &RandomSecret,
) -> Result<Option<StaffSession>, DbError> {
    let found = db.read(queries::FIND_SESSION).bind(secret.hash().to_vec()).optional::<StaffSession>().await?;
    let now = db.now();
    let minutes = |minutes: u32| TimeDelta::minutes(i64::from(minutes));
    let (idle, absolute) = (minutes(config.sessions.idle_minutes), minutes(config.sessions.absolute_minutes));
    Ok(found.filter(|session| {
        // One that was begun while the clock was far ahead would last as long.
        let is_beyond = session.expires_at > now + absolute * 2;
        session.expires_at > now && !is_beyond && session.last_seen_at + idle > now
    }))
}

/// Whose a session is or was, as long as it is remembered.
pub(crate) async fn whose_staff_session(db: &Db, secret: &RandomSecret) -> Result<Option<i64>, DbError> {
    let found = db.read(queries::FIND_SESSION).bind(secret.hash().to_vec()).optional::<StaffSession>().await?;
    Ok(found.map(|session| session.staff_id))
}

/// Notes that a session was used, once a minute.
pub(crate) async fn touch_staff_session(db: &Db, session: &StaffSession) -> Result<(), DbError> {
    let now = db.now();
    if now - session.last_seen_at < TOUCHED_EVERY {
        return Ok(());
    }
    db.write(async |tx| tx.run(queries::TOUCH_SESSION).bind(session.id).bind(now).execute().await.map(drop)).await
}

/// Starts a session for somebody and returns its secret, which is nowhere else.
pub async fn start_staff_session(
    tx: &mut Tx,
    random: &Random,
    config: &ConsoleConfig,
    staff_id: i64,
    awaits_factor: bool,
    (user_agent, address): (Option<&str>, IpAddr),
) -> Result<RandomSecret, DbError> {
    let secret = RandomSecret::new(random);
    let now = tx.now();
    let lasts = TimeDelta::minutes(i64::from(config.sessions.absolute_minutes));
    let expires_at = now + if awaits_factor { lasts.min(FACTOR_WITHIN) } else { lasts };
    let user_agent = user_agent.map(|text| text.chars().take(MAX_USER_AGENT).collect::<String>());
    let insert = tx.run(queries::INSERT_SESSION).bind(staff_id).bind(secret.hash().to_vec()).bind(awaits_factor);
    insert.bind(user_agent).bind(address.to_string()).bind(now).bind(expires_at).execute().await?;
    Ok(secret)
}

/// Ends a session, if there is such a one.
pub async fn end_staff_session(tx: &mut Tx, secret: &RandomSecret) -> Result<(), DbError> {
    tx.run(queries::DELETE_SESSION).bind(secret.hash().to_vec()).execute().await.map(drop)
}
