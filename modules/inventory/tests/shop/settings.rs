//! What product settings say, and when the stock follows.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};
use stoa_inventory::Inventory;

use crate::kit::{assert_clean, builder, cancel, counted, order, pay, product, ship, shop, stock};

both_databases!(importing_the_same_number_again_brings_nothing_back);
async fn importing_the_same_number_again_brings_nothing_back(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 5)]).await;
    let placed = order(&shop, "mug", 2).await;
    pay(&shop, &placed).await;
    ship(&shop, &placed, 2).await;
    assert_eq!(stock(&shop, "mug").await, (3, 0, 3));
    shop.stock(&[counted("mug", 5)]).await;
    let mut dearer = counted("mug", 5);
    dearer["price_amount"] = json!(2000);
    shop.stock(&[dearer]).await;
    assert_eq!(stock(&shop, "mug").await, (3, 0, 3));
    // Another number is a new count.
    shop.stock(&[counted("mug", 6)]).await;
    assert_eq!(stock(&shop, "mug").await, (6, 0, 6));
    shop.stock(&[counted("mug", 5)]).await;
    assert_eq!(stock(&shop, "mug").await, (5, 0, 5));
    assert_clean(&shop).await;
}

both_databases!(a_product_can_be_counted_no_more);
async fn a_product_can_be_counted_no_more(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 1)]).await;
    let placed = order(&shop, "mug", 1).await;
    shop.stock(&[product("mug", &json!({"modules": {"inventory": null}}))]).await;
    order(&shop, "mug", 40).await;
    // What was held before is still given back.
    cancel(&shop, &placed).await.expect("it is cancelled");
    let shown = shop.command(&["inventory", "show", "mug", "--json"]).await.json();
    assert_eq!((&shown["tracked"], &shown["on_hand"], &shown["reserved"]), (&json!(false), &json!(1), &json!(0)));
    shop.stock(&[counted("mug", 1)]).await;
    assert_eq!(stock(&shop, "mug").await, (1, 0, 1));
    assert_clean(&shop).await;
}

both_databases!(a_mended_sku_takes_its_stock_along);
async fn a_mended_sku_takes_its_stock_along(backend: Backend) {
    let named = |sku: &str| product("mug", &json!({"sku": sku, "modules": {"inventory": {"quantity": 5}}}));
    let shop = shop(backend, &[named("MGU")]).await;
    let sold = order(&shop, "mug", 2).await;
    pay(&shop, &sold).await;
    ship(&shop, &sold, 2).await;
    let open = order(&shop, "mug", 1).await;
    shop.stock(&[product("mug", &json!({"sku": "MUG"}))]).await;
    assert_eq!(stock(&shop, "MUG").await, (2, 0, 2), "three of five are sold or promised");
    assert_eq!(stock(&shop, "MGU").await, (1, 1, 0));
    pay(&shop, &open).await;
    ship(&shop, &open, 1).await;
    assert_eq!(stock(&shop, "MGU").await, (0, 0, 0));
    shop.stock(&[named("MUG")]).await;
    assert_eq!(stock(&shop, "MUG").await, (2, 0, 2));
    assert_clean(&shop).await;
}

both_databases!(combinations_of_selections_have_a_stock_of_their_own);
async fn combinations_of_selections_have_a_stock_of_their_own(backend: Backend) {
    let choice = |value: &str| json!({"value": value, "label": value, "price_adjustment_amount": 0, "active": true});
    let option = |key: &str, values: [&str; 2]| {
        json!({"key": key, "label": key, "type": "select", "required": true, "active": true,
               "choices": values.map(choice)})
    };
    let variant = |sku: &str, size: &str, color: &str, quantity: i64| json!({"sku": sku, "quantity": quantity, "selections": {"size": size, "color": color}});
    let settings = json!({
        "options": [option("size", ["s", "m"]), option("color", ["red", "blue"])],
        "modules": {"inventory": {"variants": [
            variant("T-S-R", "s", "red", 1), variant("T-S-B", "s", "blue", 2), variant("T-M-R", "m", "red", 0)]}},
    });
    let shop = shop(backend, &[product("tee", &settings)]).await;
    let ada = crate::kit::buyer(&shop).await;
    crate::kit::fill(&shop, &ada, "tee", 1, &json!({"size": "s", "color": "red"})).await;
    crate::kit::fill(&shop, &ada, "tee", 2, &json!({"size": "s", "color": "blue"})).await;
    // Nobody counts this one.
    crate::kit::fill(&shop, &ada, "tee", 50, &json!({"size": "m", "color": "blue"})).await;
    crate::kit::place(&ada).await.expect_status(201);
    assert_eq!((stock(&shop, "T-S-R").await, stock(&shop, "T-S-B").await), ((1, 1, 0), (2, 2, 0)));
    crate::kit::fill(&shop, &ada, "tee", 1, &json!({"size": "m", "color": "red"})).await;
    crate::kit::expect_short(crate::kit::place(&ada).await, "TEE");
    assert_clean(&shop).await;
}

