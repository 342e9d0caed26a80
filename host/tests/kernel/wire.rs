//! The shop behind its server, spoken to byte by byte: requests that break off, stop, or are none.

use std::net::SocketAddr;
use std::time::Duration;

use http::Method;
use stoa::server::{Server, ServerLimits};
use stoa_core::db::Backend;
use stoa_core::testing::{TestResponse, TestShop, run_test};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{logs, probe};

/// Long enough for a time-out to be told from an answer, short enough to wait for.
const SHORT: Duration = Duration::from_millis(150);

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(10);

const STRIPE: &str = "[payments.stripe]\nenabled = true\nsecret_key = \"sk_test_4eC39HqLyjWDarjtT1zdp7dc\"\n\
                      webhook_secret = \"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"\n";

/// A shop that listens until it is dropped.
struct Served {
    shop: TestShop,
    address: SocketAddr,
    _stop: DropGuard,
}

impl Served {
    async fn start() -> Self {
        let shop = probe::shop(Backend::Sqlite).config(STRIPE).open().await;
        let server = Server::bind("127.0.0.1:0".parse().expect("an address")).await.expect("an address is free");
        let address = server.local_addr();
        let stop = CancellationToken::new();
        let limits = ServerLimits { body_stall: SHORT, linger: SHORT, ..ServerLimits::default() };
        tokio::spawn(server.serve(shop.front.clone(), limits, stop.clone().cancelled_owned()));
        Self { shop, address, _stop: stop.drop_guard() }
    }

    /// Sends this, and nothing after it; `ends` tells whether the client says so.
    async fn ask(&self, request: &[u8], ends: bool) -> TestResponse {
        let talk = async {
            let mut stream = TcpStream::connect(self.address).await.expect("the shop listens");
            stream.write_all(request).await.expect("the shop reads");
            if ends {
                stream.shutdown().await.expect("this side can be closed");
            }
            let mut answer = Vec::new();
            // A reset ends the connection as well as an orderly close.
            let _ = stream.read_to_end(&mut answer).await;
            answer
        };
        let answer = tokio::time::timeout(PATIENCE, talk).await;
        let answer = answer.unwrap_or_else(|_| {
            let start = String::from_utf8_lossy(&request[..request.len().min(60)]);
            panic!("the shop does not answer, or does not close after {start:?}")
        });
        let answer = TestResponse::parse(&answer);
        // What is refused before it is known what was asked for has no place in the document.
        if let Some((method, path)) = asked_for(request).filter(|_| ![414, 431, 501].contains(&answer.status.as_u16()))
        {
            self.shop.published().expect(&method, &path, &answer);
        }
        answer
    }
}

/// Method and path of a request whose first line can be read.
fn asked_for(request: &[u8]) -> Option<(Method, String)> {
    let line = str::from_utf8(request.split(|byte| *byte == b'\r').next()?).ok()?;
    let (method, target) = line.strip_suffix(" HTTP/1.1")?.split_once(' ')?;
    let path = target.parse::<http::Uri>().ok()?.path().to_owned();
    Some((method.parse().ok()?, path))
}

