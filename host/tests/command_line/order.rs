//! `stoa order`: looking through orders, and what the operator does about one.

use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestShop, both_databases};
use stoa_core::webhooks::{EndpointKind, NewEndpoint, add_endpoint};

use super::place::{ShopFolder, found};

const TOLD: Sql = sql!("SELECT body FROM webhook_deliveries WHERE event = 'order.shipped' ORDER BY id");
const FLAG: Sql = sql!("UPDATE orders SET review_reason = 'paid_twice' WHERE id = $1");
const REFUND_UNITS: Sql = sql!("UPDATE order_lines SET refunded_quantity = $2 WHERE id = $1");

/// A place with a shop on its database, and a customer who buys there.
pub(super) struct Sold {
    pub(super) place: ShopFolder,
    pub(super) shop: TestShop,
    ada: TestClient,
    email: String,
}

impl Sold {
    pub(super) async fn on(backend: Backend) -> Self {
        let place = ShopFolder::migrated(backend).await.variable("STOA_PAYMENTS__DEVELOPMENT__ENABLED", "true");
        let builder = TestShop::builder(backend).on(place.database()).clock(&Clock::system());
        let shop = builder.config("[payments.development]\nenabled = true").open().await;
        let thing = |slug: &str, name: &str, capabilities: Value| json!({"type": "product", "slug": slug, "name": name, "price_amount": 2000, "capabilities": capabilities});
        let shippable = || json!(["shippable"]);
        shop.stock(&[
            thing("lamp", "Lamp", shippable()),
            thing("chair", "Chair", shippable()),
            thing("song", "Song", json!([])),
        ])
        .await;
        let customer = shop.customer().await;
        let ada = shop.client().token(&customer, &["*"]).await;
        Self { place, shop, ada, email: customer.email }
    }

    /// Places an order of these products.
    pub(super) async fn order(&self, lines: &[(&str, i64)]) -> Value {
        self.order_with(lines, &[]).await
    }

    /// Pays an order at once.
    pub(super) async fn pay(&self, order: &Value) {
        let body = json!({"gateway": "development", "return_url": "https://shop.example/thanks",
                          "cancel_url": "https://shop.example/cart"});
        self.ada.post(&format!("/orders/{}/pay", order["id"]), &body).await.expect_status(200);
    }

    /// Places an order of these products, with further members of the request.
    pub(super) async fn order_with(&self, lines: &[(&str, i64)], members: &[(&str, &str)]) -> Value {
        for (slug, quantity) in lines {
            let product = self.ada.get(&format!("/products/{slug}")).await.expect_status(200).json();
            let line = json!({"product_id": product["data"]["id"], "quantity": quantity});
            self.ada.post("/cart", &line).await.expect_status(200);
        }
        let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                             "country": "NL"});
        let mut checkout = json!({"billing": billing, "shipping_method_id": "standard", "note": "Ring twice."});
        for (member, value) in members {
            checkout[*member] = json!(value);
        }
        self.ada.post("/checkout", &checkout).await.expect_status(201).json()["data"].clone()
    }

    async fn json(&self, arguments: &[&str]) -> Value {
        self.place.run([&["order"], arguments, &["--json"]].concat()).await.succeeded().json()
    }

    async fn refused(&self, arguments: &[&str], words: &[&str]) {
        self.place.run([&["order"], arguments].concat()).await.refused(1, words);
    }

    async fn write(&self, statement: Sql, id: &Value, quantity: Option<i64>) {
        let id = id.as_i64().expect("an id");
        let written = self.shop.parts.db.write(async |tx| -> Result<u64, DbError> {
            let run = tx.run(statement).bind(id);
            match quantity {
                Some(quantity) => run.bind(quantity).execute().await,
                None => run.execute().await,
            }
        });
        assert_eq!(written.await.expect("it is written"), 1);
    }
}

fn number(order: &Value) -> &str {
    order["number"].as_str().expect("a number")
}

