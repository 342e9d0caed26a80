//! Windows in Redis, which all instances of an installation share.
//!
//! A window is a hash `stoa:limits:<class>:<digest>` with its end, its count and how many attempts of it are undecided.
//! The digest is keyed with the installation's key, so neither e-mails nor addresses can be read in Redis, and several
//! shops can use one server.
//!
//! The time is that of Redis, so that instances whose clocks differ still agree on when a window ends. Only a clock that
//! is moved by hand, in tests, brings its own.

use std::sync::LazyLock;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::key::Key;
use super::link::{self, Link};
use super::trouble::RedisTrouble;
use super::{Count, Counted, Outcome};
use crate::clock::Clock;
use crate::config::{RateLimit, RedisUrl};
use crate::encryption::Cipher;
use crate::metrics::Metrics;
use redis::aio::MultiplexedConnection;
use redis::{ErrorKind, RedisResult, Script, ServerErrorKind, Value, from_redis_value};

/// What all names in Redis begin with.
const PREFIX: &str = "stoa:limits:";

/// Bytes of a digest that are used; enough that no two keys share theirs.
const DIGEST: usize = 16;

/// How long the doctor waits for Redis, which may be asleep or far away.
const EXAMINATION: Duration = Duration::from_secs(5);

/// Counts one request or attempt of a key: its limit, the length of its window in milliseconds, the time in milliseconds,
/// which is that of Redis when empty, and `attempt` for an attempt. Answers how many more are admitted, -1 when this one is
/// not, -2 when that may change with an undecided one; the milliseconds to the window's end; and that end. What is refused
/// changes nothing. Redis removes a window that is over by itself.
const COUNT: &str = r"
local limit, length, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local is_attempt = ARGV[4] == 'attempt'
if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local window = redis.call('HMGET', KEYS[1], 'ends', 'count', 'undecided')
local ends, count, undecided = tonumber(window[1]), tonumber(window[2]), tonumber(window[3]) or 0
if not ends or not count or ends <= now then
    ends, count, undecided = now + length, 0, 0
    redis.call('HSET', KEYS[1], 'ends', string.format('%.0f', ends), 'count', 0, 'undecided', 0)
    redis.call('PEXPIRE', KEYS[1], length)
end
if count >= limit then
    return {is_attempt and undecided > 0 and -2 or -1, ends - now, ends}
end
redis.call('HINCRBY', KEYS[1], 'count', 1)
if is_attempt then
    redis.call('HINCRBY', KEYS[1], 'undecided', 1)
end
return {limit - count - 1, ends - now, ends}
";

/// Decides an attempt of a key: the end of the window that it was counted in, and whether it `failed`, `succeeded`, or
/// neither. A window without a count is none.
const DECIDE: &str = r"
local window = redis.call('HMGET', KEYS[1], 'ends', 'count', 'undecided')
local ends, count, undecided = tonumber(window[1]), tonumber(window[2]), tonumber(window[3])
if not count or not undecided or ends ~= tonumber(ARGV[1]) then
    return
end
undecided = math.max(undecided - 1, 0)
if ARGV[2] == 'succeeded' then
    count = undecided
elseif ARGV[2] ~= 'failed' then
    count = math.max(count - 1, 0)
end
if count == 0 then
    redis.call('DEL', KEYS[1])
else
    redis.call('HSET', KEYS[1], 'count', count, 'undecided', undecided)
end
";

static COUNT_SCRIPT: LazyLock<Script> = LazyLock::new(|| Script::new(COUNT));
static DECIDE_SCRIPT: LazyLock<Script> = LazyLock::new(|| Script::new(DECIDE));

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

    /// Counts one request or attempt; `None` while Redis is away.
    pub(super) async fn count(&self, key: &Key, limit: RateLimit, counted: Counted) -> Option<Count> {
        let now_ms = self.clock.manual_time().map(|time| time.timestamp_millis());
        let request = Request::Count { name: self.name(key), limit, counted, now_ms };
        let count = self.link.ask(&request).await.and_then(Reply::count);
        if count.is_none()
            && let Some(metrics) = &self.metrics
        {
            metrics.count_limit_fallback();
        }
        count
    }

    /// Decides an attempt that was counted in the window with this end; while Redis is away it goes on counting as undecided.
    pub(super) async fn decide(&self, key: &Key, ends_at_ms: i64, outcome: Outcome) {
        self.link.ask(&Request::Decide { name: self.name(key), ends_at_ms, outcome }).await;
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
    Count { name: String, limit: RateLimit, counted: Counted, now_ms: Option<i64> },
    Decide { name: String, ends_at_ms: i64, outcome: Outcome },
    Forget { name: String },
}

