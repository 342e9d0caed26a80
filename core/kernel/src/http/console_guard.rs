//! The guard in front of the console's pages.
//!
//! It checks in this order: from where (404), who it is (303 to the login), the second factor, the ability (403), and of a write
//! the page that it comes from and its token (403). What a handler then writes, it writes as that person.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderName, Request};
use tower_service::Service;
use tracing::Span;

use super::answer::see_other;
use super::came_from::came_from;
use super::console_kept::Asking;
use super::error::ApiError;
use super::form::{FormFields, without_nul};
use super::front::ShownBy;
use super::guard::{GuardLayer, RequestContext, reads_only};
use super::kept_form::KeptForm;
use super::receive::{form_fields, is_form, multipart_text, receive_body};
use super::table::Access;
use crate::audit::{Acting, Actor};
use crate::auth::{CsrfToken, LimitClass, RandomSecret, comes_from_page_of, is_our_token};
use crate::console::{
    Staff, StaffForm, StaffSession, Told, UploadContent, WayBack, carry, find_staff_session, forget_way_back,
    keep_way_back, presented_staff_session, texts_of_upload, touch_staff_session,
};
use crate::i18n::Message;
use crate::text;

/// The header in which the console's script sends the token.
const CSRF_HEADER: HeaderName = HeaderName::from_static("x-csrf-token");

/// The field in which forms send it.
const CSRF_FIELD: &str = "csrf";

/// Largest form, in bytes; and largest with files.
const MAX_FORM: usize = 1024 * 1024;
pub(super) const MAX_UPLOAD: usize = 24 * 1024 * 1024;

/// Why somebody is not let in: an error, or another page first.
enum Refused {
    Error(ApiError),
    Elsewhere(String),
}

/// Why a form is not taken: an error, or that its page was out of date.
enum NotTaken {
    Error(ApiError),
    OutOfDate(Box<Parts>, FormFields),
}

impl From<ApiError> for NotTaken {
    fn from(error: ApiError) -> Self {
        Self::Error(error)
    }
}

impl<E: Into<ApiError>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl GuardLayer {
    /// Answers a request to a page of the console.
    pub(super) async fn answer_console<S>(&self, inner: S, mut request: Request<Body>) -> Response
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
    {
        let writes = !reads_only(request.method());
        let was_told = Told::presented(request.headers()).is_some();
        let admitted = self.admit_staff(&mut request).await;
        let staff = request.extensions().get::<Staff>().cloned();
        let mut response = match admitted {
            Err(Refused::Error(error)) => error.into_response(),
            Err(Refused::Elsewhere(location)) if writes => Box::pin(self.keep_through_login(request, &location)).await,
            Err(Refused::Elsewhere(location)) => see_other(&location),
            Ok(secret) if writes => match self.receive_checked(request, secret.as_ref()).await {
                Ok((parts, bytes)) => self.run_checked(inner, parts, bytes).await,
                Err(NotTaken::Error(error)) => error.into_response(),
                Err(NotTaken::OutOfDate(parts, sent)) => {
                    Box::pin(self.show_out_of_date(&parts, &sent)).await.unwrap_or_else(|| {
                        ApiError::forbidden(text!("error-stale-form"), "csrf_token_mismatch").into_response()
                    })
                }
            },
            Ok(_) => self.run_read(inner, request).await,
        };
        let shop = &self.state.shop;
        carry(&mut response, was_told, &shop.base_url, &shop.config.console.path.0);
        if let Some(pages) = &self.state.console_pages.errors {
            response.extensions_mut().insert(ShownBy(Arc::clone(pages)));
        }
        if let Some(staff) = staff {
            let console = &shop.config.console.path.0;
            if self.name == "console.logout" {
                forget_way_back(&mut response, &shop.base_url, console);
            } else {
                keep_way_back(&mut response, &staff.way_back, &shop.base_url, console);
            }
            response.extensions_mut().insert(staff);
        }
        response
    }

    /// Whether somebody is let in. Gives what was presented.
    async fn admit_staff(&self, request: &mut Request<Body>) -> Result<Option<RandomSecret>, Refused> {
        let state = &self.state;
        let (shop, client) = (&state.shop, state.client(request));
        let config = &shop.config.console;
        request.extensions_mut().insert(RequestContext { state: Arc::clone(state), client, limit: self.limit });
        if !config.is_open_to(client) {
            return Err(ApiError::not_found().into());
        }
        let secret = presented_staff_session(request.headers(), &shop.base_url);
        let writes = !reads_only(request.method());
        let ability = match self.access {
            Access::Console(ability) => ability,
            // What is sent to a door counts before it is read.
            _ if writes => {
                state.limiter.count_address(LimitClass::Protected, client).await?;
                refuse_foreign(self, request.headers())?;
                return Ok(secret);
            }
            _ => return Ok(secret),
        };
        let session = match &secret {
            Some(secret) => find_staff_session(&shop.db, config, secret).await?,
            None => None,
        };
        let (Some(secret), Some(session)) = (secret, session) else {
            return Err(Refused::Elsewhere(self.login(request)));
        };
        if session.awaits_factor {
            return Err(Refused::Elsewhere(format!("{}/login/code", config.path.0)));
        }
        if config.require_second_factor && !session.has_second_factor && !self.is_open_without_factor() {
            return Err(Refused::Elsewhere(format!("{}/security", config.path.0)));
        }
        let session = Arc::new(session);
        // Before anything is refused: the page that says so has the menu of whoever asks.
        self.introduce(request, client, &secret, Arc::clone(&session));
        if ability.is_some_and(|ability| !shop.console.allows(&session.role, ability)) {
            return Err(ApiError::not_for_role().into());
        }
        if writes {
            refuse_foreign(self, request.headers())?;
        }
        touch_staff_session(&shop.db, &session).await?;
        Span::current().record("staff", session.staff_id);
        Ok(Some(secret))
    }

