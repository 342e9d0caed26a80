//! Requests to a shop that is served.

use std::fmt::Write as _;

use http::Method;
use stoa_core::testing::{Published, TestResponse};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// `GET` without credentials.
pub(crate) async fn get(address: &str, path: &str) -> TestResponse {
    send(address, &format!("GET {path}"), &[], "").await
}

/// Sends a request such as `GET /`, on a connection of its own. What is answered must be as the shop's document says.
pub(crate) async fn send(address: &str, request: &str, headers: &[(&str, &str)], body: &str) -> TestResponse {
    let answer = exchange(address, request, headers, body).await;
    let (method, target) = request.split_once(' ').expect("a method and a path");
    let method = Method::from_bytes(method.as_bytes()).expect("a method");
    let path = target.split('?').next().unwrap_or_default();
    let document = exchange(address, "GET /api/v1/openapi.json", &[], "").await.expect_status(200);
    Published::of(&document.body).expect(&method, path, &answer);
    answer
}

async fn exchange(address: &str, request: &str, headers: &[(&str, &str)], body: &str) -> TestResponse {
    let mut stream = TcpStream::connect(address).await.expect("the shop listens");
    let mut head = format!("{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.expect("the shop reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the shop answers");
    TestResponse::parse(&answer)
}
