//! The page of a simulated payment: a plain form, without scripts and without the shop's frame, as providers have it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::IntoResponse;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use uuid::Uuid;

use stoa_kernel::core_routes::{CoreRoutes, PageLanguage};
use stoa_kernel::gateways::AttemptStatus;
use stoa_kernel::html::escape;
use stoa_kernel::http::answer::{PageResponse, see_other};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_kernel::http::form::FormFields;
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::i18n::{Language, Message, Texts, Violation};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::pages::Visitor;
use stoa_kernel::text;

use super::CALLBACK;
use super::provider::{Payment, Provider};

/// The page of the payment that the variable names.
const PATH: &str = "/development/payments/{reference}";

/// The field that holds the choice.
const OUTCOME: &str = "outcome";

/// Where the looks of the shop's plain pages are.
const STYLESHEET_PATH: &str = "/account/page.css";

/// Nothing is said about forms: browsers would not let one lead back to a storefront of another origin.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What can be chosen: the value of the button, and what becomes of the payment.
const OUTCOMES: [(&str, AttemptStatus); 4] = [
    ("pay", AttemptStatus::Succeeded),
    ("later", AttemptStatus::Processing),
    ("fail", AttemptStatus::Failed),
    ("cancel", AttemptStatus::Cancelled),
];

/// The path of a payment's page.
pub(super) fn page_of(reference: Uuid) -> String {
    PATH.replace("{reference}", &reference.to_string())
}

/// The page, while the gateway is on.
pub(super) fn simulated_pages() -> Routes<Provider> {
    routes().get("development.payment.show", PATH, show).page().post("development.payment.choose", PATH, choose).page()
}

async fn show(
    State(provider): State<Provider>,
    Uses((texts, money)): Uses<(Texts, Arc<MoneyFormatter>)>,
    Name(reference): Name,
    language: PageLanguage,
) -> ApiResult<PageResponse> {
    let payment = find(&provider, &reference)?;
    Ok(Page { texts, money, language: language.0 }.of(&payment))
}

/// Does what was chosen, calls the shop back, and sends the customer on. What a payment cannot come to any more changes nothing.
async fn choose(
    State(provider): State<Provider>,
    Name(reference): Name,
    mut visitor: Visitor,
    form: FormFields,
) -> ApiResult<PageResponse> {
    let payment = find(&provider, &reference)?;
    let chosen = OUTCOMES.iter().find(|(name, _)| Some(*name) == form.get(OUTCOME)).map(|(_, status)| *status);
    let allowed = OUTCOMES.iter().map(|(name, _)| (*name).into()).collect();
    let chosen = chosen.ok_or_else(|| ApiError::invalid_field(OUTCOME, Violation::OneOf { allowed }.on(OUTCOME)))?;
    let Some(payment) = provider.choose(payment.reference, chosen) else {
        return Ok(PageResponse(see_other(payment.way_back())));
    };
    let answer = visitor.post_to_root(CALLBACK, &json!({"id": payment.reference})).await?;
    if !answer.status.is_success() {
        let status = answer.status.as_u16();
        tracing::warn!(status, "the shop did not take the callback of a simulated payment; it asks by itself later");
    }
    Ok(PageResponse(see_other(payment.way_back())))
}

fn find(provider: &Provider, reference: &str) -> ApiResult<Payment> {
    reference.parse().ok().and_then(|reference| provider.find(reference)).ok_or_else(ApiError::not_found)
}

/// A page in the making.
struct Page {
    texts: Texts,
    money: Arc<MoneyFormatter>,
    language: Language,
}

impl Page {
    fn say(&self, text: &Message) -> String {
        escape(&self.texts.say(text, self.language))
    }

    /// What is to be paid, and what can become of it.
    fn of(&self, payment: &Payment) -> PageResponse {
        let note = |text: &Message| format!("<p role=\"status\">{}</p>\n", self.say(text));
        let (note, labels) = match payment.status {
            AttemptStatus::Pending => (
                String::new(),
                vec![
                    ("pay", text!("simulated-pay")),
                    ("later", text!("simulated-later")),
                    ("fail", text!("simulated-fail")),
                    ("cancel", text!("simulated-cancel")),
                ],
            ),
            AttemptStatus::Processing => (
                note(&text!("simulated-processing")),
                vec![("pay", text!("simulated-arrive")), ("fail", text!("simulated-fail"))],
            ),
            AttemptStatus::Succeeded | AttemptStatus::Failed | AttemptStatus::Cancelled | AttemptStatus::Expired => {
                (note(&text!("simulated-over", status = payment.status.as_str())), Vec::new())
            }
        };
        let buttons = labels.iter().map(|(outcome, label)| {
            format!("<p><button name=\"{OUTCOME}\" value=\"{outcome}\">{}</button></p>\n", self.say(label))
        });
        let buttons = buttons.collect::<String>();
        let form = format!("<form method=\"post\" action=\"{}\">\n{buttons}</form>\n", page_of(payment.reference));
        let form = if labels.is_empty() { "" } else { form.as_str() };
        let amount = self.money.format_in(payment.amount.amount, payment.amount.currency.code());
        let order = self.say(&text!("simulated-order", order = payment.order_number.as_str(), amount = amount));
        let (heading, explanation) = (self.say(&text!("simulated-heading")), self.say(&text!("simulated-explanation")));
        let (back, way_back) = (self.say(&text!("simulated-back")), escape(payment.way_back()));
        let language = self.language.tag();
        let page = format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"robots\" content=\"noindex\">\n<title>{heading}</title>\n\
             <link rel=\"stylesheet\" href=\"{STYLESHEET_PATH}\">\n</head>\n<body>\n<main>\n<p>{order}</p>\n\
             <h1>{heading}</h1>\n<p>{explanation}</p>\n{note}{form}<p><a href=\"{way_back}\">{back}</a></p>\n\
             </main>\n</body>\n</html>\n"
        );
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CONTENT_LANGUAGE, self.language.into()),
            (header::VARY, HeaderValue::from_static("Accept-Language")),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        PageResponse((StatusCode::OK, headers, page).into_response())
    }
}
