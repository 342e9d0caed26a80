//! A PostgreSQL database: where it is written, and the standby that may answer lists.

use sqlx_postgres::PgArguments;

use super::DbError;
use super::cluster::Cluster;
use super::fetch::{Fetched, Wanted};
use super::postgres_write::PostgresWrite;
use super::query::ReadPurpose;
use super::replica::{Replica, ReplicaFacts};
use super::shared_flush::FlushTicket;
use super::statement::Statement;

/// The servers of a shop.
pub(super) struct Postgres {
    pub(super) primary: Cluster,
    pub(super) replica: Option<Replica>,
}

impl Postgres {
    /// Runs one statement that only reads. Where the server was given up meanwhile, the next one is asked.
    pub(super) async fn read(
        &self,
        purpose: ReadPurpose<'_>,
        statement: Statement,
        mut arguments: PgArguments,
        wanted: Wanted,
    ) -> Result<Fetched, DbError> {
        if let (ReadPurpose::List(freshness), Some(replica)) = (purpose, &self.replica) {
            // Seldom, so it must not make every read larger.
            let asked = Box::pin(replica.read(&self.primary, freshness, (statement, &arguments), wanted));
            if let Some(answer) = asked.await {
                return Ok(answer);
            }
        }
        loop {
            let pools = self.primary.current();
            let again = pools.may_go().then(|| arguments.clone());
            let answer = pools.read(purpose, statement, arguments, wanted).await;
            match again {
                Some(again) if answer.is_err() && pools.is_gone() => arguments = again,
                _ => return answer,
            }
        }
    }

    /// Begins a write. Where the server was given up meanwhile, on the next one.
    pub(super) async fn begin(&self) -> Result<(PostgresWrite, Option<FlushTicket>), DbError> {
        loop {
            let pools = self.primary.current();
            let begun = pools.begin().await;
            if begun.is_ok() || !pools.is_gone() {
                return begun;
            }
        }
    }

    /// What is to be told of the standby, if there is one.
    pub(super) async fn replica_facts(&self) -> Option<Result<ReplicaFacts, DbError>> {
        match &self.replica {
            Some(replica) => Some(replica.facts(&self.primary).await),
            None => None,
        }
    }

    /// Closes all connections, after those in use were given back.
    pub(super) async fn close(&self) {
        if let Some(replica) = &self.replica {
            replica.close().await;
        }
        self.primary.close().await;
    }
}
