//! Requests to a shop that is served.

use std::fmt::Write as _;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What was answered.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    /// Such as `HTTP/1.1 200 OK`.
    pub(crate) status_line: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        let status = self.status_line.split(' ').nth(1).and_then(|status| status.parse().ok());
        status.unwrap_or_else(|| panic!("{:?} has no status", self.status_line))
    }

    /// A header by its lower-case name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// `GET` without credentials.
pub(crate) async fn get(address: &str, path: &str) -> Answer {
    send(address, &format!("GET {path}"), &[], "").await
}

/// Sends a request such as `GET /`, on a connection of its own.
pub(crate) async fn send(address: &str, request: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).await.expect("the shop listens");
    let mut head = format!("{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.expect("the shop reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the shop answers");
    parse(&answer)
}

fn parse(answer: &[u8]) -> Answer {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("the head of an answer ends");
    let head = String::from_utf8_lossy(&answer[..end]);
    let mut lines = head.lines();
    let status_line = lines.next().unwrap_or_default().to_owned();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let answer = Answer { status_line, headers, body: answer[end + 4..].to_vec() };
    assert_eq!(answer.header("transfer-encoding"), None, "the body comes in chunks, which is not read here");
    answer
}
