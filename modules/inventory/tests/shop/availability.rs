//! What customers see: in the catalog and in the cart.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};
use stoa_inventory::Inventory;

use crate::kit::{assert_clean, buyer, cancel, counted, expect_short, fill, order, place, product, shop, stock};

const VERSION: Sql = sql!("SELECT version, listing_version FROM catalog_state");

async fn versions(shop: &TestShop) -> (i64, i64) {
    shop.parts.db.read(VERSION).one().await.expect("it is read")
}

/// What the catalog says of a product, in its detail and in the list.
async fn shown(shop: &TestShop, slug: &str) -> Value {
    shop.run_jobs().await;
    shop.refresh_catalog().await;
    let detail = shop.client().get(&format!("/products/{slug}")).await.expect_status(200).json();
    let list = shop.client().get("/products").await.expect_status(200).json();
    let products = list["data"].as_array().expect("a list");
    let listed = products.iter().find(|product| product["slug"] == slug).expect("it is listed");
    assert_eq!(listed["availability"], detail["data"]["availability"]);
    detail["data"]["availability"].clone()
}

both_databases!(the_catalog_says_what_can_be_had);
async fn the_catalog_says_what_can_be_had(backend: Backend) {
    let backorder = json!({"modules": {"inventory": {"quantity": 0, "backorder": true}}});
    let lines = [counted("mug", 8), product("book", &json!({})), product("lamp", &backorder)];
    let shop = shop(backend, &lines).await;
    assert_eq!(shown(&shop, "mug").await, "in_stock");
    assert_eq!(shown(&shop, "book").await, Value::Null);
    assert_eq!(shown(&shop, "lamp").await, "backorder");
    let (before, listing) = versions(&shop).await;
    let first = order(&shop, "mug", 2).await;
    assert_eq!(shown(&shop, "mug").await, "in_stock");
    assert_eq!(versions(&shop).await, (before, listing), "nothing that customers see has changed");
    let second = order(&shop, "mug", 5).await;
    assert_eq!(shown(&shop, "mug").await, "low_stock");
    order(&shop, "mug", 1).await;
    assert_eq!(shown(&shop, "mug").await, "out_of_stock");
    let (after, same_listing) = versions(&shop).await;
    assert_eq!((after - before, same_listing), (2, listing), "once for each change, and the listing is the same");
    for placed in [first, second] {
        cancel(&shop, &placed).await.expect("it is cancelled");
    }
    assert_eq!(shown(&shop, "mug").await, "in_stock");
    shop.command(&["inventory", "set", "mug", "0"]).await.expect_success();
    shop.refresh_catalog().await;
    let detail = shop.client().get("/products/mug").await.json();
    assert_eq!(detail["data"]["availability"], "out_of_stock", "the operator needs no worker for it");
    assert_clean(&shop).await;
}

both_databases!(a_module_that_is_off_says_nothing);
async fn a_module_that_is_off_says_nothing(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 0)]).await;
    assert_eq!(shown(&shop, "mug").await, "out_of_stock");
    let entry = ModuleEntry::of::<Inventory>("test", "0.0.0");
    let off = TestShop::builder(backend).linked_module(entry).on(shop.database()).seed(2).open().await;
    assert_eq!(shown(&off, "mug").await, Value::Null);
    let cart = fill(&off, &buyer(&off).await, "mug", 1, &json!({})).await;
    assert_eq!((&cart["lines"][0]["availability"], &cart["lines"][0]["available"]), (&Value::Null, &json!(true)));
}

both_databases!(a_search_finds_a_product_after_it_was_sold_out);
async fn a_search_finds_a_product_after_it_was_sold_out(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 1), counted("muffin", 3)]).await;
    order(&shop, "mug", 1).await;
    assert_eq!(shown(&shop, "mug").await, "out_of_stock");
    let found = shop.client().get("/search?q=mug").await.expect_status(200).json();
    assert_eq!(found["data"][0]["availability"], "out_of_stock", "{found}");
    shop.stock(&[counted("mugwort", 1)]).await;
    let found = shop.client().get("/products?q=mug").await.expect_status(200).json();
    assert_eq!(found["meta"]["total"], 2);
}

