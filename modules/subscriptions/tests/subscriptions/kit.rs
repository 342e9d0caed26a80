//! A shop with subscriptions in it, and what tests do there.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use stoa_core::catalog::write::{CatalogWriter, Mode};
use stoa_core::catalog::{Member, ProductRecord, Record};
use stoa_core::clock::Clock;
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::entitlements::{EntitlementEnded, EntitlementResumed, EntitlementSuspended};
use stoa_core::from_shop::FromShop;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder};
use stoa_subscriptions::Subscriptions;

texts! { en: "gateway-till = Till", de: "gateway-till = Till", nl: "gateway-till = Till" }

pub(crate) const RENEW: &str = "subscriptions.renew";

/// A gateway that saves what is paid with, and says no as often as it is told to when that is charged, at once or later.
struct Till {
    declines: AtomicI64,
    debits: AtomicI64,
    silent: AtomicI64,
}

impl Gateway for Till {
    const ID: &'static str = "till";

    fn label(&self) -> Message {
        text!("gateway-till")
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        let report = AttemptReport { amount: Some(request.amount), ..AttemptReport::of(AttemptStatus::Succeeded) };
        let gateway_attempt_id =
            Some(format!("{}-{}", request.reference, if request.save_method { "saved" } else { "once" }));
        Ok(StartedAttempt { gateway_attempt_id, redirect_url: None, expires_at: None, report })
    }

    async fn look_up(&self, _gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        Ok(AttemptReport::of(AttemptStatus::Failed))
    }

    async fn cancel(&self, _gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        Ok(AttemptReport::of(AttemptStatus::Cancelled))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        let gateway_refund_id = Some(request.reference.to_string());
        Ok(RefundReport { status: RefundStatus::Succeeded, gateway_refund_id, detail: None })
    }

    fn saves_methods(&self) -> bool {
        true
    }

    async fn saved_method(&self, gateway_attempt_id: &str) -> Result<Option<String>, GatewayError> {
        if self.silent.fetch_sub(1, Ordering::Relaxed) > 0 {
            return Err(GatewayError::Unknown(String::from("nobody answers")));
        }
        Ok(gateway_attempt_id.ends_with("-saved").then(|| String::from("card-of-ada")))
    }

    async fn charge_saved(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        assert_eq!(method, "card-of-ada");
        if self.declines.fetch_sub(1, Ordering::Relaxed) > 0 {
            return Err(GatewayError::Refused(String::from("the card was declined")));
        }
        if self.debits.fetch_sub(1, Ordering::Relaxed) > 0 {
            let report = AttemptReport { amount: Some(request.amount), ..AttemptReport::of(AttemptStatus::Processing) };
            let gateway_attempt_id = Some(request.reference.to_string());
            return Ok(StartedAttempt { gateway_attempt_id, redirect_url: None, expires_at: None, report });
        }
        self.start(request).await
    }
}

/// How often the till says no to a charge, how often it does so only when it is asked about it, and how often it says nothing when
/// it is asked what was saved.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TillConfig {
    declines: i64,
    debits: i64,
    silent: i64,
}

impl ModuleConfig for TillConfig {}

/// Brings the till, and grants and withholds what is sold, as modules do that deliver something: it writes down what it hears.
pub(crate) struct Counter;

impl Module for Counter {
    const NAME: &'static str = "counter";
    const CAPABILITIES: &'static [&'static str] = &["counted"];
    type Config = TillConfig;

    fn register(config: TillConfig, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.gateway(Till {
            declines: config.declines.into(),
            debits: config.debits.into(),
            silent: config.silent.into(),
        });
        cx.on_committed::<EntitlementSuspended>("counter.suspended", Hears);
        cx.on_committed::<EntitlementResumed>("counter.resumed", Hears);
        cx.on_committed::<EntitlementEnded>("counter.ended", Hears);
        Ok(())
    }
}

/// Fails, so that each row stays to be counted, and is not delivered.
struct Hears;

impl<E: CommittedEvent> AfterCommit<E> for Hears {
    type Uses = ();

    async fn after_commit(&self, _event: &E, (): &()) -> Result<(), ListenerError> {
        Err(ListenerError::Failed(String::from("heard")))
    }
}

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<Subscriptions>().module::<Counter>()
}

/// A product as a line of an import file describes it.
pub(crate) fn product(slug: &str, price_amount: i64, settings: Value, capabilities: &[&str]) -> Record {
    let mut all = vec![String::from("subscribable")];
    all.extend(capabilities.iter().map(ToString::to_string));
    Record::Product(Box::new(ProductRecord {
        slug: slug.to_owned(),
        name: Member::Value(format!("The {slug}")),
        price_amount: Member::Value(price_amount),
        capabilities: Member::Value(all),
        modules: Member::Value([(String::from("subscriptions"), settings)].into_iter().collect()),
        ..ProductRecord::default()
    }))
}

pub(crate) fn monthly() -> Value {
    json!({"interval": "month"})
}

