//! The servers of a PostgreSQL database, and which of them is the right one.

use std::time::Duration;

use futures_util::future::join_all;
use sqlx::{ConnectOptions, Row};
use sqlx_postgres::{PgConnectOptions, PgConnection};
use stoa_base::config::{Pooler, PostgresHost, PostgresUrl, TargetSession};
use tokio::time::timeout;
use url::Url;

use super::open::STATEMENTS;

/// How long one of several servers may take to answer before the others are believed to be better.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

/// How the shop's connections are known to the server; whoever names a program, stands behind it.
pub(super) const NAME: &str = "stoa";

/// What a server says about itself.
const LOOK: &str = "SELECT pg_is_in_recovery()::text,
            current_setting('transaction_read_only'),
            CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END";

/// What a server is at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerState {
    pub(super) is_standby: bool,
    is_read_only: bool,
    /// Counts the promotions up to it, in digits of the same number; none of a standby.
    timeline: String,
}

impl ServerState {
    fn fits(&self, wanted: TargetSession) -> bool {
        match wanted {
            TargetSession::Any | TargetSession::PreferStandby => true,
            TargetSession::ReadWrite => !self.is_standby && !self.is_read_only,
            TargetSession::ReadOnly => self.is_standby || self.is_read_only,
            TargetSession::Primary => !self.is_standby,
            TargetSession::Standby => self.is_standby,
        }
    }

    /// Of two that fit, the larger is better.
    fn rank(&self, wanted: TargetSession) -> (bool, &str) {
        match wanted {
            // Whoever was promoted last is the primary, even while the one before it still takes writes.
            TargetSession::ReadWrite | TargetSession::Primary => (true, &self.timeline),
            TargetSession::PreferStandby => (self.is_standby, ""),
            TargetSession::Any | TargetSession::ReadOnly | TargetSession::Standby => (true, ""),
        }
    }

    /// What is wrong with it, for operators.
    pub(super) fn in_words(&self) -> &'static str {
        match (self.is_standby, self.is_read_only) {
            (true, _) => "it is a standby",
            (false, true) => "it takes no writes",
            (false, false) => "it is no standby",
        }
    }
}

/// The servers that an address names.
pub(super) struct Servers {
    all: Vec<PgConnectOptions>,
    wanted: TargetSession,
    connect_timeout: Option<Duration>,
    pub(super) pooler: Pooler,
}

impl Servers {
    /// Where the shop is kept: of several, the one that takes writes.
    pub(super) fn of_shop(url: &PostgresUrl, pooler: Pooler) -> Result<Self, sqlx::Error> {
        let unsaid = if url.hosts().len() > 1 { TargetSession::ReadWrite } else { TargetSession::Any };
        Self::new(url, pooler, unsaid)
    }

    /// Where lists may be read.
    pub(super) fn of_replica(url: &PostgresUrl, pooler: Pooler) -> Result<Self, sqlx::Error> {
        Self::new(url, pooler, TargetSession::Any)
    }

    fn new(url: &PostgresUrl, pooler: Pooler, unsaid: TargetSession) -> Result<Self, sqlx::Error> {
        let all = url.hosts().iter().map(|host| connect_options(url, host, pooler)).collect::<Result<_, _>>()?;
        let (wanted, connect_timeout) = (url.target().unwrap_or(unsaid), url.connect_timeout());
        Ok(Self { all, wanted, connect_timeout, pooler })
    }

    /// Whether there is more than one.
    pub(super) fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// How to connect to one of them.
    pub(super) fn options(&self, place: usize) -> &PgConnectOptions {
        &self.all[place]
    }

    /// What is asked of the server.
    pub(super) fn wanted(&self) -> TargetSession {
        self.wanted
    }

    /// How long a connection may take to be made.
    pub(super) fn connect_timeout(&self) -> Option<Duration> {
        self.connect_timeout
    }

    /// Looks at each server, through a connection that is kept in its place for the next time.
    pub(super) async fn look(&self, connections: &mut [Option<PgConnection>]) -> Vec<Result<ServerState, sqlx::Error>> {
        let looks = self.all.iter().zip(connections).map(async |(options, kept)| {
            let limit = self.connect_timeout.map_or(LONGEST_LOOK, |limit| limit.min(LONGEST_LOOK));
            let look = timeout(limit, look_through(options, kept)).await;
            let looked = look.unwrap_or_else(|_| Err(no_answer(limit)));
            if looked.is_err() {
                *kept = None;
            }
            looked
        });
        join_all(looks).await
    }

    /// The best place among servers of these states; whoever is in use stays so unless another is better.
    pub(super) fn choose<E>(&self, states: &[Result<ServerState, E>], in_use: Option<usize>) -> Option<usize> {
        choose(self.wanted, states, in_use)
    }
}

/// An answer that did not come in time.
pub(super) fn no_answer(limit: Duration) -> sqlx::Error {
    let reason = format!("no answer within {} seconds", limit.as_secs());
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, reason))
}

/// Through the connection that was kept; where that is lost, through a new one.
async fn look_through(options: &PgConnectOptions, kept: &mut Option<PgConnection>) -> Result<ServerState, sqlx::Error> {
    if let Some(connection) = kept
        && let Ok(state) = look_at(connection).await
    {
        return Ok(state);
    }
    let aside = options.clone().application_name("stoa: looks");
    let connection = kept.insert(aside.connect().await?);
    look_at(connection).await
}

