//! Whoever looks at a page, as the browser tells.

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::response::Response;
use cookie::Cookie;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Request, header};
use serde_json::Value;

use super::own_api::{ApiAnswer, FromPage, OwnApi};
use crate::auth::session_cookie_name;
use crate::http::error::ApiError;
use crate::http::extract::{admission, shop_of};
use crate::http::shape::Takes;
use crate::i18n::{Language, Texts};

/// The cookie in which visitors choose a language; without one, the browser's wishes decide.
pub const LANGUAGE_COOKIE: &str = "language";

/// Whoever looks at a page. Asks the API on the visitor's behalf, and remembers what cookies it sets on the way.
pub struct Visitor {
    /// Where the request comes from, seen through trusted proxies.
    client: IpAddr,
    /// The language of the page.
    pub language: Language,
    /// The headers of the page's own request.
    pub headers: HeaderMap,
    cookies: Vec<(String, String)>,
    changed: Vec<HeaderValue>,
    session: &'static str,
    api: OwnApi,
    texts: Texts,
}

impl Visitor {
    /// The value of a cookie. Several that differ are as good as none: one of them was planted.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let mut values = self.cookies.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let first = values.next()?;
        values.all(|other| other == first).then_some(first)
    }

    /// Whether the browser brings a session, valid or not. One that was ended while the page was made is none.
    pub fn has_session(&self) -> bool {
        self.cookie(self.session).is_some_and(|session| !session.is_empty())
    }

    /// Reads from the API: `/products?page=2`.
    pub async fn get(&mut self, path: &str, headers: &[(&'static str, &str)]) -> Result<ApiAnswer, ApiError> {
        self.send(Method::GET, &format!("{}{path}", crate::http::API_BASE), None, headers).await
    }

    /// Opens a file of the API, which is not kept in memory: `headers` may ask for a part of it. What the API refuses is this error.
    pub async fn open(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Response, ApiError> {
        let request = self.request(method, &format!("{}{path}", crate::http::API_BASE), None, headers)?;
        self.api.open(request).await
    }

    /// Writes to the API.
    pub async fn call(
        &mut self,
        method: Method,
        path: &str,
        body: &Value,
        headers: &[(&'static str, &str)],
    ) -> Result<ApiAnswer, ApiError> {
        self.send(method, &format!("{}{path}", crate::http::API_BASE), Some(body), headers).await
    }

    /// Posts to a route of the shop's root, such as `/session`.
    pub async fn post_to_root(&mut self, path: &str, body: &Value) -> Result<ApiAnswer, ApiError> {
        self.send_to_root(Method::POST, path, body).await
    }

    /// Reads from a route of the shop's root.
    pub async fn get_from_root(&mut self, path: &str) -> Result<ApiAnswer, ApiError> {
        self.send(Method::GET, path, None, &[]).await
    }

    /// Writes to a route of the shop's root.
    pub async fn send_to_root(&mut self, method: Method, path: &str, body: &Value) -> Result<ApiAnswer, ApiError> {
        self.send(method, path, Some(body), &[]).await
    }

    async fn send(
        &mut self,
        method: Method,
        target: &str,
        body: Option<&Value>,
        headers: &[(&'static str, &str)],
    ) -> Result<ApiAnswer, ApiError> {
        let request = self.request(method, target, body, headers)?;
        let answer = self.api.ask(request, &self.texts, self.language).await?;
        self.adopt(&answer);
        Ok(answer)
    }

    fn request(
        &self,
        method: Method,
        target: &str,
        body: Option<&Value>,
        headers: &[(&'static str, &str)],
    ) -> Result<Request<Body>, ApiError> {
        let content = body.map(Value::to_string).unwrap_or_default();
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in
            self.own_headers().into_iter().chain(headers.iter().map(|(name, value)| (*name, (*value).to_owned())))
        {
            request = request.header(name, value);
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let request = request.extension(FromPage { client: self.client });
        // What cannot stand in a target names nothing.
        request.body(Body::from(content)).map_err(|_| ApiError::not_found())
    }

    fn own_headers(&self) -> Vec<(&'static str, String)> {
        let mut own = vec![("accept-language", self.language.tag().to_owned())];
        let session = self.cookie(self.session).filter(|value| !value.is_empty());
        own.extend(session.map(|value| ("cookie", format!("{}={value}", self.session))));
        for name in ["user-agent", "x-request-id"] {
            let given = self.headers.get(name).and_then(|value| value.to_str().ok());
            own.extend(given.map(|value| (name, value.to_owned())));
        }
        own
    }

    /// Takes over cookies, for what is asked next and for the browser.
    fn adopt(&mut self, answer: &ApiAnswer) {
        for value in answer.headers.get_all(header::SET_COOKIE) {
            let Some(cookie) = value.to_str().ok().and_then(|text| Cookie::parse(text.to_owned()).ok()) else {
                continue;
            };
            self.put(cookie.name().to_owned(), cookie.value().to_owned(), value.clone());
        }
    }

    /// Has the browser keep a cookie.
    pub fn set_cookie(&mut self, cookie: &Cookie<'_>) {
        let Ok(header) = HeaderValue::from_str(&cookie.to_string()) else { return };
        self.put(cookie.name().to_owned(), cookie.value().to_owned(), header);
    }

    fn put(&mut self, name: String, value: String, header: HeaderValue) {
        self.cookies.retain(|(known, _)| *known != name);
        let prefix = format!("{name}=");
        self.changed.retain(|earlier| !earlier.as_bytes().starts_with(prefix.as_bytes()));
        self.cookies.push((name, value));
        self.changed.push(header);
    }

    /// Puts the cookies that have changed into the page's own answer.
    pub fn write_cookies(&self, headers: &mut HeaderMap) {
        for value in &self.changed {
            headers.append(header::SET_COOKIE, value.clone());
        }
    }
}

/// The cookies of a request by name and value.
fn cookies_of(headers: &HeaderMap) -> Vec<(String, String)> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let cookies = lines.flat_map(|line| Cookie::split_parse(line.to_owned())).filter_map(Result::ok);
    cookies.map(|cookie| (cookie.name().to_owned(), cookie.value().to_owned())).collect()
}

fn chosen_of(cookies: &[(String, String)]) -> Option<String> {
    cookies.iter().find(|(name, _)| name == LANGUAGE_COOKIE).map(|(_, value)| value.clone())
}

/// The language that a visitor has chosen; none without a choice.
pub(crate) fn chosen_language(headers: &HeaderMap) -> Option<String> {
    chosen_of(&cookies_of(headers))
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let client = admission(parts)?.client;
        let shop = shop_of(parts)?;
        let cookies = cookies_of(&parts.headers);
        let chosen = chosen_of(&cookies);
        let wish = parts.headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let language = match chosen.as_deref().or(wish) {
            Some(wish) => shop.texts.negotiate(Some(wish)),
            None => shop.texts.language_of(&shop.config.shop.locale.to_string()),
        };
        Ok(Self {
            client,
            language,
            headers: parts.headers.clone(),
            cookies,
            changed: Vec::new(),
            session: session_cookie_name(&shop.base_url),
            api: shop.own_api.clone(),
            texts: shop.texts.clone(),
        })
    }
}

impl Takes for Visitor {}
