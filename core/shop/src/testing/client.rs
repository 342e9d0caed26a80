//! Requests to a shop in the same process.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use stoa_customers::customers::CustomerRecord;
use stoa_kernel::auth::{NewToken, issue_token};
use stoa_kernel::db::DbError;
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::http::{API_BASE, FailureCause, Front, PeerAddress};

use super::browser::TestBrowser;
use super::published::Published;

/// Where requests come from unless a test says otherwise.
const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// Sends requests to a shop without a port. Each method that changes it gives a new client.
#[derive(Clone)]
pub struct TestClient {
    front: Front,
    parts: ShopParts,
    published: Arc<Published>,
    headers: HeaderMap,
    address: IpAddr,
}

impl TestClient {
    pub(super) fn new(front: Front, parts: ShopParts, published: Arc<Published>) -> Self {
        Self { front, parts, published, headers: HeaderMap::new(), address: CLIENT }
    }

    /// The same client without credentials.
    #[must_use]
    pub fn anonymous(&self) -> Self {
        let mut client = self.clone();
        client.headers.remove(header::AUTHORIZATION);
        client.headers.remove(header::COOKIE);
        client
    }

    /// The same client with a new token of this customer that holds these abilities.
    pub async fn token(&self, customer: &CustomerRecord, abilities: &[&str]) -> Self {
        let abilities = abilities.iter().map(ToString::to_string).collect::<Vec<_>>();
        let new =
            NewToken { customer_id: customer.id, name: "test", abilities: &abilities, networks: &[], expires_at: None };
        let issued = self
            .parts
            .db
            .write(async |tx| -> Result<String, DbError> { issue_token(tx, &self.parts.random, new).await })
            .await;
        self.bearer(&issued.expect("a token is issued"))
    }

    /// The same client with a session of this customer, whose password must be [`TestShop::PASSWORD`].
    ///
    /// [`TestShop::PASSWORD`]: super::TestShop::PASSWORD
    pub async fn session(&self, customer: &CustomerRecord) -> Self {
        let mut browser = TestBrowser::new(self.clone());
        browser.log_in(customer).await;
        browser.into_client()
    }

    /// The same client with this token, whatever it is.
    #[must_use]
    pub fn bearer(&self, token: &str) -> Self {
        self.with_header("authorization", &format!("Bearer {token}"))
    }

    /// The same client with one more header in every request; it replaces one of the same name.
    #[must_use]
    pub fn with_header(&self, name: &'static str, value: &str) -> Self {
        let mut client = self.clone();
        let value = HeaderValue::from_str(value).expect("tests send valid header values");
        client.headers.insert(HeaderName::from_static(name), value);
        client
    }

    /// The same client at another address.
    #[must_use]
    pub fn at_address(&self, address: &str) -> Self {
        let address = address.parse().expect("tests write addresses correctly");
        Self { address, ..self.clone() }
    }

    /// `GET`; the path is relative to `/api/v1`.
    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::GET, path, Body::empty())).await
    }

    /// `HEAD`; the path is relative to `/api/v1`.
    pub async fn head(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::HEAD, path, Body::empty())).await
    }

    /// `POST` of JSON; the path is relative to `/api/v1`.
    pub async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.write(Method::POST, path, body).await
    }

    /// `PATCH` of JSON; the path is relative to `/api/v1`.
    pub async fn patch(&self, path: &str, body: &Value) -> TestResponse {
        self.write(Method::PATCH, path, body).await
    }

    /// `DELETE` without a body; the path is relative to `/api/v1`.
    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::DELETE, path, Body::empty())).await
    }

    async fn write(&self, method: Method, path: &str, body: &Value) -> TestResponse {
        let mut request = self.request(method, path, Body::from(body.to_string()));
        request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.send(request).await
    }

    /// A request with the client's headers and any body; the path is relative to `/api/v1`.
    pub fn request(&self, method: Method, path: &str, body: impl Into<Body>) -> Request<Body> {
        self.site_request(method, &format!("{API_BASE}{path}"), body)
    }

    /// A request with the client's headers and any body, also to a path outside the API.
    pub fn site_request(&self, method: Method, path: &str, body: impl Into<Body>) -> Request<Body> {
        let mut request = Request::new(body.into());
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().expect("tests write paths correctly");
        *request.headers_mut() = self.headers.clone();
        request
    }

    /// Sends a request from the client's address and reads the whole answer, which must be as the shop's document says.
    pub async fn send(&self, mut request: Request<Body>) -> TestResponse {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        request.extensions_mut().insert(PeerAddress::new(SocketAddr::new(self.address, 40_000)));
        let Ok(response) = self.front.clone().oneshot(request).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a body from memory can be read").to_bytes();
        let cause = parts.extensions.get::<FailureCause>().map(|cause| cause.0.clone());
        let answer = TestResponse { status: parts.status, headers: parts.headers, body, cause };
        self.published.expect(&method, &path, &answer);
        answer
    }
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct TestResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// Why the request has failed, which no client is told.
    cause: Option<String>,
}

impl TestResponse {
    /// An answer that has come another way.
    pub fn new(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        Self { status, headers, body, cause: None }
    }

    /// An answer as it came over a connection, which was closed after it. Its body must not be in chunks.
    #[track_caller]
    pub fn parse(message: &[u8]) -> Self {
        let parsed = Self::parts_of(message);
        parsed.unwrap_or_else(|| panic!("no answer of HTTP: {:?}", String::from_utf8_lossy(message)))
    }

    fn parts_of(message: &[u8]) -> Option<Self> {
        let end = message.windows(4).position(|window| window == b"\r\n\r\n")?;
        let mut lines = str::from_utf8(&message[..end]).ok()?.split("\r\n");
        let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(':')?;
            headers.append(HeaderName::try_from(name).ok()?, HeaderValue::from_str(value.trim()).ok()?);
        }
        if headers.contains_key(header::TRANSFER_ENCODING) {
            return None;
        }
        Some(Self::new(status, headers, Bytes::copy_from_slice(&message[end + 4..])))
    }

    /// The same answer, which must have this status; else the test fails and shows the body, and why the request has failed.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "most tests want the assertion alone")]
    pub fn expect_status(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "the answer was: {}", self.told());
        self
    }

    /// The same answer, which must be an error with this status and code.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "most tests want the assertion alone")]
    pub fn expect_error(self, status: u16, code: &str) -> Self {
        let answer = self.expect_status(status);
        assert_eq!(answer.json()["code"], code, "the answer was: {}", answer.text());
        answer
    }

    /// The answer as a failing test tells it.
    fn told(&self) -> String {
        let cause = self.cause.as_ref().map(|cause| format!("\nwhich has failed because of: {cause}"));
        format!("{}{}", self.text(), cause.unwrap_or_default())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!("the answer is not JSON ({error}): {}", self.text()),
        }
    }

    /// The first value of a header; none when it is missing or no text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}
