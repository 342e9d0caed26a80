//! Mollie: payments, customers with their mandates, refunds, callbacks without a signature and events with one.
//!
//! Written from <https://docs.mollie.com/reference> and the OpenAPI document that Mollie publishes.

mod checks;
mod customers;
mod interface;
mod pages;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::deliver::{Callback, deliver};
use crate::fault::Fault;
use crate::idempotency::Answers;
use crate::server::{Recorded, Server, Traffic, lock};

/// What the fake believes in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 lets the system choose.
    pub address: SocketAddr,
    /// The only key that it takes.
    pub api_key: String,
    /// Where it sends callbacks of payments that name no address.
    pub webhook_url: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            api_key: String::from("test_standin0123456789"),
            webhook_url: None,
        }
    }
}

/// A fake for Mollie.
pub struct Mollie {
    shared: Arc<Shared>,
    server: Server,
}

struct Shared {
    settings: Settings,
    base_url: String,
    account: Mutex<Account>,
    traffic: Arc<Traffic>,
}

/// What Mollie keeps.
#[derive(Debug, Default)]
struct Account {
    payments: BTreeMap<String, Value>,
    customers: BTreeMap<String, Value>,
    mandates: Vec<Value>,
    /// Whether the shop has no payment method that can be charged again.
    saves_nothing: bool,
    /// How many of the next charges without a customer are declined.
    declines: u32,
    refunds: Vec<Value>,
    answers: Answers,
    counter: u64,
}

impl Account {
    fn id(&mut self, beginning: &str) -> String {
        self.counter += 1;
        format!("{beginning}Fake{:06}", self.counter)
    }

    fn refunds_of(&self, payment: &str) -> Vec<Value> {
        self.refunds.iter().filter(|refund| refund["paymentId"] == payment).cloned().collect()
    }
}

impl Mollie {
    /// Begins to listen.
    pub async fn start(settings: Settings) -> std::io::Result<Self> {
        let (listener, base_url) = Server::bind(settings.address).await?;
        let traffic = Arc::new(Traffic::default());
        let shared = Arc::new(Shared {
            settings,
            base_url: base_url.clone(),
            account: Mutex::default(),
            traffic: Arc::clone(&traffic),
        });
        let interface = interface::routes(Arc::clone(&shared));
        let pages = pages::routes(Arc::clone(&shared));
        let server = Server::start(listener, base_url, traffic, interface, pages, checks::problem);
        Ok(Self { shared, server })
    }

    /// Scheme, host and port: what `payments.mollie.api_base` is set to.
    pub fn base_url(&self) -> &str {
        &self.server.base_url
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// Lets the next request of the interface meet a fault; several wait in line.
    pub fn next(&self, fault: Fault) {
        self.shared.traffic.next(fault);
    }

    /// The requests of the interface so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.traffic.recorded()
    }

    /// Forgets idempotency keys, as Mollie does after an hour.
    pub fn forget_idempotency_keys(&self) {
        lock(&self.shared.account).answers.forget();
    }

    /// Brings a payment into a status, such as `paid`.
    pub fn becomes(&self, payment: &str, status: &str) {
        self.shared.becomes(payment, status);
    }

    /// Sets a member of a payment, such as `amountChargedBack`.
    pub fn set(&self, payment: &str, member: &str, value: Value) {
        if let Some(payment) = lock(&self.shared.account).payments.get_mut(payment) {
            payment[member] = value;
        }
    }

    /// A payment as it is.
    pub fn payment(&self, id: &str) -> Value {
        lock(&self.shared.account).payments.get(id).cloned().unwrap_or_default()
    }

    /// Declines the next charge without a customer.
    pub fn decline_next(&self) {
        lock(&self.shared.account).declines += 1;
    }

    /// Takes all payment methods from the shop that could be charged again.
    pub fn save_nothing(&self) {
        lock(&self.shared.account).saves_nothing = true;
    }