/// It must be an error of the shop's own, with all that such a one has.
#[track_caller]
fn expect_error(answer: &TestResponse, status: u16, code: &str) {
    let answer = answer.clone().expect_error(status, code);
    assert!(answer.json()["message"].as_str().is_some_and(|message| message.ends_with('.')), "{answer:?}");
    assert_eq!(answer.header("content-length"), Some(answer.body.len().to_string().as_str()), "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
    assert!(answer.header("x-request-id").is_some_and(|id| !id.is_empty()), "{answer:?}");
    assert!(answer.header("date").is_some(), "{answer:?}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{answer:?}");
}

fn with_served(test: impl AsyncFnOnce(Served)) {
    run_test(Backend::Sqlite, |_| async move {
        logs::keep();
        test(Served::start().await).await;
    });
}

/// All that reads a body: routes behind the guard, callbacks, and the pages of links.
async fn heads(served: &Served) -> [String; 3] {
    let token = served.shop.client().token(&served.shop.customer().await, &[probe::PROBE]).await;
    let request = token.request(Method::POST, "/probes", "");
    let bearer = request.headers()["authorization"].to_str().expect("a token is text");
    let json = "Content-Type: application/json";
    let form = "Content-Type: application/x-www-form-urlencoded";
    [
        format!("POST /api/v1/probes HTTP/1.1\r\nHost: x\r\nAuthorization: {bearer}\r\n{json}\r\n"),
        format!("POST /webhooks/payments/stripe HTTP/1.1\r\nHost: x\r\n{json}\r\n"),
        format!("POST /account/reset-password HTTP/1.1\r\nHost: x\r\n{form}\r\n"),
    ]
}

/// Sends each of the heads with this rest; the error must have this code, and nothing may be logged as a failure.
async fn assert_refused(served: &Served, rest: &str, ends: bool, status: u16, code: &str) {
    for (number, head) in heads(served).await.iter().enumerate() {
        let id = format!("{code}-{number}-{}", rest.len());
        let answer = served.ask(format!("{head}X-Request-Id: {id}\r\n{rest}").as_bytes(), ends).await;
        expect_error(&answer, status, code);
        assert_eq!(answer.header("x-request-id"), Some(id.as_str()));
        assert_eq!(logs::with(&id), [""; 0], "a mistake of the client's is logged");
    }
}

#[test]
fn a_body_that_the_client_stops_sending_is_408() {
    with_served(async |served| {
        assert_refused(&served, "Content-Length: 100\r\n\r\n{\"a\": ", false, 408, "request_timeout").await;
        assert_refused(&served, "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"", false, 408, "request_timeout").await;
    });
}

#[test]
fn a_body_that_breaks_off_is_400() {
    with_served(async |served| {
        assert_refused(&served, "Content-Length: 100\r\n\r\n{\"a\": ", true, 400, "bad_request").await;
        assert_refused(&served, "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"", true, 400, "bad_request").await;
    });
}

#[test]
fn a_body_that_is_not_framed_as_http_says_is_400() {
    with_served(async |served| {
        assert_refused(&served, "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n", false, 400, "bad_request").await;
    });
}

#[test]
fn what_is_no_request_is_refused_like_everything_else() {
    with_served(async |served| {
        let many = format!("GET /api/v1/products HTTP/1.1\r\nHost: x\r\n{}\r\n", "X-Flood: 1\r\n".repeat(100));
        // Without an end: what comes whole in one read may be a little longer than the limit says.
        let long_head = format!("GET / HTTP/1.1\r\nHost: x\r\nX-Flood: {}", "x".repeat(200_000));
        let long_target = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(66_000));
        let requests: [(&[u8], u16, &str); 10] = [
            (b"GET / HTTP/1.1\r\n\r\n", 400, "bad_request"),
            (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, "bad_request"),
            (b"POST /session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "not_implemented"),
            (b"GET /api/v1/products/\0 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
            (b"GET /api/v1/products?q=\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
            (b"GET / HTTP/1.1\r\nHost: x\r\nX Y: 1\r\n\r\n", 400, "bad_request"),
            (b"nonsense\r\n\r\n", 400, "bad_request"),
            (many.as_bytes(), 431, "request_header_fields_too_large"),
            (long_head.as_bytes(), 431, "request_header_fields_too_large"),
            (long_target.as_bytes(), 414, "uri_too_long"),
        ];
        let mut ids = Vec::new();
        for (request, status, code) in requests {
            let answer = served.ask(request, false).await;
            expect_error(&answer, status, code);
            assert_eq!(answer.header("connection"), Some("close"), "{answer:?}");
            ids.extend(answer.header("x-request-id").map(str::to_owned));
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 10, "each has an id of its own");
    });
}

#[test]
fn an_answer_without_a_body_tells_no_length() {
    with_served(async |served| {
        let tag = served.shop.client().get("/products").await.header("etag").expect("a tag").to_owned();
        for method in ["GET", "HEAD"] {
            let condition = format!("Host: x\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n");
            let request = format!("{method} /api/v1/products HTTP/1.1\r\n{condition}");
            let answer = served.ask(request.as_bytes(), false).await;
            assert_eq!((answer.status.as_u16(), answer.header("content-length")), (304, None), "{method}: {answer:?}");
        }
        let head = "HEAD /api/v1/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        let whole = served.shop.client().get("/products").await.body.len().to_string();
        assert_eq!(served.ask(head.as_bytes(), false).await.header("content-length"), Some(whole.as_str()));
        let none = "GET /session/csrf HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        let answer = served.ask(none.as_bytes(), false).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-length")), (204, None), "{answer:?}");
    });
}
