//! One request to each route that succeeds for its customer.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::{DbError, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{OrderLinks, OrderNumber};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundScope, refund_order};
use stoa_core::sql;
use stoa_core::support_tickets::{NewTicket, TicketPriority, create_ticket};
use stoa_core::testing::TestShop;

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// The path from the shop's root.
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    /// What proves who asks, where it is neither a token nor a session.
    pub(crate) header: Option<(&'static str, String)>,
}

fn reads(path: &str) -> Sample {
    Sample { path: path.to_owned(), body: None, header: None }
}

fn writes(path: &str, body: Value) -> Sample {
    Sample { path: path.to_owned(), body: Some(body), header: None }
}

/// The address of the storefront's style sheet, as its home page names it.
async fn style_sheet(shop: &TestShop) -> String {
    let home = shop.browser().with_header("accept", "text/html").get("/").await.expect_status(200).text();
    let home = home.replace("&#x2f;", "/");
    let (_, rest) = home.split_once("/theme/").expect("a page has a style sheet");
    format!("/theme/{}", rest.split('"').next().unwrap_or_default())
}

/// The request to the route of this name, with what it needs in the shop; none when nobody has thought of one.
#[expect(clippy::too_many_lines, reason = "a line or two for each route")]
pub(crate) async fn sample(shop: &TestShop, customer: &CustomerRecord, route: &str) -> Option<Sample> {
    let sample = match route {
        "products.browse" => reads("/api/v1/browse?sort=price"),
        "account.show" => reads("/api/v1/me"),
        "account.update" => writes("/api/v1/me", json!({"name": "Renamed"})),
        "addresses.index" => reads("/api/v1/addresses"),
        "addresses.store" => writes("/api/v1/addresses", address()),
        "addresses.update" => writes(&format!("/api/v1/addresses/{}", saved_address(shop, customer).await), address()),
        "addresses.destroy" => reads(&format!("/api/v1/addresses/{}", saved_address(shop, customer).await)),
        "auth.tokens.store" => writes(
            "/api/v1/auth/tokens",
            json!({"email": customer.email, "password": TestShop::PASSWORD, "name": "Sample"}),
        ),
        "auth.tokens.destroy" | "auth.tokens.index" => reads("/api/v1/auth/tokens"),
        "auth.tokens.end" => reads(&format!("/api/v1/auth/tokens/{}", own_token(shop, customer).await)),
        "auth.guest-tokens.store" => writes("/api/v1/auth/guest-tokens", guest(customer)),
        "cart.show" => reads("/api/v1/cart"),
        "cart.store" => writes("/api/v1/cart", lamp(shop).await),
        "cart.update" => writes(&cart_line(shop, customer).await, json!({"quantity": 2})),
        "cart.destroy" => reads(&cart_line(shop, customer).await),
        "checkout.requirements" => reads("/api/v1/checkout/requirements"),
        "checkout.store" => {
            cart_line(shop, customer).await;
            writes("/api/v1/checkout", json!({"billing": address()}))
        }
        "orders.index" => reads("/api/v1/orders"),
        "orders.show" => reads(&format!("/api/v1/orders/{}", placed_order(shop, customer).await)),
        "guest-orders.show" => linked_order(shop, customer).await,
        "withdrawals.index" => reads("/api/v1/withdrawals"),
        "withdrawals.show" => {
            let order = placed_order(shop, customer).await;
            let id = made(shop, customer, "/withdrawals", &json!({"order_id": order})).await;
            reads(&format!("/api/v1/withdrawals/{id}"))
        }
        "withdrawals.store" => writes("/api/v1/withdrawals", json!({"order_id": placed_order(shop, customer).await})),
        "guest-orders.withdraw" => {
            let order = linked_order(shop, customer).await;
            Sample {
                path: format!("{}/withdrawals", order.path),
                body: Some(json!({"idempotency_key": "sample"})),
                ..order
            }
        }
        "guest-orders.pay" => {
            let order = linked_order(shop, customer).await;
            let page = "https://shop.example/thanks";
            let body = json!({"gateway": "manual", "return_url": page, "cancel_url": page});
            Sample { path: format!("{}/pay", order.path), body: Some(body), ..order }
        }
        "withdrawal-requests.store" => {
            writes("/api/v1/withdrawal-requests", json!({"order_number": "O-1", "email": customer.email}))
        }
        "orders.pay" => {
            let path = format!("/api/v1/orders/{}/pay", placed_order(shop, customer).await);
            let page = "https://shop.example/thanks";
            writes(&path, json!({"gateway": "manual", "return_url": page, "cancel_url": page}))
        }
        "categories.index" => reads("/api/v1/categories"),
        "categories.show" => {
            stock(shop).await;
            reads("/api/v1/categories/lamps")
        }
        "products.index" => reads("/api/v1/products"),
        "products.show" => {
            stock(shop).await;
            reads("/api/v1/products/lamp")
        }
        "search.index" => reads("/api/v1/search?q=lamp"),
        "openapi.show" => reads("/api/v1/openapi.json"),
        "invoices.index" => reads("/api/v1/invoices"),
        "invoices.show" => reads(&format!("/api/v1/invoices/{}", bought(shop, customer).await["invoice"]["id"])),
        "credit-notes.index" => reads("/api/v1/credit-notes"),
        "credit-notes.show" => reads(&format!("/api/v1/credit-notes/{}", credited(shop, customer).await)),
        "support-tickets.index" => reads("/api/v1/support-tickets"),
        "support-tickets.show" => reads(&format!("/api/v1/support-tickets/{}", opened_ticket(shop, customer).await)),
        "services.index" => reads("/api/v1/services"),
        "services.show" => reads(&format!("/api/v1/services/{}", provisioned(shop, customer).await)),
        "session.support-tickets.store" => {
            writes("/session/support-tickets", json!({"subject": "The lamp hums", "body": "Since yesterday."}))
        }
        "session.support-tickets.show" => {
            reads(&format!("/session/support-tickets/{}", opened_ticket(shop, customer).await))
        }
        "session.support-tickets.reply" => {
            let path = format!("/session/support-tickets/{}/replies", opened_ticket(shop, customer).await);
            writes(&path, json!({"body": "Still."}))
        }
        "session.csrf" => reads("/session/csrf"),
        "session.store" => writes("/session", json!({"email": customer.email, "password": TestShop::PASSWORD})),
        "session.destroy" => reads("/session"),
        "session.register" => writes(
            "/session/register",
            json!({"name": "New", "email": format!("new-{}", customer.email), "password": TestShop::PASSWORD}),
        ),
        "session.guest" => writes("/session/guest", guest(customer)),
        "session.password.forgot" => writes("/session/password/forgot", json!({"email": customer.email})),
        "session.password.reset" => {
            let token = sent_link(shop, customer, "reset_password").await;
            writes("/session/password/reset", json!({"token": token, "password": TestShop::PASSWORD}))
        }
        "session.email.verify" => {
            writes("/session/email/verify", json!({"token": sent_link(shop, customer, "verify_email").await}))
        }
        "session.email.resend" => reads("/session/email/resend"),
        "account.email.show" => {
            reads(&format!("/account/verify-email?token={}", sent_link(shop, customer, "verify_email").await))
        }
        "account.email.verify" => {
            writes("/account/verify-email", json!({"token": sent_link(shop, customer, "verify_email").await}))
        }
        "account.password.show" => {
            reads(&format!("/account/reset-password?token={}", sent_link(shop, customer, "reset_password").await))
        }
        "account.password.reset" => {
            let token = sent_link(shop, customer, "reset_password").await;
            writes("/account/reset-password", json!({"token": token, "password": TestShop::PASSWORD}))
        }
        "account.stylesheet" => reads("/account/page.css"),
        "storefront.theme" => reads(&style_sheet(shop).await),
        // Nobody but the provider can sign one.
        "payments.callback" => writes("/webhooks/payments/stripe", json!({"id": "evt_1"})),
        "digital-secrets.index" => reads("/api/v1/digital-secrets"),
        "digital-secrets.show" => reads(&format!("/api/v1/digital-secrets/{}", delivered_secret(shop, customer).await)),
        "downloads.index" => reads("/api/v1/downloads"),
        "downloads.file" => reads(&format!("/api/v1/downloads/{}", granted_download(shop, customer).await)),
        "event-tickets.index" => reads("/api/v1/event-tickets"),
        "event-tickets.show" => reads(&format!("/api/v1/event-tickets/{}", issued_ticket(shop, customer).await)),
        "subscriptions.index" => reads("/api/v1/subscriptions"),
        "subscriptions.show" => reads(&format!("/api/v1/subscriptions/{}", subscribed(shop, customer).await)),
        "subscription-changes.cancel" => {
            writes(&format!("/api/v1/subscriptions/{}/cancel", paid_subscription(shop, customer).await), json!({}))
        }
        "subscription-changes.resume" => {
            let own = paid_subscription(shop, customer).await;
            let client = shop.client().token(customer, &["*"]).await;
            client.post(&format!("/subscriptions/{own}/cancel"), &json!({})).await.expect_status(200);
            writes(&format!("/api/v1/subscriptions/{own}/resume"), json!({}))
        }
        "gift-wraps.index" => reads("/api/v1/gift-wraps"),
        "gift-wraps.show" => reads(&format!("/api/v1/gift-wraps/{}", saved_wish(shop, customer).await)),
        "gift-wrap-wishes.store" => writes("/api/v1/gift-wraps", wish(shop).await),
        _ => return None,
    };
    Some(sample)
}

