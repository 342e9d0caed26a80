//! A shop with the module, and what is done in it.

use stoa_core::customers::{export_customer, find_account};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::module::ModuleEntry;
use stoa_core::serde_json::{Value, json};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder};

use stoa_guest_book::GuestBookModule as TheModule;

/// The module's name.
pub(crate) const NAME: &str = "guest_book";

pub(crate) fn entry() -> ModuleEntry {
    let entry = ModuleEntry::of::<TheModule>(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    entry.in_folder(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<TheModule>()
}

/// Somebody who may do everything that customers may.
pub(crate) async fn somebody(shop: &TestShop) -> TestClient {
    shop.client().token(&shop.customer().await, &["*"]).await
}

/// Gives a customer an entry.
pub(crate) async fn give_entry(shop: &TestShop, customer_id: i64) {
    const INSERT: Sql = sql!(
        "INSERT INTO guest_book_entries (customer_id, text, created_at)
         VALUES ($1, 'A lovely shop.', $2)"
    );
    let given = shop.parts.db.write(async |tx| -> Result<u64, DbError> {
        let now = tx.now();
        tx.run(INSERT).bind(customer_id).bind(now).execute().await
    });
    given.await.expect("it is written");
}

/// What the entries of a customer say, as they are told to whoever asks for all that is kept.
pub(crate) async fn texts(shop: &TestShop, customer_id: i64) -> Vec<Value> {
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer_id).await.expect("it can be read").expect("there is one");
    let told = export_customer(&parts.db, &parts.events, &account).await.expect("it is exported");
    let entries = told["guest_book"].as_array().expect("a list");
    entries.iter().map(|entry| entry["text"].clone()).collect()
}

/// Orders a tea, which comes with settings of modules. It costs nothing, so it is paid with the order.
pub(crate) async fn buy_tea(shop: &TestShop, client: &TestClient, modules: Value) {
    let tea = json!({"type": "product", "slug": "tea", "name": "Tea", "price_amount": 0, "modules": modules});
    shop.stock(&[tea]).await;
    client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    client.post("/checkout", &json!({"billing": billing, "idempotency_key": "tea"})).await.expect_status(201);
}
