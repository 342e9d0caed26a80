//! `stoa withdrawal`: what the operator does about customers who withdraw.

use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use super::place::{Outcome, ShopFolder};
use super::tables::assert_told;

/// A place in the European Union with a shop on its database, and a customer who buys there.
struct Sold {
    place: ShopFolder,
    shop: TestShop,
    ada: TestClient,
    email: String,
}

impl Sold {
    async fn on(backend: Backend) -> Self {
        let place = ShopFolder::migrated(backend).await.variable("STOA_SHOP__CONSUMER_RIGHTS", "eu");
        let builder = TestShop::builder(backend).on(place.database()).clock(&Clock::system());
        let shop = builder.config("[shop]\nconsumer_rights = 'eu'\n").open().await;
        let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000, "capabilities": ["shippable"]});
        shop.stock(&[lamp]).await;
        let customer = shop.customer().await;
        let ada = shop.client().token(&customer, &["*"]).await;
        Self { place, shop, ada, email: customer.email }
    }

    async fn order(&self, quantity: i64) -> Value {
        self.ada.post("/cart", &json!({"product_id": 1, "quantity": quantity})).await.expect_status(200);
        let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                             "country": "NL"});
        let body = json!({"billing": billing, "shipping_method_id": "standard"});
        self.ada.post("/checkout", &body).await.expect_status(201).json()["data"].clone()
    }

    async fn bought(&self, quantity: i64) -> Value {
        let order = self.order(quantity).await;
        self.place.run(["order", "mark-paid", text(&order, "number")]).await.succeeded();
        order
    }

    async fn withdraw(&self, order: &Value) -> Value {
        let body = json!({"order_id": order["id"], "statement": "Too bright."});
        self.ada.post("/withdrawals", &body).await.expect_status(201).json()["data"].clone()
    }

    async fn run(&self, arguments: &[&str]) -> Outcome {
        self.place.run([&["withdrawal"], arguments].concat()).await
    }
}

fn text<'a>(thing: &'a Value, member: &str) -> &'a str {
    thing[member].as_str().expect("a text")
}

both_databases!(a_withdrawal_is_listed_shown_accepted_refunded_and_completed);
async fn a_withdrawal_is_listed_shown_accepted_refunded_and_completed(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.bought(2).await;
    let withdrawal = sold.withdraw(&order).await;
    let number = text(&withdrawal, "number");
    let listed = sold.run(&["list", "--status", "declared", "--json"]).await.succeeded().data();
    assert_eq!(listed.len(), 1);
    for (member, value) in withdrawal.as_object().expect("an object") {
        assert_eq!(&listed[0][member], value, "{member}");
    }
    assert_eq!(listed[0]["customer"], json!(sold.email));
    let table = sold.run(&["list", "--customer", &sold.email]).await.succeeded().out;
    assert!(table.contains(number) && table.contains(text(&order, "number")), "{table}");
    assert_told(&table, &listed, &["number", "status", "order_number", "customer"]);
    assert_eq!(sold.run(&["list", "--status", "accepted", "--json"]).await.succeeded().data(), Vec::<Value>::new());
    let shown = sold.run(&["show", number]).await.succeeded().out;
    for word in [number, "declared", "2 x Lamp", "Too bright.", &sold.email] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    let order_shown = sold.place.run(["order", "show", text(&order, "number")]).await.succeeded().out;
    assert!(order_shown.contains("2 withdrawn"), "{order_shown}");
    let accepted = sold.run(&["accept", number]).await.succeeded().out;
    assert!(accepted.contains(&format!("stoa withdrawal accept {number} --refund")), "{accepted}");
    let refunded = sold.run(&["accept", number, "--refund", "--json"]).await.succeeded().json();
    assert_eq!((&refunded["status"], &refunded["refund"]["amount"]), (&json!("accepted"), &order["total_amount"]));
    assert_eq!(refunded["refund_id"], refunded["refund"]["id"]);
    sold.run(&["accept", number, "--refund"]).await.refused(1, &["gone back before"]);
    let completed = sold.run(&["complete", number, "--json"]).await.succeeded().json();
    assert_eq!(completed["status"], "completed");
    sold.run(&["complete", number]).await.refused(1, &["is completed"]);
    let verified = sold.place.run(["verify"]).await.succeeded();
    assert!(verified.err.is_empty() || !verified.err.contains("withdraw"), "{verified:?}");
}

both_databases!(whoever_completes_a_withdrawal_is_told_that_its_money_has_not_gone_back);
async fn whoever_completes_a_withdrawal_is_told_that_its_money_has_not_gone_back(backend: Backend) {
    let sold = Sold::on(backend).await;
    for (words, told) in [(&["complete"][..], true), (&["complete", "--without-refund"], false)] {
        let withdrawal = sold.withdraw(&sold.bought(1).await).await;
        let number = text(&withdrawal, "number");
        sold.run(&["accept", number]).await.succeeded();
        let completed = sold.run(&[words, &[number, "--json"]].concat()).await.succeeded();
        assert_eq!(completed.json()["status"], "completed");
        assert_eq!(completed.err.contains("has not gone back; `stoa order refund O-"), told, "{}", completed.err);
    }
}

both_databases!(a_withdrawal_is_refused_with_a_reason);
async fn a_withdrawal_is_refused_with_a_reason(backend: Backend) {
    let sold = Sold::on(backend).await;
    let without = sold.withdraw(&sold.bought(1).await).await;
    let refused = sold.run(&["refuse", text(&without, "number"), "--json"]).await.succeeded().json();
    assert_eq!((&refused["status"], &refused["refusal_reason"]), (&json!("refused"), &Value::Null));
    let withdrawal = sold.withdraw(&sold.bought(1).await).await;
    let number = text(&withdrawal, "number");
    sold.run(&["refuse", number, "--reason", " "]).await.refused(2, &["1 to 1000 characters"]);
    let refused = sold.run(&["refuse", number, "--reason", "It was used.", "--json"]).await.succeeded().json();
    assert_eq!((&refused["status"], &refused["refusal_reason"]), (&json!("refused"), &json!("It was used.")));
    sold.run(&["accept", number]).await.refused(1, &["is refused"]);
    sold.run(&["refuse", number, "--reason", "Again."]).await.refused(1, &["is refused"]);
    for action in [&["show"][..], &["accept"], &["complete"]] {
        sold.run(&[action, &["W-999999"]].concat()).await.refused(1, &["W-999999", "stoa withdrawal list"]);
        sold.run(&[action, &["O-1"]].concat()).await.refused(2, &["W-000042"]);
    }
}

both_databases!(an_unpaid_order_is_cancelled_by_accepting);
async fn an_unpaid_order_is_cancelled_by_accepting(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(1).await;
    let withdrawal = sold.withdraw(&order).await;
    let told = sold.run(&["accept", text(&withdrawal, "number"), "--refund"]).await.succeeded().out;
    assert!(told.contains("nothing was paid"), "{told}");
    let shown = sold.place.run(["order", "show", text(&order, "number"), "--json"]).await.succeeded().json();
    assert_eq!((&shown["status"], &shown["cancel_reason"]), (&json!("cancelled"), &json!("withdrawn")));
    sold.run(&["complete", text(&withdrawal, "number")]).await.succeeded();
    assert!(sold.shop.breaches().await.is_empty());
}
