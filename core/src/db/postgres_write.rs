//! A write transaction on a connection of PostgreSQL that is kept at hand.

use sqlx::{PgConnection, Postgres, raw_sql};

use super::kept::{KeptConnection, KeptConnections};
use super::shared_flush;

/// A running transaction. Dropped before it has ended, it takes its connection with it, and PostgreSQL rolls it back.
pub(super) struct PostgresWrite {
    connection: Option<KeptConnection<Postgres>>,
}

impl PostgresWrite {
    /// Begins one.
    pub(super) async fn begin(connections: &KeptConnections<Postgres>) -> Result<Self, sqlx::Error> {
        let mut begun = Self { connection: Some(connections.take().await?) };
        begun.run(shared_flush::BEGIN).await?;
        Ok(begun)
    }

    /// Where its statements run.
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect("it is there until the transaction ends")
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        self.end("COMMIT").await
    }

    pub(super) async fn roll_back(self) -> Result<(), sqlx::Error> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        self.run(statement).await?;
        if let Some(connection) = self.connection.take() {
            connection.done(true);
        }
        Ok(())
    }

    async fn run(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        raw_sql(statement).execute(self.connection()).await.map(drop)
    }
}

impl Drop for PostgresWrite {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close_on_drop();
        }
    }
}
