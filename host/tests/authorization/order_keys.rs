//! What the key of an order's link opens: what was bought with that order, and nothing else.

use chrono::TimeDelta;
use http::Method;
use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::orders::{OrderLinks, OrderNumber};
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::samples::Sample;
use crate::table::{RouteFacts, routes, shop};

/// Routes that such keys open.
fn opened_routes() -> Vec<RouteFacts> {
    let found = routes().into_iter().filter(|route| route.by_order_key).collect::<Vec<_>>();
    assert!(found.len() >= 12, "the walk has lost its routes");
    found
}

/// Somebody who holds this key, and says that it is of this order.
fn holder(shop: &TestShop, order: i64, key: &str) -> TestClient {
    let number = OrderNumber::of(order).to_string();
    shop.client().with_header("x-order-number", &number).with_header("x-order-key", key)
}

fn key(shop: &TestShop, order: i64) -> String {
    shop.uses::<OrderLinks>().key(order, shop.now())
}

/// All that a customer has ordered.
async fn orders(shop: &TestShop, customer: &CustomerRecord) -> Vec<i64> {
    let client = shop.client().token(customer, &["*"]).await;
    let mut ids = Vec::new();
    for page in 1.. {
        let answer = client.get(&format!("/orders?page={page}")).await.expect_status(200).json();
        ids.extend(answer["data"].as_array().into_iter().flatten().filter_map(|order| order["id"].as_i64()));
        if answer["meta"]["last_page"].as_i64() <= Some(page) {
            break;
        }
    }
    ids
}

/// A sample of each of these routes: what it shows belongs to one order of the customer, who has others.
async fn samples(shop: &TestShop, customer: &CustomerRecord) -> Vec<(RouteFacts, Sample)> {
    let mut samples = Vec::new();
    for route in opened_routes() {
        let sample = route.sample(shop, customer).await;
        samples.push((route, sample));
    }
    samples
}

both_databases!(a_key_opens_what_was_bought_with_its_order_and_nothing_else_of_the_customer);
async fn a_key_opens_what_was_bought_with_its_order_and_nothing_else_of_the_customer(backend: Backend) {
    let shop = shop(backend).await;
    let owner = shop.customer().await;
    let samples = samples(&shop, &owner).await;
    let orders = orders(&shop, &owner).await;
    let all = shop.client().token(&owner, &["*"]).await;
    for (route, sample) in samples {
        let mut shown = 0;
        let mut opened = 0;
        for order in &orders {
            let answer = route.send(&holder(&shop, *order, &key(&shop, *order)), &sample).await;
            if route.has_variables {
                opened += usize::from(answer.status.is_success());
                assert!(matches!(answer.status.as_u16(), 200 | 404), "{}: {}", route.name, answer.text());
                continue;
            }
            let answer = answer.expect_status(200).json();
            for item in answer["data"].as_array().expect("a list") {
                assert_eq!(item["order_id"], json!(order), "{}: {item}", route.name);
                shown += 1;
            }
        }
        if route.has_variables {
            assert_eq!(opened, 1, "{}: one order has it", route.name);
        } else {
            let whole = route.send(&all, &sample).await.expect_status(200).json();
            assert!(shown > 0 && whole["meta"]["total"] == json!(shown), "{}: {shown} of {whole}", route.name);
        }
    }
}

