//! The body that endpoints of the kind `chat` receive: a message that people read (S6.3.2, contract 5).

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use stoa_kernel::i18n::{Message, Texts};
use stoa_kernel::money::{Currency, MoneyFormatter};
use stoa_kernel::record_number::OrderNumber;
use stoa_kernel::text;

use super::event::WebhookEvent;

/// What chat services accept at most, counted as they do, in units of UTF-16.
mod limit {
    pub(super) const TITLE: usize = 256;
    pub(super) const DESCRIPTION: usize = 4096;
    pub(super) const FIELD_VALUE: usize = 1024;
}

/// Green for what is new or paid, gray for what ended, orange for what goes back.
const GREEN: u32 = 0x2E_A0_43;
const GRAY: u32 = 0x6E_77_81;
const ORANGE: u32 = 0xD2_79_22;

/// The body for an endpoint in this locale.
pub(super) fn body(event: &WebhookEvent, texts: &Texts, locale: &str, happened_at: DateTime<Utc>) -> String {
    let language = texts.language_of(locale);
    let say = |text: Message| texts.say(&text, language);
    let number = order_number(event);
    let order = number.clone().unwrap_or_default();
    let (title, color) = match event {
        WebhookEvent::OrderCreated(_) => (text!("chat-order-created", order = &order), GREEN),
        WebhookEvent::OrderPaid(_) => (text!("chat-order-paid", order = &order), GREEN),
        WebhookEvent::OrderCancelled(_) => (text!("chat-order-cancelled", order = &order), GRAY),
        WebhookEvent::OrderShipped { .. } => (text!("chat-order-shipped", order = &order), GREEN),
        WebhookEvent::PaymentRecorded { .. } => (text!("chat-payment-recorded", order = &order), GREEN),
        WebhookEvent::RefundRecorded { .. } => (text!("chat-refund-recorded", order = &order), ORANGE),
        WebhookEvent::CreditNoteIssued { .. } => (text!("chat-credit-note-issued", order = &order), ORANGE),
        WebhookEvent::WithdrawalDeclared { .. } => (text!("chat-withdrawal-declared", order = &order), ORANGE),
        WebhookEvent::OfModule(event) => (event.told().clone(), GRAY),
    };
    let title = say(title);
    // What matters most stands in the description as well.
    let (label, main, status) = match event {
        WebhookEvent::OrderCreated(order) | WebhookEvent::OrderPaid(order) | WebhookEvent::OrderCancelled(order) => {
            (text!("chat-total"), formatted(event, locale), Some(order.status))
        }
        WebhookEvent::OrderShipped { tracking, .. } => (text!("chat-tracking"), tracking.clone(), None),
        WebhookEvent::PaymentRecorded { status, .. } | WebhookEvent::RefundRecorded { status, .. } => {
            (text!("chat-amount"), formatted(event, locale), Some(*status))
        }
        WebhookEvent::CreditNoteIssued { .. } | WebhookEvent::OfModule(_) => {
            (text!("chat-amount"), formatted(event, locale), None)
        }
        WebhookEvent::WithdrawalDeclared { withdrawal_number, .. } => {
            (text!("chat-withdrawal"), Some(withdrawal_number.clone()), None)
        }
    };
    let label = say(label);
    let mut fields = Vec::new();
    fields.extend(number.map(|number| field(&say(text!("chat-order")), &number)));
    fields.extend(main.as_ref().map(|main| field(&label, main)));
    if let Some(status) = status {
        fields.push(field(&say(text!("chat-status")), &say(text!("chat-status-word", status = status))));
    }
    let description = main.map(|main| format!("{label}: {main}")).unwrap_or_default();
    message(&Embed { title: &title, description: &description, color, fields }, happened_at)
}

/// A message that shows that the endpoint works.
pub(super) fn test_body(shop: &str, texts: &Texts, locale: &str, now: DateTime<Utc>) -> String {
    let language = texts.language_of(locale);
    let title = texts.say(&text!("chat-test-title", shop = shop), language);
    let description = texts.say(&text!("chat-test-description"), language);
    message(&Embed { title: &title, description: &description, color: GRAY, fields: Vec::new() }, now)
}

struct Embed<'a> {
    title: &'a str,
    description: &'a str,
    color: u32,
    fields: Vec<Value>,
}

fn message(embed: &Embed<'_>, time: DateTime<Utc>) -> String {
    let message = json!({
        "embeds": [{
            "title": cut(embed.title, limit::TITLE),
            "description": cut(embed.description, limit::DESCRIPTION),
            "color": embed.color,
            "fields": embed.fields,
            "timestamp": time.to_rfc3339_opts(SecondsFormat::Millis, false),
        }],
    });
    message.to_string()
}

fn field(name: &str, value: &str) -> Value {
    json!({"name": name, "value": cut(value, limit::FIELD_VALUE), "inline": true})
}

/// The order that an event is about; none where it is a module's.
fn order_number(event: &WebhookEvent) -> Option<String> {
    let number = match event {
        WebhookEvent::OrderCreated(order) | WebhookEvent::OrderPaid(order) | WebhookEvent::OrderCancelled(order) => {
            order.order_number.clone()
        }
        WebhookEvent::OrderShipped { order_number, .. } | WebhookEvent::WithdrawalDeclared { order_number, .. } => {
            order_number.clone()
        }
        WebhookEvent::PaymentRecorded { order_id, .. }
        | WebhookEvent::RefundRecorded { order_id, .. }
        | WebhookEvent::CreditNoteIssued { order_id, .. } => OrderNumber::of(*order_id).to_string(),
        WebhookEvent::OfModule(_) => return None,
    };
    Some(number)
}

/// The amount that the event is about, for people.
fn formatted(event: &WebhookEvent, locale: &str) -> Option<String> {
    let (amount, code) = event.money()?;
    let formatter = Currency::from_code(code).ok().and_then(|currency| MoneyFormatter::new(locale, currency).ok());
    Some(formatter.map_or_else(|| format!("{amount} {code}"), |formatter| formatter.format(amount)))
}

/// The text, or as much of its beginning as fits into so many units of UTF-16.
fn cut(text: &str, limit: usize) -> &str {
    let mut units = 0;
    for (position, character) in text.char_indices() {
        units += character.len_utf16();
        if units > limit {
            return &text[..position];
        }
    }
    text
}
