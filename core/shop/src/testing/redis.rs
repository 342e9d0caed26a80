//! The Redis that tests of shared limits count in.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::sync::OnceCell;
use url::Url;

use stoa_kernel::config::{EncryptionKey, RedisUrl};
use stoa_kernel::random::Random;
use stoa_kernel::testing::leave_out;

use super::environment;
use super::run::block_on;

/// Where a server usually is.
const USUAL: &str = "redis://127.0.0.1:6379";

/// How long a server may take to let us in.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// A place in Redis for one test. What is counted there is kept apart by a key of the installation that no other test
/// has, and Redis itself removes it when its window is over. Cloning gives the same place.
#[derive(Clone)]
pub struct TestRedis {
    url: Url,
    pub(super) key: EncryptionKey,
}

impl TestRedis {
    /// Where it is.
    pub fn url(&self) -> RedisUrl {
        RedisUrl::parse(self.url.as_str()).expect("the address of a Redis server")
    }

    /// Host and port, for what stands between it and a shop.
    pub fn address(&self) -> String {
        let host = self.url.host_str().expect("the server has a host");
        format!("{host}:{}", self.url.port().unwrap_or(6379))
    }

    /// The key of shops that count there.
    pub fn key(&self) -> &EncryptionKey {
        &self.key
    }

    /// The same place, reached through another address.
    #[must_use]
    pub fn through(&self, address: SocketAddr) -> Self {
        let mut url = self.url.clone();
        url.set_ip_host(address.ip()).expect("a server's address has a host");
        url.set_port(Some(address.port())).expect("a server's address may have a port");
        Self { url, key: self.key.clone() }
    }

    /// The same server for another installation.
    #[must_use]
    pub fn of_another_installation(&self) -> Self {
        Self { url: self.url.clone(), key: fresh_key() }
    }

    /// The same place with this password.
    #[must_use]
    pub fn with_password(&self, password: &str) -> Self {
        let mut url = self.url.clone();
        url.set_password(Some(password)).expect("a server's address may have a password");
        Self { url, key: self.key.clone() }
    }

    /// What the server answers to a command, as text.
    pub async fn command(&self, words: &[&str]) -> String {
        let (name, arguments) = words.split_first().expect("a command has a name");
        let mut connection = connect(&self.url).await.expect("Redis lets us in again");
        let answer = redis::cmd(name).arg(arguments).query_async::<redis::Value>(&mut connection).await;
        format!("{:?}", answer.expect("Redis takes the command"))
    }
}

fn fresh_key() -> EncryptionKey {
    EncryptionKey::new(Random::system().bytes())
}

async fn connect(url: &Url) -> Result<redis::aio::MultiplexedConnection, String> {
    let client = redis::Client::open(url.as_str()).map_err(|error| error.to_string())?;
    let config = redis::AsyncConnectionConfig::new()
        .set_connection_timeout(Some(ANSWER_TIMEOUT))
        .set_response_timeout(Some(ANSWER_TIMEOUT));
    client.get_multiplexed_async_connection_with_config(&config).await.map_err(|error| error.to_string())
}

async fn answers(url: &Url) -> Result<(), String> {
    let mut connection = connect(url).await?;
    let pong = redis::cmd("PING").query_async::<String>(&mut connection).await;
    pong.map(|_| ()).map_err(|error| error.to_string())
}

/// The server to be used, or why there is none.
async fn server() -> Result<Url, &'static str> {
    static SERVER: OnceCell<Result<Url, String>> = OnceCell::const_new();
    SERVER.get_or_init(find).await.clone().map_err(|_| "no server answers at 127.0.0.1:6379")
}

async fn find() -> Result<Url, String> {
    let Some(given) = environment::redis_url() else {
        let usual = Url::parse(USUAL).expect("a valid URL");
        return answers(&usual).await.map(|()| usual);
    };
    let url = Url::parse(&given).expect("STOA_TEST_REDIS_URL is a URL");
    if let Err(error) = answers(&url).await {
        panic!("the server of STOA_TEST_REDIS_URL does not let us in: {error}");
    }
    Ok(url)
}

/// Runs one test with a place in Redis, or leaves it out where there is none, which `STOA_REQUIRE_REDIS=1` makes a
/// failure.
pub fn run_redis_test<F: Future<Output = ()>>(test: impl FnOnce(TestRedis) -> F) {
    block_on(async {
        match server().await {
            Ok(url) => test(TestRedis { url, key: fresh_key() }).await,
            Err(reason) => {
                assert!(!environment::requires_redis(), "Redis is required, but {reason}");
                leave_out("tests on Redis", reason);
            }
        }
    });
}
