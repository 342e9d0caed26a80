//! Forms of pages: what was typed, as the API takes it, and what the API says about it.

use std::ops::Deref;

use axum::extract::{FromRequest, Request};
use http::StatusCode;
use serde_json::{Value, json};

use stoa_core::http::shape::Takes;
use stoa_core::pages::{ApiAnswer, FormFields};
use stoa_core::prelude::*;

use crate::view::View;

/// The fields of a form, and what the API is sent of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form(FormFields);

impl Deref for Form {
    type Target = FormFields;

    fn deref(&self) -> &FormFields {
        &self.0
    }
}

impl Form {
    /// The text of a field as JSON; null for an empty one.
    pub(crate) fn value(&self, name: &str) -> Value {
        self.get(name).map_or(Value::Null, Value::from)
    }

    /// A whole number; what is none stays a text, so that the API says so beside the field.
    pub(crate) fn number(&self, name: &str) -> Value {
        match self.get(name) {
            Some(text) => text.parse::<i64>().map_or_else(|_| Value::from(text), Value::from),
            None => Value::Null,
        }
    }

    /// Fields whose names begin with this, without it.
    pub(crate) fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.fields().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value)))
    }

    /// An object of the fields whose names begin with this; empty ones are null.
    pub(crate) fn object(&self, prefix: &str) -> Value {
        let members = self.below(prefix).map(|(name, value)| {
            let value = value.trim();
            (name.to_owned(), if value.is_empty() { Value::Null } else { Value::from(value) })
        });
        Value::Object(members.collect())
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        FormFields::from_request(request, state).await.map(Self)
    }
}

impl Takes for Form {}

/// What the API says against a form, as templates show it: `message`, and `errors` by field.
pub(crate) fn refusal(answer: &ApiAnswer) -> Value {
    let body = answer.json();
    json!({"message": body["message"], "errors": body["errors"], "reason": body["reason"]})
}

/// What people read beside the fields whose names the API says in its messages.
const LABELS: [(&str, &str); 21] = [
    ("city", "storefront-city"),
    ("company", "storefront-company"),
    ("country", "storefront-country"),
    ("current_password", "storefront-password"),
    ("discount_code", "storefront-discount-code"),
    ("email", "storefront-email"),
    ("line1", "storefront-street"),
    ("line2", "storefront-line2"),
    ("max", "storefront-to"),
    ("message", "storefront-message"),
    ("min", "storefront-from"),
    ("name", "storefront-name"),
    ("note", "storefront-note"),
    ("order_number", "storefront-order-number-label"),
    ("password", "storefront-password"),
    ("payment_method", "storefront-payment"),
    ("phone", "storefront-phone"),
    ("postal_code", "storefront-postal-code"),
    ("quantity", "storefront-quantity"),
    ("shipping_method_id", "storefront-shipping-method"),
    ("sort", "storefront-sort"),
];

/// Has the messages of a refusal call each field what people read beside it, and lists them in their order as `said`. `options` are those
/// of a product, and `say` puts a key into
/// words. What is `missing` of a field, as the API says it, is asked for in a plain sentence where there is one.
pub(crate) fn name_fields(
    refusal: &mut Value,
    options: &Value,
    say: impl Fn(&str) -> Option<String>,
    missing: impl Fn(&str) -> String,
) {
    let option = |key: &str| {
        let option = options.as_array()?.iter().find(|option| option["key"] == key)?;
        option["label"].as_str().map(str::to_owned)
    };
    let message = refusal["message"].clone();
    let mut said = Vec::new();
    for (name, messages) in refusal["errors"].as_object_mut().into_iter().flatten() {
        let last = name.rsplit('.').next().unwrap_or(name);
        let known = LABELS.iter().find(|(known, _)| *known == last).and_then(|(_, key)| say(key));
        let label = name.strip_prefix("selections.").and_then(option).or(known);
        for message in messages.as_array_mut().into_iter().flatten() {
            let asked = || say(&format!("storefront-enter-{}", last.replace('_', "-")));
            if let Some(asked) = (*message == missing(name)).then(asked).flatten() {
                *message = Value::from(asked);
                continue;
            }
            let (Some(text), Some(label)) = (message.as_str(), &label) else { continue };
            *message = Value::from(QUOTES.iter().fold(text.to_owned(), |text, (open, close)| {
                text.replace(&format!("{open}{name}{close}"), &format!("{open}{label}{close}"))
            }));
        }
        // What the message says already is not said twice.
        if *messages != json!([message]) {
            said.push(json!({"name": name, "messages": messages}));
        }
    }
    refusal["said"] = Value::Array(said);
}

/// The quotation marks that messages put around the names of fields, by language.
pub(crate) const QUOTES: [(char, char); 3] = [('“', '”'), ('„', '“'), ('‘', '’')];

/// The status of a page that shows a form once more.
pub(crate) fn status_of(answer: &ApiAnswer) -> StatusCode {
    // A browser would ask for a name and a password of its own.
    if answer.status == StatusCode::UNAUTHORIZED { StatusCode::UNPROCESSABLE_ENTITY } else { answer.status }
}

/// Countries with their names in the language of the page, sorted by these.
pub(crate) fn named_countries(codes: &Value, view: &View) -> Value {
    let codes = codes.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut named = codes.map(|code| (country_name(code, view), code)).collect::<Vec<_>>();
    stoa_core::i18n::sort_by_name(&mut named, view.visitor.language);
    named.into_iter().map(|(name, code)| json!({"code": code, "name": name})).collect()
}

fn country_name(code: &str, view: &View) -> String {
    stoa_core::i18n::country_name(code, view.visitor.language).unwrap_or_else(|| code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_call_fields_what_people_read_beside_them() {
        let mut refusal = json!({"message": "Please check.", "errors": {
            "billing.line1": ["Das Feld „billing.line1“ fehlt."],
            "selections.color": ["The field “selections.color” is required."],
            "email": ["Vul het veld ‘email’ in."],
            "consents": ["Please agree to this first: terms"],
        }});
        let options = json!([{"key": "color", "label": "Colour"}]);
        let missing = |name: &str| format!("Vul het veld ‘{name}’ in.");
        name_fields(&mut refusal, &options, |key| Some(key.to_owned()), missing);
        let errors = json!({
            "billing.line1": ["Das Feld „storefront-street“ fehlt."],
            "selections.color": ["The field “Colour” is required."],
            "email": ["storefront-enter-email"],
            "consents": ["Please agree to this first: terms"],
        });
        assert_eq!(refusal["errors"], errors);
    }

    #[test]
    fn what_the_message_says_is_not_said_once_more() {
        let sentence = "Only 3 of “Lamp” are left.";
        let mut refusal = json!({"message": sentence, "errors": {"cart": [sentence]}});
        name_fields(&mut refusal, &json!([]), |_| None, |_| String::new());
        assert_eq!(refusal["said"], json!([]));
    }
}
