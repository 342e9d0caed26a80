//! Whether a PostgreSQL server lets us in, and why not.
//!
//! A pool that is refused goes on trying until its time is over, and then tells nothing but that. So the first connection
//! is made without one.

use std::io;
use std::time::Duration;

use sqlx::{ConnectOptions, Connection};
use sqlx_postgres::{PgConnectOptions, PgConnection};
use stoa_base::config::TargetSession;
use tokio::time::{Instant, sleep, timeout_at};

use super::open::ACQUIRE_TIMEOUT;
use super::pooler;
use super::servers::{ServerState, Servers, look_at, no_answer};

/// How long to wait before the next attempt.
const PAUSE: Duration = Duration::from_millis(100);

/// Why there is no connection.
pub(super) enum Unreached {
    /// The one server has not let us in.
    Failed(sqlx::Error),
    /// None of the servers is what is wanted; what each is instead, for operators.
    NoneFits(String),
}

/// A server that is as it is wanted, with a connection to it.
pub(super) struct Reached {
    pub(super) place: usize,
    pub(super) connection: PgConnection,
}

/// Connects. A server that has no room for the moment, or is about to start, gets a few seconds.
pub(super) async fn reach(servers: &Servers) -> Result<Reached, Unreached> {
    attempt(servers, is_busy).await
}

/// Waits a few seconds for a server that accepts no connections yet. What else is wrong with it is left to [`reach`].
pub(super) async fn wait_for(servers: &Servers) {
    if let Ok(Reached { connection, .. }) = attempt(servers, |error| is_busy(error) || is_not_listening(error)).await {
        // That it is there was the question.
        let _ = connection.close().await;
    }
}

async fn attempt(servers: &Servers, passes: fn(&sqlx::Error) -> bool) -> Result<Reached, Unreached> {
    let deadline = Instant::now() + ACQUIRE_TIMEOUT;
    loop {
        let (failed, may_pass) = if servers.are_several() {
            match attempt_several(servers, passes).await {
                Ok(reached) => return Ok(reached),
                Err(failed) => failed,
            }
        } else {
            match attempt_one(servers, deadline).await {
                Ok(reached) => return Ok(reached),
                Err(Unreached::Failed(error)) => {
                    let may_pass = passes(&error);
                    (Unreached::Failed(error), may_pass)
                }
                Err(unfit) => (unfit, false),
            }
        };
        if !may_pass || Instant::now() + PAUSE >= deadline {
            return Err(failed);
        }
        sleep(PAUSE).await;
    }
}

async fn attempt_one(servers: &Servers, deadline: Instant) -> Result<Reached, Unreached> {
    let (options, limit) = (servers.options(0), servers.connect_timeout().unwrap_or(ACQUIRE_TIMEOUT));
    let connected = timeout_at(deadline.min(Instant::now() + limit), options.connect()).await;
    let mut connection =
        connected.unwrap_or_else(|_| Err(no_answer(limit.min(ACQUIRE_TIMEOUT)))).map_err(Unreached::Failed)?;
    if servers.wanted() != TargetSession::Any {
        let state = look_at(&mut connection).await.map_err(Unreached::Failed)?;
        let found: [Result<ServerState, ()>; 1] = [Ok(state.clone())];
        if servers.choose(&found, None).is_none() {
            return Err(Unreached::NoneFits(format!("{}: {}", address(options), state.in_words())));
        }
    }
    Ok(Reached { place: 0, connection })
}

async fn attempt_several(servers: &Servers, passes: fn(&sqlx::Error) -> bool) -> Result<Reached, (Unreached, bool)> {
    let mut connections = Vec::new();
    connections.resize_with(servers.count(), || None);
    let mut states = servers.look(&mut connections).await;
    if let Some(place) = servers.choose(&states, None)
        && let Some(connection) = connections.swap_remove(place)
    {
        return Ok(Reached { place, connection });
    }
    let may_pass = states.iter().any(|state| state.as_ref().is_err_and(passes));
    let refused = states.iter().position(|state| state.as_ref().is_err_and(pooler::has_refused));
    if let Some(place) = refused
        && let Err(error) = states.swap_remove(place)
    {
        return Err((Unreached::Failed(error), false));
    }
    let found = states.iter().enumerate().map(|(place, state)| {
        let why = match state {
            Ok(state) => state.in_words().to_owned(),
            Err(error) => in_words(error),
        };
        format!("{}: {why}", address(servers.options(place)))
    });
    Err((Unreached::NoneFits(found.collect::<Vec<_>>().join("; ")), may_pass))
}

fn in_words(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Io(error) => error.to_string(),
        error => error.as_database_error().map_or_else(|| error.to_string(), |error| error.message().to_owned()),
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
