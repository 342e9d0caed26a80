//! The connection to Redis: made when it is first needed, and again after it broke.
//!
//! A request never waits longer than the patience, whatever Redis does. After a failure Redis is left alone for a while;
//! then one request tries it, while others go on without. The operator is told once, and once when it is back.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::Shared;
use tokio::time::{Instant, timeout_at};

use super::redis::{Reply, Request};
use super::trouble::RedisTrouble;
use crate::clock::Clock;
use crate::config::RedisUrl;
use crate::outbound::install_tls_provider;
use redis::aio::MultiplexedConnection;
use redis::io::tcp::TcpSettings;
use redis::{AsyncConnectionConfig, Client, ErrorKind, IntoConnectionInfo, RedisResult, ServerErrorKind};

/// For how long Redis is left alone after a failure.
const PAUSE_MS: i64 = 5_000;

/// How long connecting may take. Requests do not wait for that.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

/// Requests that may wait in the queue of the connection.
const QUEUE: usize = 1024;

/// A way to Redis for many requests at once.
pub(super) struct Link(Arc<Inner>);

struct Inner {
    client: Client,
    url: RedisUrl,
    clock: Clock,
    patience: Duration,
    state: Mutex<State>,
    /// Numbers the lines, so that the failure of an old one does not take down a newer one.
    lines: AtomicU64,
    /// Whether the operator was told that Redis is away.
    told: AtomicBool,
}

#[derive(Clone)]
struct Line {
    connection: MultiplexedConnection,
    number: u64,
}

type Attempt = Shared<Pin<Box<dyn Future<Output = Option<Line>> + Send>>>;

/// What requests do that come while somebody else's attempt to connect is running.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// They wait for it: Redis is probably there.
    Wait,
    /// They go on without Redis, which was away.
    Pass,
}

enum State {
    Unused,
    Connecting(Attempt, Others),
    Up(Line),
    Away { since_ms: i64 },
}

impl Link {
    pub(super) fn new(url: &RedisUrl, clock: Clock, patience: Duration) -> Self {
        Self(Arc::new(Inner {
            client: client(url),
            url: url.clone(),
            clock,
            patience,
            state: Mutex::new(State::Unused),
            lines: AtomicU64::new(0),
            told: AtomicBool::new(false),
        }))
    }

    /// Asks Redis, unless it is away.
    pub(super) async fn ask(&self, request: &Request) -> Option<Reply> {
        let deadline = Instant::now() + self.0.patience;
        let mut broken = None;
        loop {
            let Line { mut connection, number } = self.line(deadline, broken).await?;
            let trouble = match timeout_at(deadline, request.send(&mut connection)).await {
                Ok(Ok(reply)) => {
                    self.0.tell_it_is_back(number);
                    return Some(reply);
                }
                // Redis closes idle connections and is restarted at times; a new connection shows whether it is away.
                Ok(Err(error)) if broken.is_none() && error.is_unrecoverable_error() => {
                    broken = Some(number);
                    continue;
                }
                Ok(Err(error)) => RedisTrouble::of(&error),
                Err(_) => RedisTrouble::Silent,
            };
            self.0.leave(number, &trouble);
            return None;
        }
    }

    /// A line other than the one that broke, if there is one in time.
    async fn line(&self, deadline: Instant, broken: Option<u64>) -> Option<Line> {
        let attempt = {
            let mut state = self.0.state();
            match &*state {
                State::Up(line) if Some(line.number) != broken => return Some(line.clone()),
                State::Connecting(attempt, Others::Wait) => attempt.clone(),
                State::Connecting(_, Others::Pass) => return None,
                State::Away { since_ms } if self.0.is_paused(*since_ms) => return None,
                State::Away { .. } => self.try_to_connect(&mut state, Others::Pass),
                State::Unused | State::Up(_) => self.try_to_connect(&mut state, Others::Wait),
            }
        };
        let Ok(line) = timeout_at(deadline, attempt).await else {
            // One wait is enough; the attempt goes on by itself.
            if let State::Connecting(_, others) = &mut *self.0.state() {
                *others = Others::Pass;
            }
            return None;
        };
        line
    }

    /// Connects in a task of its own, which does not end with the request that began it.
    fn try_to_connect(&self, state: &mut State, others: Others) -> Attempt {
        let inner = Arc::clone(&self.0);
        let task = tokio::spawn(async move {
            let connected = connect(&inner.client).await;
            inner.note_connection(connected)
        });
        let attempt: Pin<Box<dyn Future<Output = Option<Line>> + Send>> =
            Box::pin(async move { task.await.ok().flatten() });
        let attempt = attempt.shared();
        *state = State::Connecting(attempt.clone(), others);
        attempt
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is too early to try again. A clock that was put back ends the pause.
    fn is_paused(&self, since_ms: i64) -> bool {
        (0..PAUSE_MS).contains(&(self.clock.now().timestamp_millis() - since_ms))
    }

    fn note_connection(&self, connected: RedisResult<MultiplexedConnection>) -> Option<Line> {
        let (state, line) = match connected {
            Ok(connection) => {
                let line = Line { connection, number: self.lines.fetch_add(1, Ordering::Relaxed) };
                (State::Up(line.clone()), Some(line))
            }
            Err(error) => {
                self.tell_it_is_away(&RedisTrouble::of(&error));
                (self.away(), None)
            }
        };
        *self.state() = state;
        line
    }

    /// Gives up a line, unless there is another one already.
    fn leave(&self, number: u64, trouble: &RedisTrouble) {
        let mut state = self.state();
        if matches!(&*state, State::Up(line) if line.number == number) {
            *state = self.away();
            drop(state);
            self.tell_it_is_away(trouble);
        }
    }

    fn away(&self) -> State {
        State::Away { since_ms: self.clock.now().timestamp_millis() }
    }

    fn tell_it_is_away(&self, trouble: &RedisTrouble) {
        if !self.told.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                redis = %self.url, reason = %trouble,
                "rate limits are counted by this instance alone until Redis can be used again"
            );
        }
    }

    fn tell_it_is_back(&self, number: u64) {
        let is_current = || matches!(&*self.state(), State::Up(line) if line.number == number);
        if self.told.load(Ordering::Relaxed) && is_current() && self.told.swap(false, Ordering::Relaxed) {
            tracing::info!(redis = %self.url, "rate limits are shared through Redis again");
        }
    }
}

/// A client for an address; connects to nothing.
pub(super) fn client(url: &RedisUrl) -> Client {
    install_tls_provider();
    let info = url.expose().into_connection_info().expect("the address was checked with the configuration");
    // Requests are small and many are under way at once: waiting to send them together would delay each.
    let tcp = TcpSettings::default().set_nodelay(true);
    // Redis need not know the name of our library; some servers and proxies do not understand being told.
    let redis = info.redis_settings().clone().set_skip_set_lib_name();
    Client::open(info.set_tcp_settings(tcp).set_redis_settings(redis)).expect("its settings are valid")
}

/// A connection to a Redis that answers.
pub(super) async fn connect(client: &Client) -> RedisResult<MultiplexedConnection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(None)
        // Every request brings its own deadline.
        .set_response_timeout(None)
        .set_pipeline_buffer_size(QUEUE);
    let connecting = async {
        let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        match redis::cmd("PING").exec_async(&mut connection).await {
            // A user that may only count is answered with this.
            Err(error) if error.kind() != ErrorKind::Server(ServerErrorKind::NoPerm) => Err(error),
            _ => Ok(connection),
        }
    };
    let connected = tokio::time::timeout(CONNECT_LIMIT, connecting).await;
    connected.unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()))
}
