//! Stands between a shop and Redis, and does what networks and servers do on bad days.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use stoa_core::testing::TestRedis;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What becomes of what a shop sends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weather {
    /// It reaches Redis.
    Fair,
    /// Every connection is closed.
    Cut,
    /// It is never answered.
    Silent,
    /// It is answered with this.
    Answered(&'static [u8]),
}

/// A proxy that ends with its test.
pub(crate) struct RedisProxy {
    redis: TestRedis,
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    server: String,
    weather: watch::Sender<Weather>,
    /// Raised to close all connections of the moment.
    closing: watch::Sender<usize>,
    connections: AtomicUsize,
    sent: Mutex<Vec<u8>>,
}

impl RedisProxy {
    pub(crate) async fn before(redis: &TestRedis, weather: Weather) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("an address is free");
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::new(Shared {
            server: redis.address(),
            weather: watch::Sender::new(weather),
            closing: watch::Sender::new(0),
            connections: AtomicUsize::new(0),
            sent: Mutex::default(),
        });
        let accepting = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                accepting.connections.fetch_add(1, Ordering::SeqCst);
                let shared = Arc::clone(&accepting);
                tokio::spawn(async move { shared.serve(client).await });
            }
        });
        Self { redis: redis.clone(), address, shared }
    }

    /// The place in Redis, reached through the proxy.
    pub(crate) fn redis(&self) -> TestRedis {
        self.redis.through(self.address)
    }

    /// Changes the weather, for connections that are there too.
    pub(crate) fn turn(&self, weather: Weather) {
        self.shared.weather.send_replace(weather);
    }

    /// Closes the connections of the moment, and waits until that has happened.
    pub(crate) async fn close_connections(&self) {
        self.shared.closing.send_modify(|times| *times += 1);
        self.shared.closing.closed().await;
    }

    /// How often somebody has connected.
    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// All that was sent to Redis.
    pub(crate) fn sent(&self) -> Vec<u8> {
        self.shared.sent.lock().expect("no test panics here").clone()
    }
}

impl Shared {
    async fn serve(&self, mut client: TcpStream) {
        let mut server = TcpStream::connect(&self.server).await.expect("Redis lets us in");
        let (mut weather, mut closing) = (self.weather.subscribe(), self.closing.subscribe());
        let (mut question, mut answer) = ([0; 4096], [0; 4096]);
        loop {
            let now = *weather.borrow_and_update();
            if now == Weather::Cut {
                return;
            }
            tokio::select! {
                biased;
                changed = weather.changed() => match changed {
                    Ok(()) => {}
                    Err(_) => return,
                },
                _ = closing.changed() => return,
                read = server.read(&mut answer), if now == Weather::Fair => {
                    let Ok(length @ 1..) = read else { return };
                    if client.write_all(&answer[..length]).await.is_err() {
                        return;
                    }
                }
                read = client.read(&mut question) => {
                    let Ok(length @ 1..) = read else { return };
                    if self.pass_on(&mut client, &mut server, &question[..length]).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Does with a question what the weather of this moment lets it.
    async fn pass_on(&self, client: &mut TcpStream, server: &mut TcpStream, question: &[u8]) -> std::io::Result<()> {
        let weather = *self.weather.borrow();
        match weather {
            Weather::Fair => {
                self.sent.lock().expect("no test panics here").extend_from_slice(question);
                server.write_all(question).await
            }
            Weather::Cut => Err(std::io::ErrorKind::ConnectionAborted.into()),
            Weather::Silent => Ok(()),
            Weather::Answered(answer) => client.write_all(answer).await,
        }
    }
}
