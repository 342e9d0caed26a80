//! Graceful shutdown.

use super::*;

#[tokio::test]
async fn request_in_flight_is_finished_and_its_connection_closed() {
    let server = Running::start(patient()).await;
    let mut client = server.connect_gated().await;
    server.stop.cancel();
    // The listener is closed first thing, so a refusal shows that stopping has begun.
    within(async { while TcpStream::connect(server.address).await.is_ok() {} }).await;
    server.gate.open.add_permits(1);
    let answer = client.closed().await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("connection: close\r\n"), "{answer}");
    assert!(answer.ends_with("late"), "{answer}");
    assert_eq!(server.stop().await, 0);
}

#[tokio::test]
async fn request_that_outlasts_the_drain_limit_is_cut_off_and_counted() {
    let server = Running::start(ServerLimits { drain: SHORT, ..patient() }).await;
    let mut half_sent = server.connect().await;
    half_sent.send("GET / HT").await;
    let mut first = server.connect_gated().await;
    let mut second = server.connect_gated().await;
    assert_eq!(server.stop().await, 2);
    for client in [&mut half_sent, &mut first, &mut second] {
        assert_eq!(client.closed().await, "");
    }
}

#[tokio::test]
async fn idle_connection_is_closed_at_once() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    assert_eq!(client.get("/").await, "HTTP/1.1 200 OK");
    server.stop.cancel();
    assert_eq!(client.closed().await, "");
    assert_eq!(within(server.outcome).await.unwrap(), 0);
}

#[tokio::test]
async fn half_sent_request_does_not_hold_the_stop_up() {
    let server = Running::start(patient()).await;
    let mut client = server.connect().await;
    client.send("GET / HT").await;
    // Served after the other one was accepted, so that one is known to the server by now.
    server.connect().await.get("/").await;
    assert_eq!(server.stop().await, 0);
    assert_eq!(client.closed().await, "");
}

#[tokio::test]
async fn request_on_an_accepted_connection_is_answered_while_stopping() {
    for (before, after) in [("", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), ("GET / HTTP/1.1\r\n", "Host: x\r\n\r\n")] {
        let server = Running::start(patient()).await;
        let mut client = server.connect().await;
        client.send(before).await;
        let _slow = server.connect_gated().await;
        server.stop.cancel();
        within(async { while TcpStream::connect(server.address).await.is_ok() {} }).await;
        client.send(after).await;
        assert!(client.closed().await.starts_with("HTTP/1.1 200 OK\r\n"), "{before}");
        server.gate.open.add_permits(1);
        assert_eq!(server.stop().await, 0);
    }
}
