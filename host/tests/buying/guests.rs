//! Whoever buys without an account (contract 6.3).

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::buyers::{Bought, CustomerSearch, search_customers};
use stoa_core::customers::{Verification, set_verification};
use stoa_core::db::{Backend, Sql};
use stoa_core::orders::{OrderLinks, OrderNumber};
use stoa_core::sql;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder, both_databases};

const EMAIL: &str = "ada@example.com";

/// Of guests of whom nothing is left: their carts, tokens and sessions, and those who are no guests any more by now.
const COUNT_GUESTS: Sql = sql!("SELECT COUNT(*) FROM users WHERE guest = TRUE AND anonymized_at IS NULL");

async fn opened(builder: TestShopBuilder) -> TestShop {
    let shop = builder.config("[limits]\ntoken_creation = { requests = 0, per_seconds = 60 }\n").open().await;
    shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000})]).await;
    shop
}

async fn shop(backend: Backend) -> TestShop {
    opened(TestShop::builder(backend)).await
}

/// A client with the token of a new guest.
async fn guest(shop: &TestShop, email: &str) -> TestClient {
    let made = shop.client().post("/auth/guest-tokens", &json!({"email": email, "name": "Ada Guest"})).await;
    shop.client().bearer(made.expect_status(201).json()["token"].as_str().expect("a token"))
}

fn checkout() -> Value {
    json!({"payment_method": "manual",
           "billing": {"name": "Ada Guest", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                       "country": "NL"}})
}

async fn buy(client: &TestClient) -> Value {
    client.post("/cart", &json!({"product_id": 1, "quantity": 1})).await.expect_status(200);
    client.post("/checkout", &checkout()).await.expect_status(201).json()["data"].clone()
}

fn numbers(orders: &Value) -> Vec<&str> {
    orders["data"].as_array().expect("a list").iter().filter_map(|order| order["number"].as_str()).collect()
}

async fn count_guests(shop: &TestShop) -> i64 {
    shop.parts.db.read(COUNT_GUESTS).scalar().await.expect("they can be counted")
}

both_databases!(a_guest_buys_by_a_token_and_sees_the_own_order_alone);
async fn a_guest_buys_by_a_token_and_sees_the_own_order_alone(backend: Backend) {
    let shop = shop(backend).await;
    let (first, second) = (guest(&shop, EMAIL).await, guest(&shop, "Ada@Example.com").await);
    let order = buy(&first).await;
    let account = second.get("/me").await.expect_status(200).json();
    assert_eq!(account["data"]["email"], EMAIL);
    assert_eq!((&account["data"]["guest"], &account["data"]["email_verified"]), (&json!(true), &json!(false)));
    assert_eq!(
        numbers(&first.get("/orders").await.expect_status(200).json()),
        [order["number"].as_str().unwrap_or("")]
    );
    assert!(numbers(&second.get("/orders").await.expect_status(200).json()).is_empty());
    let path = format!("/orders/{}", order["id"]);
    first.get(&path).await.expect_status(200);
    second.get(&path).await.expect_error(404, "not_found");
}

both_databases!(a_guest_begins_a_session_and_buys_with_it);
async fn a_guest_begins_a_session_and_buys_with_it(backend: Backend) {
    let shop = shop(backend).await;
    let mut browser = shop.browser();
    let wish = json!({"email": EMAIL, "name": "Ada Guest"});
    browser.post("/session/guest", &wish).await.expect_error(403, "unauthorized");
    let begun = browser.prepare().await.post("/session/guest", &wish).await.expect_status(201).json();
    assert_eq!((&begun["data"]["guest"], &begun["data"]["name"]), (&json!(true), &json!("Ada Guest")));
    browser.post("/api/v1/cart", &json!({"product_id": 1, "quantity": 1})).await.expect_status(200);
    browser.post("/api/v1/checkout", &checkout()).await.expect_status(201);
    assert_eq!(browser.get("/api/v1/orders").await.expect_status(200).json()["data"].as_array().map(Vec::len), Some(1));
}

