//! Shops, products, orders and services of the tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::{Backend, DbError};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{OrderPaid, OrderStatus};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order};
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder};
use stoa_services::Provisioning;

use crate::memory::{Account, account};

static ACCOUNTS: AtomicU32 = AtomicU32::new(0);

/// A shop with the module, and what its provider `memory` has.
pub(crate) struct Setting {
    pub(crate) shop: TestShop,
    pub(crate) account: Arc<Account>,
    name: String,
    config: String,
}

/// A shop whose limits nobody reaches.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    let limits = "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }\n\
                  [payments.development]\nenabled = true";
    TestShop::builder(backend).module::<Provisioning>().config(limits)
}

fn with_account(builder: TestShopBuilder, name: &str) -> TestShopBuilder {
    builder.config(&format!("[modules.services.providers.memory]\naccount = \"{name}\""))
}

impl Setting {
    pub(crate) async fn new(backend: Backend) -> Self {
        Self::with(backend, "").await
    }

    /// With more settings, which may begin with keys of `[modules.services]`.
    pub(crate) async fn with(backend: Backend, config: &str) -> Self {
        let name = format!("account-{}", ACCOUNTS.fetch_add(1, Ordering::Relaxed));
        let config = format!("[modules.services]\n{config}");
        let shop = with_account(builder(backend).config(&config), &name).open().await;
        let setting = Self { shop, account: account(&name), name, config };
        setting.stock(&["small", "large"]).await;
        setting
    }

    /// Another instance on the same database.
    pub(crate) async fn instance(&self, backend: Backend, seed: u64) -> TestShop {
        let builder = builder(backend).config(&self.config).on(self.shop.database());
        let builder = builder.clock(&self.shop.clock).seed(seed);
        with_account(builder, &self.name).open().await
    }

    async fn stock(&self, plans: &[&str]) {
        let lines = plans.iter().map(|plan| product(plan, "memory", 1000)).collect::<Vec<_>>();
        self.shop.stock(&lines).await;
        self.shop.stock(&[product("by-hand", "manual", 1000), product("free", "memory", 0), plain()]).await;
    }

    /// A customer with a token for everything.
    pub(crate) async fn customer(&self) -> (CustomerRecord, TestClient) {
        let customer = self.shop.customer().await;
        let client = self.shop.client().token(&customer, &["*"]).await;
        (customer, client)
    }

    /// Runs the worker until nothing is due.
    pub(crate) async fn work(&self) {
        self.shop.run_jobs().await;
    }

    /// All services as the operator sees them, the oldest first.
    pub(crate) async fn services(&self) -> Vec<Value> {
        list(&self.shop, &[]).await
    }

    /// The one service there is.
    pub(crate) async fn service(&self) -> Value {
        let services = self.services().await;
        assert_eq!(services.len(), 1, "{services:?}");
        services[0].clone()
    }

    /// The statuses of all services, the oldest first.
    pub(crate) async fn statuses(&self) -> Vec<String> {
        let services = self.services().await;
        services.iter().map(|service| service["status"].as_str().expect("a word").to_owned()).collect()
    }

    /// Nothing breaks an invariant.
    pub(crate) async fn verify(&self) {
        assert_eq!(self.shop.breaches().await, [""; 0]);
    }
}

/// Services as `stoa services list` prints them, the oldest first.
pub(crate) async fn list(shop: &TestShop, arguments: &[&str]) -> Vec<Value> {
    let end = shop.command(&[&["services", "list", "--json"], arguments].concat()).await;
    let mut services = end.json()["data"].as_array().expect("a list").clone();
    services.reverse();
    services
}

/// A line of an import file.
pub(crate) fn product(slug: &str, provider: &str, price: i64) -> Value {
    json!({
        "type": "product", "slug": slug, "name": format!("Plan {slug}"), "price_amount": price, "active": true,
        "capabilities": ["provisionable"],
        "options": [{"key": "domain", "label": "Domain name", "type": "text", "required": false, "active": true,
                     "choices": []}],
        "modules": {"services": {"provider": provider, "plan": slug}},
    })
}

fn plain() -> Value {
    json!({"type": "product", "slug": "mug", "name": "Mug", "price_amount": 500, "active": true, "capabilities": []})
}

/// The body of a checkout.
pub(crate) fn checkout() -> Value {
    let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    json!({"billing": billing, "payment_method": "manual"})
}

/// Puts a product into the customer's cart.
pub(crate) async fn add(client: &TestClient, slug: &str, quantity: i64, domain: Option<&str>) {
    let product = client.get(&format!("/products/{slug}")).await.expect_status(200).json();
    let selections = domain.map_or(json!({}), |domain| json!({"domain": domain}));
    let line = json!({"product_id": product["data"]["id"], "quantity": quantity, "selections": selections});
    client.post("/cart", &line).await.expect_status(200);
}

/// Places an order, which is not paid yet unless it costs nothing.
pub(crate) async fn place(client: &TestClient, slug: &str, quantity: i64) -> Value {
    add(client, slug, quantity, None).await;
    client.post("/checkout", &checkout()).await.expect_status(201).json()["data"].clone()
}

/// An id in a JSON object.
pub(crate) fn id(value: &Value) -> i64 {
    value["id"].as_i64().expect("an id")
}

/// Places an order and records its payment.
pub(crate) async fn buy(shop: &TestShop, client: &TestClient, slug: &str, quantity: i64) -> Value {
    let order = place(client, slug, quantity).await;
    record_payment(&Payments::from_shop(&shop.parts), id(&order)).await.expect("it is recorded");
    order
}

/// Refunds units of the order's only item.
pub(crate) async fn refund(shop: &TestShop, order: &Value, quantity: i64) {
    let line = RefundLine::any(id(&order["items"][0]), quantity);
    let scope = RefundScope::Lines { lines: vec![line], shipping: false };
    let new = NewRefund { order_id: id(order), scope, reason: String::from("It is not needed") };
    refund_order(&shop.uses(), &new).await.expect("it goes back");
}

/// Tells once more that an order was paid.
pub(crate) async fn tell_paid(shop: &TestShop, order: &Value, customer: &CustomerRecord) {
    let event = OrderPaid {
        order_id: id(order),
        order_number: order["number"].as_str().expect("a number").to_owned(),
        customer_id: customer.id,
        status: OrderStatus::Paid,
        total_amount: order["total_amount"].as_i64().expect("an amount"),
        currency: String::from("EUR"),
        capabilities: None,
    };
    let told = shop.parts.db.write(async |tx| -> Result<(), DbError> { tx.emit(&event).await }).await;
    told.expect("the database can be written");
}

impl Setting {
    /// The service with this id.
    pub(crate) async fn service_of(&self, id: i64) -> Value {
        self.shop.command(&["services", "show", &id.to_string(), "--json"]).await.json()
    }
}
