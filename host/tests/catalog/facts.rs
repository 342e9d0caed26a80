//! Brand, GTIN, weight, the price before a reduction, and what choices add to the price (contract 6.2).

use serde_json::{Value, json};
use stoa_core::catalog::write::Change;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{exported, product};

const FACTS: [&str; 4] = ["compare_at_amount", "brand", "gtin", "weight_grams"];

async fn facts(shop: &TestShop) -> [Value; 4] {
    let data = shop.client().get("/products/lamp").await.json()["data"].clone();
    FACTS.map(|name| data.get(name).cloned().unwrap_or_else(|| panic!("{name} is a member")))
}

fn lamp() -> Value {
    product(
        "lamp",
        &json!({"compare_at_amount": 2000, "brand": "Lumina", "gtin": "4006381333931", "weight_grams": 250}),
    )
}

both_databases!(facts_of_a_product_are_null_until_they_are_set_and_again_when_they_are_cleared);
async fn facts_of_a_product_are_null_until_they_are_set_and_again_when_they_are_cleared(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[product("lamp", &json!({}))]).await;
    assert_eq!(facts(&shop).await, [Value::Null, Value::Null, Value::Null, Value::Null]);
    assert_eq!(shop.import(&[lamp()]).await, [Ok(Change::Updated)]);
    let set = [json!(2000), json!("Lumina"), json!("4006381333931"), json!(250)];
    assert_eq!(facts(&shop).await, set);
    assert_eq!(shop.import(&[product("lamp", &json!({}))]).await, [Ok(Change::Unchanged)], "absent members stay");
    let cleared = json!({"brand": null, "gtin": "", "weight_grams": null, "compare_at_amount": null});
    assert_eq!(shop.import(&[product("lamp", &cleared)]).await, [Ok(Change::Updated)]);
    assert_eq!(facts(&shop).await, [Value::Null, Value::Null, Value::Null, Value::Null]);
}

both_databases!(facts_are_exported_and_importing_the_export_changes_nothing);
async fn facts_are_exported_and_importing_the_export_changes_nothing(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let most = json!({"compare_at_amount": 10_000_000_000_000_i64, "weight_grams": 1_000_000_000,
                      "brand": "B".repeat(255), "gtin": "96385074"});
    shop.stock(&[lamp(), product("most", &most), product("none", &json!({}))]).await;
    let lines = exported(&shop).await;
    assert_eq!(
        FACTS.map(|name| lines[0][name].clone()),
        [json!(2000), json!("Lumina"), json!("4006381333931"), json!(250)]
    );
    assert_eq!(FACTS.map(|name| lines[1][name].clone()), FACTS.map(|name| most[name].clone()));
    assert_eq!(FACTS.map(|name| lines[2].get(name).cloned()), [const { Some(Value::Null) }; 4]);
    let text = lines.iter().map(Value::to_string).collect::<Vec<_>>();
    assert!(text[0].contains(r#""price_amount":1000,"brand":"Lumina""#), "{}", text[0]);
    assert_eq!(shop.import(&lines).await, [const { Ok(Change::Unchanged) }; 3]);
}

both_databases!(a_price_before_the_reduction_is_shown_only_while_the_price_is_below_it);
async fn a_price_before_the_reduction_is_shown_only_while_the_price_is_below_it(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[lamp()]).await;
    for (price, shown) in [(1999, json!(2000)), (2000, Value::Null), (2500, Value::Null), (1500, json!(2000))] {
        shop.stock(&[json!({"type": "product", "slug": "lamp", "price_amount": price})]).await;
        assert_eq!(facts(&shop).await[0], shown, "{price}");
        assert_eq!(exported(&shop).await[0]["compare_at_amount"], 2000, "what is stored stays");
    }
}

both_databases!(choices_tell_what_they_add_to_the_price);
async fn choices_tell_what_they_add_to_the_price(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let choice = |value: &str, amount: i64| json!({"value": value, "label": value, "price_adjustment_amount": amount});
    let choices = [choice("plain", -300), choice("red", 0), choice("gold", 1250)];
    let option = json!({"key": "shade", "label": "Shade", "type": "select", "choices": choices});
    shop.stock(&[product("lamp", &json!({"options": [option]}))]).await;
    let data = shop.client().get("/products/lamp").await.json()["data"].clone();
    let told = data["options"][0]["choices"].as_array().expect("choices").iter();
    let told = told.map(|choice| {
        let formatted = choice["price_adjustment_formatted"].as_str().expect("a text").to_owned();
        (choice["price_adjustment_amount"].as_i64().expect("a number"), formatted)
    });
    let expected = [(-300, "-€3.00"), (0, "€0.00"), (1250, "€12.50")].map(|(amount, text)| (amount, text.to_owned()));
    assert_eq!(told.collect::<Vec<_>>(), expected);
}
