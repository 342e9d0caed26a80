//! What the program contains, and what it answers.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};
use stoa_core::testing::{Published, TestResponse};

use crate::installation::{PASSWORD, installation, json_of, my_shop, run, with_customer};

/// A running server, which ends with the test.
struct Server {
    child: Child,
    address: String,
    /// Kept open: the server may have more to say.
    _output: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let mut child = my_shop(folder, &["serve"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert!(output.read_line(&mut line).expect("the output is text") > 0, "the server ended");
            if let Some(address) = line.trim_end().strip_prefix("listening on http://") {
                break address.to_owned();
            }
        };
        Self { child, address, _output: output }
    }

    /// Sends one request; gives back status and body. The answer must be as the shop's document says.
    fn request(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> (u16, Value) {
        let answer = self.exchange(method, path, token, body);
        let document = self.exchange("GET", "/api/v1/openapi.json", None, None).expect_status(200);
        Published::of(&document.body).expect(&method.parse().expect("a method"), path, &answer);
        (answer.status.as_u16(), answer.json())
    }

    /// Sends one request on a connection of its own.
    fn exchange(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> TestResponse {
        let body = body.map(Value::to_string).unwrap_or_default();
        let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let mut stream = TcpStream::connect(&self.address).expect("the server accepts connections");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{token}\r\n{body}",
            self.address,
            body.len()
        )
        .expect("the request is sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("the answer is read");
        TestResponse::parse(&answer)
    }

    fn token(&self) -> String {
        let wanted = json!({"email": "ada@example.com", "password": PASSWORD, "name": "test"});
        let (status, body) = self.request("POST", "/api/v1/auth/tokens", None, Some(&wanted));
        assert_eq!(status, 201, "{body}");
        body["token"].as_str().expect("the answer holds a token").to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_linked_module_is_listed_with_what_it_has() {
    let folder = installation(true);
    let modules = json_of(folder.path(), &["modules", "--json"]);
    let modules = modules["data"].as_array().expect("a list");
    let found = modules.iter().find(|module| module["key"] == "gift_wrap").expect("gift_wrap is linked");
    assert_eq!(found["enabled"], true);
    assert_eq!(found["crate"], "stoa-commerce-gift-wrap");
    assert_eq!(found["abilities"], json!(["gift_wrap.create", "gift_wrap.read"]));
    assert_eq!(found["capabilities"], json!(["gift_wrappable"]));
    assert_eq!(found["jobs"], json!(["gift_wrap.prune"]));
}

#[test]
fn a_disabled_module_is_still_described() {
    let folder = installation(false);
    let modules = json_of(folder.path(), &["modules", "--json"]);
    let modules = modules["data"].as_array().expect("a list");
    let found = modules.iter().find(|module| module["key"] == "gift_wrap").expect("gift_wrap is linked");
    assert_eq!(found["enabled"], false);
    assert_eq!(found["routes"].as_array().map(Vec::len), Some(3));
}

#[test]
fn an_enabled_module_answers_to_its_customers() {
    let folder = with_customer(true);
    let server = Server::start(folder.path());
    assert_eq!(server.request("GET", "/api/v1/gift-wraps", None, None).0, 401);
    let (status, body) = server.request("GET", "/api/v1/gift-wraps", Some(&server.token()), None);
    assert_eq!((status, &body["data"]), (200, &json!([])));
}

#[test]
fn a_disabled_module_does_not_exist_for_anybody() {
    let folder = with_customer(false);
    let server = Server::start(folder.path());
    for token in [None, Some(server.token().as_str())] {
        let (status, body) = server.request("GET", "/api/v1/gift-wraps", token, None);
        assert_eq!((status, &body["code"]), (404, &json!("not_found")));
    }
}

#[test]
fn a_module_that_is_not_linked_cannot_be_configured() {
    let folder = installation(true);
    fs::write(folder.path().join("config.toml"), "[modules.gift_warp]\nenabled = true\n").expect("written");
    let refused = run(folder.path(), &["modules"]);
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("config.toml") && message.contains("did you mean `gift_wrap`"), "{message}");
}
