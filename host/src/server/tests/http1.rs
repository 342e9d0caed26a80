//! HTTP/1.1: heads that are too large, garbage, pipelining and early answers.

use super::*;

#[tokio::test]
async fn request_is_answered_and_the_connection_kept() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
    assert_eq!(client.get("/nowhere").await, "HTTP/1.1 404 Not Found");
    assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn handler_sees_the_address_of_its_peer() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    let own = client.tcp.local_addr().unwrap().to_string();
    client.send("GET /peer HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(client.response().await.1.ends_with(&format!("\r\n\r\n{own}")));
}

#[tokio::test]
async fn too_many_headers_are_431() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send(format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X-Flood: 1\r\n".repeat(100))).await;
    assert_eq!(client.response().await.0, "HTTP/1.1 431 Request Header Fields Too Large");
}

#[tokio::test]
async fn flood_of_header_bytes_is_431_and_the_answer_is_not_lost() {
    let server = Running::start(ServerLimits { linger: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    let flood = format!("GET / HTTP/1.1\r\nHost: x\r\nX-Flood: {}", "x".repeat(100_000));
    client.send(flood).await;
    assert_eq!(client.response().await.0, "HTTP/1.1 431 Request Header Fields Too Large");
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn header_just_below_the_limit_is_taken() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send(format!("GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", "x".repeat(70 * 1024))).await;
    assert_eq!(client.response().await.0, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn too_long_request_target_is_414() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    assert_eq!(client.get(&format!("/{}", "a".repeat(66_000))).await, "HTTP/1.1 414 URI Too Long");
}

#[tokio::test]
async fn a_request_target_longer_than_all_that_is_read_of_a_head_is_414_too() {
    let server = Running::start(patient()).await;
    for length in [80_000, 200_000, 2_000_000] {
        let mut client = server.connect().await;
        // On a new connection and behind an earlier request.
        for request in [format!("GET /{} HTTP/1.1\r\n", "a".repeat(length)), format!("GET /{}", "a".repeat(length))] {
            assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
            client.send(request).await;
            assert_eq!(client.response().await.0, "HTTP/1.1 414 URI Too Long", "{length}");
            client = server.connect().await;
        }
        client.send(format!("GET /{}", "a".repeat(length))).await;
        assert_eq!(client.response().await.0, "HTTP/1.1 414 URI Too Long", "{length}");
    }
}

#[tokio::test]
async fn a_long_header_behind_the_target_is_431_on_a_connection_that_was_kept_too() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
    client.send(format!("GET / HTTP/1.1\r\nX-Flood: {}", "x".repeat(200_000))).await;
    assert_eq!(client.response().await.0, "HTTP/1.1 431 Request Header Fields Too Large");
}

#[tokio::test]
async fn request_target_of_ten_thousand_encoded_letters_is_taken() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    assert_eq!(client.get(&format!("/?q={}", "%C3%BC".repeat(10_000))).await, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn garbage_is_refused_and_the_next_client_is_served() {
    let server = Running::start(ServerLimits { linger: SHORT, ..patient() }).await;
    let requests: [&[u8]; 5] = [
        b"\x00\xff\x00\xff\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\ngarbage garbage garbage",
    ];
    for request in requests {
        let mut client = server.connect().await;
        client.send(request).await;
        within(client.tcp.shutdown()).await.unwrap();
        let answer = client.closed().await;
        let is_http1_success = answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.1 5");
        assert!(!is_http1_success, "{answer}");
    }
    assert_eq!(server.connect().await.get("/").await, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    let one = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    let two = "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n";
    client.send(format!("{one}{two}{one}")).await;
    for expected in ["HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 200 OK"] {
        assert_eq!(client.response().await.0, expected);
    }
}

#[tokio::test]
async fn answer_does_not_wait_for_the_rest_of_a_pipelined_request() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHo").await;
    assert_eq!(client.response().await.0, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn early_answer_reaches_a_client_that_is_still_sending() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    let body = vec![b'x'; LARGE];
    client.send(format!("POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", body.len())).await;
    client.send(body).await;
    assert_eq!(client.response().await.0, "HTTP/1.1 413 Payload Too Large");
}

#[tokio::test]
async fn client_that_starts_sending_after_an_early_answer_meets_no_reset() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send(format!("POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: {LARGE}\r\n\r\n")).await;
    within(client.tcp.readable()).await.unwrap();
    client.send(vec![b'x'; LARGE]).await;
    assert_eq!(client.response().await.0, "HTTP/1.1 413 Payload Too Large");
}

#[tokio::test]
async fn small_body_that_comes_after_an_early_answer_leaves_the_connection_open() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    for _ in 0..2 {
        client.send("POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n").await;
        let (status, rest) = client.response().await;
        assert_eq!(status, "HTTP/1.1 413 Payload Too Large");
        assert!(!rest.contains("connection:"), "{rest}");
        client.send("hello").await;
        assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
    }
}

#[tokio::test]
async fn answer_behind_which_the_connection_is_closed_says_so() {
    let server = Running::start(ServerLimits { linger: SHORT, body_stall: SHORT, ..patient() }).await;
    for (path, rest) in [
        ("/refuse", "Content-Length: 70000\r\n\r\n"),
        ("/refuse", "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n"),
        // Nobody knows whether little follows.
        ("/refuse", "Transfer-Encoding: chunked\r\n\r\n"),
        ("/echo", "Content-Length: 5\r\n\r\nhel"),
        ("/echo", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
        ("/", "Connection: close\r\n\r\n"),
    ] {
        let mut client = server.connect().await;
        client.send(format!("POST {path} HTTP/1.1\r\nHost: x\r\n{rest}")).await;
        let (status, head) = client.response().await;
        assert!(head.contains("connection: close\r\n"), "{path} {rest:?}: {status} {head}");
        assert_eq!(client.closed().await, "", "{path} {rest:?}");
    }
}

#[tokio::test]
async fn answer_during_a_stop_says_that_it_is_the_last() {
    let server = Running::start(patient()).await;
    let mut client = server.connect_gated().await;
    let gate = server.gate.clone();
    let stopping = tokio::spawn(server.stop());
    // The listener is gone once the stop has begun.
    while TcpStream::connect(client.tcp.peer_addr().unwrap()).await.is_ok() {
        tokio::task::yield_now().await;
    }
    gate.open.add_permits(1);
    assert!(client.response().await.1.contains("connection: close\r\n"));
    assert_eq!(within(stopping).await.unwrap(), 0);
}

#[tokio::test]
async fn small_body_that_never_comes_is_not_waited_for_long() {
    let server = Running::start(ServerLimits { linger: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel").await;
    assert!(client.closed().await.starts_with("HTTP/1.1 413 Payload Too Large"));
}

#[tokio::test]
async fn body_that_waits_for_a_word_is_not_asked_for_after_an_early_answer() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send("POST /refuse HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n").await;
    assert_eq!(client.response().await.0, "HTTP/1.1 413 Payload Too Large");
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn client_that_never_stops_sending_after_an_early_answer_is_cut() {
    let server = Running::start(ServerLimits { linger: SHORT, ..patient() }).await;
    let mut client = server.connect().await;
    client.send("POST /refuse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    within(async { while client.tcp.write_all(b"4\r\nxxxx\r\n").await.is_ok() {} }).await;
}