both_databases!(settings_that_make_no_sense_are_refused_with_a_reason);
async fn settings_that_make_no_sense_are_refused_with_a_reason(backend: Backend) {
    let shop = builder(backend).open().await;
    let refused = [
        (json!({"quantity": -1}), "quantity"),
        (json!({"quantity": 1.5}), "1.5"),
        (json!({"quantity": "5"}), "string"),
        (json!({"quantity": 1_000_000_001}), "quantity"),
        (json!({"amount": 5}), "amount"),
        (json!({"variants": [{"sku": " "}]}), "sku"),
        (json!({"variants": [{"sku": "A"}, {"sku": "A"}]}), "twice"),
    ];
    for (settings, told) in refused {
        let outcomes = shop.import(&[product("mug", &json!({"modules": {"inventory": settings}}))]).await;
        let problem = outcomes[0].as_ref().expect_err("it is refused")[0].clone();
        assert_eq!(problem.member, "modules.inventory");
        assert!(problem.reason.contains(told), "{settings}: {problem:?}");
    }
}

/// A shop that knows the module and has it off.
async fn off(backend: Backend) -> TestShop {
    TestShop::builder(backend).linked_module(ModuleEntry::of::<Inventory>("test", "0.0.0")).open().await
}

both_databases!(what_was_imported_while_the_module_was_off_is_counted_when_it_is_on);
async fn what_was_imported_while_the_module_was_off_is_counted_when_it_is_on(backend: Backend) {
    let shop = off(backend).await;
    shop.stock(&[counted("mug", 5), counted("cup", 1), product("book", &json!({}))]).await;
    let on = builder(backend).on(shop.database()).seed(2).open().await;
    // An order may come before anybody has looked.
    let placed = order(&on, "mug", 5).await;
    on.run_jobs().await;
    assert_eq!(stock(&on, "mug").await, (5, 5, 0));
    assert_eq!(stock(&on, "cup").await, (1, 0, 1));
    on.refresh_catalog().await;
    let shown = on.client().get("/products/mug").await.expect_status(200).json();
    assert_eq!(shown["data"]["availability"], "out_of_stock");
    cancel(&on, &placed).await.expect("it is cancelled");
    // Off, another import, and on again: the next command has looked.
    shop.stock(&[counted("cup", 8)]).await;
    on.command(&["inventory", "list"]).await.expect_success();
    assert_eq!(stock(&on, "cup").await, (8, 0, 8));
    assert_clean(&on).await;
}

both_databases!(a_dry_run_counts_nothing);
async fn a_dry_run_counts_nothing(backend: Backend) {
    use stoa_core::catalog::write::{CatalogWriter, Mode};
    let shop = shop(backend, &[counted("mug", 5)]).await;
    let lines: [Value; 1] = [counted("mug", 50)];
    let mut writer = CatalogWriter::new(&shop.parts.db, &shop.registry, Mode::DryRun);
    let outcomes = writer.write(&stoa_core::testing::records(&lines)).await.expect("they are tried");
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(stock(&shop, "mug").await, (5, 0, 5));
}

const COUNT_PARTS: Sql = sql!("SELECT COUNT(*) FROM inventory_parts");

// A shop with a million products that are not counted must not keep a row for each.
both_databases!(nothing_is_kept_of_products_that_are_not_counted);
async fn nothing_is_kept_of_products_that_are_not_counted(backend: Backend) {
    let shop = shop(backend, &[product("book", &json!({})), counted("mug", 1)]).await;
    assert_eq!(shop.parts.db.read(COUNT_PARTS).scalar::<i64>().await.expect("they are counted"), 1);
}