both_databases!(a_guest_has_nothing_that_belongs_to_an_account);
async fn a_guest_has_nothing_that_belongs_to_an_account(backend: Backend) {
    let shop = shop(backend).await;
    let client = guest(&shop, EMAIL).await;
    client.get("/support-tickets").await.expect_error(403, "insufficient_scope");
    client.get("/auth/tokens").await.expect_error(403, "insufficient_scope");
    client.patch("/me", &json!({"name": "B"})).await.expect_error(403, "insufficient_scope");
    // Nor can anybody log in as one.
    let tried = shop.browser().prepare().await.try_to_log_in(EMAIL, "a lovely password").await;
    tried.expect_error(422, "validation_error");
}

both_databases!(a_guests_token_ends_after_a_day);
async fn a_guests_token_ends_after_a_day(backend: Backend) {
    let shop = shop(backend).await;
    let client = guest(&shop, EMAIL).await;
    shop.advance(TimeDelta::hours(24) - TimeDelta::seconds(1));
    client.get("/orders").await.expect_status(200);
    shop.advance(TimeDelta::seconds(1));
    client.get("/orders").await.expect_error(401, "unauthenticated");
}

both_databases!(guests_can_be_switched_off);
async fn guests_can_be_switched_off(backend: Backend) {
    let shop = TestShop::builder(backend).config("[accounts]\nguests = false\n").open().await;
    let wish = json!({"email": EMAIL, "name": "Ada"});
    shop.client().post("/auth/guest-tokens", &wish).await.expect_error(404, "not_found");
    shop.browser().prepare().await.post("/session/guest", &wish).await.expect_error(404, "not_found");
}

both_databases!(what_a_guest_says_is_checked_field_by_field);
async fn what_a_guest_says_is_checked_field_by_field(backend: Backend) {
    let shop = shop(backend).await;
    for (wish, field) in [
        (json!({"name": "Ada"}), "email"),
        (json!({"email": "ada", "name": "Ada"}), "email"),
        (json!({"email": 5, "name": "Ada"}), "email"),
        (json!({"email": format!("{}@example.com", "a".repeat(250)), "name": "Ada"}), "email"),
        (json!({"email": EMAIL}), "name"),
        (json!({"email": EMAIL, "name": " "}), "name"),
        (json!({"email": EMAIL, "name": ["Ada"]}), "name"),
        (json!({"email": EMAIL, "name": "a".repeat(256)}), "name"),
        (json!({"email": EMAIL, "name": "a\u{7}b"}), "name"),
    ] {
        let refused =
            shop.client().post("/auth/guest-tokens", &wish).await.expect_error(422, "validation_error").json();
        assert!(refused["errors"][field].is_array(), "{wish}: {refused}");
        let refused = shop.browser().prepare().await.post("/session/guest", &wish).await;
        assert!(refused.expect_error(422, "validation_error").json()["errors"][field].is_array(), "{wish}");
    }
    assert_eq!(count_guests(&shop).await, 0);
}

both_databases!(guests_are_limited_by_address_and_apart_from_that_by_email);
async fn guests_are_limited_by_address_and_apart_from_that_by_email(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let post = async |address: &str, email: String| {
        let client = shop.client().at_address(address);
        client.post("/auth/guest-tokens", &json!({"email": email, "name": "Ada"})).await
    };
    for guest in 0..5 {
        post("192.0.2.1", format!("{guest}@example.com")).await.expect_status(201);
    }
    post("192.0.2.1", String::from("5@example.com")).await.expect_error(429, "rate_limited");
    for guest in 0..5 {
        post(&format!("192.0.2.{}", guest + 10), EMAIL.to_owned()).await.expect_status(201);
    }
    post("192.0.2.20", EMAIL.to_uppercase()).await.expect_error(429, "rate_limited");
}

