//! The pages that links lead to: plain forms, without scripts.
//!
//! Each page holds the secret of its link in its form. It is therefore kept by no cache, told to no other site, and can
//! be put into no frame. The secret proves who sends the form; no session has a part in it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use stoa_kernel::auth::RandomSecret;
use stoa_kernel::config::Config;
use stoa_kernel::core_routes::{CoreRoutes, PageLanguage};
use stoa_kernel::db::Db;
use stoa_kernel::html::escape;
use stoa_kernel::http::answer::PageResponse;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{ClientAddress, RawQuery, Uses};
use stoa_kernel::http::form::FormFields;
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::i18n::{Language, Message, Texts};
use stoa_kernel::text;

use super::rules::{ResetRequest, VerifyRequest};
use super::store::EmailTokenPurpose;
use super::uses::{reset_password, verify_email};
use crate::customers::Credentials;

/// Where the pages' looks are.
const STYLESHEET_PATH: &str = "/account/page.css";

const STYLESHEET: &str = include_str!("page.css");

const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The pages.
pub(super) fn email_token_pages() -> Routes<Credentials> {
    routes()
        .get("account.email.show", EmailTokenPurpose::VerifyEmail.path(), show_verification)
        .page()
        .post("account.email.verify", EmailTokenPurpose::VerifyEmail.path(), verify)
        .page()
        .get("account.password.show", EmailTokenPurpose::ResetPassword.path(), show_reset)
        .page()
        .post("account.password.reset", EmailTokenPurpose::ResetPassword.path(), reset)
        .page()
        .get("account.stylesheet", STYLESHEET_PATH, stylesheet)
        .page()
}

async fn stylesheet() -> PageResponse {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    PageResponse((headers, STYLESHEET).into_response())
}

async fn show_verification(
    Uses(shop): Uses<(Arc<Config>, Texts)>,
    language: PageLanguage,
    query: RawQuery,
) -> PageResponse {
    Page { shop, purpose: EmailTokenPurpose::VerifyEmail, language: language.0 }.shown(query)
}

async fn show_reset(Uses(shop): Uses<(Arc<Config>, Texts)>, language: PageLanguage, query: RawQuery) -> PageResponse {
    Page { shop, purpose: EmailTokenPurpose::ResetPassword, language: language.0 }.shown(query)
}

async fn verify(
    Uses((db, shop)): Uses<(Db, (Arc<Config>, Texts))>,
    language: PageLanguage,
    form: FormFields,
) -> PageResponse {
    let page = Page { shop, purpose: EmailTokenPurpose::VerifyEmail, language: language.0 };
    let done = async {
        let request = form.accept::<VerifyRequest>()?;
        verify_email(&db, &request.token).await.map_err(ApiError::from)
    };
    PageResponse(match done.await {
        Ok(_) => page.note(StatusCode::OK, &text!("links-verified")),
        Err(error) => page.refusal(&error, None),
    })
}

async fn reset(
    State(credentials): State<Credentials>,
    Uses((db, shop)): Uses<(Db, (Arc<Config>, Texts))>,
    language: PageLanguage,
    client: ClientAddress,
    form: FormFields,
) -> PageResponse {
    let token = form.get("token").and_then(RandomSecret::parse);
    let done = async {
        let request = form.accept::<ResetRequest>()?;
        reset_password(&db, &shop.0, &credentials, client.0, &request.token, request.password)
            .await
            .map_err(ApiError::from)
    };
    let done: ApiResult<()> = done.await;
    let page = Page { shop, purpose: EmailTokenPurpose::ResetPassword, language: language.0 };
    PageResponse(match done {
        Ok(()) => page.note(StatusCode::OK, &text!("links-password-changed")),
        Err(error) => page.refusal(&error, token.as_ref()),
    })
}

/// One answer in the making.
struct Page {
    shop: (Arc<Config>, Texts),
    purpose: EmailTokenPurpose,
    language: Language,
}

impl Page {
    fn say(&self, text: &Message) -> String {
        self.shop.1.say(text, self.language)
    }

    /// The form. Whether the link still works is not looked up: nothing but the button shall matter.
    fn shown(&self, RawQuery(query): RawQuery) -> PageResponse {
        let query = query.unwrap_or_default();
        let token = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "token");
        PageResponse(match token.and_then(|(_, token)| RandomSecret::parse(&token)) {
            Some(secret) => self.form(StatusCode::OK, secret.expose(), &[]),
            None => self.note(StatusCode::UNPROCESSABLE_ENTITY, &Message::InvalidLink),
        })
    }

    /// The form with the secret in it, below what was wrong with it before.
    fn form(&self, status: StatusCode, token: &str, problems: &[String]) -> Response {
        let text = |text: Message| escape(&self.say(&text));
        let alert = problems.iter().map(|problem| format!("<p role=\"alert\">{}</p>\n", escape(problem)));
        let (explanation, field, button) = match self.purpose {
            EmailTokenPurpose::VerifyEmail => {
                (text(text!("links-verify-explanation")), String::new(), text(text!("links-verify-button")))
            }
            EmailTokenPurpose::ResetPassword => {
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
        let mut errors = error.body(&self.shop.1, self.language).errors;
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
            EmailTokenPurpose::VerifyEmail => text!("links-verify-heading"),
            EmailTokenPurpose::ResetPassword => text!("links-reset-heading"),
        };
        let heading = escape(&self.say(&heading));
        let shop = escape(&self.shop.0.shop.name);
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
