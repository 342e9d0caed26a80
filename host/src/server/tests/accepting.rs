//! Binding, places for connections, and errors of accepting.

use std::io;
use std::task::Poll;

use tokio::net::TcpListener;
use tokio_util::task::TaskTracker;

use super::super::accept::Acceptor;
use super::super::registry::Registry;
use super::*;

#[tokio::test]
async fn taken_address_is_named() {
    let first = Server::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let error = Server::bind(first.local_addr()).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
    assert!(error.to_string().contains(&first.local_addr().to_string()), "{error}");
    assert!(error.to_string().contains("server.listen"), "{error}");
}

#[tokio::test]
async fn foreign_address_is_named() {
    let error = Server::bind("192.0.2.1:0".parse().unwrap()).await.unwrap_err();
    assert!(error.to_string().starts_with("cannot listen on 192.0.2.1:0: "), "{error}");
}

#[tokio::test]
async fn system_chooses_a_port_for_port_zero() {
    let server = Server::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    assert_ne!(server.local_addr().port(), 0);
}

#[tokio::test]
async fn client_beyond_the_limit_is_served_once_a_place_is_free() {
    let server = Running::start(ServerLimits { max_connections: 1, ..patient() }).await;
    let mut first = server.connect_gated().await;
    let mut second = server.connect().await;
    second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let early = tokio::time::timeout(SHORT, second.tcp.readable()).await;
    assert!(early.is_err(), "the second client was served beside the first");
    server.gate.open.add_permits(1);
    assert_eq!(first.response().await.0, "HTTP/1.1 200 OK");
    drop(first);
    assert_eq!(second.response().await.0, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn idle_connection_makes_room_when_all_places_are_taken() {
    let limits = ServerLimits { max_connections: 2, idle_when_full: SHORT, ..patient() };
    let server = Running::start(limits).await;
    let _busy = server.connect_gated().await;
    let mut idle = server.connect().await;
    assert_eq!(idle.get("/").await, "HTTP/1.1 200 OK");
    assert_eq!(server.connect().await.get("/").await, "HTTP/1.1 200 OK");
    assert_eq!(idle.closed().await, "");
}

#[tokio::test]
async fn idle_connection_stays_while_places_are_free() {
    let limits = ServerLimits { max_connections: 3, idle_when_full: Duration::ZERO, ..patient() };
    let server = Running::start(limits).await;
    let mut idle = server.connect().await;
    assert_eq!(idle.get("/").await, "HTTP/1.1 200 OK");
    assert_eq!(server.connect().await.get("/").await, "HTTP/1.1 200 OK");
    assert_eq!(idle.get("/").await, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn panicking_handler_gives_its_place_back() {
    let server = Running::start(ServerLimits { max_connections: 1, ..patient() }).await;
    let mut first = server.connect().await;
    first.send("GET /panic HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert_eq!(first.closed().await, "");
    assert_eq!(server.connect().await.get("/").await, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn accepting_goes_on_after_the_system_ran_out_of_descriptors() {
    let limits = ServerLimits { accept_pause: SHORT, ..patient() };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let registry = Arc::new(Registry::new(limits));
    let app = Router::new().route("/", get(async || "hello"));
    let acceptor = Acceptor::new(app, limits, &registry, &TaskTracker::new());
    let mut failures = vec![
        io::Error::from_raw_os_error(24),
        io::Error::from(io::ErrorKind::ConnectionAborted),
        io::Error::from_raw_os_error(23),
    ];
    let accepting = tokio::spawn(acceptor.run(move |cx| match failures.pop() {
        Some(error) => Poll::Ready(Err(error)),
        None => listener.poll_accept(cx),
    }));
    let mut client = Client { tcp: within(TcpStream::connect(address)).await.unwrap(), read: Vec::new() };
    assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
    accepting.abort();
}