    /// Sets a member of the mandate of a payment, such as its `status`.
    pub fn set_mandate(&self, payment: &str, member: &str, value: Value) {
        let mut account = lock(&self.shared.account);
        let named = account.payments.get(payment).map(|payment| payment["mandateId"].clone());
        let mandate = account.mandates.iter_mut().find(|mandate| Some(&mandate["id"]) == named.as_ref());
        mandate.expect("the payment has a mandate")[member] = value;
    }

    /// All refunds as they are.
    pub fn refunds(&self) -> Vec<Value> {
        lock(&self.shared.account).refunds.clone()
    }

    /// Brings a refund into a status, such as `refunded`.
    pub fn refund_becomes(&self, refund: &str, status: &str) {
        let mut account = lock(&self.shared.account);
        if let Some(refund) = account.refunds.iter_mut().find(|known| known["id"] == refund) {
            refund["status"] = json!(status);
        }
    }

    /// Refunds from the dashboard; gives the refund.
    pub fn refund_elsewhere(&self, payment: &str, value: &str) -> Value {
        let mut account = lock(&self.shared.account);
        let amount = json!({"currency": account.payments[payment]["amount"]["currency"], "value": value});
        self.shared.new_refund(&mut account, payment, &amount, &json!({"description": "dashboard"}))
    }

    /// The callback of a payment: its id and nothing else.
    pub fn callback(&self, payment: &str) -> Callback {
        payment_callback(payment)
    }

    /// An event of a subscription, signed with this secret.
    pub fn event(&self, kind: &str, entity_id: &str, entity: Option<&Value>, secret: &str) -> Callback {
        let id = lock(&self.shared.account).id("event_");
        let mut event = json!({
            "resource": "event",
            "id": id,
            "type": kind,
            "entityId": entity_id,
            "createdAt": "2026-01-15T12:00:00+00:00",
            "_links": {"self": {"href": format!("{}/v2/events/{id}", self.base_url()), "type": "application/hal+json"}},
        });
        if let Some(entity) = entity {
            event["_embedded"] = json!({"entity": entity});
        }
        let body = event.to_string();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length is fine");
        mac.update(body.as_bytes());
        let signature = format!("sha256={}", hex::encode(mac.finalize().into_bytes()));
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        headers.insert("x-mollie-signature", HeaderValue::from_str(&signature).expect("it is ASCII"));
        Callback { headers, body: Bytes::from(body) }
    }
}

fn payment_callback(payment: &str) -> Callback {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/x-www-form-urlencoded"));
    headers.insert("user-agent", HeaderValue::from_static("Mollie HTTP client/1.0"));
    Callback { headers, body: Bytes::from(format!("id={payment}")) }
}

/// Brings a payment into a status.
fn set_status(payment: &mut Value, status: &str) {
    payment["status"] = json!(status);
    payment["isCancelable"] = json!(status == "open");
    if status != "open"
        && let Some(links) = payment["_links"].as_object_mut()
    {
        links.remove("checkout");
    }
    match status {
        "paid" => {
            payment["paidAt"] = json!("2026-01-15T12:01:00+00:00");
            payment["amountRefunded"] = json!({"currency": payment["amount"]["currency"], "value": "0.00"});
            payment["amountRemaining"] = payment["amount"].clone();
        }
        "failed" => {
            payment["details"] = json!({"failureReason": "card_declined", "failureMessage": "Card declined."});
        }
        _ => {}
    }
}

impl Shared {
    fn becomes(&self, payment: &str, status: &str) {
        let mut account = lock(&self.account);
        let Some(changed) = account.payments.get_mut(payment) else { return };
        set_status(changed, status);
        if status == "paid" {
            customers::agree(&mut account, payment);
        }
    }

    /// Tells the shop that something has changed about a payment.
    fn send(&self, payment: &str) {
        let named = lock(&self.account).payments.get(payment).map(|payment| payment["webhookUrl"].clone());
        let named = named.as_ref().and_then(Value::as_str).map(str::to_owned);
        let Some(url) = named.or_else(|| self.settings.webhook_url.clone()) else { return };
        let callback = payment_callback(payment);
        tokio::spawn(async move { deliver(&url, &callback).await });
    }
}
