//! What hyper refuses by itself is answered by the application, and nothing else is touched.

use super::*;

const GOOD: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const BAD: &str = "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n";
const REFUSED: &str = "refused by the application";

#[tokio::test]
async fn what_cannot_be_read_is_answered_by_the_application() {
    let server = Running::start(ServerLimits { linger: SHORT, ..patient() }).await;
    let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X-Flood: 1\r\n".repeat(100));
    // Without an end: what comes whole in one read may be a little longer than the limit says.
    let long_head = format!("GET / HTTP/1.1\r\nX-Flood: {}", "x".repeat(100_000));
    let long_target = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(66_000));
    let requests: [(&[u8], u16); 8] = [
        (BAD.as_bytes(), 400),
        (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /?q=\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX Y: 1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX\0Y: 1\r\n\r\n", 400),
        (many.as_bytes(), 431),
        (long_head.as_bytes(), 431),
        (long_target.as_bytes(), 414),
    ];
    for (request, status) in requests {
        let start = String::from_utf8_lossy(&request[..request.len().min(40)]).into_owned();
        let mut client = server.connect().await;
        client.send(request).await;
        let (line, rest) = client.response().await;
        assert!(line.starts_with(&format!("HTTP/1.1 {status} ")), "{start:?}: {line}");
        let (headers, body) = rest.split_once("\r\n\r\n").expect("a head ends");
        assert_eq!(body, REFUSED, "{start:?}");
        let mut names = headers.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect::<Vec<_>>();
        names.sort_unstable();
        assert_eq!(names, ["connection", "content-length", "date", "x-refused"], "{start:?}");
        assert!(headers.contains("connection: close"), "{start:?}: {headers}");
        assert_eq!(client.closed().await, "", "{start:?}");
    }
}

#[tokio::test]
async fn a_request_without_one_host_or_with_a_strange_coding_is_refused() {
    let server = Running::start(ServerLimits { linger: SHORT, ..patient() }).await;
    for (head, status) in [
        ("GET / HTTP/1.1\r\n", 400),
        ("GET http://x/ HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: 1\r\nhost: y\r\n", 400),
        ("GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: user@x\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x y\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x/y\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n", 501),
        ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n", 501),
        ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
        ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n", 501),
        ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", 501),
        ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\nContent-Length: 3\r\n", 501),
    ] {
        let mut client = server.connect().await;
        client.send(format!("{head}\r\nabc")).await;
        let (line, rest) = client.response().await;
        assert!(line.contains(&format!(" {status} ")), "{head:?}: {line}");
        assert!(rest.ends_with(REFUSED) && rest.contains(&format!("x-refused: {status}")), "{head:?}: {rest}");
        assert!(rest.contains("connection: close"), "{head:?}: {rest}");
        assert_eq!(client.closed().await, "", "{head:?}");
    }
}

#[tokio::test]
async fn a_strange_coding_is_told_on_a_connection_that_was_kept_and_in_pieces() {
    let server = Running::start(ServerLimits { linger: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
    for piece in ["POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Enc", "oding: gz", "ip\r\n\r\n"] {
        client.send(piece).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(client.response().await.0, "HTTP/1.1 501 Not Implemented");
}

#[tokio::test]
async fn requests_without_need_of_a_host_are_served_without_one() {
    let server = Running::start(patient()).await;
    for head in ["GET / HTTP/1.0\r\n", "GET / HTTP/1.1\r\nHost:\r\n", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n"] {
        let mut client = server.connect().await;
        client.send(format!("{head}\r\n")).await;
        assert!(client.response().await.0.ends_with(" 200 OK"), "{head:?}");
    }
}

#[tokio::test]
async fn requests_before_the_refused_one_keep_their_answers() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send(format!("{GOOD}GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n{GOOD}{BAD}{GOOD}")).await;
    for (status, body) in
        [("200 OK", "hello"), ("404 Not Found", ""), ("200 OK", "hello"), ("400 Bad Request", REFUSED)]
    {
        let (line, rest) = client.response().await;
        assert_eq!(line, format!("HTTP/1.1 {status}"));
        assert!(rest.ends_with(&format!("\r\n\r\n{body}")), "{rest}");
    }
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn a_refusal_on_a_connection_that_was_kept_is_the_applications_too() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send("POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n").await;
    assert_eq!(client.response().await.0, "HTTP/1.1 100 Continue");
    client.send("body").await;
    assert!(client.response().await.1.ends_with("\r\n\r\nbody"));
    client.send(BAD).await;
    assert!(client.response().await.1.ends_with(REFUSED));
}

#[tokio::test]
async fn an_answer_that_looks_like_a_refusal_is_left_as_it_is() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    for _ in 0..2 {
        // A head alone, of a client's error.
        client.send("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n").await;
        let (line, rest) = client.response().await;
        assert_eq!(line, "HTTP/1.1 404 Not Found");
        assert!(!rest.contains("refused"), "{rest}");
    }
}

#[tokio::test]
async fn a_refusal_behind_an_answer_that_waits_for_its_client_spoils_nothing() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send(format!("GET /large HTTP/1.1\r\nHost: x\r\n\r\n{BAD}")).await;
    within(client.tcp.readable()).await.unwrap();
    let answer = client.closed().await;
    let (head, rest) = answer.split_once("\r\n\r\n").expect("a head ends");
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    let (body, refusal) = rest.split_at(LARGE);
    assert!(body.bytes().all(|byte| byte == b'x'));
    assert!(refusal.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{refusal}");
}