fn actions(order: &Value) -> Vec<&str> {
    let history = order["history"].as_array().expect("a list").iter();
    history.filter_map(|entry| entry["action"].as_str()).collect()
}

both_databases!(an_order_is_shown_by_number_and_id_with_what_the_operator_knows);
async fn an_order_is_shown_by_number_and_id_with_what_the_operator_knows(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(&[("lamp", 2), ("song", 1)]).await;
    let pay = json!({"gateway": "manual", "return_url": "https://a.example", "cancel_url": "https://a.example"});
    sold.ada.post(&format!("/orders/{}/pay", order["id"]), &pay).await.expect_status(200);
    let shown = sold.json(&["show", number(&order)]).await;
    assert_eq!(sold.json(&["show", &order["id"].to_string()]).await, shown);
    for (member, value) in order.as_object().expect("an object") {
        assert_eq!(&shown[member], value, "{member}");
    }
    for (member, value) in [
        ("needs_review", json!(false)),
        ("review_reason", Value::Null),
        ("customer_email", json!(sold.email)),
        ("cancel_reason", Value::Null),
        ("refunds", json!([])),
    ] {
        assert_eq!(shown[member], value, "{member}");
    }
    assert!(shown["customer_id"].is_i64() && shown["expires_at"].is_string(), "{shown}");
    assert_eq!(
        (&shown["attempts"][0]["gateway"], &shown["attempts"][0]["status"]),
        (&json!("manual"), &json!("pending"))
    );
    assert_eq!((actions(&shown), &shown["history"][0]["actor"]), (vec!["placed"], &json!("customer")));
    let told = sold.place.run(["order", "show", number(&order)]).await.succeeded().out;
    for text in [number(&order), &sold.email, "2 x Lamp", "Keizersgracht 1", "Ring twice.", "manual of", "placed by"] {
        assert!(told.contains(text), "{text} is missing in {told}");
    }
    for command in ["show", "cancel", "mark-paid", "ship", "reviewed"] {
        sold.refused(&[command, "O-999999"], &["there is no order O-999999", "stoa order list"]).await;
        sold.place.run(["order", command, "T-000001"]).await.refused(2, &["T-000001", "O-000042"]);
    }
    sold.refused(&["note", "999999", "x"], &["there is no order O-999999"]).await;
}

both_databases!(orders_are_listed_by_state_customer_and_flag);
async fn orders_are_listed_by_state_customer_and_flag(backend: Backend) {
    let sold = Sold::on(backend).await;
    let (first, second, third) =
        (sold.order(&[("lamp", 1)]).await, sold.order(&[("song", 1)]).await, sold.order(&[("song", 2)]).await);
    sold.json(&["mark-paid", number(&second)]).await;
    sold.json(&["cancel", number(&third)]).await;
    sold.write(FLAG, &second["id"], None).await;
    let bob = sold.shop.customer().await;
    let invoice = first["invoice"]["number"].as_str().expect("an invoice");
    for (options, expected) in [
        (&[][..], &[&third, &second, &first][..]),
        (&["--status", "pending"], &[&first]),
        (&["--status", "paid"], &[&second]),
        (&["--status", "cancelled"], &[&third]),
        (&["--review"], &[&second]),
        (&["--customer", &sold.email], &[&third, &second, &first]),
        (&["--customer", &bob.email], &[]),
        (&["--limit", "1"], &[&third]),
        (&["--limit", "1", "--after", number(&third)], &[&second]),
        (&["--status", "pending", "--review"], &[]),
        (&["--search", invoice], &[&first]),
        (&["--search", &sold.email, "--limit", "1", "--after", number(&third)], &[&second]),
        (&["--search", number(&second), "--status", "pending"], &[]),
    ] {
        let listed = sold.place.run([&["order", "list", "--json"], options].concat()).await.succeeded().data();
        let ids = listed.iter().map(|order| &order["id"]).collect::<Vec<_>>();
        assert_eq!(ids, expected.iter().map(|order| &order["id"]).collect::<Vec<_>>(), "{options:?}");
    }
    let table = sold.place.run(["order", "list", "--review"]).await.succeeded().out;
    assert!(table.contains(number(&second)) && table.contains("paid_twice") && table.contains(&sold.email), "{table}");
    sold.place.run(["order", "list", "--status", "lost"]).await.refused(2, &["lost", "pending, paid, cancelled"]);
}