/// What the server at the end of a connection is.
pub(super) async fn look_at(connection: &mut PgConnection) -> Result<ServerState, sqlx::Error> {
    let row = sqlx::raw_sql(LOOK).fetch_one(connection).await?;
    Ok(ServerState {
        is_standby: row.try_get::<String, _>(0)? == "true",
        is_read_only: row.try_get::<String, _>(1)? == "on",
        timeline: row.try_get(2)?,
    })
}

/// Leaves out those that still take writes as they did before another was promoted, of which `newest` knows.
pub(super) fn leave_out_outdated(states: &mut [Result<ServerState, sqlx::Error>], newest: &mut String) {
    for state in states.iter().flatten() {
        if state.timeline > *newest {
            newest.clone_from(&state.timeline);
        }
    }
    for state in states {
        if state.as_ref().is_ok_and(|state| !state.is_standby && state.timeline < *newest) {
            *state = Err(sqlx::Error::Protocol(String::from("another server was promoted after this one")));
        }
    }
}

fn choose<E>(wanted: TargetSession, states: &[Result<ServerState, E>], in_use: Option<usize>) -> Option<usize> {
    let fitting = states.iter().enumerate().filter_map(|(place, state)| {
        let state = state.as_ref().ok().filter(|state| state.fits(wanted))?;
        Some((place, state.rank(wanted)))
    });
    let is_better = |(place, rank): &(usize, (bool, &str)), (best, of_best): &(usize, (bool, &str))| {
        rank > of_best || (rank == of_best && Some(*place) == in_use && Some(*best) != in_use)
    };
    fitting.reduce(|best, next| if is_better(&next, &best) { next } else { best }).map(|(place, _)| place)
}

fn connect_options(url: &PostgresUrl, host: &PostgresHost, pooler: Pooler) -> Result<PgConnectOptions, sqlx::Error> {
    let mut address = Url::parse("postgres:///").map_err(|error| sqlx::Error::Configuration(error.into()))?;
    let mut name = String::from(NAME);
    {
        let mut pairs = address.query_pairs_mut();
        if let Some(host) = &host.host {
            pairs.append_pair("host", host);
        }
        if let Some(port) = host.port {
            pairs.append_pair("port", &port.to_string());
        }
        for (parameter, value) in url.parameters() {
            if parameter == "application_name" {
                name = format!("{NAME} {value}");
            } else {
                pairs.append_pair(parameter, value);
            }
        }
    }
    let options = PgConnectOptions::from_url(&address)?
        .application_name(&name)
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging();
    Ok(match pooler {
        // It would note at each start which tables are there already. And where it expects much of a statement, it would compile it, which
        // takes a tenth of a second, longer than any statement of a shop.
        Pooler::None => options.options([("client_min_messages", "warning"), ("jit", "off")]),
        // A pooler refuses what it does not keep for its clients.
        Pooler::Transaction => options.extra_float_digits(None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen = Result<ServerState, ()>;

    #[expect(clippy::unnecessary_wraps, reason = "as a server is seen that answers")]
    fn primary(timeline: &str) -> Seen {
        Ok(ServerState { is_standby: false, is_read_only: false, timeline: timeline.to_owned() })
    }

    #[expect(clippy::unnecessary_wraps, reason = "as a server is seen that answers")]
    fn standby() -> Seen {
        Ok(ServerState { is_standby: true, is_read_only: true, timeline: String::new() })
    }

    #[test]
    fn of_servers_that_take_writes_the_one_is_chosen_that_was_promoted_last() {
        let choose = |states: &[_], in_use| choose(TargetSession::ReadWrite, states, in_use);
        assert_eq!(choose(&[primary("00000001"), standby()], None), Some(0));
        assert_eq!(choose(&[Err(()), standby()], Some(0)), None);
        assert_eq!(choose(&[Err(()), primary("00000002")], Some(0)), Some(1));
        assert_eq!(choose(&[primary("00000001"), primary("00000002")], Some(0)), Some(1));
        // Behind two names for one server, the one in use stays.
        assert_eq!(choose(&[primary("00000002"), primary("00000002")], Some(1)), Some(1));
        assert_eq!(choose(&[primary("00000002"), primary("00000002")], None), Some(0));
    }

    #[test]
    fn a_server_from_before_a_promotion_is_never_gone_back_to() {
        let server = |state: Result<ServerState, ()>| state.map_err(|()| sqlx::Error::PoolTimedOut);
        let mut newest = String::new();
        let mut states = [server(primary("00000001")), server(primary("00000002"))];
        leave_out_outdated(&mut states, &mut newest);
        assert!(states[0].is_err() && states[1].is_ok());
        // Also while the other one does not answer.
        let mut states = [server(primary("00000001")), server(Err(()))];
        leave_out_outdated(&mut states, &mut newest);
        assert_eq!(choose(TargetSession::ReadWrite, &states, Some(1)), None);
        let mut states = [server(primary("00000003")), server(standby())];
        leave_out_outdated(&mut states, &mut newest);
        assert_eq!(choose(TargetSession::ReadWrite, &states, Some(1)), Some(0));
    }

    #[test]
    fn of_servers_to_read_from_the_one_in_use_stays_while_it_fits() {
        assert_eq!(choose(TargetSession::Standby, &[primary("00000001"), standby(), standby()], Some(2)), Some(2));
        assert_eq!(choose(TargetSession::PreferStandby, &[primary("00000001"), standby()], Some(0)), Some(1));
        assert_eq!(choose(TargetSession::PreferStandby, &[primary("00000001"), Err(())], None), Some(0));
        assert_eq!(choose(TargetSession::Any, &[Err(()), standby()], None), Some(1));
    }
}
