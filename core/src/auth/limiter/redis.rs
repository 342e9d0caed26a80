//! Windows in Redis, which all instances of an installation share.
//!
//! A window is a hash `stoa:limits:<class>:<digest>` with its end and its count. The digest is keyed with the
//! installation's key, so neither e-mails nor addresses can be read in Redis, and several shops can use one server.
//!
//! The time is that of Redis, so that instances whose clocks differ still agree on when a window ends. Only a clock that
//! is moved by hand, in tests, brings its own.

use std::sync::LazyLock;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use redis::aio::MultiplexedConnection;
use redis::{Cmd, ErrorKind, RedisResult, Script, ServerErrorKind, Value, from_redis_value};
use sha2::Sha256;

use super::Count;
use super::key::Key;
use super::link::{self, Link};
use super::trouble::RedisTrouble;
use crate::clock::Clock;
use crate::config::{RateLimit, RedisUrl};
use crate::encryption::Cipher;
use crate::metrics::Metrics;

/// What all names in Redis begin with.
const PREFIX: &str = "stoa:limits:";

/// Bytes of a digest that are used; enough that no two keys share theirs.
const DIGEST: usize = 16;

/// How long the doctor waits for Redis, which may be asleep or far away.
const EXAMINATION: Duration = Duration::from_secs(5);

/// Counts one request of a key: its limit, the length of its window in milliseconds, and the time in milliseconds, which
/// is that of Redis when empty. Answers how many more are admitted, -1 when this one is not, and the milliseconds to the
/// window's end. What is refused changes nothing. Redis removes a window that is over by itself.
const COUNT: &str = r"
local limit, length, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local window = redis.call('HMGET', KEYS[1], 'ends', 'count')
local ends, count = tonumber(window[1]), tonumber(window[2])
if not ends or not count or ends <= now then
    ends, count = now + length, 1
    redis.call('HSET', KEYS[1], 'ends', string.format('%.0f', ends), 'count', count)
    redis.call('PEXPIRE', KEYS[1], length)
elseif count < limit then
    count = redis.call('HINCRBY', KEYS[1], 'count', 1)
else
    return {-1, ends - now}
end
return {limit - count, ends - now}
";

static COUNT_SCRIPT: LazyLock<Script> = LazyLock::new(|| Script::new(COUNT));

/// The part of one instance in the windows that instances share.
pub(super) struct SharedWindows {
    link: Link,
    digest: Hmac<Sha256>,
    clock: Clock,
    metrics: Option<Metrics>,
}

impl SharedWindows {
    pub(super) fn new(
        url: &RedisUrl,
        cipher: &Cipher,
        clock: Clock,
        metrics: Option<Metrics>,
        patience: Duration,
    ) -> Self {
        let digest = Hmac::new_from_slice(&cipher.derive("limits")).expect("a key of any length is fine");
        Self { link: Link::new(url, clock.clone(), patience), digest, clock, metrics }
    }

    /// Counts one request; `None` while Redis is away.
    pub(super) async fn count(&self, key: &Key, limit: RateLimit) -> Option<Count> {
        let now_ms = self.clock.manual_time().map(|time| time.timestamp_millis());
        let count = self.link.ask(&Request::Count { name: self.name(key), limit, now_ms }).await;
        if count.is_none()
            && let Some(metrics) = &self.metrics
        {
            metrics.count_limit_fallback();
        }
        count
    }

    /// Ends a key's window, unless Redis is away.
    pub(super) async fn forget(&self, key: &Key) {
        self.link.ask(&Request::Forget { name: self.name(key) }).await;
    }

    fn name(&self, key: &Key) -> String {
        let mut digest = self.digest.clone();
        digest.update(key.class().name().as_bytes());
        key.feed(|bytes| digest.update(bytes));
        let digest = digest.finalize().into_bytes();
        format!("{PREFIX}{}:{}", key.class().name(), hex::encode(&digest[..DIGEST]))
    }
}

/// What Redis is asked to do with one window.
pub(super) enum Request {
    Count { name: String, limit: RateLimit, now_ms: Option<i64> },
    Forget { name: String },
}

impl Request {
    /// Asks, and reads the answer; forgetting always admits.
    pub(super) async fn send(&self, connection: &mut MultiplexedConnection) -> RedisResult<Count> {
        match self {
            Self::Count { name, limit, now_ms } => {
                let command = |how, script| count_command(how, script, name, *limit, *now_ms);
                let known = command("EVALSHA", COUNT_SCRIPT.get_hash()).query_async(connection).await;
                let answer = match known {
                    // Redis forgets scripts when it starts; this teaches it.
                    Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                        command("EVAL", COUNT).query_async(connection).await
                    }
                    known => known,
                };
                read_count(answer?, *limit)
            }
            Self::Forget { name } => {
                let _: u64 = redis::cmd("DEL").arg(name).query_async(connection).await?;
                Ok(Count::Admitted { remaining: u64::MAX })
            }
        }
    }
}

fn count_command(how: &str, script: &str, name: &str, limit: RateLimit, now_ms: Option<i64>) -> Cmd {
    let mut command = redis::cmd(how);
    command.arg(script).arg(1).arg(name).arg(limit.requests).arg(limit.window_ms());
    match now_ms {
        Some(now) => command.arg(now),
        None => command.arg(""),
    };
    command
}

fn read_count(answer: Value, limit: RateLimit) -> RedisResult<Count> {
    let (remaining, wait_ms) = from_redis_value::<(i64, i64)>(answer)?;
    match u64::try_from(remaining) {
        Ok(remaining) if remaining < u64::from(limit.requests) => Ok(Count::Admitted { remaining }),
        Err(_) if remaining == -1 => Ok(Count::Refused { wait_ms }),
        _ => Err((ErrorKind::UnexpectedReturnType, "a count outside its limit").into()),
    }
}

/// Whether Redis can be used for limits, rights included; for the doctor. What it writes is gone afterwards.
pub async fn examine_limit_store(url: &RedisUrl) -> Result<(), RedisTrouble> {
    let name = format!("{PREFIX}doctor");
    let limit = RateLimit { requests: 1_000_000, per_seconds: 1 };
    let look = async {
        let mut connection = link::connect(&link::client(url)).await?;
        Request::Count { name: name.clone(), limit, now_ms: None }.send(&mut connection).await?;
        Request::Forget { name }.send(&mut connection).await
    };
    match tokio::time::timeout(EXAMINATION, look).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(RedisTrouble::of(&error)),
        Err(_) => Err(RedisTrouble::Silent),
    }
}