both_databases!(whoever_confirms_the_address_gets_what_the_guests_have_bought);
async fn whoever_confirms_the_address_gets_what_the_guests_have_bought(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    let (first, second, other) =
        (guest(&shop, EMAIL).await, guest(&shop, EMAIL).await, guest(&shop, "eve@example.com").await);
    let mut bought = vec![buy(&first).await["number"].clone(), buy(&second).await["number"].clone()];
    let foreign = buy(&other).await;
    shop.run_jobs().await;
    smtp.collect();
    let mut browser = shop.browser();
    let wish = json!({"name": "Ada", "email": EMAIL, "password": "a lovely password"});
    browser.prepare().await.post("/session/register", &wish).await.expect_status(201);
    assert!(numbers(&browser.get("/api/v1/orders").await.expect_status(200).json()).is_empty(), "not confirmed yet");
    first.get("/orders").await.expect_status(200);
    shop.run_jobs().await;
    let token = json!({"token": smtp.only().token()});
    shop.browser().prepare().await.post("/session/email/verify", &token).await.expect_status(200);
    bought.reverse();
    let orders = browser.get("/api/v1/orders").await.expect_status(200).json();
    assert_eq!(json!(numbers(&orders)), json!(bought));
    assert_eq!(
        browser.get("/api/v1/invoices").await.expect_status(200).json()["data"].as_array().map(Vec::len),
        Some(2)
    );
    for former in [first, second] {
        former.get("/orders").await.expect_error(401, "unauthenticated");
    }
    other.get(&format!("/orders/{}", foreign["id"])).await.expect_status(200);
    assert_eq!(count_guests(&shop).await, 1);
    // Two guests have bought once each, which is often for one customer.
    let often = CustomerSearch { bought: Some(Bought::Often), limit: 10, ..CustomerSearch::default() };
    let often = search_customers(&shop.parts.db, &often).await.expect("they can be read");
    assert_eq!(often.iter().map(|customer| customer.email.as_deref()).collect::<Vec<_>>(), [Some(EMAIL)]);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(whom_the_operator_confirms_gets_it_too_and_the_cart_with_it);
async fn whom_the_operator_confirms_gets_it_too_and_the_cart_with_it(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let guest = guest(&shop, &customer.email).await;
    let order = buy(&guest).await;
    guest.post("/cart", &json!({"product_id": 1, "quantity": 3})).await.expect_status(200);
    let db = &shop.parts.db;
    set_verification(db, customer.id, Verification::Unverified).await.expect("there is such a customer");
    let client = shop.client().token(&customer, &["*"]).await;
    assert!(numbers(&client.get("/orders").await.expect_status(200).json()).is_empty());
    set_verification(db, customer.id, Verification::Verified).await.expect("there is such a customer");
    assert_eq!(json!(numbers(&client.get("/orders").await.expect_status(200).json())), json!([order["number"]]));
    assert_eq!(client.get("/cart").await.expect_status(200).json()["data"]["lines"][0]["quantity"], 3);
}

both_databases!(an_order_is_opened_by_the_key_of_its_link_alone);
async fn an_order_is_opened_by_the_key_of_its_link_alone(backend: Backend) {
    let shop = shop(backend).await;
    let client = guest(&shop, EMAIL).await;
    let (order, other) = (buy(&client).await, buy(&client).await);
    let links = shop.uses::<OrderLinks>();
    let key = |order: &Value| links.key(order["id"].as_i64().unwrap_or_default(), shop.now());
    let (own, foreign) = (key(&order), key(&other));
    let path = format!("/guest-orders/{}", order["number"].as_str().unwrap_or_default());
    let get = async |key: &str| shop.client().with_header("x-order-key", key).get(&path).await;
    let shown = get(&own).await.expect_status(200).json();
    assert_eq!(shown["data"]["number"], order["number"]);
    let mut changed = own.clone().into_bytes();
    changed[4] ^= 1;
    let changed = String::from_utf8(changed).unwrap_or_default();
    for wrong in
        [foreign.as_str(), &own[1..], &own[..own.len() - 1], &own[..4], &changed, &format!("{own}A"), "", "key"]
    {
        get(wrong).await.expect_error(404, "not_found");
    }
    shop.client().get(&path).await.expect_error(404, "not_found");
    let unknown = OrderNumber::of(4711);
    let nobodys = shop.client().with_header("x-order-key", &links.key(4711, shop.now()));
    nobodys.get(&format!("/guest-orders/{unknown}")).await.expect_error(404, "not_found");
    shop.advance(TimeDelta::days(90));
    get(&own).await.expect_status(200);
    shop.advance(TimeDelta::days(1));
    get(&own).await.expect_error(404, "not_found");
}

both_databases!(mails_about_an_order_have_the_link_to_it);
async fn mails_about_an_order_have_the_link_to_it(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let url = "[shop]\norder_url = 'https://www.example.com/order/{number}?key={key}'\n";
    let shop = opened(smtp.shop(backend).config(url)).await;
    let order = buy(&guest(&shop, EMAIL).await).await;
    shop.run_jobs().await;
    let text = smtp.only().text();
    let number = order["number"].as_str().unwrap_or_default();
    let link = format!("https://www.example.com/order/{number}?key=");
    let key = text.lines().find_map(|line| line.strip_prefix(&link)).unwrap_or_else(|| panic!("no link: {text}"));
    let opened = shop.client().with_header("x-order-key", key).get(&format!("/guest-orders/{number}")).await;
    opened.expect_status(200);
}

both_databases!(guests_who_bought_nothing_are_forgotten);
async fn guests_who_bought_nothing_are_forgotten(backend: Backend) {
    let shop = shop(backend).await;
    let (idle, buyer) = (guest(&shop, EMAIL).await, guest(&shop, EMAIL).await);
    let address = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    idle.post("/addresses", &address).await.expect_status(201);
    idle.post("/cart", &json!({"product_id": 1, "quantity": 1})).await.expect_status(200);
    buy(&buyer).await;
    for _ in 0..3 {
        shop.advance(TimeDelta::days(32));
        shop.run_jobs().await;
    }
    assert_eq!(count_guests(&shop).await, 1);
}

both_databases!(a_guest_who_logs_out_is_forgotten_unless_something_was_bought);
async fn a_guest_who_logs_out_is_forgotten_unless_something_was_bought(backend: Backend) {
    let shop = shop(backend).await;
    let wish = json!({"email": EMAIL, "name": "Ada Guest"});
    let (mut idle, mut buyer) = (shop.browser(), shop.browser());
    for browser in [&mut idle, &mut buyer] {
        browser.prepare().await.post("/session/guest", &wish).await.expect_status(201);
    }
    buyer.post("/api/v1/cart", &json!({"product_id": 1, "quantity": 1})).await.expect_status(200);
    buyer.post("/api/v1/checkout", &checkout()).await.expect_status(201);
    assert_eq!(count_guests(&shop).await, 2);
    for browser in [&mut idle, &mut buyer] {
        browser.delete("/session").await.expect_status(200);
    }
    assert_eq!(count_guests(&shop).await, 1);
}

const MAKE_WAITING_LIST: Sql = sql!(
    "CREATE TABLE waiting_list (id BIGINT NOT NULL PRIMARY KEY, customer_id BIGINT NOT NULL REFERENCES customers (id))"
);
const WAIT: Sql = sql!("INSERT INTO waiting_list (id, customer_id) SELECT id, id FROM customers ORDER BY id LIMIT 1");
const WAIT_NO_LONGER: Sql = sql!("DELETE FROM waiting_list");

both_databases!(a_guest_is_kept_while_a_row_of_a_module_refers_to_it_and_keeps_no_other);
async fn a_guest_is_kept_while_a_row_of_a_module_refers_to_it_and_keeps_no_other(backend: Backend) {
    let shop = shop(backend).await;
    let (_waiting, _idle) = (guest(&shop, EMAIL).await, guest(&shop, EMAIL).await);
    let run = async |sql| shop.parts.db.write(async |tx| tx.run(sql).execute().await).await.expect("it is written");
    for sql in [MAKE_WAITING_LIST, WAIT] {
        run(sql).await;
    }
    for _ in 0..3 {
        shop.advance(TimeDelta::days(32));
        shop.run_jobs().await;
    }
    assert_eq!(count_guests(&shop).await, 1);
    run(WAIT_NO_LONGER).await;
    shop.advance(TimeDelta::hours(2));
    shop.run_jobs().await;
    assert_eq!(count_guests(&shop).await, 0);
}
