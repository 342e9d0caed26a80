//! PayPal: tokens, orders, captures, refunds, what customers let be saved, and events that are verified by asking.
//!
//! Written from <https://developer.paypal.com/docs/api> and the OpenAPI documents that PayPal publishes. Events are signed with
//! a key of the fake's own where PayPal uses a certificate: only the fake itself ever verifies them.

mod checks;
mod events;
mod interface;
mod objects;
mod pages;
mod transactions;
mod vault;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::deliver::{Callback, deliver};
use crate::fault::Fault;
use crate::idempotency::Answers;
use crate::server::{Recorded, Server, Traffic, lock};

/// What the fake believes in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 lets the system choose.
    pub address: SocketAddr,
    /// The only application that it knows.
    pub client_id: String,
    /// Its password.
    pub client_secret: String,
    /// The webhook that events are signed for.
    pub webhook_id: String,
    /// Where it sends events when a customer uses its page.
    pub webhook_url: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            client_id: String::from("AFakeClient"),
            client_secret: String::from("EFakeSecret0123456789"),
            webhook_id: String::from("8PT597110X687430L"),
            webhook_url: None,
        }
    }
}

/// What comes of a charge without the customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charge {
    /// The money is taken.
    Take,
    /// The request is refused.
    Decline,
    /// The order is made, and the bank refuses the money.
    Deny,
    /// The order is made, and the customer has to agree to it.
    AskCustomer,
    /// The order is made, and left to be captured.
    LeaveToCapture,
}

/// A fake for PayPal.
pub struct Paypal {
    shared: Arc<Shared>,
    server: Server,
}

struct Shared {
    settings: Settings,
    base_url: String,
    account: Mutex<Account>,
    traffic: Arc<Traffic>,
}

/// What PayPal keeps.
#[derive(Debug, Default)]
struct Account {
    tokens: BTreeSet<String>,
    orders: BTreeMap<String, Value>,
    refunds: BTreeMap<String, Value>,
    answers: Answers,
    /// Orders whose next capture is declined.
    declined: BTreeSet<String>,
    /// Orders whose next capture is held back.
    held: BTreeSet<String>,
    /// What is saved, by its id.
    vault: BTreeMap<String, Value>,
    /// Orders whose customers let be saved what they pay with.
    saving: BTreeSet<String>,
    /// Those of them of which that is saved some time after the money was taken.
    saves_later: BTreeSet<String>,
    /// Those of them of which it has still to be saved.
    unfinished: BTreeSet<String>,
    /// Whether the shop may save nothing.
    saves_nothing: bool,
    /// What comes of the next charges without a customer.
    charges: VecDeque<Charge>,
    /// Whether the application may not search transactions.
    hides_transactions: bool,
    counter: u64,
}

impl Account {
    fn id(&mut self, ending: &str) -> String {
        self.counter += 1;
        format!("{:012}{ending}", self.counter)
    }
}

impl Paypal {
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

    /// Scheme, host and port: what `payments.paypal.api_base` is set to.
    pub fn base_url(&self) -> &str {
        &self.server.base_url
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// Lets the next request of the interface meet a fault; several wait in line. Asking for a token is a request too.
    pub fn next(&self, fault: Fault) {
        self.shared.traffic.next(fault);
    }

    /// The requests of the interface so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.traffic.recorded()
    }

    /// Forgets the ids of requests, as PayPal does after some time.
    pub fn forget_request_ids(&self) {
        lock(&self.shared.account).answers.forget();
    }

    /// Ends all tokens before their time.
    pub fn revoke_tokens(&self) {
        lock(&self.shared.account).tokens.clear();
    }

    /// Lets the customer agree to an order; gives the event.
    pub fn approve(&self, order: &str) -> Value {
        self.shared.approve(order)
    }

    /// Lets the bank refuse the next capture of an order.
    pub fn decline_next_capture(&self, order: &str) {
        lock(&self.shared.account).declined.insert(order.to_owned());
    }

    /// Lets PayPal hold the money of the next capture of an order back.
    pub fn hold_next_capture(&self, order: &str) {
        lock(&self.shared.account).held.insert(order.to_owned());
    }

    /// Lets PayPal save what an order is paid with some time after the money was taken.
    pub fn save_later(&self, order: &str) {
        lock(&self.shared.account).saves_later.insert(order.to_owned());
    }

    /// Saves it then; gives the event, while the order still says what it said before.
    pub fn finish_saving(&self, order: &str) -> Value {
        let token = self.shared.finish_saving(order);
        self.shared.event("VAULT.PAYMENT-TOKEN.CREATED", &token)
    }

    /// Lets the order say what was saved later.
    pub fn show_saved(&self, order: &str) {
        self.shared.show_saved(order);
    }

    /// Forbids the shop to save anything.
    pub fn save_nothing(&self) {
        lock(&self.shared.account).saves_nothing = true;
    }

    /// Decides what comes of the next charge without a customer, after those that were decided before.
    pub fn next_charge(&self, charge: Charge) {
        lock(&self.shared.account).charges.push_back(charge);
    }

    /// Forbids the application to search transactions.
    pub fn hide_transactions(&self) {
        lock(&self.shared.account).hides_transactions = true;
    }

    /// Allows the application to search transactions again.
    pub fn show_transactions(&self) {
        lock(&self.shared.account).hides_transactions = false;
    }

    /// Brings the capture of an order into a status, such as `COMPLETED`; gives the capture.
    pub fn capture_becomes(&self, order: &str, status: &str) -> Value {
        self.shared.capture_becomes(order, status)
    }

    /// Brings an order into a status, such as `VOIDED`.
    pub fn order_becomes(&self, order: &str, status: &str) {
        if let Some(order) = lock(&self.shared.account).orders.get_mut(order) {
            order["status"] = Value::from(status);
        }
    }

    /// Forgets an order, as PayPal does with those that nobody agrees to.
    pub fn forget_order(&self, order: &str) {
        lock(&self.shared.account).orders.remove(order);
    }

    /// An order as it is.
    pub fn order(&self, id: &str) -> Value {
        lock(&self.shared.account).orders.get(id).cloned().unwrap_or_default()
    }

    /// All refunds as they are.
    pub fn refunds(&self) -> Vec<Value> {
        lock(&self.shared.account).refunds.values().cloned().collect()
    }

    /// Refunds from PayPal's own pages; gives the event.
    pub fn refund_elsewhere(&self, capture: &str, value: &str) -> Value {
        self.shared.refund_elsewhere(capture, value)
    }

    /// An event about a resource.
    pub fn event(&self, kind: &str, resource: &Value) -> Value {
        self.shared.event(kind, resource)
    }

    /// An event, signed for the webhook of the settings.
    pub fn callback(&self, event: &Value) -> Callback {
        events::signed(event, &self.shared.settings.webhook_id)
    }

    /// An event, signed for another webhook.
    pub fn callback_for(&self, event: &Value, webhook_id: &str) -> Callback {
        events::signed(event, webhook_id)
    }
}

impl Shared {
    /// Sends an event to the shop, if it was said where that is.
    fn send(&self, event: &Value) {
        let Some(url) = self.settings.webhook_url.clone() else { return };
        let callback = events::signed(event, &self.settings.webhook_id);
        tokio::spawn(async move { deliver(&url, &callback).await });
    }
}
