//! Stripe: checkout sessions, payment intents, refunds and signed events.
//!
//! Written from <https://docs.stripe.com/api> and the OpenAPI document and fixtures that Stripe publishes.

mod checks;
mod events;
mod interface;
mod objects;
mod pages;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::deliver::{Callback, deliver};
use crate::fault::Fault;
use crate::idempotency::Answers;
use crate::server::{Clock, Recorded, Server, Traffic, lock, system_clock};

/// The version of the interface that it speaks, the only one that it takes.
pub const VERSION: &str = "2026-10-28.endive";

/// What the fake believes in.
#[derive(Clone)]
pub struct Settings {
    /// Where it listens; port 0 lets the system choose.
    pub address: SocketAddr,
    /// The only key that it takes.
    pub secret_key: String,
    /// What it signs events with.
    pub webhook_secret: String,
    /// Where it sends events when a customer uses its page.
    pub webhook_url: Option<String>,
    /// The time.
    pub clock: Clock,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            secret_key: String::from("sk_test_standin0123456789"),
            webhook_secret: String::from("whsec_standin0123456789abcdef"),
            webhook_url: None,
            clock: system_clock(),
        }
    }
}

/// What a customer, or time, does with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Pays, and the money is there.
    Pay,
    /// Pays in a way that takes days.
    PayLater,
    /// The money of such a payment comes.
    MoneyArrives,
    /// The money of such a payment does not come.
    MoneyFails,
    /// Nobody pays, and the time is over.
    Expire,
}

/// A fake for Stripe.
pub struct Stripe {
    shared: Arc<Shared>,
    server: Server,
}

struct Shared {
    settings: Settings,
    base_url: String,
    account: Mutex<Account>,
    traffic: Arc<Traffic>,
}

/// What Stripe keeps.
#[derive(Default)]
struct Account {
    sessions: BTreeMap<String, Value>,
    intents: BTreeMap<String, Value>,
    refunds: Vec<Value>,
    /// How many of the next charges without a customer are declined.
    declines: u32,
    answers: Answers,
    counter: u64,
}

impl Account {
    /// The next id that begins like this.
    fn id(&mut self, beginning: &str) -> String {
        self.counter += 1;
        format!("{beginning}1Fake{:012}", self.counter)
    }
}

impl Stripe {
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
        let server = Server::start(listener, base_url, traffic, interface, pages, interface::problem);
        Ok(Self { shared, server })
    }

    /// Scheme, host and port: what `payments.stripe.api_base` is set to.
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

    /// Forgets idempotency keys, as Stripe does after a day.
    pub fn forget_idempotency_keys(&self) {
        lock(&self.shared.account).answers.forget();
    }

    /// Declines the next charge without a customer.
    pub fn decline_next(&self) {
        lock(&self.shared.account).declines += 1;
    }

    /// Lets something happen to a session, and gives the event that Stripe would send about it.
    pub fn happens(&self, session_id: &str, outcome: Outcome) -> Value {
        self.shared.happens(session_id, outcome)
    }

    /// A session as it is.
    pub fn session(&self, id: &str) -> Value {
        lock(&self.shared.account).sessions.get(id).cloned().unwrap_or_default()
    }

    /// All sessions as they are, the oldest first.
    pub fn sessions(&self) -> Vec<Value> {
        lock(&self.shared.account).sessions.values().cloned().collect()
    }

    /// All refunds as they are.
    pub fn refunds(&self) -> Vec<Value> {
        lock(&self.shared.account).refunds.clone()
    }

    /// Refunds from the dashboard, and gives the events that Stripe would send about it.
    pub fn refund_elsewhere(&self, payment_intent: &str, amount: i64) -> [Value; 2] {
        self.shared.refund_elsewhere(payment_intent, amount)
    }

    /// An event about an object.
    pub fn event(&self, kind: &str, object: &Value) -> Value {
        self.shared.event(kind, object)
    }

    /// An event, signed as Stripe does now.
    pub fn callback(&self, event: &Value) -> Callback {
        let settings = &self.shared.settings;
        events::signed(event, &[&settings.webhook_secret], (settings.clock)())
    }

    /// An event, signed at this time with each of these secrets.
    pub fn callback_signed(&self, event: &Value, secrets: &[&str], seconds: i64) -> Callback {
        events::signed(event, secrets, seconds)
    }
}

impl Shared {
    /// Sends an event to the shop, if it was said where that is.
    fn send(self: &Arc<Self>, event: &Value) {
        let Some(url) = self.settings.webhook_url.clone() else { return };
        let callback = events::signed(event, &[&self.settings.webhook_secret], (self.settings.clock)());
        tokio::spawn(async move { deliver(&url, &callback).await });
    }
}
