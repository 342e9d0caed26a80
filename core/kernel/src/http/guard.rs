//! The guard in front of every route, built once at freeze.
//!
//! It checks in this order (contract 2): rate limit, authentication (401), unmapped (403), IP
//! policy, ability, CSRF; then it reads the body of a write within its limit and runs the handler in a
//! task of its own, so that a client that hangs up cannot cut a write in half.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode, header};
use tower_layer::Layer;
use tower_service::Service;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::body;
use super::client_address::{PeerAddress, TrustedProxies, UNDECIDED, client_ip};
use super::error::ApiError;
use super::front::{REQUEST_ID, RouteName};
use super::receive::receive_json;
use super::shared_cache::is_shared;
use super::table::Access;
use crate::auth::{AccountHolder, Authentication, LimitClass, LimitState, Limiter, Usage};
use crate::console::ConsolePages;
use crate::db::{DbError, UnconfirmedReads, watching_commits};
use crate::from_shop::ShopParts;
use crate::order_link::OrderLinks;
use crate::panics::panic_text;
use crate::telemetry::{TRACE_PARENT, continue_trace};

/// How often a write is run again after PostgreSQL asked for it.
const MAX_REPLAYS: u32 = 3;

/// Who the guard has let in.
#[derive(Debug, Clone)]
pub struct Authenticated {
    /// The customer (S1 rule 5: not the user's id).
    pub customer_id: i64,
    /// The user behind the customer.
    pub user_id: i64,
    /// The token that was presented; none for a session.
    pub token_id: Option<i64>,
    /// What the account said when the guard let the request in.
    pub holder: AccountHolder,
}

/// What all guards share.
pub struct GuardState {
    /// What handlers take what they use from.
    pub shop: ShopParts,
    /// What finds out who makes a request.
    pub authentication: Authentication,
    /// Whose forwarding headers are believed.
    pub trusted_proxies: TrustedProxies,
    /// What knows the keys of orders.
    pub order_links: OrderLinks,
    /// The counters of S8.
    pub limiter: Arc<Limiter>,
    /// What shows the console.
    pub console_pages: ConsolePages,
    /// Where uses of tokens and sessions are noted.
    pub usage: Arc<Usage>,
    /// Whether each answer tells its route: because requests are measured for `GET /metrics`, or logged.
    pub names_routes: bool,
}

impl GuardState {
    /// Whose address a request comes from.
    pub fn client<B>(&self, request: &Request<B>) -> IpAddr {
        let peer = request.extensions().get::<PeerAddress>().map_or(UNDECIDED, |peer| peer.ip());
        client_ip(peer, request.headers(), &self.trusted_proxies)
    }
}

/// What the guard leaves in a request for the extractors; one thing, since each costs an allocation.
#[derive(Clone)]
pub(crate) struct RequestContext {
    /// Holds the parts of the shop, which are a dozen handles and therefore not copied.
    pub(crate) state: Arc<GuardState>,
    pub(crate) client: IpAddr,
    /// What a handler that counts by itself counts against.
    pub(crate) limit: LimitClass,
}

#[derive(Clone)]
pub(super) struct GuardLayer {
    pub(super) state: Arc<GuardState>,
    pub(super) access: Access,
    pub(super) limit: LimitClass,
    pub(super) name: &'static str,
    /// Whether the handler reads the body of a write, and thus finds out what is wrong with it.
    pub(super) takes_body: bool,
    /// Whether the key of an order's link opens it for reading.
    pub(super) by_order_key: bool,
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guard<S>;

    fn layer(&self, inner: S) -> Guard<S> {
        Guard(Arc::new(Guarded { inner, rule: self.clone() }))
    }
}

/// A route behind its guard; axum clones it for each request.
pub(super) struct Guard<S>(Arc<Guarded<S>>);

struct Guarded<S> {
    inner: S,
    rule: GuardLayer,
}

impl<S> Clone for Guard<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S> Service<Request<Body>> for Guard<S>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // A route of axum is always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let guarded = Arc::clone(&self.0);
        Box::pin(async move {
            let Guarded { inner, rule } = &*guarded;
            let span = rule.span(&request);
            let mut standing = None;
            let answered = async {
                if rule.is_console() {
                    return Box::pin(rule.answer_console(inner.clone(), request)).await;
                }
                match rule.admit(&mut request, &mut standing).await {
                    Err(refused) => refused.into_response(),
                    Ok(()) if reads_only(request.method()) || rule.hands_over() => {
                        rule.run_read(inner.clone(), request).await
                    }
                    Ok(()) => Box::pin(rule.write(inner.clone(), request)).await,
                }
            };
            let mut response = match rule.access {
                // Answered from memory; the little that is read now and then waits by itself.
                Access::Public(_) => answered.await,
                Access::Cart
                | Access::Credentials
                | Access::FirstParty
                | Access::Session
                | Access::Page
                | Access::ShopPage
                | Access::Callback
                | Access::Console(_)
                | Access::ConsoleDoor
                | Access::Ability(_)
                | Access::Unmapped
                | Access::ByPrefix => answer_when_durable(
                    Box::pin(UnconfirmedReads::default().and_by(answered)).instrument(span.clone()).await,
                ),
            };
            span.record("status", response.status().as_u16());
            rule.finish(&mut response, standing);
            Ok(response)
        })
    }
}

