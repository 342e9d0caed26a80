//! `stoa payment`.

use axum::body::Body;
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestShop, both_databases};
use stoa_fakes::stripe::{Outcome, Settings, Stripe};
use stoa_fakes::{Callback, Fault};

use super::place::{ShopFolder, found};
use super::tables::assert_told;
use http::Method;

const AGE: Sql = sql!("UPDATE payment_attempts SET created_at = $2 WHERE order_id = $1");
const HASTEN: Sql = sql!(
    "UPDATE tasks SET due_at = $2 WHERE kind = 'payments.ask' AND subject IN (SELECT id FROM payment_attempts WHERE order_id = $1)"
);

/// A place with a shop on its database that takes payments, and a customer who pays there.
struct Till {
    place: ShopFolder,
    shop: TestShop,
    stripe: Stripe,
    ada: TestClient,
}

impl Till {
    async fn on(backend: Backend) -> Self {
        let place = ShopFolder::migrated(backend).await;
        let stripe = Stripe::start(Settings::default()).await.expect("a fake listens");
        let config = format!(
            "[payments.stripe]\nenabled = true\nsecret_key = '{}'\nwebhook_secret = '{}'\napi_base = '{}'",
            stripe.settings().secret_key,
            stripe.settings().webhook_secret,
            stripe.base_url(),
        );
        place.configure(&config);
        let builder = TestShop::builder(backend).on(place.database()).clock(&Clock::system());
        let shop = builder.config(&config).open().await;
        shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 1999})]).await;
        let customer = shop.customer().await;
        let ada = shop.client().token(&customer, &["*"]).await;
        Self { place, shop, stripe, ada }
    }

    async fn order(&self) -> Value {
        let product = self.ada.get("/products/lamp").await.expect_status(200).json();
        let line = json!({"product_id": product["data"]["id"], "quantity": 1});
        self.ada.post("/cart", &line).await.expect_status(200);
        let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                             "country": "NL"});
        self.ada.post("/checkout", &json!({"billing": billing})).await.expect_status(201).json()["data"].clone()
    }

    async fn pay(&self, order: &Value, gateway: &str) -> u16 {
        let body = json!({"gateway": gateway, "return_url": "https://a.example", "cancel_url": "https://a.example"});
        self.ada.post(&format!("/orders/{}/pay", order["id"]), &body).await.status.as_u16()
    }

    /// Brings a callback to the shop; gives its id.
    async fn call(&self, callback: &Callback) -> String {
        let client = self.shop.client();
        let path = "/webhooks/payments/stripe";
        let mut request = client.site_request(Method::POST, path, Body::from(callback.body.clone()));
        request.headers_mut().extend(callback.headers.clone());
        client.send(request).await.expect_status(200).json()["id"].to_string()
    }

    async fn list(&self, arguments: &[&str]) -> Vec<Value> {
        self.place.run([&["payment"], arguments, &["--json"]].concat()).await.succeeded().data()
    }

    async fn json(&self, arguments: &[&str]) -> Value {
        self.place.run([&["payment"], arguments, &["--json"]].concat()).await.succeeded().json()
    }

    async fn told(&self, arguments: &[&str]) -> String {
        self.place.run([&["payment"], arguments].concat()).await.succeeded().out
    }

    /// What the provider calls the newest attempt of an order.
    async fn session(&self, order: &Value) -> String {
        let shown = self.json(&["show", number(order)]).await;
        let attempt = shown["attempts"].as_array().and_then(|attempts| attempts.last()).expect("an attempt");
        attempt["provider_id"].as_str().expect("it was begun").to_owned()
    }
}

fn number(order: &Value) -> &str {
    order["number"].as_str().expect("a number")
}