/// What Redis answers.
pub(super) enum Reply {
    Counted(Count),
    Done,
}

impl Reply {
    fn count(self) -> Option<Count> {
        match self {
            Self::Counted(count) => Some(count),
            Self::Done => None,
        }
    }
}

impl Request {
    /// Asks, and reads the answer.
    pub(super) async fn send(&self, connection: &mut MultiplexedConnection) -> RedisResult<Reply> {
        match self {
            Self::Count { name, limit, counted, now_ms } => {
                let counted = match counted {
                    Counted::Request => "request",
                    Counted::Attempt => "attempt",
                };
                let now = now_ms.map(|now| now.to_string()).unwrap_or_default();
                let arguments = [limit.requests.to_string(), limit.window_ms().to_string(), now, counted.to_owned()];
                let answer = run(&COUNT_SCRIPT, COUNT, name, &arguments, connection).await?;
                read_count(answer, *limit).map(Reply::Counted)
            }
            Self::Decide { name, ends_at_ms, outcome } => {
                let outcome = match outcome {
                    Outcome::Failed => "failed",
                    Outcome::Succeeded => "succeeded",
                    Outcome::Unknown => "unknown",
                };
                run(&DECIDE_SCRIPT, DECIDE, name, &[ends_at_ms.to_string(), outcome.to_owned()], connection).await?;
                Ok(Reply::Done)
            }
            Self::Forget { name } => {
                let _: u64 = redis::cmd("DEL").arg(name).query_async(connection).await?;
                Ok(Reply::Done)
            }
        }
    }
}

/// Runs a script by its hash, and teaches it to a Redis that does not know it: it forgets scripts when it starts.
async fn run(
    script: &Script,
    text: &str,
    name: &str,
    arguments: &[String],
    connection: &mut MultiplexedConnection,
) -> RedisResult<Value> {
    let command = |how, script| redis::cmd(how).arg(script).arg(1).arg(name).arg(arguments).to_owned();
    match command("EVALSHA", script.get_hash()).query_async(connection).await {
        Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
            command("EVAL", text).query_async(connection).await
        }
        answer => answer,
    }
}

fn read_count(answer: Value, limit: RateLimit) -> RedisResult<Count> {
    let (remaining, wait_ms, ends_at_ms) = from_redis_value::<(i64, i64, i64)>(answer)?;
    match u64::try_from(remaining) {
        Ok(remaining) if remaining < u64::from(limit.requests) => Ok(Count::Admitted { remaining, ends_at_ms }),
        Err(_) if remaining == -1 => Ok(Count::Refused { wait_ms }),
        Err(_) if remaining == -2 => Ok(Count::Undecided { wait_ms }),
        _ => Err((ErrorKind::UnexpectedReturnType, "a count outside its limit").into()),
    }
}

/// Whether Redis can be used for limits, rights included; for the doctor. What it writes is gone afterwards.
pub async fn examine_limit_store(url: &RedisUrl) -> Result<(), RedisTrouble> {
    let name = format!("{PREFIX}doctor");
    let limit = RateLimit { requests: 1_000_000, per_seconds: 1 };
    let look = async {
        let mut connection = link::connect(&link::client(url)).await?;
        Request::Count { name: name.clone(), limit, counted: Counted::Request, now_ms: None }
            .send(&mut connection)
            .await?;
        Request::Forget { name }.send(&mut connection).await
    };
    match tokio::time::timeout(EXAMINATION, look).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(RedisTrouble::of(&error)),
        Err(_) => Err(RedisTrouble::Silent),
    }
}
