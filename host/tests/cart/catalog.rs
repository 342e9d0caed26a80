//! A catalog that changes while products are in carts.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{add, guest, path_of, product, read, select, server, shop, try_add, with};

/// The one line of a cart, and whether it can be bought.
async fn only_line(client: &TestClient) -> (Value, bool) {
    let cart = read(client).await;
    let line = cart["lines"][0].clone();
    let available = line["available"].as_bool().expect("yes or no");
    if !available {
        assert_eq!((&line["unit_amount"], &line["line_total_amount"]), (&json!(0), &json!(0)));
        assert_eq!((&cart["subtotal_amount"], &cart["requires_shipping"]), (&json!(0), &json!(false)));
    }
    (line, available)
}

async fn stock(shop: &TestShop, line: Value) {
    shop.stock(&[line]).await;
}

both_databases!(prices_are_those_of_the_catalog_when_the_cart_is_read);
async fn prices_are_those_of_the_catalog_when_the_cart_is_read(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    add(&shop, &visitor, "book", 2).await;
    stock(&shop, product("book", "Atlas", 130)).await;
    let (line, _) = only_line(&visitor).await;
    assert_eq!(
        (&line["label"], &line["unit_amount"], &line["line_total_amount"]),
        (&json!("Atlas"), &json!(130), &json!(260))
    );
}

both_databases!(a_product_that_went_away_is_shown_but_not_sold);
async fn a_product_that_went_away_is_shown_but_not_sold(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    add(&shop, &visitor, "lamp", 2).await;
    let changes = [json!({"active": false}), json!({"active": true, "capabilities": ["shippable", "subscribable"]})];
    for change in changes {
        stock(&shop, with(product("lamp", "Lamp", 2000), &change)).await;
        let (line, available) = only_line(&visitor).await;
        assert!(!available, "{change}");
        assert_eq!((&line["slug"], &line["quantity"]), (&json!("lamp"), &json!(2)));
        try_add(&shop, &visitor, "lamp", 1).await.expect_error(422, "validation_error");
    }
    stock(&shop, with(product("lamp", "Lamp", 2000), &json!({"capabilities": ["shippable"]}))).await;
    assert_eq!(read(&visitor).await["subtotal_amount"], 4000, "it came back");
}

both_databases!(a_product_of_a_hidden_category_is_not_sold);
async fn a_product_of_a_hidden_category_is_not_sold(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&[
        json!({"type": "category", "slug": "garden", "name": "Garden"}),
        with(product("rake", "Rake", 700), &json!({"category": "garden"})),
    ])
    .await;
    let visitor = guest(&shop).await;
    add(&shop, &visitor, "rake", 1).await;
    stock(&shop, json!({"type": "category", "slug": "garden", "active": false})).await;
    assert!(!only_line(&visitor).await.1);
}

both_databases!(selections_that_the_options_do_not_allow_any_more_are_not_sold);
async fn selections_that_the_options_do_not_allow_any_more_are_not_sold(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    select(&shop, &visitor, &json!({"os": "ubuntu", "extras": ["panel", "ipv4"], "hostname": "web"})).await;
    let mut changes: Vec<(&str, Value)> = Vec::new();
    let mut change = |what: &'static str, edit: &dyn Fn(&mut Value)| {
        let mut changed = server();
        edit(&mut changed["options"]);
        changes.push((what, changed));
    };
    change("its choice is withdrawn", &|options| options[0]["choices"][1]["active"] = json!(false));
    change("its choice is gone", &|options| drop(options[0]["choices"].as_array_mut().map(|list| list.remove(1))));
    change("one of several choices is withdrawn", &|options| options[2]["choices"][0]["active"] = json!(false));
    change("an option is withdrawn", &|options| options[4]["active"] = json!(false));
    change("an option is gone", &|options| drop(options.as_array_mut().map(|list| list.remove(4))));
    change("an option is of another type", &|options| options[4]["type"] = json!("number"));
    change("another option is required now", &|options| options[5]["required"] = json!(true));
    for (what, changed) in changes {
        stock(&shop, changed).await;
        assert!(!only_line(&visitor).await.1, "{what}");
        stock(&shop, server()).await;
        assert!(only_line(&visitor).await.1, "{what}, and came back");
    }
}

both_databases!(what_is_not_sold_still_says_what_it_was);
async fn what_is_not_sold_still_says_what_it_was(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    select(&shop, &visitor, &json!({"os": "ubuntu"})).await;
    let mut changed = server();
    changed["options"][0]["choices"][1]["active"] = json!(false);
    stock(&shop, changed).await;
    let (line, available) = only_line(&visitor).await;
    assert!(!available);
    assert_eq!(line["options"], json!([{"key": "os", "label": "System", "display": "Ubuntu"}]));
    visitor.delete(&path_of(&line)).await.expect_status(200);
}

both_databases!(an_adjustment_that_changes_changes_the_price);
async fn an_adjustment_that_changes_changes_the_price(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    select(&shop, &visitor, &json!({"os": "ubuntu"})).await;
    let mut changed = server();
    changed["options"][0]["choices"][1]["price_adjustment_amount"] = json!(-400);
    stock(&shop, changed).await;
    assert_eq!(only_line(&visitor).await.0["unit_amount"], 600);
}
