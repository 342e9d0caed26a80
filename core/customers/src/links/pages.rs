//! The pages that links lead to: plain forms, without scripts.
//!
//! Each page holds the secret of its link in its form. It is therefore kept by no cache, told to no other site, and can
//! be put into no frame. The secret proves who sends the form; no session has a part in it.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri, header};
use serde_json::{Map, Value};

use stoa_kernel::auth::{LimitClass, RandomSecret, refuse_foreign_page};
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::html::escape;
use stoa_kernel::http::GuardState;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Input;
use stoa_kernel::http::receive::receive_body;
use stoa_kernel::i18n::{Language, Message};
use stoa_kernel::text;

use super::rules::{ResetRequest, VerifyRequest};
use super::store::Purpose;
use super::uses::{reset_password, verify_email};
use crate::customers::Credentials;

/// Where the pages' looks are.
const STYLESHEET_PATH: &str = "/account/page.css";

const STYLESHEET: &str = include_str!("page.css");

/// Largest form that is read, in bytes; a password of 200 characters fits in every spelling.
const MAX_FORM: usize = 16 * 1024;

const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

#[derive(Clone)]
struct PageState {
    guard: Arc<GuardState>,
    credentials: Credentials,
}

impl PageState {
    fn parts(&self) -> &ShopParts {
        &self.guard.shop
    }

    /// Counts a form like what is sent to the routes beside these pages, before it is read.
    async fn count(&self, client: IpAddr) -> ApiResult<()> {
        self.guard.limiter.count_address(LimitClass::Protected, client).await.map(drop)
    }
}

/// The pages.
pub fn link_pages(guard: Arc<GuardState>, credentials: Credentials) -> Router {
    Router::new()
        .route(Purpose::VerifyEmail.path(), get(show_verification).post(verify))
        .route(Purpose::ResetPassword.path(), get(show_reset).post(reset))
        .route(STYLESHEET_PATH, get(stylesheet))
        .with_state(PageState { guard, credentials })
}

async fn stylesheet() -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    (headers, STYLESHEET).into_response()
}

async fn show_verification(State(state): State<PageState>, uri: Uri, headers: HeaderMap) -> Response {
    show(&state, Purpose::VerifyEmail, &uri, &headers)
}

async fn show_reset(State(state): State<PageState>, uri: Uri, headers: HeaderMap) -> Response {
    show(&state, Purpose::ResetPassword, &uri, &headers)
}

/// Shows the form. Whether the link still works is not looked up: nothing but the button shall matter.
fn show(state: &PageState, purpose: Purpose, uri: &Uri, headers: &HeaderMap) -> Response {
    let page = Page { state, purpose, language: language(state, headers) };
    let query = uri.query().unwrap_or_default();
    let token = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "token");
    match token.and_then(|(_, token)| RandomSecret::parse(&token)) {
        Some(secret) => page.form(StatusCode::OK, secret.expose(), &[]),
        None => page.note(StatusCode::UNPROCESSABLE_ENTITY, &Message::InvalidLink),
    }
}

async fn verify(State(state): State<PageState>, request: Request<Body>) -> Response {
    let page = Page { state: &state, purpose: Purpose::VerifyEmail, language: language(&state, request.headers()) };
    let done = async {
        let client = state.guard.client(&request);
        state.count(client).await?;
        let request = read_form::<VerifyRequest>(&state, request).await?;
        verify_email(&state.parts().db, &request.token).await
    };
    match done.await {
        Ok(_) => page.note(StatusCode::OK, &text!("links-verified")),
        Err(error) => page.refusal(&error, None),
    }
}

async fn reset(State(state): State<PageState>, request: Request<Body>) -> Response {
    let page = Page { state: &state, purpose: Purpose::ResetPassword, language: language(&state, request.headers()) };
    let mut token = None;
    let done = async {
        let client = state.guard.client(&request);
        state.count(client).await?;
        let members = read_members(&state, request).await?;
        token = members.get("token").and_then(Value::as_str).and_then(RandomSecret::parse);
        let request = accept::<ResetRequest>(members)?;
        reset_password(
            &state.parts().db,
            &state.parts().config,
            &state.credentials,
            client,
            &request.token,
            request.password,
        )
        .await
    };
    match done.await {
        Ok(()) => page.note(StatusCode::OK, &text!("links-password-changed")),
        Err(error) => page.refusal(&error, token.as_ref()),
    }
}

