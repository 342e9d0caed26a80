//! The outermost layer: request ids, panics, the body of errors, the one log line of a failure, and what every answer says.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode, header};
use tower_service::Service;

use super::came_from::came_from;
use super::compress::Compressor;
use super::error::ApiError;
use super::foreign_origins::ForeignOrigins;
use super::guard::GuardState;
use super::watch::RequestWatch;
use crate::console::Staff;
use crate::error_chain;
use crate::from_shop::ShopParts;
use crate::i18n::{Language, Texts};
use crate::metrics::Metrics;
use crate::pages::{ErasedErrorPage, ErrorPage, ErrorPages, chosen_language};
use crate::panics::panic_text;
use crate::random::Random;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Has browsers take an answer for what it says it is. On every one: a client's own words may come back in any.
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");

/// What is counted under no route's name.
const NO_ROUTE: &str = "none";

/// Why a request has failed, carried by the response for the test kit: clients are never told.
#[derive(Debug, Clone)]
pub struct FailureCause(pub String);

/// The name of the route that answered, carried by the response for logs and metrics.
#[derive(Debug, Clone, Copy)]
pub(super) struct RouteName(pub(super) &'static str);

/// Who shows the error of an answer to people, where that is not who shows those of the shop.
#[derive(Clone)]
pub(super) struct ShownBy(pub(super) Arc<dyn ErasedErrorPage>);

/// The id of a request: the client's own, or one that is made for it.
fn request_id<B>(request: &Request<B>, random: &Random) -> HeaderValue {
    let given = request
        .headers()
        .get(&REQUEST_ID)
        .filter(|value| (1..=128).contains(&value.len()) && value.as_bytes().iter().all(u8::is_ascii_graphic));
    given.cloned().unwrap_or_else(|| new_request_id(random))
}

fn new_request_id(random: &Random) -> HeaderValue {
    let mut buffer = uuid::Uuid::encode_buffer();
    let text = random.uuid().hyphenated().encode_lower(&mut buffer);
    HeaderValue::from_str(text).expect("a UUID is visible ASCII")
}

/// The whole application as a service for the server.
#[derive(Clone)]
pub struct Front {
    router: Router,
    /// What the shop's pages reach the same routes by, as long as the shop is there.
    _kept: Arc<Router>,
    error_pages: ErrorPages,
    random: Random,
    metrics: Option<Metrics>,
    guard: Arc<GuardState>,
    watch: RequestWatch,
    foreign_origins: Arc<ForeignOrigins>,
    compressor: Arc<Compressor>,
}

impl Front {
    /// Puts the outermost layer around the router.
    pub fn new(router: Router, metrics: Option<Metrics>, guard: Arc<GuardState>, error_pages: ErrorPages) -> Self {
        let watch = RequestWatch::of(&guard.shop.config.log);
        let kept = Arc::new(router.clone());
        guard.shop.own_api.connect(&kept);
        let (random, compressor) = (guard.shop.random.clone(), Arc::new(Compressor::new()));
        let foreign_origins = Arc::default();
        Self { router, _kept: kept, error_pages, random, metrics, guard, watch, foreign_origins, compressor }
    }

    /// Whether an address is that of a proxy whose word about its clients is believed.
    pub fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.guard.trusted_proxies.contains(address)
    }

    /// The answer to what the server could not read as a request, and therefore refuses with this status: the error's body
    /// and a request id as everywhere, in English, for nothing is known of the client. `None` for a status that does not
    /// say so.
    pub fn refuse(&self, status: StatusCode) -> Option<http::Response<Bytes>> {
        let error = ApiError::unreadable(status)?;
        let measured = self.metrics.as_ref().map(Metrics::begin);
        let mut response = error.written(&self.guard.shop.texts, Language::EN);
        response.headers_mut().insert(REQUEST_ID, new_request_id(&self.random));
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
        if let Some(measured) = measured {
            measured.end(NO_ROUTE, status);
        }
        Some(response)
    }
}

