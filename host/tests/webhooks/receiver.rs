//! A destination of the tests' own, and what has arrived there.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio_rustls::TlsAcceptor;

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// How a request is answered.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// With this status and body.
    Status(u16, &'static str),
    /// With this status and a `Location`.
    Redirect(u16, String),
    /// Not at all.
    Silence,
    /// With the end of the connection.
    Cut,
    /// With something that is no HTTP.
    Garbage,
    /// With 200 and a body that never ends.
    Endless,
    /// With this status, once the receiver's gate is opened.
    Gated(u16),
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub(crate) request: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) at: Instant,
}

impl Hit {
    /// The one value of a header.
    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        let values = self.headers.iter().filter(|(known, _)| known == name).collect::<Vec<_>>();
        assert_eq!(values.len(), 1, "{name} in {:?}", self.headers);
        &values[0].1
    }

    /// The value of `X-Service-Delivery`.
    pub(crate) fn delivery(&self) -> &str {
        self.header("x-service-delivery")
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Whether it is signed with this secret, at the time that it claims.
    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        let timestamp = self.header("x-service-timestamp");
        let now = timestamp.parse().expect("digits");
        stoa_core::webhooks::verify(secret, timestamp, self.header("x-service-signature"), &self.body, now).is_ok()
    }
}

struct State {
    script: VecDeque<Reply>,
    reply: Reply,
    hits: Vec<Hit>,
    connections: usize,
}

/// The destination. It answers 200 unless told otherwise.
#[derive(Clone)]
pub(crate) struct Receiver {
    state: Arc<Mutex<State>>,
    arrived: Arc<Notify>,
    gate: Arc<watch::Sender<bool>>,
    pub(crate) port: u16,
}

impl Receiver {
    pub(crate) async fn open() -> Self {
        Self::listen(None).await
    }

    /// The same with TLS.
    pub(crate) async fn open_tls(acceptor: TlsAcceptor) -> Self {
        Self::listen(Some(acceptor)).await
    }

    async fn listen(tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let state = State { script: VecDeque::new(), reply: Reply::Status(200, ""), hits: Vec::new(), connections: 0 };
        let gate = Arc::new(watch::Sender::new(false));
        let receiver = Self { state: Arc::new(Mutex::new(state)), arrived: Arc::default(), gate, port };
        let accepting = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                accepting.state().connections += 1;
                let (each, tls) = (accepting.clone(), tls.clone());
                tokio::spawn(async move {
                    let done = match tls {
                        None => each.converse(stream).await,
                        Some(acceptor) => match acceptor.accept(stream).await {
                            Ok(stream) => each.converse(stream).await,
                            Err(error) => Err(error),
                        },
                    };
                    // The other side may be gone at any time.
                    drop(done);
                });
            }
        });
        receiver
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics here")
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// Answers the next requests like this.
    pub(crate) fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state().script.extend(replies);
    }

    /// Answers all requests like this that the script does not say anything about.
    pub(crate) fn always(&self, reply: Reply) {
        self.state().reply = reply;
    }

    /// Has what waits at the gate answered.
    pub(crate) fn open_gate(&self) {
        self.gate.send_replace(true);
    }

    /// What has arrived.
    pub(crate) fn hits(&self) -> Vec<Hit> {
        self.state().hits.clone()
    }

    /// The one request that has arrived.
    #[track_caller]
    pub(crate) fn only(&self) -> Hit {
        let mut hits = self.hits();
        assert_eq!(hits.len(), 1, "{hits:?}");
        hits.remove(0)
    }

    pub(crate) fn connections(&self) -> usize {
        self.state().connections
    }

    /// Waits until so many requests have arrived.
    pub(crate) async fn wait(&self, count: usize) -> Vec<Hit> {
        let waited = async {
            loop {
                let arrived = self.arrived.notified();
                tokio::pin!(arrived);
                arrived.as_mut().enable();
                let hits = self.hits();
                if hits.len() >= count {
                    return hits;
                }
                arrived.await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, waited).await;
        waited.unwrap_or_else(|_| panic!("{} of {count} requests arrived", self.hits().len()))
    }

    async fn converse(&self, mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
        let mut bytes = Vec::new();
        let (head, start) = loop {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
            if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break (String::from_utf8_lossy(&bytes[..end]).into_owned(), end + 4);
            }
        };
        let mut lines = head.split("\r\n");
        let request = lines.next().unwrap_or_default().to_owned();
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect::<Vec<_>>();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.and_then(|(_, value)| value.parse::<usize>().ok()).unwrap_or(0);
        while bytes.len() < start + length {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
        }
        let hit = Hit { request, headers, body: bytes[start..].to_vec(), at: Instant::now() };
        let reply = {
            let mut state = self.state();
            state.hits.push(hit);
            state.script.pop_front().unwrap_or_else(|| state.reply.clone())
        };
        self.arrived.notify_waiters();
        self.answer(&mut stream, reply).await
    }

    async fn answer(&self, stream: &mut (impl AsyncRead + AsyncWrite + Unpin), reply: Reply) -> io::Result<()> {
        let text = match reply {
            Reply::Status(status @ 204, _) => format!("HTTP/1.1 {status} X\r\n\r\n"),
            Reply::Status(status, body) => {
                format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n{body}", body.len())
            }
            Reply::Redirect(status, location) => {
                format!("HTTP/1.1 {status} X\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
            }
            Reply::Silence => std::future::pending().await,
            Reply::Cut => return Ok(()),
            Reply::Garbage => String::from("220 mail.example.com ESMTP\r\n\r\n"),
            Reply::Endless => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await?;
                loop {
                    stream.write_all(b"5\r\nagain\r\n").await?;
                    stream.flush().await?;
                }
            }
            Reply::Gated(status) => {
                let _ = self.gate.subscribe().wait_for(|open| *open).await;
                format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n")
            }
        };
        stream.write_all(text.as_bytes()).await?;
        stream.flush().await
    }
}