/// An order that was placed, by the key of its link.
async fn linked_order(shop: &TestShop, customer: &CustomerRecord) -> Sample {
    let order = placed_order(shop, customer).await;
    let key = shop.uses::<OrderLinks>().key(order, shop.now());
    Sample { header: Some(("x-order-key", key)), ..reads(&format!("/api/v1/guest-orders/{}", OrderNumber::of(order))) }
}

fn guest(customer: &CustomerRecord) -> Value {
    json!({"name": "Guest", "email": customer.email})
}

fn address() -> Value {
    json!({"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"})
}

/// Sends a write as the customer and returns the id of what came of it.
async fn made(shop: &TestShop, customer: &CustomerRecord, path: &str, body: &Value) -> i64 {
    let client = shop.client().token(customer, &["*"]).await;
    let answer = client.post(path, body).await.expect_status(201).json();
    let id = answer.get("data").unwrap_or(&answer)["id"].as_i64();
    id.expect("what was made has an id")
}

const INSERT_LINK: Sql = sql!(
    "INSERT INTO email_tokens (purpose, user_id, secret_hash, email, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (user_id, purpose) DO UPDATE SET secret_hash = excluded.secret_hash"
);

/// The secret of a link, as if it had been sent to the customer.
async fn sent_link(shop: &TestShop, customer: &CustomerRecord, purpose: &str) -> String {
    let secret = shop.parts.random.alphanumeric(48);
    let (hash, now) = (Sha256::digest(secret.as_bytes()).to_vec(), shop.now());
    let insert = shop.parts.db.write(async |tx| -> Result<u64, DbError> {
        let insert = tx.run(INSERT_LINK).bind(purpose).bind(customer.user_id).bind(hash).bind(customer.email.as_str());
        insert.bind(now).bind(now + TimeDelta::hours(1)).execute().await
    });
    insert.await.expect("a link is written");
    secret
}

