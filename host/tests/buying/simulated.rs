//! Payments whose end is chosen on the page of the gateway `simulated`.

use axum::body::Body;
use http::{HeaderValue, Method, Request, header};
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestResponse, TestShop, both_databases};

use crate::shelf::{Buyer, builder, buyer, fill};

const RETURN: &str = "https://front.example/thanks";
const CANCEL: &str = "https://front.example/cart";

async fn shop(backend: Backend) -> (TestShop, Buyer) {
    let shop = builder(backend).config("[payments.simulated]\nenabled = true").open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    (shop, ada)
}

async fn order(shop: &TestShop, ada: &Buyer) -> Value {
    ada.place_with(shop, &[("book", 1)], &json!({"payment_method": "simulated"})).await
}

fn pay() -> Value {
    json!({"gateway": "simulated", "return_url": RETURN, "cancel_url": CANCEL})
}

/// Begins to pay, and tells the path of the provider's page.
async fn begin(shop: &TestShop, ada: &Buyer, order: &Value) -> String {
    let attempt = ada.pay(order, &pay()).await;
    assert_eq!((&attempt["status"], &attempt["payment_status"]), (&json!("pending"), &json!("pending")));
    let page = attempt["redirect_url"].as_str().expect("a page to pay on");
    page.strip_prefix(&*shop.parts.base_url).expect("it is the shop's own").to_owned()
}

async fn look(shop: &TestShop, page: &str) -> TestResponse {
    let client = shop.client();
    client.send(client.site_request(Method::GET, page, Body::empty())).await
}

/// Presses the button of this value.
async fn press(shop: &TestShop, page: &str, outcome: &str) -> TestResponse {
    let client = shop.client();
    let mut request: Request<Body> = client.site_request(Method::POST, page, Body::from(format!("outcome={outcome}")));
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    request.headers_mut().insert(header::CONTENT_TYPE, form);
    client.send(request).await
}

/// Presses a button, and expects to be sent on.
async fn choose(shop: &TestShop, page: &str, outcome: &str) -> String {
    let answer = press(shop, page, outcome).await.expect_status(303);
    answer.header("location").expect("somewhere to go on").to_owned()
}

async fn statuses(ada: &Buyer, order: &Value) -> (Value, Value) {
    let order = ada.read(order).await;
    (order["status"].clone(), order["payment_status"].clone())
}

fn both(status: &str, payment_status: &str) -> (Value, Value) {
    (json!(status), json!(payment_status))
}

both_databases!(whoever_pays_comes_back_to_a_paid_order);
async fn whoever_pays_comes_back_to_a_paid_order(backend: Backend) {
    let (shop, ada) = shop(backend).await;
    let order = order(&shop, &ada).await;
    let page = begin(&shop, &ada, &order).await;
    let shown = look(&shop, &page).await.expect_status(200).text();
    for part in ["value=\"pay\"", "value=\"later\"", "value=\"fail\"", "value=\"cancel\"", "€15.00", "O-0"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("<script"), "{shown}");
    assert_eq!(choose(&shop, &page, "pay").await, RETURN);
    assert_eq!(statuses(&ada, &order).await, both("paid", "paid"));
    assert!(!look(&shop, &page).await.expect_status(200).text().contains("<button"), "it is over");
    assert_eq!(choose(&shop, &page, "fail").await, RETURN, "and stays so");
    assert_eq!(statuses(&ada, &order).await, both("paid", "paid"));
}

both_databases!(a_payment_that_fails_or_is_cancelled_can_be_tried_again);
async fn a_payment_that_fails_or_is_cancelled_can_be_tried_again(backend: Backend) {
    let (shop, ada) = shop(backend).await;
    let order = order(&shop, &ada).await;
    let first = begin(&shop, &ada, &order).await;
    assert_eq!(choose(&shop, &first, "fail").await, RETURN);
    assert_eq!(statuses(&ada, &order).await, both("pending", "failed"));
    let second = begin(&shop, &ada, &order).await;
    assert_ne!(first, second);
    assert_eq!(choose(&shop, &second, "cancel").await, CANCEL);
    assert_eq!(statuses(&ada, &order).await.0, "pending");
    let third = begin(&shop, &ada, &order).await;
    assert_eq!(begin(&shop, &ada, &order).await, third, "what is open is gone on with");
    choose(&shop, &third, "pay").await;
    assert_eq!(statuses(&ada, &order).await, both("paid", "paid"));
}

both_databases!(money_that_comes_later_is_on_its_way_until_then);
async fn money_that_comes_later_is_on_its_way_until_then(backend: Backend) {
    let (shop, ada) = shop(backend).await;
    let order = order(&shop, &ada).await;
    let page = begin(&shop, &ada, &order).await;
    assert_eq!(choose(&shop, &page, "later").await, RETURN);
    assert_eq!(statuses(&ada, &order).await, both("pending", "pending"));
    let with_money = json!({"gateway": "development", "return_url": RETURN, "cancel_url": CANCEL});
    let again = ada.try_to_pay(&order, &with_money).await.expect_error(409, "invalid_state").json();
    assert_eq!(again["reason"], "payment_processing");
    assert!(!look(&shop, &page).await.text().contains("value=\"cancel\""), "whoever has agreed cannot give up");
    choose(&shop, &page, "pay").await;
    assert_eq!(statuses(&ada, &order).await, both("paid", "paid"));
}

both_databases!(nobody_pays_by_calling_back_or_by_a_page_that_is_none);
async fn nobody_pays_by_calling_back_or_by_a_page_that_is_none(backend: Backend) {
    let (shop, ada) = shop(backend).await;
    let order = order(&shop, &ada).await;
    let page = begin(&shop, &ada, &order).await;
    press(&shop, &page, "steal").await.expect_error(422, "validation_error");
    let nobody = "/development/payments/01890a5d-ac96-774b-bcce-b302099a8057";
    look(&shop, nobody).await.expect_error(404, "not_found");
    press(&shop, nobody, "pay").await.expect_error(404, "not_found");
    let call = async |id: &str| {
        let client = shop.client();
        let body = Body::from(json!({"id": id, "status": "succeeded"}).to_string());
        client.send(client.site_request(Method::POST, "/webhooks/payments/simulated", body)).await
    };
    call("01890a5d-ac96-774b-bcce-b302099a8057").await.expect_error(403, "unauthorized");
    call(page.rsplit('/').next().expect("an id")).await.expect_status(200);
    assert_eq!(statuses(&ada, &order).await, both("pending", "pending"), "it says what the provider says");
}

both_databases!(while_it_is_off_there_is_no_such_payment);
async fn while_it_is_off_there_is_no_such_payment(backend: Backend) {
    let shop = crate::shelf::shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1)]).await;
    ada.try_to_pay(&order, &pay()).await.expect_error(422, "validation_error");
    look(&shop, "/development/payments/01890a5d-ac96-774b-bcce-b302099a8057").await.expect_error(404, "not_found");
}