impl Service<Request<Body>> for Front {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // An axum router is always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let id = request_id(&request, &self.random);
        // For the guard, whose span carries it.
        request.headers_mut().insert(REQUEST_ID, id.clone());
        let seen = self.watch.begin(&request);
        let shop = &self.guard.shop;
        let (path, server) = (request.uri().path(), &shop.config.server);
        self.foreign_origins.watch(path, request.headers(), server, &shop.base_url);
        let language = language_wish(&request);
        let head_only = request.method() == Method::HEAD;
        let compressor = Arc::clone(&self.compressor);
        let is_compressed = Compressor::is_wanted(request.method(), request.headers());
        let measured = self.metrics.clone().map(|metrics| metrics.begin());
        let texts = self.guard.shop.texts.clone();
        let people = is_for_people(&request).then(|| (self.error_pages.clone(), self.guard.shop.clone()));
        let sends = !matches!(*request.method(), Method::GET | Method::HEAD);
        let back = sends.then(|| came_from(request.headers(), &self.guard.shop.base_url)).flatten();
        let elsewhere = without_slash(&request);
        let answer = self.router.call(request);
        Box::pin(async move {
            let mut response = match AssertUnwindSafe(answer).catch_unwind().await {
                Ok(Ok(response)) => response,
                Err(panic) => ApiError::internal(panic_text(panic.as_ref())).into_response(),
            };
            let mut cause = None;
            if let Some(error) = response.extensions_mut().remove::<ApiError>() {
                log_failure(&error, &response, &id);
                cause = error.cause().map(|cause| FailureCause(error_chain(cause)));
                let own = response.extensions_mut().remove::<ShownBy>().map(|shown| shown.0);
                let people = people.and_then(|(pages, shop)| Some((own.or(pages)?, shop)));
                response = match elsewhere.filter(|_| error.status() == StatusCode::NOT_FOUND) {
                    Some(address) => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, address)]).into_response(),
                    None => render(&error, response, &texts, language.as_deref(), people.as_ref(), back),
                };
                if head_only {
                    leave_out_body(&mut response);
                }
            }
            if matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
                // The router has counted the body that is not there; its length would be told as that of the page
                // (RFC 9110, 8.6).
                response.headers_mut().remove(header::CONTENT_LENGTH);
            }
            response = compressor.compress(response, is_compressed).await;
            seen.end(&response, &id);
            response.headers_mut().insert(REQUEST_ID, id);
            if let Some(cause) = cause {
                response.extensions_mut().insert(cause);
            }
            response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
            if let Some(measured) = measured {
                let route = response.extensions().get::<RouteName>().map_or(NO_ROUTE, |route| route.0);
                measured.end(route, response.status());
            }
            Ok(response)
        })
    }
}

/// Whether a person looks at what is answered: a browser that asks for a page outside of the API.
fn is_for_people(request: &Request<Body>) -> bool {
    let accepts_pages = request.headers().get(header::ACCEPT).is_some_and(|value| {
        value.as_bytes().windows(b"text/html".len()).any(|part| part.eq_ignore_ascii_case(b"text/html"))
    });
    let path = request.uri().path();
    accepts_pages && path != "/api" && !path.starts_with("/api/")
}

/// Where a person finds the page whose address has a slash too many at its end.
fn without_slash(request: &Request<Body>) -> Option<HeaderValue> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path().strip_suffix('/')?;
    // Two slashes at the beginning, or what browsers take for them, would lead to another host.
    let is_here = path.as_bytes().get(1).is_some_and(|second| !matches!(second, b'/' | b'\\'));
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    (is_read && is_here && is_for_people(request)).then(|| HeaderValue::from_str(&format!("{path}{query}")).ok())?
}

/// The language that a request asks for: programs by their header, and people who have chosen one by their choice.
fn language_wish(request: &Request<Body>) -> Option<String> {
    let chosen = if is_for_people(request) { chosen_language(request.headers()) } else { None };
    let wish = || request.headers().get(header::ACCEPT_LANGUAGE)?.to_str().ok().map(str::to_owned);
    chosen.or_else(wish)
}

/// What the router does with all other answers to `HEAD`.
fn leave_out_body(response: &mut Response) {
    let length = std::mem::take(response.body_mut()).size_hint().exact();
    response.headers_mut().extend(length.map(|length| (header::CONTENT_LENGTH, HeaderValue::from(length))));
}

/// The error's own response, with the headers that inner layers have added.
fn render(
    error: &ApiError,
    inner: Response,
    texts: &Texts,
    language: Option<&str>,
    people: Option<&(Arc<dyn ErasedErrorPage>, ShopParts)>,
    back: Option<String>,
) -> Response {
    let language = texts.negotiate(language);
    let mut rendered = error.render(texts, language);
    if let Some((pages, shop)) = people {
        let (status, message) = (rendered.status(), error.body(texts, language).message);
        let staff = inner.extensions().get::<Staff>().cloned();
        let page = ErrorPage { status, message, language, back, staff };
        let shown = pages.show_in(&page, shop);
        for (name, value) in shown.headers() {
            rendered.headers_mut().insert(name, value.clone());
        }
        *rendered.body_mut() = shown.into_body();
    }
    carry_over(inner, &mut rendered);
    rendered
}

/// Puts what inner layers have added to an error's answer into the one with its body.
pub(crate) fn carry_over(inner: Response, rendered: &mut Response) {
    let (parts, _) = inner.into_parts();
    for (name, value) in &parts.headers {
        if name != header::CONTENT_LENGTH && name != header::CONTENT_TYPE {
            rendered.headers_mut().append(name, value.clone());
        }
    }
    *rendered.extensions_mut() = parts.extensions;
}

fn log_failure(error: &ApiError, response: &Response, id: &HeaderValue) {
    let Some(cause) = error.cause() else { return };
    let route = response.extensions().get::<RouteName>().map_or("", |route| route.0);
    tracing::error!(
        request.id = id.to_str().unwrap_or_default(),
        route,
        error = cause as &dyn std::error::Error,
        "request failed"
    );
}
