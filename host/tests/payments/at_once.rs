//! A customer who opens several pages of a provider at once: one of them can be paid (contract 2.3).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, both_databases};
use stoa_fakes::stripe::Outcome;

use crate::till::Till;

/// Asks for a page that leads back to an address of its own.
async fn pay(client: &TestClient, order_id: i64, number: usize) -> TestResponse {
    let body = json!({"gateway": "stripe", "return_url": format!("https://front.example/{number}"),
                      "cancel_url": "https://front.example/cart"});
    client.post(&format!("/orders/{order_id}/pay"), &body).await
}

/// The sessions of an order that can be paid.
async fn payable(till: &Till, order_id: i64) -> Vec<Value> {
    let order = till.client.get(&format!("/orders/{order_id}")).await.expect_status(200).json();
    let is_payable =
        |session: &Value| session["status"] == "open" && session["metadata"]["order_number"] == order["data"]["number"];
    till.stripe.sessions().into_iter().filter(is_payable).collect()
}

both_databases!(of_pages_that_are_opened_at_once_exactly_one_can_be_paid);
async fn of_pages_that_are_opened_at_once_exactly_one_can_be_paid(backend: Backend) {
    let till = Till::new(backend).await;
    // The control: one after the other.
    let order_id = till.order("stripe").await;
    for number in 0..5 {
        let answer = pay(&till.client, order_id, number).await.expect_status(200).json();
        let open = payable(&till, order_id).await;
        assert_eq!(open.len(), 1);
        assert_eq!(open[0]["url"], answer["data"]["redirect_url"]);
    }
    for pages in [2, 3, 4, 5, 6, 7, 8, 9] {
        let order_id = till.order("stripe").await;
        let asking = (0..pages).map(|number| {
            let client = till.client.clone();
            tokio::spawn(async move { pay(&client, order_id, number).await })
        });
        let mut told = Vec::new();
        for answer in asking.collect::<Vec<_>>() {
            let answer = answer.await.expect("no request panics");
            match answer.status.as_u16() {
                200 => told.push(answer.json()["data"]["redirect_url"].clone()),
                _ => assert_eq!(answer.expect_error(409, "invalid_state").json()["reason"], "payment_processing"),
            }
        }
        let open = payable(&till, order_id).await;
        assert_eq!(open.len(), 1, "of {pages} pages");
        assert!(told.contains(&open[0]["url"]), "nobody was sent to it: {told:?}");
        let id = open[0]["id"].as_str().expect("an id");
        till.tell_stripe(&till.stripe.happens(id, Outcome::Pay)).await;
        Till::assert_states(&till.states(order_id).await, "paid", "paid");
        assert_eq!((till.payments(order_id).await, till.review(order_id).await), (1, None));
    }
}
