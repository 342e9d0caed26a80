//! Shops under fire, and those who buy there.

use std::time::Duration;

use serde_json::{Value, json};
use stoa_core::auth::{NewToken, issue_token};
use stoa_core::db::{Backend, Db, DbError, Sql};
use stoa_core::invariant::OwnedInvariant;
use stoa_core::module::Module;
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_core::verification::verify;

const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");

/// Whether everything is to be tried that takes long (`STOA_FIRE=full`).
#[expect(clippy::disallowed_methods, reason = "how thorough a run is belongs to the machine, not to a shop")]
pub(crate) fn full() -> bool {
    std::env::var("STOA_FIRE").is_ok_and(|fire| fire == "full")
}

/// How long to go on where a run can be of any length: `STOA_FIRE_MINUTES`, else as short as it can be.
#[expect(clippy::disallowed_methods, reason = "how thorough a run is belongs to the machine, not to a shop")]
pub(crate) fn length() -> Duration {
    let minutes = std::env::var("STOA_FIRE_MINUTES").map_or(0, |minutes| minutes.parse().expect("a number of minutes"));
    Duration::from_mins(minutes)
}

/// Decides when what happens: `STOA_FIRE_SEED`, else a new one each time.
#[expect(clippy::disallowed_methods, reason = "which run to repeat is said by whoever tests")]
pub(crate) fn seed() -> u64 {
    std::env::var("STOA_FIRE_SEED").map_or_else(|_| rand::random(), |seed| seed.parse().expect("a number"))
}

/// Nobody is limited.
pub(crate) const LIMITS: &str =
    "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }\n";

/// A shop with a module of the test's own.
pub(crate) fn builder<M: Module>(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<M>().config(LIMITS)
}

/// Puts products of one price on the shelf.
pub(crate) async fn stock(shop: &TestShop, slugs: &[&str]) {
    let product = |slug: &&str| json!({"type": "product", "slug": slug, "name": slug, "price_amount": 1500});
    shop.stock(&slugs.iter().map(product).collect::<Vec<_>>()).await;
}

/// The id of a product.
pub(crate) async fn product_id(db: &Db, slug: &str) -> i64 {
    db.read(PRODUCT_ID).bind(slug).scalar().await.expect("the product is there")
}

/// A new customer with a token for everything.
pub(crate) async fn buyer(shop: &TestShop) -> TestClient {
    let customer = shop.customer().await;
    shop.client().token(&customer, &["*"]).await
}

/// A token of a new customer, for whoever asks the shop through its port.
pub(crate) async fn token(shop: &TestShop) -> String {
    let customer = shop.customer().await;
    let abilities = [String::from("*")];
    let new =
        NewToken { customer_id: customer.id, name: "fire", abilities: &abilities, networks: &[], expires_at: None };
    let random = &shop.parts.random;
    let issued = shop.parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, random, new).await });
    issued.await.expect("a token is issued")
}

/// Puts a product into the own cart.
pub(crate) async fn fill(client: &TestClient, product_id: i64) {
    client.post("/cart", &json!({"product_id": product_id, "quantity": 1})).await.expect_status(200);
}

/// The body of a checkout.
pub(crate) fn checkout(gateway: &str) -> Value {
    json!({"payment_method": gateway, "shipping_method_id": "standard",
           "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                       "country": "NL"}})
}

/// Tries to place what is in the cart.
pub(crate) async fn place(client: &TestClient) -> TestResponse {
    client.post("/checkout", &checkout("manual")).await
}

/// Everything adds up.
pub(crate) async fn assert_adds_up(db: &Db) {
    assert_eq!(verify(db, &invariants()).await.expect("it is looked through"), []);
}

/// What must hold of a shop without modules.
pub(crate) fn invariants() -> Vec<OwnedInvariant> {
    let program = TestShop::builder(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    program.registry.invariants
}