both_databases!(payments_are_listed_and_shown_with_attempts_and_callbacks);
async fn payments_are_listed_and_shown_with_attempts_and_callbacks(backend: Backend) {
    let till = Till::on(backend).await;
    let (paid, open, untried) = (till.order().await, till.order().await, till.order().await);
    assert_eq!((till.pay(&paid, "stripe").await, till.pay(&open, "manual").await), (200, 200));
    let event = till.stripe.happens(&till.session(&paid).await, Outcome::Pay);
    let callback = till.call(&till.stripe.callback(&event)).await;
    for (options, expected) in [
        (&[][..], &[&untried, &open, &paid][..]),
        (&["--status", "paid"], &[&paid]),
        (&["--status", "pending"], &[&untried, &open]),
        (&["--gateway", "stripe"], &[&paid]),
        (&["--gateway", "manual"], &[&open]),
        (&["--limit", "1"], &[&untried]),
    ] {
        let listed = till.list(&[&["list"], options].concat()).await;
        let numbers = listed.iter().map(|payment| payment["order_number"].clone()).collect::<Vec<_>>();
        assert_eq!(numbers, expected.iter().map(|order| order["number"].clone()).collect::<Vec<_>>(), "{options:?}");
    }
    let nobody = till.place.run(["payment", "list", "--gateway", "nobody"]).await;
    nobody.refused(2, &["there is no gateway `nobody`; there are: ", "stripe"]);
    let shown = till.json(&["show", number(&paid)]).await;
    assert_eq!(till.json(&["show", &shown["id"].to_string()]).await, shown);
    for (member, value) in [
        ("order_id", paid["id"].clone()),
        ("status", json!("paid")),
        ("amount", json!(1999)),
        ("currency", json!("EUR")),
        ("gateway", json!("stripe")),
        ("refunded_amount", json!(0)),
        ("refunds", json!([])),
    ] {
        assert_eq!(shown[member], value, "{member}");
    }
    assert_eq!(
        (&shown["attempts"][0]["status"], &shown["callbacks"][0]["state"]),
        (&json!("succeeded"), &json!("processed"))
    );
    assert_eq!(shown["callbacks"][0]["id"].to_string(), callback);
    let told = till.told(&["show", number(&paid)]).await;
    for text in [number(&paid), "Attempts:", "stripe of", "Callbacks:", "checkout.session.completed"] {
        assert!(told.contains(text), "{text} is missing in {told}");
    }
    let table = till.told(&["list"]).await;
    assert!(table.contains(number(&paid)) && table.contains("manual: pending"), "{table}");
    let refused = async |arguments: &[&str], code, words: &[&str]| {
        till.place.run([&["payment"], arguments].concat()).await.refused(code, words);
    };
    refused(&["show", "999999"], 1, &["no payment 999999", "stoa payment list"]).await;
    refused(&["show", "O-999999"], 1, &["no payment of order O-999999"]).await;
    refused(&["show", "T-000001"], 2, &["T-000001", "O-000042"]).await;
    refused(&["list", "--status", "lost"], 2, &["lost", "pending, paid"]).await;
    refused(&["list", "--limit", "0"], 2, &["0"]).await;
}

both_databases!(a_provider_is_asked_when_the_operator_wants_it);
async fn a_provider_is_asked_when_the_operator_wants_it(backend: Backend) {
    let till = Till::on(backend).await;
    let (first, second) = (till.order().await, till.order().await);
    for order in [&first, &second] {
        assert_eq!(till.pay(order, "stripe").await, 200);
        till.stripe.happens(&till.session(order).await, Outcome::Pay);
    }
    assert_eq!(till.told(&["reconcile"]).await, "no attempt is to be asked about\n");
    till.stripe.next(Fault::Fail(500));
    let asked = till.list(&["reconcile", number(&first)]).await;
    assert_eq!((&asked[0]["before"], &asked[0]["after"]), (&json!("pending"), &json!("pending")));
    assert!(asked[0]["error"].is_string(), "{asked:?}");
    let told = till.told(&["reconcile", number(&first)]).await;
    assert!(told.contains(number(&first)) && told.contains("was pending, is succeeded"), "{told}");
    assert_eq!(till.json(&["show", number(&first)]).await["status"], "paid");
    assert_eq!(till.list(&["reconcile", number(&first)]).await, Vec::<Value>::new(), "nothing is open any more");
    assert_eq!(till.json(&["show", number(&second)]).await["status"], "pending");
    // What is due is asked about without being named.
    let id = second["id"].as_i64().expect("an id");
    let due = till.shop.now() - chrono::TimeDelta::minutes(1);
    let aged = till.shop.parts.db.write(async |tx| tx.run(HASTEN).bind(id).bind(due).execute().await).await;
    assert_eq!(aged.expect("it is written"), 1);
    let asked = till.list(&["reconcile"]).await;
    assert_eq!((asked.len(), &asked[0]["after"], &asked[0]["order_id"]), (1, &json!("succeeded"), &second["id"]));
    till.place.run(["payment", "reconcile", "O-999999"]).await.refused(1, &["no payment of order O-999999"]);
}

