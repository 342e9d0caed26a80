//! What modules say about products, in the catalog and in the cart (contract 6.2).

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use stoa_core::catalog::details_changed;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases};

use crate::shelf::{category, product};

/// A module that says of each product how it was asked.
struct Asked;

/// How a product was asked about.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AskedDetails")]
struct AskedDetails {
    /// How many products it was asked about at once.
    with: usize,
    /// The turn, which no other asking has.
    turn: u64,
    price_amount: i64,
    settings: Option<Value>,
}

/// Says something of products with the capability.
struct TellAsked;

static TURNS: AtomicU64 = AtomicU64::new(0);

impl TellDetails for TellAsked {
    type Uses = Db;
    type Details = AskedDetails;

    async fn details(&self, products: &[ShownProduct<'_>], _: &Db) -> Result<Vec<Option<AskedDetails>>, DbError> {
        let turn = TURNS.fetch_add(1, Ordering::Relaxed);
        let details = |product: &ShownProduct<'_>| {
            product.has("asked").then(|| AskedDetails {
                with: products.len(),
                turn,
                price_amount: product.price_amount,
                settings: product.settings(Asked::NAME).cloned(),
            })
        };
        Ok(products.iter().map(details).collect())
    }
}

#[derive(Deserialize)]
struct AskedSettings {
    #[serde(rename = "note")]
    _note: i64,
}

impl ProductSettings for AskedSettings {}

impl Module for Asked {
    const NAME: &'static str = "asked";
    const CAPABILITIES: &'static [&'static str] = &["asked"];
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.product_settings::<AskedSettings>();
        cx.product_details(TellAsked);
        Ok(())
    }
}

/// The same, but what it says holds for a moment only.
struct Fleeting;

struct TellFleeting;

impl TellDetails for TellFleeting {
    type Uses = ();
    type Details = u64;
    const LIVE: bool = true;

    async fn details(&self, products: &[ShownProduct<'_>], (): &()) -> Result<Vec<Option<u64>>, DbError> {
        let turn = TURNS.fetch_add(1, Ordering::Relaxed);
        Ok(products.iter().map(|product| product.has("fleeting").then_some(turn)).collect())
    }
}

impl Module for Fleeting {
    const NAME: &'static str = "fleeting";
    const CAPABILITIES: &'static [&'static str] = &["fleeting"];
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.product_details(TellFleeting);
        Ok(())
    }
}

fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<Asked>().module::<Fleeting>()
}

async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    let option = json!({"key": "size", "label": "Size", "type": "select", "required": true, "choices": [
        {"value": "s", "label": "S"}, {"value": "l", "label": "L", "price_adjustment_amount": 250}]});
    shop.stock(&[
        category("things", &json!({})),
        product("one", &json!({"category": "things", "capabilities": ["asked"], "modules": {"asked": {"note": 7}}, "options": [option]})),
        product("plain", &json!({"category": "things"})),
        product("two", &json!({"category": "things", "capabilities": ["asked"]})),
    ])
    .await;
    shop
}

async fn data(shop: &TestShop, path: &str) -> Value {
    shop.client().get(path).await.expect_status(200).json()["data"].clone()
}

both_databases!(each_module_is_asked_once_for_all_products_of_a_list);
async fn each_module_is_asked_once_for_all_products_of_a_list(backend: Backend) {
    let shop = shop(backend).await;
    let listed = data(&shop, "/products").await;
    let (one, two) = (&listed[0]["details"]["asked"], &listed[2]["details"]["asked"]);
    assert_eq!((&one["with"], &one["price_amount"], &one["settings"]), (&json!(3), &json!(1000), &json!({"note": 7})));
    assert_eq!((&two["with"], &two["turn"], &two["settings"]), (&json!(3), &one["turn"], &Value::Null));
    assert_eq!(listed[1]["details"], json!({}), "nothing is said of it");
    assert_eq!(data(&shop, "/categories/things").await["products"], listed);
    assert_eq!(data(&shop, "/products/one").await, listed[0]);
}

