//! The customer's own entries over HTTP.

use stoa_core::db::Backend;
use stoa_core::serde_json::json;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{builder, entry, somebody};

/// Where the routes are.
const PATH: &str = "/guest-book";

/// The abilities.
const READ: &str = "guest_book.read";
const WRITE: &str = "guest_book.write";

/// Writes an entry, and gives back its path.
async fn written(client: &TestClient) -> String {
    let entry = client.post(PATH, &json!({"text": "A lovely shop."})).await.expect_status(201).json();
    format!("{PATH}/{}", entry["id"])
}

async fn count(client: &TestClient) -> usize {
    let list = client.get(PATH).await.expect_status(200).json();
    list["data"].as_array().map_or(0, Vec::len)
}

both_databases!(an_entry_holds_no_web_addresses);
async fn an_entry_holds_no_web_addresses(backend: Backend) {
    let shop = builder(backend).open().await;
    let body = json!({"text": "Look at https://tea.example."});
    let refused = somebody(&shop).await.post(PATH, &body).await.expect_status(422).json();
    assert_eq!(refused["errors"]["text"], json!(["Please write your entry without web addresses."]));
}

both_databases!(an_entry_can_be_written_read_and_deleted);
async fn an_entry_can_be_written_read_and_deleted(backend: Backend) {
    let shop = builder(backend).open().await;
    let ada = somebody(&shop).await;
    let path = written(&ada).await;
    assert_eq!(ada.get(&path).await.expect_status(200).json()["data"]["text"], "A lovely shop.");
    ada.delete(&path).await.expect_status(200);
    ada.get(&path).await.expect_error(404, "not_found");
    ada.post(PATH, &json!({"text": " "})).await.expect_error(422, "validation_error");
}

both_databases!(somebody_elses_entry_is_not_found);
async fn somebody_elses_entry_is_not_found(backend: Backend) {
    let shop = builder(backend).open().await;
    let (ada, eve) = (somebody(&shop).await, somebody(&shop).await);
    let path = written(&ada).await;
    eve.get(&path).await.expect_error(404, "not_found");
    eve.delete(&path).await.expect_error(404, "not_found");
    assert_eq!((count(&eve).await, count(&ada).await), (0, 1));
}

both_databases!(reading_and_writing_need_abilities_of_their_own);
async fn reading_and_writing_need_abilities_of_their_own(backend: Backend) {
    let shop = builder(backend).open().await;
    let ada = shop.customer().await;
    let reader = shop.client().token(&ada, &[READ]).await;
    reader.get(PATH).await.expect_status(200);
    reader.post(PATH, &json!({"text": "x"})).await.expect_error(403, "insufficient_scope");
    let writer = shop.client().token(&ada, &[WRITE]).await;
    writer.get(PATH).await.expect_error(403, "insufficient_scope");
}

both_databases!(the_routes_are_not_there_while_the_module_is_off);
async fn the_routes_are_not_there_while_the_module_is_off(backend: Backend) {
    let shop = TestShop::builder(backend).linked_module(entry()).open().await;
    let ada = somebody(&shop).await;
    ada.get(PATH).await.expect_error(404, "not_found");
    ada.post(PATH, &json!({"text": "x"})).await.expect_error(404, "not_found");
}