both_databases!(callbacks_are_listed_shown_and_looked_at_again);
async fn callbacks_are_listed_shown_and_looked_at_again(backend: Backend) {
    let till = Till::on(backend).await;
    let order = till.order().await;
    assert_eq!(till.pay(&order, "stripe").await, 200);
    let event = till.stripe.happens(&till.session(&order).await, Outcome::Pay);
    let mut foreign = event.clone();
    foreign["id"] = json!("evt_of_another_shop");
    foreign["data"]["object"]["id"] = json!("cs_of_another_shop");
    foreign["data"]["object"]["payment_intent"] = json!("pi_of_another_shop");
    foreign["data"]["object"]["client_reference_id"] = Value::Null;
    foreign["data"]["object"]["metadata"] = json!({});
    let (unmatched, done) =
        (till.call(&till.stripe.callback(&foreign)).await, till.call(&till.stripe.callback(&event)).await);
    for (options, expected) in [
        (&[][..], &[&done, &unmatched][..]),
        (&["--state", "unmatched"], &[&unmatched]),
        (&["--state", "processed", "--gateway", "stripe"], &[&done]),
        (&["--gateway", "mollie"], &[]),
        (&["--limit", "1"], &[&done]),
    ] {
        let listed = till.list(&[&["callbacks"], options].concat()).await;
        let ids = listed.iter().map(|callback| callback["id"].to_string()).collect::<Vec<_>>();
        assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{options:?}");
    }
    let shown = till.json(&["callbacks", "show", &unmatched]).await;
    assert_eq!((&shown["event_id"], &shown["state"]), (&json!("evt_of_another_shop"), &json!("unmatched")));
    assert_eq!(shown["notification"]["subject"]["provider_id"], "cs_of_another_shop");
    let told = till.told(&["callbacks", "show", &done]).await;
    assert!(told.contains(number(&order)) && told.contains("succeeded"), "{told}");
    let table = till.told(&["callbacks"]).await;
    assert!(table.contains("unmatched") && table.contains("it names no payment"), "{table}");
    let listed = till.list(&["callbacks"]).await;
    assert_told(&table, &listed, &["id", "gateway", "event_type", "state"]);
    let again = till.json(&["callbacks", "retry", &unmatched]).await;
    assert_eq!((&again["state"], &again["tries"]), (&json!("unmatched"), &json!(1)));
    let told = till.told(&["callbacks", "retry", &unmatched]).await;
    assert!(told.contains("is unmatched (it names no payment"), "{told}");
    let refused = async |arguments: &[&str], words: &[&str]| {
        till.place.run([&["payment", "callbacks"], arguments].concat()).await.refused(1, words);
    };
    refused(&["retry", &done], &["is processed", "nothing is left"]).await;
    refused(&["retry", "999999"], &["no callback 999999"]).await;
    refused(&["show", "999999"], &["no callback 999999", "stoa payment callbacks"]).await;
    till.place.run(["payment", "callbacks", "--state", "lost"]).await.refused(2, &["lost", "unmatched"]);
}

both_databases!(the_doctor_tells_what_nobody_knows_about_payments);
async fn the_doctor_tells_what_nobody_knows_about_payments(backend: Backend) {
    let till = Till::on(backend).await;
    let doctor = async || till.place.run(["doctor", "--json"]).await.data();
    let (wrong, silent) = (till.order().await, till.order().await);
    assert_eq!(till.pay(&wrong, "stripe").await, 200);
    till.stripe.next(Fault::Fail(500));
    assert_eq!(till.pay(&silent, "stripe").await, 422);
    let findings = doctor().await;
    for check in ["payments.callbacks", "payments.attempts"] {
        assert!(found(&findings, check, "ok"), "{check}: {findings:?}");
    }
    let mut event = till.stripe.happens(&till.session(&wrong).await, Outcome::Pay);
    event["data"]["object"]["amount_total"] = json!(1);
    till.call(&till.stripe.callback(&event)).await;
    let flagged = doctor().await;
    let text = |findings: &[Value]| serde_json::to_string(findings).expect("JSON");
    assert!(
        found(&flagged, "payments.callbacks", "warning") && text(&flagged).contains("1 callback needs"),
        "{flagged:?}"
    );
    till.place.run(["order", "reviewed", number(&wrong)]).await.succeeded();
    assert!(found(&doctor().await, "payments.callbacks", "ok"), "it was looked at");

    event["id"] = json!("evt_of_another_shop");
    event["data"]["object"]["id"] = json!("cs_of_another_shop");
    event["data"]["object"]["payment_intent"] = json!("pi_of_another_shop");
    event["data"]["object"]["client_reference_id"] = Value::Null;
    event["data"]["object"]["metadata"] = json!({});
    till.call(&till.stripe.callback(&event)).await;
    let id = silent["id"].as_i64().expect("an id");
    let yesterday = till.shop.now() - chrono::TimeDelta::hours(25);
    let aged = till
        .shop
        .parts
        .db
        .write(async |tx| -> Result<u64, DbError> { tx.run(AGE).bind(id).bind(yesterday).execute().await });
    assert_eq!(aged.await.expect("it is written"), 1);
    let findings = doctor().await;
    for (check, words) in [("payments.callbacks", "1 callback came"), ("payments.attempts", "1 attempt to pay")] {
        assert!(found(&findings, check, "warning") && text(&findings).contains(words), "{check}: {findings:?}");
    }
}
