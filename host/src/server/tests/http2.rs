//! HTTP/2 by prior knowledge.

use super::*;

#[expect(clippy::disallowed_methods, reason = "the shop's own clients do not speak HTTP/2 without TLS")]
fn client() -> reqwest::Client {
    // Making one of the shop's own clients installs the provider of TLS that every client wants.
    stoa_core::outbound::HttpClient::new().unwrap();
    reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().unwrap()
}

#[tokio::test]
async fn requests_are_answered_over_http2() {
    let server = Running::start(patient()).await;
    let (client, url) = (client(), format!("http://{}/", server.address));
    for _ in 0..3 {
        let response = within(client.get(&url).send()).await.unwrap();
        assert_eq!(response.version(), reqwest::Version::HTTP_2);
        assert_eq!(within(response.text()).await.unwrap(), "hello");
    }
}

#[tokio::test]
async fn bodies_pass_both_ways_beyond_one_flow_control_window() {
    let server = Running::start(patient()).await;
    let body = vec![b'x'; 1_000_000];
    let request = client().post(format!("http://{}/echo", server.address)).body(body.clone());
    let response = within(request.send()).await.unwrap();
    assert_eq!(within(response.bytes()).await.unwrap(), body);
}

#[tokio::test]
async fn too_large_headers_are_refused() {
    let server = Running::start(patient()).await;
    let request = client().get(format!("http://{}/", server.address)).header("x-flood", "x".repeat(100_000));
    let refused = match within(request.send()).await {
        Ok(response) => response.status() == reqwest::StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        Err(_) => true,
    };
    assert!(refused);
}

#[tokio::test]
async fn panicking_handler_leaves_the_connection_and_the_server_alive() {
    let server = Running::start(ServerLimits { max_connections: 1, ..patient() }).await;
    let client = client();
    assert!(within(client.get(format!("http://{}/panic", server.address)).send()).await.is_err());
    let response = within(client.get(format!("http://{}/", server.address)).send()).await.unwrap();
    assert_eq!(within(response.text()).await.unwrap(), "hello");
}

#[tokio::test]
async fn idle_http2_connection_is_closed() {
    let server = Running::start(ServerLimits { max_connections: 1, idle: SHORT, ..patient() }).await;
    let client = client();
    within(client.get(format!("http://{}/", server.address)).send()).await.unwrap();
    // The only place is free again once the first connection is gone, which its client keeps open.
    assert_eq!(server.connect().await.get("/").await, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn http2_response_that_its_client_does_not_take_is_cut() {
    let server = Running::start(ServerLimits { write_stall: SHORT, ..patient() }).await;
    let client = client();
    let mut response = within(client.get(format!("http://{}/endless", server.address)).send()).await.unwrap();
    // Nothing is read until the stop, which waits for the request in flight unless the stall has ended it.
    server.stop.cancel();
    assert_eq!(within(server.outcome).await.unwrap(), 0);
    within(async { while let Ok(Some(_)) = response.chunk().await {} }).await;
}

#[tokio::test]
async fn stopping_finishes_an_http2_request() {
    let server = Running::start(patient()).await;
    let client = client();
    let request = tokio::spawn(client.get(format!("http://{}/gated", server.address)).send());
    within(server.gate.arrived.notified()).await;
    server.stop.cancel();
    server.gate.open.add_permits(1);
    let response = within(request).await.unwrap().unwrap();
    assert_eq!(within(response.text()).await.unwrap(), "late");
    assert_eq!(within(server.outcome).await.unwrap(), 0);
}

#[tokio::test]
async fn http2_request_that_outlasts_the_drain_limit_is_cut_off_with_its_handler() {
    let server = Running::start(ServerLimits { drain: SHORT, ..patient() }).await;
    let client = client();
    let request = tokio::spawn(client.get(format!("http://{}/gated", server.address)).send());
    let gate = server.gate.clone();
    within(gate.arrived.notified()).await;
    assert_eq!(server.stop().await, 1);
    assert!(within(request).await.unwrap().is_err());
    assert_eq!(Arc::strong_count(&gate.open), 1, "the handler still runs");
}
