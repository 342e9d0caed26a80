//! A browser that visits a shop in the same process.

use std::collections::BTreeMap;

use axum::body::Body;
use http::{HeaderValue, Method, Request, header};
use serde_json::{Value, json};

use stoa_customers::customers::CustomerRecord;

use super::client::{TestClient, TestResponse};
use super::shop::TestShop;

const CSRF_COOKIE: &str = "XSRF-TOKEN";
const CSRF_HEADER: &str = "x-xsrf-token";

/// Keeps cookies, and repeats the CSRF token with every write, as the shop's own pages do.
///
/// Paths start at the shop's root.
#[derive(Clone)]
pub struct TestBrowser {
    client: TestClient,
    cookies: BTreeMap<String, String>,
    repeats_csrf_token: bool,
}

impl TestBrowser {
    pub(super) fn new(client: TestClient) -> Self {
        Self { client, cookies: BTreeMap::new(), repeats_csrf_token: true }
    }

    /// The same browser, whose pages forget to send the CSRF token along.
    #[must_use]
    pub fn without_csrf_header(&self) -> Self {
        Self { repeats_csrf_token: false, ..self.clone() }
    }

    /// The same browser with one more header in every request.
    #[must_use]
    pub fn with_header(&self, name: &'static str, value: &str) -> Self {
        Self { client: self.client.with_header(name, value), ..self.clone() }
    }

    /// The value of a cookie that the shop has set.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// The name and value of the session's cookie.
    pub fn session_cookie(&self) -> Option<(&str, &str)> {
        let found = self.cookies.iter().find(|(name, _)| *name != CSRF_COOKIE);
        found.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Puts a cookie into the browser, or changes one.
    pub fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// `GET`.
    pub async fn get(&mut self, path: &str) -> TestResponse {
        self.send(Method::GET, path, None).await
    }

    /// `POST` of JSON.
    pub async fn post(&mut self, path: &str, body: &Value) -> TestResponse {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Sends a form, as a page of the shop does.
    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> TestResponse {
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut request = self.client.site_request(Method::POST, path, Body::from(form));
        let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
        request.headers_mut().insert(header::CONTENT_TYPE, form_type);
        if !self.cookies.is_empty() {
            request.headers_mut().insert(header::COOKIE, self.cookie_line());
        }
        self.answered(request).await
    }

    /// Sends a form with files, each with its field, name and content, as a page of the shop does.
    pub async fn upload(&mut self, path: &str, fields: &[(&str, &str)], files: &[(&str, &str, &[u8])]) -> TestResponse {
        const BOUNDARY: &str = "between-the-parts-of-a-form";
        let mut body = Vec::new();
        for (name, text) in fields {
            let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
            body.extend(head.into_bytes());
        }
        for (field, name, content) in files {
            let place = format!("form-data; name=\"{field}\"; filename=\"{name}\"");
            body.extend(format!("--{BOUNDARY}\r\nContent-Disposition: {place}\r\n\r\n").into_bytes());
            body.extend_from_slice(content);
            body.extend(b"\r\n");
        }
        body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
        let mut request = self.client.site_request(Method::POST, path, Body::from(body));
        let form_type = HeaderValue::from_static("multipart/form-data; boundary=between-the-parts-of-a-form");
        request.headers_mut().insert(header::CONTENT_TYPE, form_type);
        if !self.cookies.is_empty() {
            request.headers_mut().insert(header::COOKIE, self.cookie_line());
        }
        self.answered(request).await
    }

    /// `PATCH` of JSON.
    pub async fn patch(&mut self, path: &str, body: &Value) -> TestResponse {
        self.send(Method::PATCH, path, Some(body)).await
    }

    /// `DELETE` without a body.
    pub async fn delete(&mut self, path: &str) -> TestResponse {
        self.send(Method::DELETE, path, None).await
    }

    /// Asks for the cookie with the CSRF token.
    pub async fn prepare(&mut self) -> &mut Self {
        self.get("/session/csrf").await.expect_status(204);
        self
    }

    /// Tries to log in.
    pub async fn try_to_log_in(&mut self, email: &str, password: &str) -> TestResponse {
        self.prepare().await;
        self.post("/session", &json!({"email": email, "password": password})).await
    }

    /// Logs in as a customer that [`TestShop::customer`] has made.
    pub async fn log_in(&mut self, customer: &CustomerRecord) -> TestResponse {
        self.try_to_log_in(&customer.email, TestShop::PASSWORD).await.expect_status(200)
    }

    /// Sends a request and keeps the cookies of the answer.
    pub async fn send(&mut self, method: Method, path: &str, body: Option<&Value>) -> TestResponse {
        let writes = method != Method::GET && method != Method::HEAD;
        let text = body.map(ToString::to_string);
        let mut request = self.client.site_request(method, path, text.map_or_else(Body::empty, Body::from));
        let headers = request.headers_mut();
        if body.is_some() {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        if !self.cookies.is_empty() {
            headers.insert(header::COOKIE, self.cookie_line());
        }
        if let Some(token) = self.cookie(CSRF_COOKIE).filter(|_| writes && self.repeats_csrf_token) {
            // A header that the test has set itself stays.
            headers.entry(CSRF_HEADER).or_insert(HeaderValue::from_str(token).expect("visible ASCII"));
        }
        self.answered(request).await
    }

    /// Sends a request and keeps the cookies of the answer.
    async fn answered(&mut self, request: Request<Body>) -> TestResponse {
        let answer = self.client.send(request).await;
        for line in answer.headers.get_all(header::SET_COOKIE) {
            self.keep(line.to_str().expect("cookies are visible ASCII"));
        }
        answer
    }

    /// The line `Cookie` that the browser sends.
    fn cookie_line(&self) -> HeaderValue {
        let pairs = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        HeaderValue::from_str(&pairs.join("; ")).expect("tests set visible ASCII")
    }

    fn keep(&mut self, line: &str) {
        let (pair, attributes) = line.split_once(';').unwrap_or((line, ""));
        let (name, value) = pair.split_once('=').expect("a cookie has a name");
        if attributes.split(';').any(|attribute| attribute.trim().eq_ignore_ascii_case("max-age=0")) {
            self.cookies.remove(name);
        } else {
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
    }

    /// A client of the API with this browser's cookies and CSRF token.
    pub(super) fn into_client(self) -> TestClient {
        let token = self.cookie(CSRF_COOKIE).unwrap_or_default().to_owned();
        let cookies = self.cookie_line();
        let client = self.client.with_header("cookie", cookies.to_str().expect("visible ASCII"));
        client.with_header(CSRF_HEADER, &token)
    }
}
