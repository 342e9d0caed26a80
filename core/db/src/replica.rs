//! A standby that answers lists, when it is as fresh as it must be.
//!
//! Nobody may see a list that is older than what they were told before, by whichever instance. So the primary is asked how
//! much of its log is on disk, which is all that anybody was told of, and the standby, whether it has come so far. That
//! costs the primary one short question for each request. A standby that is behind, away or slow is left alone for a while,
//! and the primary answers.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx_postgres::PgArguments;
use tokio::time::{Instant, sleep, timeout};

use super::DbError;
use super::cluster::Cluster;
use super::fetch::{Fetched, Wanted};
use super::freshness::{Freshness, read_position};
use super::query::ReadPurpose;
use super::server_pools::ServerPools;
use super::statement::Statement;

/// How far a standby has come; nothing of what is none.
const REPLAYED: &str =
    "SELECT CASE WHEN pg_is_in_recovery() THEN COALESCE(pg_last_wal_replay_lsn()::text, '') ELSE '' END";

/// Which database servers are copies of one another.
const SYSTEM: &str = "SELECT system_identifier::text FROM pg_control_system()";

/// How often a standby that is behind is asked again, and how long is waited between.
const LOOKS: u32 = 5;
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// How long an answer may take before the primary is asked.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long a standby is left alone that was behind.
const REST_BEHIND: Duration = Duration::from_secs(1);

/// The same for one that has failed.
const REST_FAILED: Duration = Duration::from_secs(5);

/// A standby of the shop's database.
pub(super) struct Replica {
    cluster: Cluster,
    rests_until: Mutex<Option<Instant>>,
}

/// What `stoa doctor` tells of the standby that lists are read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplicaFacts {
    /// Where it is.
    pub address: String,
    /// Whether it is a standby of the shop's own database.
    pub is_ours: bool,
    /// How much of the log it did not have, in bytes; none when it is no standby.
    pub behind: Option<u64>,
    /// How long it took to come to where the primary was; none when it did not within a few seconds.
    pub caught_up: Option<Duration>,
}

impl Replica {
    pub(super) fn new(cluster: Cluster) -> Self {
        Self { cluster, rests_until: Mutex::default() }
    }

    /// The answer to a statement, unless the primary has to give it.
    pub(super) async fn read(
        &self,
        primary: &Cluster,
        freshness: &Freshness,
        (statement, arguments): (Statement, &PgArguments),
        wanted: Wanted,
    ) -> Option<Fetched> {
        if freshness.is_given_up() {
            return None;
        }
        let answer =
            if self.rests() { None } else { self.ask(primary, freshness, (statement, arguments), wanted).await };
        if answer.is_none() {
            freshness.give_up();
        }
        answer
    }

    async fn ask(
        &self,
        primary: &Cluster,
        freshness: &Freshness,
        (statement, arguments): (Statement, &PgArguments),
        wanted: Wanted,
    ) -> Option<Fetched> {
        // Whoever cannot be asked this will tell why when it is asked for the list.
        let position = freshness.position(primary).await.ok()?;
        let pools = self.cluster.current();
        let asked = async {
            if !is_copy(&pools, primary).await? || !has_come_to(&pools, position).await? {
                return Ok(None);
            }
            // What a standby has, was on the primary's disk first.
            pools.read(ReadPurpose::Decision, statement, arguments.clone(), wanted).await.map(Some)
        };
        let rest = match timeout(PATIENCE, asked).await {
            Ok(Ok(Some(answer))) => return Some(answer),
            Ok(Ok(None)) => REST_BEHIND,
            Ok(Err(error)) => {
                let error: DbError = error;
                tracing::warn!(error = &error as &dyn std::error::Error, "the replica was left out: it failed");
                REST_FAILED
            }
            Err(_) => {
                tracing::warn!("the replica was left out: it is slow");
                REST_FAILED
            }
        };
        *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + rest);
        None
    }

    fn rests(&self) -> bool {
        let until = *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    /// What is to be told of it.
    pub(super) async fn facts(&self, primary: &Cluster) -> Result<ReplicaFacts, DbError> {
        let (pools, address) = (self.cluster.current(), self.cluster.address());
        let position = Freshness::default().position(primary).await?;
        let asked = async {
            let is_ours = is_copy(&pools, primary).await?;
            let Some(replayed) = replayed(&pools).await? else {
                return Ok(ReplicaFacts { address, is_ours, behind: None, caught_up: None });
            };
            let behind = Some(position.saturating_sub(replayed));
            let started = Instant::now();
            let mut caught_up = None;
            while caught_up.is_none() && started.elapsed() < PATIENCE {
                caught_up = has_come_to(&pools, position).await?.then(|| started.elapsed());
            }
            Ok(ReplicaFacts { address, is_ours, behind, caught_up })
        };
        let limit = PATIENCE * 3;
        timeout(limit, asked).await.unwrap_or_else(|_| Err(super::servers::no_answer(limit))).map_err(DbError::from)
    }

    pub(super) async fn close(&self) {
        self.cluster.close().await;
    }
}

/// Whether a server is a copy of the shop's; asked once for each.
async fn is_copy(pools: &ServerPools, primary: &Cluster) -> Result<bool, sqlx::Error> {
    let compared = pools.is_ours.get_or_try_init(async || {
        let is_ours = pools.ask(SYSTEM).await? == primary.current().ask(SYSTEM).await?;
        if !is_ours {
            tracing::warn!(
                "the replica was left out: `database.read_url` leads to another database than `database.url`"
            );
        }
        Ok::<_, sqlx::Error>(is_ours)
    });
    compared.await.copied()
}

/// Whether a standby has, or will have in a moment, what lies in front of a position of the log.
async fn has_come_to(pools: &ServerPools, position: u64) -> Result<bool, sqlx::Error> {
    if pools.replayed.load(Ordering::Relaxed) >= position {
        return Ok(true);
    }
    for look in 0..LOOKS {
        if look > 0 {
            sleep(BETWEEN_LOOKS).await;
        }
        match replayed(pools).await? {
            None => return Ok(false),
            Some(replayed) if replayed >= position => {
                pools.replayed.fetch_max(replayed, Ordering::Relaxed);
                return Ok(true);
            }
            Some(_) => {}
        }
    }
    Ok(false)
}

/// How far a standby has come; none of what is no standby.
async fn replayed(pools: &ServerPools) -> Result<Option<u64>, sqlx::Error> {
    Ok(read_position(&pools.ask(REPLAYED).await?))
}
