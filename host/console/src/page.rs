//! What all pages have: state, headers, the frame around them, and what a form has come to.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use stoa_core::config::Config;
use stoa_core::mail::is_configured;
use stoa_core::reports::RecentRevenue;
use stoa_kernel::console::{On, Panels, Staff, StaffForm, Told, Waits};
use stoa_kernel::http::accept::takes_gzip;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_kernel::http::shape::Takes;
use stoa_kernel::http::table::Operation;
use stoa_kernel::pages::refill_form;
use stoa_pages::answer::{HtmlPage, Keeping, PageResponse};
use stoa_staff::StaffCredentials;

use crate::gateway_names::GatewayNames;
use crate::layout::Layout;
use crate::operation::LateProblems;
use crate::panels::boxes;

/// What all pages work with.
#[derive(Clone)]
pub(crate) struct ConsoleState {
    pub(crate) config: Arc<Config>,
    pub(crate) credentials: StaffCredentials,
    /// How many problems the shop has, as far as was looked lately.
    pub(crate) problems: LateProblems,
    /// What was sold in the last days.
    pub(crate) revenue: RecentRevenue,
}

impl ConsoleState {
    pub(crate) fn new(config: &Config, credentials: &StaffCredentials) -> Self {
        Self {
            config: Arc::new(config.clone()),
            credentials: credentials.clone(),
            problems: LateProblems::default(),
            revenue: RecentRevenue::default(),
        }
    }
}

/// The headers of a request.
pub(crate) struct BrowserHeaders(pub(crate) HeaderMap);

impl<S: Send + Sync> FromRequestParts<S> for BrowserHeaders {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.clone()))
    }
}

impl Takes for BrowserHeaders {}

/// The values of a request's query.
pub(crate) struct Query(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

impl Takes for Query {}

impl Query {
    fn of(parts: &Parts) -> Self {
        let query = parts.uri.query().unwrap_or_default();
        Self(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// A value; nothing where there is none.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    }
}

/// The number that the path names, such as that of an order; what can be none is 404.
pub(crate) struct Named<T>(pub(crate) T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Name(text) = Name::from_request_parts(parts, state).await?;
        text.parse().map(Self).map_err(|_| ApiError::not_found())
    }
}

impl<T> Takes for Named<T> {
    fn takes(operation: &mut Operation) {
        Name::takes(operation);
    }
}

/// What a page of the console is shown in: who looks at it, and how the browser wants it.
pub(crate) struct Frame {
    pub(crate) staff: Staff,
    pub(crate) query: Query,
    pub(crate) gateways: GatewayNames,
    config: Arc<Config>,
    panels: Panels,
    /// The form that was sent, and its path.
    sent: Option<(String, StaffForm)>,
    takes_gzip: bool,
}

impl FromRequestParts<ConsoleState> for Frame {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ConsoleState) -> Result<Self, ApiError> {
        let staff = Staff::from_request_parts(parts, state).await?;
        let panels = Panels::from_request_parts(parts, state).await?;
        let Uses(gateways) = Uses::from_request_parts(parts, state).await?;
        let (query, config) = (Query::of(parts), Arc::clone(&state.config));
        let sent = parts.extensions.get::<StaffForm>().map(|form| (parts.uri.path().to_owned(), form.clone()));
        Ok(Self { staff, query, gateways, config, panels, sent, takes_gzip: takes_gzip(&parts.headers) })
    }
}

impl Takes for Frame {}

impl Frame {
    /// The frame around a page with this title, which belongs to this entry of the navigation.
    pub(crate) fn layout(&self, title: impl Into<String>, current: &'static str) -> Layout {
        Layout::new(&self.staff, &self.config, title.into(), current)
    }

    /// What modules show on a page about the order, product or customer with this id, as HTML.
    pub(crate) async fn boxes(&self, on: On, id: i64) -> ApiResult<Vec<String>> {
        boxes(&self.panels, on, id).await
    }

    /// What of the modules waits for somebody.
    pub(crate) async fn waiting(&self) -> Vec<Waits> {
        self.panels.waiting().await
    }

    /// Answers a page.
    pub(crate) fn show(&self, template: &impl Template) -> ApiResult<PageResponse> {
        self.show_as(StatusCode::OK, template)
    }

    /// Answers a page with a status of its own, such as that a form was not taken.
    pub(crate) fn show_as(&self, status: StatusCode, template: &impl Template) -> ApiResult<PageResponse> {
        page(status, template, self.takes_gzip)
    }

    /// Answers the page that a form was sent from and which says why it was not taken: the form has all that was typed.
    pub(crate) fn show_refused(&self, status: StatusCode, template: &impl Template) -> ApiResult<PageResponse> {
        let html = template.render().map_err(ApiError::internal)?;
        let filled = self.sent.as_ref().and_then(|(action, form)| {
            let typed = form.fields().map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>();
            refill_form(&html, action, &typed)
        });
        Ok(answer(status, filled.unwrap_or(html), self.takes_gzip))
    }

    /// Where a path of the console is: `/orders` is `/console/orders`.
    pub(crate) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.staff.console)
    }

    /// Whether customers are written to.
    pub(crate) fn sends_mail(&self) -> bool {
        is_configured(&self.config)
    }

    /// Sends the browser on to another page of the console, which says in a line what was done.
    pub(crate) fn done(&self, path: &str, told: &str) -> PageResponse {
        PageResponse(Told::new(told).on_page(&self.staff.way_to(path)))
    }
}

/// What a page of the console may load and do: what is the shop's own, and pictures of products, which may stand elsewhere. Its forms
/// lead nowhere else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Answers HTML that nobody keeps.
pub(crate) fn page(status: StatusCode, template: &impl Template, takes_gzip: bool) -> ApiResult<PageResponse> {
    Ok(answer(status, template.render().map_err(ApiError::internal)?, takes_gzip))
}

fn answer(status: StatusCode, html: String, takes_gzip: bool) -> PageResponse {
    use axum::response::IntoResponse;

    let page = HtmlPage { status, html: html.into(), keeping: Keeping::Nobody, takes_gzip };
    let mut answer = page.into_response();
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    PageResponse(answer)
}
