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

impl Running {
    /// Connects from another address of this machine.
    async fn connect_from(&self, address: IpAddr) -> Client {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(address, 0)).unwrap();
        Client { tcp: within(socket.connect(self.address)).await.unwrap(), read: Vec::new() }
    }
}

fn address(last: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 0, 0, last))
}

#[tokio::test]
async fn one_address_holds_no_more_than_its_share() {
    let limits = ServerLimits { max_connections: 20, max_connections_per_address: 2, ..patient() };
    let server = Running::start(limits).await;
    let mut slow = Vec::new();
    for _ in 0..2 {
        let mut client = server.connect_from(address(2)).await;
        client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n").await;
        slow.push(client);
    }
    let mut third = server.connect_from(address(2)).await;
    let refusal = third.closed().await;
    assert!(refusal.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{refusal}");
    assert!(refusal.contains("connection: close\r\n") && refusal.ends_with("refused by the application"), "{refusal}");
    for other in [1, 3] {
        assert_eq!(server.connect_from(address(other)).await.get("/").await, "HTTP/1.1 200 OK");
    }
    slow[0].send("hello").await;
    assert_eq!(slow[0].response().await.0, "HTTP/1.1 200 OK");
    drop(slow);
    // The places are free as soon as the server has noticed.
    while !server.connect_from(address(2)).await.answers().await {
        tokio::task::yield_now().await;
    }
}

impl Client {
    async fn answers(&mut self) -> bool {
        self.tcp.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.is_ok()
            && self.closed().await.starts_with("HTTP/1.1 200 OK")
    }
}

#[tokio::test]
async fn idle_connection_makes_room_for_another_of_its_address() {
    let limits = ServerLimits { max_connections_per_address: 1, idle_when_full: Duration::ZERO, ..patient() };
    let server = Running::start(limits).await;
    let mut idle = server.connect_from(address(2)).await;
    assert_eq!(idle.get("/").await, "HTTP/1.1 200 OK");
    let mut other = server.connect_from(address(3)).await;
    assert_eq!(other.get("/").await, "HTTP/1.1 200 OK");
    // Whether it is idle is seen on the watch's round.
    while !server.connect_from(address(2)).await.answers().await {
        tokio::task::yield_now().await;
    }
    assert_eq!(idle.closed().await, "");
    assert_eq!(other.get("/").await, "HTTP/1.1 200 OK", "that of another address stays");
}

#[tokio::test]
async fn proxy_is_held_to_no_share() {
    let server = Running::start(ServerLimits { max_connections_per_address: 1, ..patient() }).await;
    let mut clients = Vec::new();
    for _ in 0..5 {
        let mut client = server.connect_from(PROXY).await;
        assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
        clients.push(client);
    }
}