/// The id of one more token of the customer's.
async fn own_token(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    let client = shop.client().token(customer, &["tokens.revoke"]).await;
    let tokens = client.get("/auth/tokens").await.expect_status(200).json();
    tokens["data"][0]["id"].as_i64().expect("the newest is this one")
}

async fn saved_address(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    made(shop, customer, "/addresses", &address()).await
}

async fn opened_ticket(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    let (subject, body) = (String::from("The lamp hums"), String::from("Since yesterday."));
    let priority = TicketPriority::Normal;
    let new = NewTicket { customer_id: customer.id, subject, body, priority, language: None };
    create_ticket(&shop.parts.db, &new).await.expect("a ticket is opened").ticket.id
}

/// A lamp in its category, which can be wrapped as a gift.
async fn stock(shop: &TestShop) {
    let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100, "category": "lamps",
                      "capabilities": ["gift_wrappable"],
                      "modules": {"gift_wrap": {"papers": ["stars"], "surcharge_amount": 0}}});
    shop.stock(&[json!({"type": "category", "slug": "lamps", "name": "Lamps"}), lamp]).await;
}

/// One lamp, to be bought.
async fn lamp(shop: &TestShop) -> Value {
    stock(shop).await;
    let lamp = shop.client().get("/products/lamp").await.expect_status(200).json();
    json!({"product_id": lamp["data"]["id"]})
}

