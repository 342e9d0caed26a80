//! Commits of PostgreSQL that wait for the disk together, and hold no row while they do.
//!
//! Some rows are wanted by every order, such as the counter of invoice numbers. PostgreSQL keeps a changed row locked until
//! its commit is on disk, so orders would follow one another at the pace of the disk. Transactions therefore commit
//! without that wait, which frees their rows, and wait here instead: one durable commit of nothing takes everything to the
//! disk that was committed before it, for all who wait by then.
//!
//! What holds:
//!
//! 1. Nobody is answered before what was written is as durable as the server's own `synchronous_commit` makes it. Where the
//!    server was lost in between, those who wait are told that it is unknown, and nothing is tried again. Neither is anybody
//!    who has seen it (`durable_reads`): whoever reads stands in the same line, and asks first whether the disk has
//!    everything already, which costs no write.
//! 2. The log of PostgreSQL is in order: whatever another has written after seeing this commit can not outlive it.
//! 3. What leaves the shop, such as a webhook, is claimed with a durable commit first, and that one comes after.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, mem};

use tokio::sync::oneshot;
use tokio::time::{Instant, timeout, timeout_at};

use super::DbError;
use super::flush_connection::{ConnectionNumber, FlushConnection};
use super::postgres_write::{WriteSlot, WriteSlots};
use super::server_pools::Gone;

/// Has commits of a connection not wait for the disk, the name and value of an option.
pub(super) const WITHOUT_WAITING: (&str, &str) = ("synchronous_commit", "off");

/// While others write, the disk is asked once in this time, so that they can join.
const PACE: Duration = Duration::from_millis(8);

/// How long those wait who have only read.
const PATIENCE: Duration = Duration::from_secs(5);

const LOST: &str =
    "the server was lost before it confirmed that the commit is on disk, so nobody knows whether it holds";

type Outcome = Result<(), DbError>;

/// Those who wait for the disk.
#[derive(Clone)]
pub(super) struct SharedFlush {
    connection: Arc<FlushConnection>,
    writers: WriteSlots,
    line: Arc<Mutex<Line>>,
    gone: Gone,
}

#[derive(Default)]
struct Line {
    is_served: bool,
    waiting: Vec<FlushWaiter>,
    /// When the disk was asked last.
    asked: Option<Instant>,
}

struct FlushWaiter {
    who: Who,
    connection: ConnectionNumber,
    sender: oneshot::Sender<Outcome>,
}

/// Who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// What it has written is not on disk.
    Writer,
    /// What it has read may be.
    Reader,
}

impl FlushWaiter {
    /// Answers with the connection that has confirmed it, which must be the one that was there before.
    fn answer(self, confirmed: &Result<ConnectionNumber, DbError>) {
        let outcome = match (confirmed, self.who) {
            (Ok(now), _) if *now == self.connection => Ok(()),
            (Ok(_), Who::Writer) => Err(sqlx::Error::Protocol(String::from(LOST)).into()),
            // Nothing was done, so it may be asked again.
            (Ok(_), Who::Reader) => Err(sqlx::Error::Io(io::ErrorKind::ConnectionReset.into()).into()),
            (Err(error), _) => Err(error.clone()),
        };
        // Whoever is gone need not know.
        let _ = self.sender.send(outcome);
    }
}

/// What is needed to wait for the disk after a commit, got before it.
pub(super) struct FlushTicket {
    flush: SharedFlush,
    connection: ConnectionNumber,
}

impl FlushTicket {
    /// Returns when everything is durable that was committed before. Whoever has written gives up their `slot` here, so that
    /// those who wait for them see them in the line.
    pub(super) async fn wait(self, slot: Option<WriteSlot>) -> Outcome {
        self.stand(Who::Writer, slot).await
    }

    /// Returns when everything is durable that could be seen before, within a few seconds.
    pub(super) async fn wait_until_durable(self) -> Outcome {
        let durable = timeout(PATIENCE, self.stand(Who::Reader, None)).await;
        durable.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()))
    }

    async fn stand(self, who: Who, slot: Option<WriteSlot>) -> Outcome {
        let Self { flush, connection } = self;
        let gone = flush.gone.clone();
        let (sender, receiver) = oneshot::channel();
        let is_first = {
            let mut line = flush.lock();
            line.waiting.push(FlushWaiter { who, connection, sender });
            !mem::replace(&mut line.is_served, true)
        };
        drop(slot);
        if is_first {
            tokio::spawn(Serving { flush, is_over: false }.run());
        }
        // The runtime may end before the disk has answered.
        let answered = async { receiver.await.unwrap_or_else(|_| Err(sqlx::Error::WorkerCrashed.into())) };
        gone.unless(answered).await
    }
}

