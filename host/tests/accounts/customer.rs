//! A customer with addresses, and what they send.

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};

/// The fields that an address must have.
pub(crate) const REQUIRED: [&str; 5] = ["name", "line1", "city", "postal_code", "country"];

/// The fields that an address may lack.
pub(crate) const NULLABLE: [&str; 5] = ["label", "company", "line2", "region", "phone"];

/// Fields of free text, with their greatest length (S4.4).
pub(crate) const LENGTHS: [(&str, usize); 9] = [
    ("name", 255),
    ("line1", 255),
    ("city", 120),
    ("postal_code", 20),
    ("label", 80),
    ("company", 255),
    ("line2", 255),
    ("region", 120),
    ("phone", 40),
];

/// Aliases, with the fields they stand for (S4.4).
pub(crate) const ALIASES: [(&str, &str); 8] = [
    ("phone", "phone"),
    ("company_name", "company"),
    ("address", "line1"),
    ("address2", "line2"),
    ("city", "city"),
    ("state", "region"),
    ("zip", "postal_code"),
    ("country", "country"),
];

/// A shop that does not limit requests.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).config("[limits]\nprotected = { requests = 0, per_seconds = 60 }")
}

/// Such a shop, open.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    builder(backend).open().await
}

/// A client that may do everything for this customer.
pub(crate) async fn client_of(shop: &TestShop, customer: &CustomerRecord) -> TestClient {
    shop.client().token(customer, &["*"]).await
}

/// A client of a new customer.
pub(crate) async fn client(shop: &TestShop) -> TestClient {
    client_of(shop, &shop.customer().await).await
}

/// The least that is an address.
pub(crate) fn least() -> Value {
    json!({"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"})
}

/// The same with other or more members.
pub(crate) fn least_with(members: &Value) -> Value {
    let mut body = least();
    for (name, value) in members.as_object().expect("an object") {
        body[name] = value.clone();
    }
    body
}

/// The same without a member.
pub(crate) fn least_without(member: &str) -> Value {
    let mut body = least();
    body.as_object_mut().expect("an object").remove(member);
    body
}

/// Saves an address and gives back how it is shown.
pub(crate) async fn save(client: &TestClient, members: &Value) -> Value {
    client.post("/addresses", &least_with(members)).await.expect_status(201).json()["data"].clone()
}

/// The path of a saved address.
pub(crate) fn path_of(address: &Value) -> String {
    format!("/addresses/{}", address["id"])
}

/// The customer's addresses as they are listed.
pub(crate) async fn listed(client: &TestClient) -> Vec<Value> {
    client.get("/addresses").await.expect_status(200).json()["data"].as_array().expect("a list").clone()
}

/// The fields that an answer refuses, sorted.
#[track_caller]
pub(crate) fn refused_fields(answer: TestResponse) -> Vec<String> {
    let body = answer.expect_error(422, "validation_error").json();
    body["errors"].as_object().map(|errors| errors.keys().cloned().collect()).unwrap_or_default()
}