fn language(state: &PageState, headers: &HeaderMap) -> Language {
    state.parts().texts.negotiate(headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()))
}

async fn read_form<T: Input>(state: &PageState, request: Request<Body>) -> ApiResult<T> {
    accept(read_members(state, request).await?)
}

/// The fields of a form that one of these pages has sent.
async fn read_members(state: &PageState, request: Request<Body>) -> ApiResult<Map<String, Value>> {
    let (parts, body) = request.into_parts();
    refuse_foreign_page(&state.parts().config, &state.parts().base_url, &parts.headers)?;
    let declared = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(ApiError::unsupported_media_type());
    }
    let bytes = receive_body(&parts.headers, body, MAX_FORM).await?;
    let pairs = url::form_urlencoded::parse(&bytes);
    Ok(pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))).collect())
}

/// The fields by the same rules as the JSON of the routes beside these pages.
fn accept<T: Input>(members: Map<String, Value>) -> ApiResult<T> {
    let accepted = T::rules().validate(&Value::Object(members))?;
    serde_json::from_value(accepted).map_err(ApiError::internal)
}

/// One answer in the making.
struct Page<'a> {
    state: &'a PageState,
    purpose: Purpose,
    language: Language,
}

impl Page<'_> {
    fn say(&self, text: &Message) -> String {
        self.state.parts().texts.say(text, self.language)
    }

    /// The form with the secret in it, below what was wrong with it before.
    fn form(&self, status: StatusCode, token: &str, problems: &[String]) -> Response {
        let text = |text: Message| escape(&self.say(&text));
        let alert = problems.iter().map(|problem| format!("<p role=\"alert\">{}</p>\n", escape(problem)));
        let (explanation, field, button) = match self.purpose {
            Purpose::VerifyEmail => {
                (text(text!("links-verify-explanation")), String::new(), text(text!("links-verify-button")))
            }
            Purpose::ResetPassword => {
                let field = format!(
                    "<label for=\"password\">{}</label>\n\
                     <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"new-password\" \
                     minlength=\"10\" maxlength=\"200\" required>\n",
                    text(text!("links-new-password"))
                );
                (text(text!("links-reset-explanation")), field, text(text!("links-reset-button")))
            }
        };
        let content = format!(
            "{}<p>{explanation}</p>\n<form method=\"post\" action=\"{}\">\n\
             <input type=\"hidden\" name=\"token\" value=\"{}\">\n{field}\
             <button type=\"submit\">{button}</button>\n</form>\n",
            alert.collect::<String>(),
            self.purpose.path(),
            escape(token)
        );
        self.answer(status, &content)
    }

    /// A sentence in place of the form.
    fn note(&self, status: StatusCode, text: &Message) -> Response {
        let role = if status.is_success() { "status" } else { "alert" };
        self.answer(status, &format!("<p role=\"{role}\">{}</p>\n", escape(&self.say(text))))
    }

    /// What was wrong, with the form when another password would help. What is not about the input is told as
    /// elsewhere.
    fn refusal(&self, error: &ApiError, token: Option<&RandomSecret>) -> Response {
        if error.status() != StatusCode::UNPROCESSABLE_ENTITY {
            return error.clone().into_response();
        }
        let mut errors = error.body(&self.state.parts().texts, self.language).errors;
        match (errors.remove("token"), token) {
            (None, Some(token)) => {
                let problems = errors.into_values().flatten().collect::<Vec<_>>();
                self.form(error.status(), token.expose(), &problems)
            }
            _ => self.note(error.status(), &Message::InvalidLink),
        }
    }

    fn answer(&self, status: StatusCode, content: &str) -> Response {
        let heading = match self.purpose {
            Purpose::VerifyEmail => text!("links-verify-heading"),
            Purpose::ResetPassword => text!("links-reset-heading"),
        };
        let heading = escape(&self.say(&heading));
        let shop = escape(&self.state.parts().config.shop.name);
        let language = self.language.tag();
        let page = format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{heading} – {shop}</title>\n<link rel=\"stylesheet\" href=\"{STYLESHEET_PATH}\">\n\
             </head>\n<body>\n<main>\n<p>{shop}</p>\n<h1>{heading}</h1>\n{content}</main>\n</body>\n</html>\n"
        );
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CONTENT_LANGUAGE, self.language.into()),
            (header::VARY, HeaderValue::from_static("Accept-Language")),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        (status, headers, page).into_response()
    }
}