both_databases!(an_order_is_cancelled_once_and_only_while_it_is_unpaid);
async fn an_order_is_cancelled_once_and_only_while_it_is_unpaid(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(&[("lamp", 1)]).await;
    let cancelled = sold.json(&["cancel", number(&order)]).await;
    let states = (&cancelled["status"], &cancelled["payment_status"], &cancelled["cancel_reason"]);
    assert_eq!(states, (&json!("cancelled"), &json!("cancelled"), &json!("operator")));
    assert_eq!(actions(&cancelled), ["placed", "cancelled"]);
    sold.refused(&["cancel", number(&order)], &["is cancelled already"]).await;
    sold.refused(&["mark-paid", number(&order)], &["is cancelled", "does not revive"]).await;
    let paid = sold.order(&[("lamp", 1)]).await;
    let marked = sold.json(&["mark-paid", number(&paid)]).await;
    assert_eq!((&marked["status"], &marked["payment"]["status"]), (&json!("paid"), &json!("paid")));
    assert_eq!(marked["history"][1]["actor"], "operator");
    sold.refused(&["mark-paid", number(&paid)], &["is paid already"]).await;
    sold.refused(&["cancel", number(&paid)], &["is paid", "--amount AMOUNT --reason '…'` sends money back", "--line"])
        .await;
    let told = sold.order(&[("lamp", 1)]).await;
    let out = sold.place.run(["order", "mark-paid", number(&told)]).await.succeeded();
    assert_eq!((out.out, out.err), (format!("order {} is paid\n", number(&told)), String::new()));
}

both_databases!(goods_are_shipped_in_parts_and_never_twice);
async fn goods_are_shipped_in_parts_and_never_twice(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(&[("lamp", 3), ("chair", 1), ("song", 1)]).await;
    let n = number(&order);
    sold.refused(&["ship", n], &["is not paid", "stoa order mark-paid"]).await;
    sold.json(&["mark-paid", n]).await;
    let item = |index: usize| order["items"][index]["id"].to_string();
    let (lamp, chair, song) = (item(0), item(1), item(2));
    let of = |item: &str, quantity: i64| format!("{item}:{quantity}");
    sold.refused(&["ship", n, "--line", &of(&lamp, 4)], &[&lamp, "Lamp", "3 remain"]).await;
    sold.refused(&["ship", n, "--line", &of(&lamp, 2), "--line", &of(&lamp, 2)], &["Lamp", "3 remain"]).await;
    sold.refused(&["ship", n, "--line", &of(&song, 1)], &["Song", "not shippable"]).await;
    sold.refused(&["ship", n, "--line", "999999:1"], &["has no item 999999", &chair]).await;
    sold.place.run(["order", "ship", n, "--line", "1:0"]).await.refused(2, &["77:2"]);
    sold.place.run(["order", "ship", n, "--tracking", " "]).await.refused(2, &["1 to 255"]);
    assert_eq!(sold.json(&["show", n]).await["shipments"], json!([]), "what was refused has sent nothing");

    let part = sold.json(&["ship", n, "--line", &of(&lamp, 1), "--line", &of(&lamp, 1), "--tracking", " 3S1 "]).await;
    assert_eq!(part["fulfillment_status"], "partially_fulfilled");
    let shipment = &part["shipments"][0];
    assert_eq!(shipment["items"], json!([{"id": order["items"][0]["id"], "quantity": 2}]));
    assert_eq!(shipment["tracking"], "3S1");
    assert!(shipment["id"].is_i64() && shipment["shipped_at"].is_string());
    assert_eq!(part["items"][0]["shipped_quantity"], 2);
    // One unit less is to be sent since its money went back.
    sold.write(REFUND_UNITS, &order["items"][0]["id"], Some(1)).await;
    sold.refused(&["ship", n, "--line", &of(&lamp, 1)], &["Lamp", "0 remain"]).await;
    let rest = sold.json(&["ship", n]).await;
    assert_eq!(rest["fulfillment_status"], "fulfilled");
    assert_eq!(rest["shipments"][1]["items"], json!([{"id": order["items"][1]["id"], "quantity": 1}]));
    assert_eq!(rest["shipments"][1]["tracking"], Value::Null);
    assert_eq!(actions(&rest), ["placed", "payment_recorded", "paid", "shipped", "shipped"]);
    sold.refused(&["ship", n], &["nothing", "remains"]).await;
    let seen = sold.ada.get(&format!("/orders/{}", order["id"])).await.expect_status(200).json();
    assert_eq!(
        (&seen["data"]["shipments"], &seen["data"]["fulfillment_status"]),
        (&rest["shipments"], &json!("fulfilled"))
    );

    let song = sold.order(&[("song", 1)]).await;
    sold.json(&["mark-paid", number(&song)]).await;
    sold.refused(&["ship", number(&song)], &["nothing", "remains"]).await;
    let gone = sold.order(&[("lamp", 1)]).await;
    sold.json(&["cancel", number(&gone)]).await;
    sold.refused(&["ship", number(&gone)], &["is cancelled"]).await;
}