both_databases!(a_key_that_is_not_that_of_the_order_opens_nothing);
async fn a_key_that_is_not_that_of_the_order_opens_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let (owner, other) = (shop.customer().await, shop.customer().await);
    let samples = samples(&shop, &owner).await;
    crate::samples::sample(&shop, &other, "orders.show").await.expect("there is one");
    let foreign = orders(&shop, &other).await[0];
    let order = orders(&shop, &owner).await[0];
    let (own, theirs) = (key(&shop, order), key(&shop, foreign));
    let wrong = [theirs.as_str(), &own[1..], &own[..own.len() - 1], &format!("{own}A"), "", "key"];
    for (route, sample) in &samples {
        for key in wrong {
            route.send(&holder(&shop, order, key), sample).await.expect_error(404, "not_found");
        }
        // A good key, and the number of another order, none, or one that there is not.
        route.send(&holder(&shop, foreign, &own), sample).await.expect_error(404, "not_found");
        route.send(&holder(&shop, 4711, &key(&shop, 4711)), sample).await.expect_error(404, "not_found");
        let unnamed = shop.client().with_header("x-order-key", &own);
        route.send(&unnamed, sample).await.expect_error(404, "not_found");
        // A token decides alone.
        let stranger = shop.client().token(&other, &[]).await.with_header("x-order-key", &own);
        let stranger = stranger.with_header("x-order-number", &OrderNumber::of(order).to_string());
        route.send(&stranger, sample).await.expect_error(403, "insufficient_scope");
    }
    shop.advance(TimeDelta::days(91));
    for (route, sample) in &samples {
        route.send(&holder(&shop, order, &own), sample).await.expect_error(404, "not_found");
    }
}

both_databases!(a_key_opens_no_other_route);
async fn a_key_opens_no_other_route(backend: Backend) {
    let shop = shop(backend).await;
    let owner = shop.customer().await;
    let closed = routes().into_iter().filter(|route| !route.by_order_key && route.is_for_customers());
    let closed = closed.collect::<Vec<_>>();
    assert!(closed.len() >= 12, "the walk has lost its routes");
    for route in closed {
        let sample = route.sample(&shop, &owner).await;
        let order = orders(&shop, &owner).await.first().copied();
        let order = if let Some(order) = order {
            order
        } else {
            crate::samples::sample(&shop, &owner, "orders.show").await.expect("there is one");
            orders(&shop, &owner).await[0]
        };
        let answer = route.send(&holder(&shop, order, &key(&shop, order)), &sample).await;
        answer.expect_error(401, "unauthenticated");
    }
}

both_databases!(customers_see_what_they_bought_with_one_order);
async fn customers_see_what_they_bought_with_one_order(backend: Backend) {
    let shop = shop(backend).await;
    let owner = shop.customer().await;
    for _ in 0..2 {
        crate::samples::sample(&shop, &owner, "event-tickets.show").await.expect("there is one");
    }
    let client = shop.client().token(&owner, &["*"]).await;
    let [newer, older] = orders(&shop, &owner).await[..] else { panic!("two orders") };
    for order in [newer, older] {
        let named = client.with_header("x-order-number", &OrderNumber::of(order).to_string());
        let shown = named.get("/event-tickets").await.expect_status(200).json();
        assert_eq!((&shown["meta"]["total"], &shown["data"][0]["order_id"]), (&json!(1), &json!(order)));
    }
    client.with_header("x-order-number", "O-x").get("/event-tickets").await.expect_error(404, "not_found");
    let all = client.get("/event-tickets").await.expect_status(200).json();
    assert_eq!(all["meta"]["total"], json!(2));
}

both_databases!(an_order_is_paid_by_its_key);
async fn an_order_is_paid_by_its_key(backend: Backend) {
    let shop = shop(backend).await;
    let owner = shop.customer().await;
    let route = routes().into_iter().find(|route| route.name == "guest-orders.pay").expect("there is one");
    assert_eq!(route.method, Method::POST);
    let sample = route.sample(&shop, &owner).await;
    let attempt = route.send(&shop.client(), &sample).await.expect_status(200).json();
    assert_eq!(attempt["data"]["gateway"], json!("manual"));
    let wrong = Sample { header: Some(("x-order-key", String::from("AABRdMm0lVbT3o2cQ9Kp1xw7YzE"))), ..sample };
    let refused: Value = route.send(&shop.client(), &wrong).await.expect_error(404, "not_found").json();
    assert!(refused["errors"].is_null(), "{refused}");
}