/// The path of a line of the customer's own cart.
async fn cart_line(shop: &TestShop, customer: &CustomerRecord) -> String {
    let client = shop.client().token(customer, &[]).await;
    let cart = client.post("/cart", &lamp(shop).await).await.expect_status(200).json();
    let key = cart["data"]["lines"][0]["line_key"].as_str().expect("a key").to_owned();
    format!("/api/v1/cart/{key}")
}

async fn placed_order(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    cart_line(shop, customer).await;
    made(shop, customer, "/checkout", &json!({"billing": address(), "consents": ["digital_waiver"]})).await
}

/// A lamp that was ordered, with its invoice.
async fn bought(shop: &TestShop, customer: &CustomerRecord) -> Value {
    let client = shop.client().token(customer, &["*"]).await;
    client.post("/cart", &lamp(shop).await).await.expect_status(200);
    client
        .post("/checkout", &json!({"billing": address(), "consents": ["digital_waiver"]}))
        .await
        .expect_status(201)
        .json()["data"]
        .clone()
}

/// The credit note of a lamp that was paid and partly refunded.
async fn credited(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    let order_id = bought(shop, customer).await["id"].as_i64().expect("an id");
    record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
    let new = NewRefund { order_id, scope: RefundScope::Amount(10), reason: String::from("It came late") };
    let record = refund_order(&shop.uses(), &new).await.expect("it goes back");
    record.credit_note.expect("it has one").credit_note.id
}

/// The token of a file that came with a product that costs nothing.
async fn granted_download(shop: &TestShop, customer: &CustomerRecord) -> String {
    let songs =
        json!({"type": "product", "slug": "songs", "name": "Songs", "price_amount": 0, "capabilities": ["digital"]});
    shop.stock(&[songs]).await;
    std::fs::write(shop.folder().join("songs.zip"), "songs").expect("the folder can be written");
    shop.command(&["downloads", "attach", "songs", "songs.zip"]).await.expect_success();
    let client = shop.client().token(customer, &["*"]).await;
    let songs = client.get("/products/songs").await.expect_status(200).json();
    client.post("/cart", &json!({"product_id": songs["data"]["id"]})).await.expect_status(200);
    client.post("/checkout", &json!({"billing": address(), "consents": ["digital_waiver"]})).await.expect_status(201);
    shop.run_jobs().await;
    let listed = client.get("/downloads").await.expect_status(200).json();
    listed["data"][0]["token"].as_str().expect("a token").to_owned()
}