both_databases!(a_cart_shows_what_can_be_had);
async fn a_cart_shows_what_can_be_had(backend: Backend) {
    let backorder = json!({"modules": {"inventory": {"quantity": 0, "backorder": true}}});
    let lines = [
        counted("mug", 8),
        counted("cup", 2),
        counted("jug", 0),
        product("lamp", &backorder),
        product("book", &json!({})),
    ];
    let shop = shop(backend, &lines).await;
    let ada = buyer(&shop).await;
    for slug in ["mug", "cup", "jug", "lamp", "book"] {
        fill(&shop, &ada, slug, 1, &json!({})).await;
    }
    let cart = ada.get("/cart").await.expect_status(200).json()["data"].clone();
    let told = cart["lines"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|line| json!([line["slug"], line["availability"], line["available"], line["line_total_amount"]]));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            json!(["mug", "in_stock", true, 1500]),
            json!(["cup", "low_stock", true, 1500]),
            json!(["jug", "out_of_stock", false, 0]),
            json!(["lamp", "backorder", true, 1500]),
            json!(["book", null, true, 1500]),
        ]
    );
    assert_eq!(cart["subtotal_amount"], 6000);
    expect_short(place(&ada).await, "JUG");
    let key = cart["lines"][2]["line_key"].as_str().expect("a key");
    let rest = ada.patch(&format!("/cart/{key}"), &json!({"quantity": 0})).await.expect_status(200).json();
    assert_eq!(rest["data"]["lines"].as_array().map(Vec::len), Some(4));
    place(&ada).await.expect_status(201);
    assert_eq!(stock(&shop, "cup").await, (2, 1, 1));
    assert_clean(&shop).await;
}

both_databases!(a_cart_with_more_than_there_is_says_how_much_there_is);
async fn a_cart_with_more_than_there_is_says_how_much_there_is(backend: Backend) {
    let backorder = json!({"modules": {"inventory": {"quantity": 1, "backorder": true}}});
    let option = json!({"sku": "tee", "modules": {"inventory": {"quantity": 5}}, "options": [
        {"key": "name", "label": "Name", "type": "text", "required": false}]});
    let lines = [counted("mug", 3), product("tee", &option), product("lamp", &backorder), product("book", &json!({}))];
    let shop = shop(backend, &lines).await;
    let ada = buyer(&shop).await;
    fill(&shop, &ada, "tee", 4, &json!({"name": "Ada"})).await;
    fill(&shop, &ada, "tee", 4, &json!({"name": "Grace"})).await;
    for slug in ["mug", "lamp", "book"] {
        fill(&shop, &ada, slug, 3, &json!({})).await;
    }
    let left = |cart: &Value| {
        let lines = cart["lines"].as_array().into_iter().flatten();
        lines.map(|line| line["available_quantity"].clone()).collect::<Vec<_>>()
    };
    let cart = ada.get("/cart").await.expect_status(200).json()["data"].clone();
    let null = Value::Null;
    assert_eq!(
        left(&cart),
        [null.clone(), json!(1), null.clone(), null.clone(), null.clone()],
        "the first gets it first"
    );
    assert_eq!(cart["lines"][1]["available"], true, "there is some");
    let cart = fill(&shop, &ada, "mug", 1, &json!({})).await;
    assert_eq!(left(&cart)[2], 3);
    let key = cart["lines"][1]["line_key"].as_str().expect("a key");
    let enough = ada.patch(&format!("/cart/{key}"), &json!({"quantity": 1})).await.expect_status(200).json();
    assert_eq!(left(&enough["data"])[1], null);
    expect_short(place(&ada).await, "MUG");
}

both_databases!(of_several_variants_the_best_is_shown);
async fn of_several_variants_the_best_is_shown(backend: Backend) {
    let choice = |value: &str, sku: &str| json!({"value": value, "label": value, "price_adjustment_amount": 0, "sku": sku, "active": true});
    let size = json!([{"key": "size", "label": "Size", "type": "select", "required": true, "active": true,
                       "choices": [choice("s", "TEE-S"), choice("m", "TEE-M")]}]);
    let settings = json!({"options": size, "modules": {"inventory": {
        "variants": [{"sku": "TEE-S", "quantity": 0}, {"sku": "TEE-M", "quantity": 1}]}}});
    let shop = shop(backend, &[product("tee", &settings)]).await;
    assert_eq!(shown(&shop, "tee").await, "low_stock");
    let ada = buyer(&shop).await;
    let cart = fill(&shop, &ada, "tee", 1, &json!({"size": "s"})).await;
    assert_eq!(cart["lines"][0]["availability"], "out_of_stock");
    let bob = buyer(&shop).await;
    fill(&shop, &bob, "tee", 1, &json!({"size": "m"})).await;
    place(&bob).await.expect_status(201);
    assert_eq!(shown(&shop, "tee").await, "out_of_stock");
    assert_clean(&shop).await;
}