/// Writes products as an import does; gives back why they were refused.
pub(crate) async fn import(shop: &TestShop, products: &[Record]) -> Vec<String> {
    let mut writer = CatalogWriter::new(&shop.parts.db, &shop.registry, Mode::Write);
    let outcomes = writer.write(products).await.expect("the catalog is written");
    shop.refresh_catalog().await;
    let problems = outcomes.into_iter().filter_map(Result::err).flatten();
    problems.map(|problem| format!("{}: {}", problem.member, problem.reason)).collect()
}

/// A shop with one product, 1, for 19.95 a month, whose clock shows this time.
pub(crate) async fn shop_at(builder: TestShopBuilder, time: &str) -> TestShop {
    let shop = builder.open().await;
    shop.advance(at(time) - shop.now());
    assert_eq!(import(&shop, &[product("tea", 1995, monthly(), &[])]).await, [""; 0]);
    shop
}

pub(crate) fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a time")
}

/// A customer with a client of theirs.
pub(crate) struct Buyer {
    pub(crate) customer: CustomerRecord,
    pub(crate) client: TestClient,
}

impl Buyer {
    pub(crate) async fn new(shop: &TestShop) -> Self {
        let customer = shop.customer().await;
        let client = shop.client().token(&customer, &["*"]).await;
        Self { customer, client }
    }

    /// Places an order with so many of product 1.
    pub(crate) async fn place(&self, quantity: i64, payment_method: &str) -> Value {
        self.client.post("/cart", &json!({"product_id": 1, "quantity": quantity})).await.expect_status(200);
        let body = json!({"billing": billing(), "payment_method": payment_method});
        self.client.post("/checkout", &body).await.expect_status(201).json()["data"].clone()
    }

    /// Places an order and has it paid by hand; what was bought has begun then.
    pub(crate) async fn buy(&self, shop: &TestShop, quantity: i64) -> i64 {
        let order = id_of(&self.place(quantity, "manual").await);
        pay(shop, order).await;
        order
    }

    /// Pays an order at the till.
    pub(crate) async fn pay_at_till(&self, shop: &TestShop, order: i64) {
        let body = json!({"gateway": "till", "return_url": "https://a.test/", "cancel_url": "https://a.test/"});
        self.client.post(&format!("/orders/{order}/pay"), &body).await.expect_status(200);
        shop.run_jobs().await;
    }

    pub(crate) async fn subscription(&self, id: i64) -> Value {
        self.client.get(&format!("/subscriptions/{id}")).await.expect_status(200).json()["data"].clone()
    }

    pub(crate) async fn order(&self, id: i64) -> Value {
        self.client.get(&format!("/orders/{id}")).await.expect_status(200).json()["data"].clone()
    }

    /// How many orders there are, and the newest.
    pub(crate) async fn orders(&self) -> (i64, i64) {
        let list = self.client.get("/orders").await.expect_status(200).json();
        (list["meta"]["total"].as_i64().expect("a number"), id_of(&list["data"][0]))
    }

    pub(crate) async fn invoices(&self) -> i64 {
        self.client.get("/invoices").await.expect_status(200).json()["meta"]["total"].as_i64().expect("a number")
    }
}

pub(crate) fn billing() -> Value {
    json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"})
}

pub(crate) fn id_of(thing: &Value) -> i64 {
    thing["id"].as_i64().expect("an id")
}

/// Records a payment by hand, and lets listeners know.
pub(crate) async fn pay(shop: &TestShop, order: i64) {
    record_payment(&Payments::from_shop(&shop.parts), order).await.expect("it is paid");
    shop.run_jobs().await;
}

/// Runs the job as of a time, as `stoa jobs run subscriptions.renew --at` does, and delivers what it has told.
pub(crate) async fn renew_at(shop: &TestShop, time: DateTime<Utc>) -> RunOutcome {
    let outcome = run_job(&shop.parts, &shop.registry.jobs, RENEW, Clock::manual(time)).await;
    outcome.expect("the database works")
}

/// Moves the shop to a time and runs the job then.
pub(crate) async fn renew_on(shop: &TestShop, time: DateTime<Utc>) {
    shop.advance(time - shop.now());
    assert_eq!(renew_at(shop, time).await, RunOutcome::Done);
}

/// Moves the shop to a time and does what a worker does then.
pub(crate) async fn work_on(shop: &TestShop, time: DateTime<Utc>) {
    shop.advance(time - shop.now());
    shop.run_jobs().await;
    shop.run_jobs().await;
}

/// What the other module has been told, oldest first.
pub(crate) async fn heard(shop: &TestShop) -> Vec<(String, i64)> {
    const HEARD: Sql = sql!(
        "SELECT event, CAST(payload ->> 'unit' AS BIGINT) FROM tasks
         WHERE kind LIKE 'counter.%' ORDER BY id"
    );
    shop.parts.db.read(HEARD).all::<(String, i64)>().await.expect("the database can be read")
}

pub(crate) fn told(event: &str, unit: i64) -> (String, i64) {
    (event.to_owned(), unit)
}

/// Nothing that must hold is broken.
pub(crate) async fn assert_sound(shop: &TestShop) {
    assert_eq!(shop.breaches().await, [""; 0]);
}