    /// Whether somebody may use the page who has no second factor where everybody needs one: to set it up, or to leave.
    fn is_open_without_factor(&self) -> bool {
        self.name == "console.logout" || self.name == "console.security" || self.name.starts_with("console.security.")
    }

    /// Says with a request who sends it.
    fn introduce(
        &self,
        request: &mut Request<Body>,
        client: IpAddr,
        secret: &RandomSecret,
        session: Arc<StaffSession>,
    ) {
        let shop = &self.state.shop;
        let actor = Actor::Staff(session.email.as_str().into());
        let csrf = CsrfToken::new(&shop.random, &shop.cipher, Some(secret)).as_str().into();
        let told = Told::presented(request.headers());
        let way_back = WayBack::presented(request.headers());
        let extensions = request.extensions_mut();
        extensions.insert(Acting { actor, address: Some(client) });
        extensions.insert(Staff {
            session,
            csrf,
            console: shop.config.console.path.0.as_str().into(),
            menu: Arc::clone(&self.state.console_pages.menu),
            told,
            way_back,
            abilities: Arc::clone(&shop.console),
        });
    }

    /// Where to log in, and come back from: to the page that was asked for, or to the one with the form that was sent.
    fn login(&self, request: &Request<Body>) -> String {
        let path = &self.state.shop.config.console.path.0;
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let asked = if reads_only(request.method()) {
            request.uri().path_and_query().map(|asked| asked.as_str().to_owned())
        } else if self.name == "console.logout" {
            None
        } else {
            query.append_pair("unsaved", "1");
            came_from(request.headers(), &self.state.shop.base_url)
        };
        if let Some(asked) = asked.filter(|asked| asked != path) {
            query.append_pair("next", &asked);
        }
        let query = query.finish();
        if query.is_empty() { format!("{path}/login") } else { format!("{path}/login?{query}") }
    }

    /// Runs the handler of a form. What a form of the login, or of the second factor, carries goes on to what follows it.
    async fn run_checked<S>(&self, inner: S, parts: Parts, bytes: Bytes) -> Response
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
    {
        let carries = self.access == Access::ConsoleDoor || self.is_open_without_factor();
        let sent = parts.extensions.get::<StaffForm>().filter(|_| carries);
        let kept = sent.and_then(|sent| KeptForm::carried(&self.state.shop.cipher, sent));
        let asking = kept.is_some().then(|| Asking::of(&parts));
        let answer = self.run_write(inner, parts, bytes).await;
        match asking.zip(kept) {
            Some((asking, kept)) => Box::pin(self.carry_on(asking, &kept, answer)).await,
            None => answer,
        }
    }

    /// Reads a form and checks the token in it, before the handler sees any of it.
    async fn receive_checked(
        &self,
        request: Request<Body>,
        secret: Option<&RandomSecret>,
    ) -> Result<(Parts, Bytes), NotTaken> {
        let (mut parts, body) = request.into_parts();
        let is_form = is_form(&parts.headers);
        let bytes = receive_body(&parts.headers, body, if is_form { MAX_FORM } else { MAX_UPLOAD }).await?;
        let fields = if is_form { form_fields(&bytes) } else { Vec::new() };
        let fields = fields.into_iter().map(|(name, text)| (name, without_nul(text)));
        let fields = FormFields::from(fields.collect::<Vec<_>>());
        let in_header = parts.headers.get(&CSRF_HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let in_form = || fields.raw(CSRF_FIELD).map(str::to_owned);
        let in_parts = || multipart_text(&parts.headers, &bytes, CSRF_FIELD);
        let token = in_header.or_else(in_form).or_else(in_parts);
        if !token.is_some_and(|token| is_our_token(&self.state.shop.cipher, &token, secret)) {
            let fields = if is_form { fields } else { texts_of_upload(&parts.headers, bytes).await? };
            return Err(NotTaken::OutOfDate(Box::new(parts), fields));
        }
        parts.extensions.insert(StaffForm(fields));
        if !is_form {
            parts.extensions.insert(UploadContent(bytes.clone()));
        }
        Ok((parts, bytes))
    }
}

/// Refuses a write that no page of the console has made.
pub(super) fn refuse_foreign(rule: &GuardLayer, headers: &HeaderMap) -> Result<(), ApiError> {
    let shop = &rule.state.shop;
    if comes_from_page_of(&[], &shop.base_url, headers) {
        return Ok(());
    }
    Err(ApiError::forbidden(Message::ForeignOrigin, "foreign_origin"))
}