both_databases!(what_was_refunded_whole_is_neither_packed_nor_shipped);
async fn what_was_refunded_whole_is_neither_packed_nor_shipped(backend: Backend) {
    let sold = Sold::on(backend).await;
    let to_pack = async || {
        let listed = sold.json(&["list", "--to-pack"]).await;
        let numbers = listed["data"].as_array().expect("a list").iter().map(|order| order["number"].clone());
        numbers.collect::<Vec<_>>()
    };
    let (by_amount, by_units, in_part) =
        (sold.order(&[("lamp", 2)]).await, sold.order(&[("lamp", 1)]).await, sold.order(&[("lamp", 2)]).await);
    for order in [&by_amount, &by_units, &in_part] {
        sold.pay(order).await;
    }
    assert_eq!(to_pack().await.len(), 3, "before anything is refunded");
    sold.json(&["ship", number(&in_part), "--line", &format!("{}:1", in_part["items"][0]["id"])]).await;

    let amount = by_amount["total_amount"].to_string();
    sold.json(&["refund", number(&by_amount), "--amount", &amount, "--reason", "Lost"]).await;
    let line = |order: &Value| format!("{}:1", order["items"][0]["id"]);
    for order in [&by_units, &in_part] {
        sold.json(&["refund", number(order), "--line", &line(order), "--reason", "Broken"]).await;
    }

    assert_eq!(to_pack().await, Vec::<Value>::new());
    for (order, status) in [(&by_amount, "not_required"), (&by_units, "not_required"), (&in_part, "fulfilled")] {
        assert_eq!(sold.json(&["show", number(order)]).await["fulfillment_status"], status);
        sold.refused(&["ship", number(order)], &["nothing", "remains"]).await;
        sold.refused(&["ship", number(order), "--line", &line(order)], &["Lamp", "0 remain"]).await;
    }
}