impl SharedFlush {
    /// Asks through this connection, for those who have written.
    pub(super) fn new(connection: FlushConnection, writers: WriteSlots, gone: Gone) -> Self {
        Self { connection: Arc::new(connection), writers, line: Arc::default(), gone }
    }

    /// To be got before what shall be durable is written.
    pub(super) async fn ticket(&self) -> Result<FlushTicket, DbError> {
        Ok(FlushTicket { connection: self.connection.present().await?, flush: self.clone() })
    }

    /// Ends the connection, after those who wait were answered.
    pub(super) async fn close(&self) {
        let is_served = self.lock().is_served;
        if is_served && let Ok(ticket) = self.ticket().await {
            // They are answered before this one, or with it.
            let _ = ticket.wait(None).await;
        }
        self.connection.close().await;
    }

    /// Lets those join who write, unless the disk was not asked for a while.
    async fn gather(&self) {
        let asked = self.lock().asked;
        if let Some(asked) = asked {
            // Over because of the time, or because everybody is here.
            let _ = timeout_at(asked + PACE, self.writers.all_free()).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves the line until nobody waits. Cut off before that, it leaves nobody waiting for it.
struct Serving {
    flush: SharedFlush,
    is_over: bool,
}

impl Serving {
    async fn run(mut self) {
        loop {
            let readers = {
                let mut line = self.flush.lock();
                if line.waiting.is_empty() {
                    line.is_served = false;
                    self.is_over = true;
                    return;
                }
                let has_writers = line.waiting.iter().any(|waiting| waiting.who == Who::Writer);
                if has_writers { Vec::new() } else { mem::take(&mut line.waiting) }
            };
            if !readers.is_empty() {
                let left = self.serve_readers(readers).await;
                if left.is_empty() {
                    continue;
                }
                self.flush.lock().waiting.extend(left);
            }
            self.flush.gather().await;
            let waiting = {
                let mut line = self.flush.lock();
                line.asked = Some(Instant::now());
                mem::take(&mut line.waiting)
            };
            let flushed = self.flush.gone.unless(self.flush.connection.flush()).await.map_err(DbError::from);
            for waiting in waiting {
                waiting.answer(&flushed);
            }
        }
    }

    /// Answers readers if the disk has everything; else they are left.
    async fn serve_readers(&self, readers: Vec<FlushWaiter>) -> Vec<FlushWaiter> {
        let confirmed = match self.flush.gone.unless(self.flush.connection.has_flushed()).await {
            Ok((_, false)) => return readers,
            Ok((connection, true)) => Ok(connection),
            Err(error) => Err(error.into()),
        };
        for reader in readers {
            reader.answer(&confirmed);
        }
        Vec::new()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !self.is_over {
            let mut line = self.flush.lock();
            line.is_served = false;
            line.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use sqlx_postgres::{PgConnectOptions, PgPoolOptions};

    use super::*;
    use crate::fetch::Naming;
    use crate::postgres_write::PostgresWrites;

    /// Nobody connects here: what is tested comes before that.
    fn without_server() -> (SharedFlush, WriteSlots) {
        let (pool, server) = (PgPoolOptions::new().max_connections(3), PgConnectOptions::new());
        let writes = pool.clone().connect_lazy_with(server.clone());
        let writers = PostgresWrites::new(writes, Duration::ZERO, Naming::Named, Gone::default()).slots();
        let connection = FlushConnection::new(pool, server, Duration::ZERO);
        (SharedFlush::new(connection, writers.clone(), Gone::default()), writers)
    }

    #[tokio::test(start_paused = true)]
    async fn the_disk_is_asked_when_everybody_who_writes_is_in_the_line() {
        let (flush, writers) = without_server();
        flush.lock().asked = Some(Instant::now());
        let (one, other) = (writers.acquire().await.expect("there are three"), writers.acquire().await.expect("three"));
        let mut gathering = Box::pin(flush.gather());
        assert!(poll!(&mut gathering).is_pending());
        drop(one);
        assert!(poll!(&mut gathering).is_pending());
        drop(other);
        assert!(poll!(&mut gathering).is_ready());
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_long_for_those_who_write() {
        let (flush, writers) = without_server();
        let asked = Instant::now();
        flush.lock().asked = Some(asked);
        let _slot = writers.acquire().await.expect("there are three");
        flush.gather().await;
        assert!(asked.elapsed() >= PACE && asked.elapsed() < PACE * 2, "{:?}", asked.elapsed());
        // By then the disk has not been asked for that time.
        assert!(poll!(Box::pin(flush.gather())).is_ready());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_writes_alone_does_not_wait_for_others() {
        let (flush, _) = without_server();
        flush.lock().asked = Some(Instant::now());
        assert!(poll!(Box::pin(flush.gather())).is_ready());
    }
}