/// The token of a ticket for a concert that the customer has paid.
async fn issued_ticket(shop: &TestShop, customer: &CustomerRecord) -> String {
    let concert = json!({"type": "product", "slug": "concert", "name": "Concert", "price_amount": 100,
                         "capabilities": ["event_ticket"],
                         "modules": {"event_tickets": {"event": "Concert", "starts_at": "2031-05-01T19:00:00Z",
                                                       "capacity": 1000}}});
    shop.stock(&[concert]).await;
    let client = shop.client().token(customer, &["*"]).await;
    let concert = shop.client().get("/products/concert").await.expect_status(200).json();
    client.post("/cart", &json!({"product_id": concert["data"]["id"]})).await.expect_status(200);
    let order_id =
        made(shop, customer, "/checkout", &json!({"billing": address(), "consents": ["digital_waiver"]})).await;
    record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
    shop.run_jobs().await;
    let tickets = client.get("/event-tickets").await.expect_status(200).json();
    tickets["data"][0]["token"].as_str().expect("a ticket is issued").to_owned()
}

/// A service that was paid and is to be made by hand.
async fn provisioned(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    let hosting = json!({"type": "product", "slug": "hosting", "name": "Hosting", "price_amount": 900, "active": true,
                         "capabilities": ["provisionable"], "modules": {"services": {"provider": "manual"}}});
    shop.stock(&[hosting]).await;
    let client = shop.client().token(customer, &["*"]).await;
    let product = client.get("/products/hosting").await.expect_status(200).json()["data"]["id"].clone();
    client.post("/cart", &json!({"product_id": product})).await.expect_status(200);
    let order = client
        .post("/checkout", &json!({"billing": address(), "consents": ["digital_waiver"]}))
        .await
        .expect_status(201)
        .json();
    let order_id = order["data"]["id"].as_i64().expect("an id");
    record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
    shop.run_jobs().await;
    client.get("/services").await.expect_status(200).json()["data"][0]["id"].as_i64().expect("an id")
}

async fn wish(shop: &TestShop) -> Value {
    let mut wish = lamp(shop).await;
    wish["paper"] = json!("stars");
    wish
}

async fn saved_wish(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    made(shop, customer, "/gift-wraps", &wish(shop).await).await
}

/// A license that was paid, and whose key was made from its pattern.
async fn delivered_secret(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    let license = json!({"type": "product", "slug": "license", "name": "License", "price_amount": 100,
                         "capabilities": ["digital_secret"],
                         "modules": {"digital_secrets": {"pattern": "XXXX-9999-****"}}});
    shop.stock(&[license]).await;
    let license = shop.client().get("/products/license").await.expect_status(200).json();
    let client = shop.client().token(customer, &["*"]).await;
    client.post("/cart", &json!({"product_id": license["data"]["id"]})).await.expect_status(200);
    let order_id =
        made(shop, customer, "/checkout", &json!({"billing": address(), "consents": ["digital_waiver"]})).await;
    record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
    shop.run_jobs().await;
    let secrets = client.get("/digital-secrets").await.expect_status(200).json();
    secrets["data"][0]["id"].as_i64().expect("it is delivered")
}

async fn subscribed(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    let tea = json!({"type": "product", "slug": "tea", "name": "Tea", "price_amount": 100,
                     "capabilities": ["subscribable"], "modules": {"subscriptions": {"interval": "month"}}});
    shop.stock(&[tea]).await;
    let client = shop.client().token(customer, &["*"]).await;
    let tea = client.get("/products/tea").await.expect_status(200).json();
    client.post("/cart", &json!({"product_id": tea["data"]["id"]})).await.expect_status(200);
    client.post("/checkout", &json!({"billing": address(), "consents": ["digital_waiver"]})).await.expect_status(201);
    let own = client.get("/subscriptions").await.expect_status(200).json();
    own["data"][0]["id"].as_i64().expect("an id")
}

/// A subscription that has begun.
async fn paid_subscription(shop: &TestShop, customer: &CustomerRecord) -> i64 {
    let id = subscribed(shop, customer).await;
    let client = shop.client().token(customer, &["*"]).await;
    let own = client.get(&format!("/subscriptions/{id}")).await.expect_status(200).json();
    let order_id = own["data"]["order_id"].as_i64().expect("an id");
    record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
    shop.run_jobs().await;
    id
}
