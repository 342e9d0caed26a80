//! Points and orders: earned, redeemed, given back, and never twice.

use serde_json::json;
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::orders::{CancelReason, OrderPaid, OrderStatus, cancel_order};
use stoa_core::testing::{TestClient, TestShop, both_databases};
use stoa_loyalty::Loyalty;

use crate::shelf::{builder, buy, changes, fill_cart, id, order, pay, points, refund, shop};

async fn everything(shop: &TestShop) -> TestClient {
    shop.client().token(&shop.customer().await, &["*"]).await
}

both_databases!(points_come_once_with_what_is_paid_and_go_with_what_is_refunded);
async fn points_come_once_with_what_is_paid_and_go_with_what_is_refunded(backend: Backend) {
    let shop = shop(backend).await;
    let ada = everything(&shop).await;
    let bought = buy(&shop, &ada).await;
    assert_eq!(points(&ada).await, 20);
    let again = OrderPaid {
        order_id: id(&bought),
        order_number: String::new(),
        customer_id: 1,
        status: OrderStatus::Paid,
        total_amount: 2000,
        currency: String::from("EUR"),
        capabilities: None,
    };
    shop.parts.db.write(async |tx| tx.emit(&again).await).await.expect("it is told once more");
    shop.run_jobs().await;
    assert_eq!(points(&ada).await, 20, "told twice, earned once");
    refund(&shop, &bought, 150).await;
    assert_eq!(points(&ada).await, 18);
    refund(&shop, &bought, 1850).await;
    assert_eq!(
        changes(&ada).await,
        [-18, -2].map(taken).into_iter().chain([("earned".into(), 20)]).collect::<Vec<_>>()
    );
    assert_eq!(shop.breaches().await, [""; 0]);
}

fn taken(points: i64) -> (String, i64) {
    (String::from("taken_back"), points)
}

both_databases!(wanted_points_are_a_discount_of_the_next_order_and_come_back_when_it_is_cancelled);
async fn wanted_points_are_a_discount_of_the_next_order_and_come_back_when_it_is_cancelled(backend: Backend) {
    let shop = shop(backend).await;
    let ada = everything(&shop).await;
    buy(&shop, &ada).await;
    let refused =
        ada.post("/loyalty/wanted", &json!({"points": 21})).await.expect_error(422, "validation_error").json();
    assert_eq!(refused["errors"]["points"], json!(["You do not have so many points."]));
    for on in [true, false] {
        ada.post("/loyalty/wanted", &json!({"points": 15})).await.expect_status(200);
        fill_cart(&ada).await;
        let line = json!([{"module": "loyalty", "label": "Points redeemed", "amount": -75}]);
        let shown = ada.get("/checkout/requirements?country=NL").await.json()["data"]["totals"].clone();
        assert_eq!((&shown["added_lines"], &shown["total_amount"]), (&line, &json!(1925)));
        let placed = order(&ada).await;
        assert_eq!((&placed["added_lines"], &placed["total_amount"]), (&line, &json!(1925)));
        assert_eq!(points(&ada).await, 5);
        fill_cart(&ada).await;
        assert_eq!(order(&ada).await["total_amount"], 2000, "they are redeemed with one order");
        let entry = ModuleEntry::of::<Loyalty>("test", "0.0.0");
        let off = TestShop::builder(backend).linked_module(entry).on(shop.database()).clock(&shop.clock).seed(2);
        let off = off.open().await;
        let parts = if on { shop.uses() } else { off.uses() };
        cancel_order(&parts, id(&placed), CancelReason::Operator).await.expect("it is cancelled");
        assert_eq!(points(&ada).await, 20, "while the module is on: {on}");
    }
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(points_take_no_more_off_than_the_products_cost_and_come_back_with_all_the_money);
async fn points_take_no_more_off_than_the_products_cost_and_come_back_with_all_the_money(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let ada = shop.client().token(&customer, &["*"]).await;
    let id_of = customer.id.to_string();
    shop.command(&["loyalty", "correct", &id_of, "--points", "399", "--reason", "a gift"]).await.expect_success();
    ada.post("/loyalty/wanted", &json!({"points": 399})).await.expect_status(200);
    fill_cart(&ada).await;
    let placed = order(&ada).await;
    assert_eq!((&placed["total_amount"], points(&ada).await), (&json!(5), 0));
    pay(&shop, &placed).await;
    refund(&shop, &placed, 5).await;
    assert_eq!(points(&ada).await, 399);

    shop.command(&["loyalty", "correct", &id_of, "--points", "1000", "--reason", "a gift"]).await.expect_success();
    ada.post("/loyalty/wanted", &json!({"points": 1399})).await.expect_status(200);
    fill_cart(&ada).await;
    assert_eq!((&order(&ada).await["total_amount"], points(&ada).await), (&json!(0), 999));
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(points_are_told_and_erased_with_their_customer);
async fn points_are_told_and_erased_with_their_customer(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let ada = shop.client().token(&customer, &["*"]).await;
    let bought = buy(&shop, &ada).await;
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer.id).await.expect("it is read").expect("there is one");
    let told = export_customer(&parts.db, &parts.events, &account).await.expect("it is exported");
    assert_eq!((&told["loyalty"]["points"], &told["loyalty"]["entries"][0]["kind"]), (&json!(20), &json!("earned")));
    anonymize_customer(&parts.db, customer.id).await.expect("it is done");
    refund(&shop, &bought, 100).await;
    let left = shop.command(&["loyalty", "list", "--json"]).await.json();
    assert_eq!(left["data"], json!([]));
}

#[test]
fn an_amount_of_nothing_stops_the_start() {
    let config = "[modules.loyalty]\namount_per_point = 0";
    let refused = TestShop::builder(Backend::Sqlite).module::<Loyalty>().config(config).freeze();
    let Err(problems) = refused else { panic!("it is accepted") };
    assert!(problems.to_string().contains("`modules.loyalty.amount_per_point`"), "{problems}");
}

both_databases!(customers_redeem_in_the_cart_without_script);
async fn customers_redeem_in_the_cart_without_script(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000})]).await;
    let customer = shop.customer().await;
    let ada = shop.client().token(&customer, &["*"]).await;
    buy(&shop, &ada).await;
    let mut browser = shop.browser();
    browser.log_in(&customer).await;
    let account = browser.get("/account").await.expect_status(200).text();
    assert!(account.contains("You have 20 points, worth"), "{account}");
    browser.submit("/cart", &[("slug", "lamp"), ("quantity", "1")]).await.expect_status(303);
    let cart = browser.get("/cart").await.expect_status(200).text();
    assert!(cart.contains("action=\"/do/loyalty/wanted\"") && cart.contains("max=\"20\""), "{cart}");
    let send = |points| [("_back", "/cart"), ("_numbers", "points"), ("points", points)];
    let wrong = browser.submit("/do/loyalty/wanted", &send("21")).await.expect_status(422).text();
    assert!(wrong.contains("You do not have so many points.") && wrong.contains("action=\"/cart/"), "{wrong}");
    let done = browser.submit("/do/loyalty/wanted", &send("20")).await.expect_status(303);
    assert_eq!(done.header("location"), Some("/cart"));
    let checkout = browser.get("/checkout").await.expect_status(200).text();
    assert!(checkout.contains("Points redeemed"), "{checkout}");
}