/// An answer, once what it tells is on disk; else that the database is away.
fn answer_when_durable((response, settled): (Response, Result<(), DbError>)) -> Response {
    match settled {
        Ok(()) => response,
        Err(error) => ApiError::from(error).into_response(),
    }
}

pub(super) fn reads_only(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

impl GuardLayer {
    /// What the log tells of a request beside each line that it gives rise to. Answers from memory give rise to none, and so often
    /// that a span of each would be felt; who collects traces wants them all the same.
    fn span(&self, request: &Request<Body>) -> Span {
        if matches!(self.access, Access::Public(LimitClass::Catalog)) && !self.state.shop.config.telemetry.is_on() {
            return Span::none();
        }
        let text_of = |name: &HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
        let id = text_of(&REQUEST_ID);
        let span = tracing::info_span!(
            "request",
            request.id = id,
            method = request.method().as_str(),
            route = self.name,
            customer = Empty,
            staff = Empty,
            status = Empty
        );
        continue_trace(&span, text_of(&TRACE_PARENT));
        span
    }

    /// Whether the handler gets the body unread: it has limits and forms of its own.
    fn hands_over(&self) -> bool {
        matches!(self.access, Access::Page | Access::ShopPage | Access::Callback)
    }

    pub(super) fn is_console(&self) -> bool {
        matches!(self.access, Access::Console(_) | Access::ConsoleDoor)
    }

    /// Runs the handler; a panic in it is a failed request.
    pub(super) async fn run_read<S>(&self, mut inner: S, request: Request<Body>) -> Response
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible>,
    {
        match AssertUnwindSafe(inner.call(request)).catch_unwind().await {
            Ok(Ok(response)) => response,
            Err(panic) => ApiError::internal(panic_text(panic.as_ref())).into_response(),
        }
    }

    /// Reads the body, then runs the handler to its end whatever the client does.
    async fn write<S>(&self, inner: S, request: Request<Body>) -> Response
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
    {
        let (parts, body) = request.into_parts();
        let bytes = match receive_json(&parts.headers, body).await {
            Ok(bytes) => bytes,
            Err(refused) => return refused.into_response(),
        };
        if !self.takes_body
            && let Err(refused) = body::parse(&bytes)
        {
            return refused.into_response();
        }
        self.run_write(inner, parts, bytes).await
    }

    /// Runs the handler of a write to its end whatever the client does.
    pub(super) async fn run_write<S>(&self, mut inner: S, parts: Parts, bytes: Bytes) -> Response
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
    {
        let unconfirmed = UnconfirmedReads::collect();
        let task = async move {
            let answered = async {
                let mut replays = 0;
                loop {
                    let request = Request::from_parts(parts.clone(), Body::from(bytes.clone()));
                    let Ok(response) = inner.call(request).await;
                    let transient = response.extensions().get::<ApiError>().is_some_and(ApiError::is_transient);
                    if !transient || replays == MAX_REPLAYS {
                        return response;
                    }
                    replays += 1;
                }
            };
            answer_when_durable(unconfirmed.and_by(answered).await)
        };
        let (mut response, may_have_written) = match tokio::spawn(watching_commits(task).in_current_span()).await {
            Ok(answered) => answered,
            Err(failed) => (ApiError::internal(failed).into_response(), true),
        };
        if !may_have_written {
            return response;
        }
        if let Some(error) = response.extensions_mut().remove::<ApiError>() {
            let error = error.of_a_write();
            *response.status_mut() = error.status();
            response.extensions_mut().insert(error);
        }
        response
    }

    fn finish(&self, response: &mut Response, standing: Option<LimitState>) {
        if self.state.names_routes || response.status().is_server_error() {
            response.extensions_mut().insert(RouteName(self.name));
        }
        let is_refused = response.status() == StatusCode::TOO_MANY_REQUESTS;
        let headers = response.headers_mut();
        // What others get of a cache tells nothing about whoever asked first; a refusal by another limit brings that one's headers.
        if let Some(standing) = standing.filter(|_| !is_refused && !is_shared(headers)) {
            standing.write_headers(headers);
        }
        // Pages say by themselves who may keep them.
        let is_page = matches!(self.access, Access::Page | Access::ShopPage) || self.is_console();
        // So does the catalog, but for what it refuses.
        let says_itself =
            self.access == Access::Public(LimitClass::Catalog) && headers.contains_key(header::CACHE_CONTROL);
        if !is_page && !says_itself {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        }
    }
}
