//! Whether a PostgreSQL server lets us in, and why not.
//!
//! A pool that is refused goes on trying until its time is over, and then tells nothing but that. So the first connection
//! is made without one.

use std::io;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tokio::time::{Instant, sleep, timeout_at};

use super::open::ACQUIRE_TIMEOUT;

/// How long to wait before the next attempt.
const PAUSE: Duration = Duration::from_millis(100);

/// Connects and disconnects. A server that has no room for the moment, or is about to start, gets a few seconds.
pub(super) async fn reach(server: &PgConnectOptions) -> Result<(), sqlx::Error> {
    attempt(server, is_busy).await
}

/// Waits a few seconds for a server that accepts no connections yet. What else is wrong with it is left to [`reach`].
pub(super) async fn wait_for(server: &PgConnectOptions) {
    let _ = attempt(server, |error| is_busy(error) || is_not_listening(error)).await;
}

async fn attempt(server: &PgConnectOptions, passes: fn(&sqlx::Error) -> bool) -> Result<(), sqlx::Error> {
    let deadline = Instant::now() + ACQUIRE_TIMEOUT;
    loop {
        match timeout_at(deadline, server.connect()).await {
            Ok(Ok(connection)) => {
                // That it is there was the question.
                let _ = connection.close().await;
                return Ok(());
            }
            Ok(Err(error)) if passes(&error) && Instant::now() + PAUSE < deadline => sleep(PAUSE).await,
            Ok(Err(error)) => return Err(error),
            Err(_) => {
                let reason = format!("no answer within {} seconds", ACQUIRE_TIMEOUT.as_secs());
                return Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, reason)));
            }
        }
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_transient_in_connect_phase)
}

/// A port that nobody listens at refuses; a socket that nobody has made yet is no file.
fn is_not_listening(error: &sqlx::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, NotFound};
    matches!(error, sqlx::Error::Io(error) if matches!(error.kind(), ConnectionRefused | NotFound))
}

/// Where the server is: a host with its port, or a socket.
pub(super) fn address(server: &PgConnectOptions) -> String {
    let (host, port) = (server.get_host(), server.get_port());
    match server.get_socket() {
        Some(folder) => format!("{}/.s.PGSQL.{port}", folder.display()),
        None if host.starts_with('/') => format!("{host}/.s.PGSQL.{port}"),
        None => format!("{host}:{port}"),
    }
}
