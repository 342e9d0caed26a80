//! The database as the rest of the shop sees it.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, SubsecRound, Utc};
use stoa_db::{Database, DbError, OpenOptions, Write};

use super::Tx;
use super::commits::note_commit;
use crate::audit::Acting;
use crate::clock::Clock;
use crate::config::DatabaseUrl;
use crate::events::EventBus;
use crate::i18n::Texts;
use crate::random::Random;

/// A handle to the shop's database; cloning it is cheap.
///
/// It reads as the [`Database`] does that it leads to, and writes as the shop: at a time, on somebody's behalf, with the
/// listeners of its events.
#[derive(Clone)]
pub struct Db {
    database: Database,
    clock: Clock,
    random: Random,
    bus: Arc<EventBus>,
    texts: Texts,
    acting: Arc<Acting>,
}

impl Db {
    fn new(database: Database, clock: Clock) -> Self {
        let (random, bus) = (Random::system(), Arc::new(EventBus::default()));
        Self { database, clock, random, bus, texts: Texts::built_in(), acting: Arc::default() }
    }

    /// Opens the database and checks that it answers.
    ///
    /// The error's text names the place and the reason and is meant for operators.
    pub async fn open(
        options: &OpenOptions,
        clock: Clock,
    ) -> Result<Self, impl std::error::Error + Send + Sync + use<>> {
        Database::open(options).await.map(|database| Self::new(database, clock))
    }

    /// Opens a SQLite file that nobody changes, without writing anything into it or beside it.
    pub async fn open_unchanging(path: &Path, clock: Clock) -> Result<Self, DbError> {
        Ok(Self::new(Database::open_unchanging(path).await?, clock))
    }

    /// Waits a few seconds for a database server that accepts no connections yet, for programs that start together with
    /// it. Whether it does then, [`Db::open`] tells.
    pub async fn wait_for_server(url: &DatabaseUrl) {
        Database::wait_for_server(url).await;
    }

    /// The same database, announcing and emitting events to the listeners of `bus`.
    #[must_use]
    pub fn with_events(mut self, bus: Arc<EventBus>) -> Self {
        self.bus = bus;
        self
    }

    /// The same database, whose transactions write texts down in these words.
    #[must_use]
    pub fn with_texts(mut self, texts: Texts) -> Self {
        self.texts = texts;
        self
    }

    /// The same database, with a line in the log for each statement that takes longer.
    #[must_use]
    pub fn telling_slow(mut self, slow: Option<Duration>) -> Self {
        self.database = self.database.telling_slow(slow);
        self
    }

    /// The same database, drawing the ids of its transactions from `random`.
    #[must_use]
    pub fn with_random(mut self, random: Random) -> Self {
        self.random = random;
        self
    }

    /// The same database, through which somebody else acts than the shop by itself; the audit log says who.
    #[must_use]
    pub fn acting_as(mut self, acting: impl Into<Acting>) -> Self {
        self.acting = Arc::new(acting.into());
        self
    }

    /// The same database seen at another time: rows written through it carry that clock's time.
    #[must_use]
    pub fn at(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The same database for the lists of one request, which a standby may answer if there is one (`database.read_url`): what
    /// is read through it is not older than what anybody was told before, but may be older than a write that nobody was
    /// told of yet.
    #[must_use]
    pub fn for_lists(&self) -> Self {
        Self { database: self.database.for_lists(), ..self.clone() }
    }

    /// The current time in the database's precision of microseconds.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now().trunc_subsecs(6)
    }

    /// Runs `work` in one transaction: committed when it returns `Ok`, rolled back on `Err`.
    ///
    /// Password hashing, rendering and above all network calls belong before or after, never
    /// inside. With SQLite the transaction holds the only write connection, and writes that wait for
    /// it may share one commit; each still succeeds or fails alone, and none is answered before.
    pub async fn write<T, E>(&self, work: impl AsyncFnOnce(&mut Tx) -> Result<T, E>) -> Result<T, E>
    where
        E: From<DbError>,
    {
        let mut tx = self.transaction(Write::begin(&self.database).await?);
        let done = match work(&mut tx).await {
            Ok(value) => tx.write_tasks().await.map(|()| value).map_err(E::from),
            Err(error) => Err(error),
        };
        match done {
            Ok(value) => {
                note_commit();
                tx.commit().await?;
                Ok(value)
            }
            Err(error) => {
                tx.roll_back().await?;
                Err(error)
            }
        }
    }

    fn transaction(&self, write: Write) -> Tx {
        let (bus, acting) = (Arc::clone(&self.bus), Arc::clone(&self.acting));
        Tx::new(write, self.now(), self.random.clone(), bus, self.texts.clone(), acting)
    }
}

impl Deref for Db {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}