both_databases!(each_shipment_is_told_to_whoever_subscribes);
async fn each_shipment_is_told_to_whoever_subscribes(backend: Backend) {
    let sold = Sold::on(backend).await;
    let (parts, events) = (&sold.shop.parts, vec![String::from("order.shipped")]);
    let url = String::from("https://hooks.example.com/stoa");
    let new = NewEndpoint { url, kind: EndpointKind::Http, events, secret: None };
    add_endpoint(&parts.db, &parts.random, &parts.cipher, &parts.config, new).await.expect("an endpoint is added");
    let order = sold.order(&[("lamp", 3)]).await;
    let (n, item) = (number(&order), &order["items"][0]);
    sold.json(&["mark-paid", n]).await;
    sold.json(&["ship", n, "--line", &format!("{}:2", item["id"]), "--tracking", "3S1"]).await;
    let shipped = sold.json(&["ship", n]).await;
    let told = parts.db.read(TOLD).scalars::<String>().await.expect("they can be read");
    let told = told.iter().map(|body| serde_json::from_str::<Value>(body).expect("it is JSON")["data"].clone());
    let data = |shipment: usize, tracking: Value, quantity: i64| {
        json!({"order_id": order["id"], "order_number": n, "shipment_id": shipped["shipments"][shipment]["id"],
               "tracking": tracking,
               "items": [{"item_id": item["id"], "product_id": item["product_id"], "quantity": quantity}]})
    };
    assert_eq!(told.collect::<Vec<_>>(), [data(0, json!("3S1"), 2), data(1, Value::Null, 1)]);
}

both_databases!(shipping_the_same_order_at_once_sends_every_unit_once);
async fn shipping_the_same_order_at_once_sends_every_unit_once(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(&[("lamp", 3)]).await;
    sold.json(&["mark-paid", number(&order)]).await;
    let number = number(&order).parse().expect("a number");
    let line =
        stoa_core::orders::ShipmentLine { item_id: order["items"][0]["id"].as_i64().expect("an id"), quantity: 1 };
    let running = (0..8).map(|_| {
        let db = sold.shop.parts.db.clone();
        tokio::spawn(async move { stoa_core::orders::ship_order(&db, number, &[line], None).await.is_ok() })
    });
    let mut sent = 0;
    for shipped in running.collect::<Vec<_>>() {
        sent += u8::from(shipped.await.expect("it ends"));
    }
    let shown = sold.json(&["show", &order["id"].to_string()]).await;
    assert_eq!((sent, &shown["items"][0]["shipped_quantity"]), (3, &json!(3)));
    assert_eq!(shown["shipments"].as_array().map(Vec::len), Some(3));
}

both_databases!(a_flag_is_seen_noted_and_taken_off);
async fn a_flag_is_seen_noted_and_taken_off(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(&[("lamp", 1)]).await;
    let doctor = async || sold.place.run(["doctor", "--json"]).await.data();
    assert!(found(&doctor().await, "orders.review", "ok"));
    sold.write(FLAG, &order["id"], None).await;
    let findings = doctor().await;
    assert!(found(&findings, "orders.review", "warning"), "{findings:?}");
    let shown = sold.json(&["show", number(&order)]).await;
    assert_eq!((&shown["needs_review"], &shown["review_reason"]), (&json!(true), &json!("paid_twice")));
    let noted = sold.json(&["note", number(&order), "- called\nback"]).await;
    assert_eq!((&noted["number"], actions(&noted)), (&order["number"], vec!["placed", "note"]));
    let off = sold.place.run(["order", "reviewed", number(&order)]).await.succeeded().out;
    assert!(off.contains("paid_twice"), "{off}");
    assert_eq!(sold.json(&["reviewed", number(&order)]).await["needs_review"], false);
    let again = sold.place.run(["order", "reviewed", number(&order)]).await.succeeded().out;
    assert!(again.contains("needed no review"), "{again}");
    let shown = sold.json(&["show", number(&order)]).await;
    assert_eq!((&shown["needs_review"], actions(&shown)), (&json!(false), vec!["placed", "note", "reviewed"]));
    let details = shown["history"].as_array().expect("a list").iter().map(|entry| &entry["detail"]).collect::<Vec<_>>();
    assert_eq!(details[1..], [&json!("- called\nback"), &json!("paid_twice")]);
    let long = "x".repeat(1001);
    for note in ["", " ", &long, "\u{1b}[2J"] {
        sold.place.run(["order", "note", number(&order), note]).await.refused(2, &["1 to 1000"]);
    }
    let seen = sold.ada.get(&format!("/orders/{}", order["id"])).await.expect_status(200);
    assert!(!seen.text().contains("called"), "customers do not see notes");
}