both_databases!(what_was_said_is_kept_until_the_catalog_changes_or_the_module_tells_a_change);
async fn what_was_said_is_kept_until_the_catalog_changes_or_the_module_tells_a_change(backend: Backend) {
    let shop = shop(backend).await;
    let said = async || {
        shop.refresh_catalog().await;
        (data(&shop, "/products/two").await, data(&shop, "/search?q=two").await)
    };
    let first = said().await;
    assert_eq!(said().await, first);
    shop.parts.db.write(async |tx| details_changed(tx).await).await.expect("it is told");
    let second = said().await;
    assert_ne!(second.0, first.0);
    assert_ne!(second.1, first.1);
    shop.stock(&[product("plain", &json!({"name": "Plainer"}))]).await;
    assert_ne!(said().await.0, second.0);
}

both_databases!(what_holds_for_a_moment_is_asked_for_each_time_and_what_stands_beside_it_is_kept);
async fn what_holds_for_a_moment_is_asked_for_each_time_and_what_stands_beside_it_is_kept(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&[product("zeppelin", &json!({"category": "things", "capabilities": ["fleeting"]}))]).await;
    for (path, pointer) in [
        ("/products/zeppelin", ""),
        ("/products", "/3"),
        ("/categories/things", "/products/3"),
        ("/search?q=zepp", "/0"),
    ] {
        let said = async || data(&shop, path).await.pointer(&format!("{pointer}/details/fleeting")).cloned();
        let first = said().await.expect("it is said");
        assert!(said().await.expect("it is said").as_u64() > first.as_u64(), "{path}");
    }
    let beside = async || data(&shop, "/products").await[0].clone();
    assert_eq!(beside().await, beside().await);
}

both_databases!(lines_of_a_cart_carry_the_details_at_the_price_of_their_selections);
async fn lines_of_a_cart_carry_the_details_at_the_price_of_their_selections(backend: Backend) {
    let shop = shop(backend).await;
    let client = shop.client();
    let mut token = None;
    for (product, selections) in [("one", json!({"size": "s"})), ("one", json!({"size": "l"})), ("plain", json!({}))] {
        let id = data(&shop, &format!("/products/{product}")).await["id"].clone();
        let body = json!({"product_id": id, "quantity": 1, "selections": selections});
        let client = token
            .as_ref()
            .map_or_else(|| client.anonymous(), |token: &String| client.with_header("x-cart-token", token));
        let cart = client.post("/cart", &body).await.expect_status(200).json();
        token = cart["data"]["token"].as_str().map(str::to_owned);
    }
    let client = client.with_header("x-cart-token", &token.expect("a token"));
    let cart = client.get("/cart").await.expect_status(200).json();
    let asked = |line: usize, member: &str| cart["data"]["lines"][line]["details"]["asked"][member].clone();
    assert_eq!((asked(0, "with"), asked(0, "settings")), (json!(3), json!({"note": 7})));
    assert_eq!((asked(0, "price_amount"), asked(1, "price_amount")), (json!(1000), json!(1250)));
    assert_eq!(cart["data"]["lines"][2]["details"], json!({}));
}

both_databases!(a_module_that_is_off_says_nothing_and_stands_in_no_description);
async fn a_module_that_is_off_says_nothing_and_stands_in_no_description(backend: Backend) {
    let on = shop(backend).await;
    let entry = stoa_core::module::ModuleEntry::of::<Asked>("asked", "0.1.0");
    let off = TestShop::builder(backend).linked_module(entry).on(on.database()).clock(&on.clock).seed(2).open().await;
    assert_eq!(data(&off, "/products/two").await["details"], json!({}));
    let members = async |shop: &TestShop| {
        let document = shop.client().get("/openapi.json").await.expect_status(200).json();
        document["components"]["schemas"]["ProductDetails"]["properties"].clone()
    };
    let described = members(&on).await;
    assert_eq!(described["asked"], json!({"$ref": "#/components/schemas/AskedDetails"}));
    assert_eq!(described["fleeting"]["type"], "integer");
    assert_eq!(members(&off).await, Value::Null);
}

both_databases!(operators_see_what_customers_are_told);
async fn operators_see_what_customers_are_told(backend: Backend) {
    let shop = shop(backend).await;
    let frame = stoa_core::catalog::Frame::from_shop(&shop.parts);
    let shown = stoa_core::catalog::product_details(&shop.parts.db, &frame, "one").await.expect("it can be read");
    let shown = serde_json::to_value(shown.expect("it is there")).expect("it serializes");
    assert_eq!(shown["details"]["asked"]["settings"], json!({"note": 7}));
}
