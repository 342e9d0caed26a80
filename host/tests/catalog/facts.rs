//! Brand, GTIN, weight, safety, the price before a reduction, that of a unit and the lowest, and what choices add to the price (contract 6.2, 10.3).

use chrono::TimeDelta;
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

fn safety() -> Value {
    json!({"manufacturer": {"name": "Lampen GmbH", "address": "Weg 1\nBerlin", "email": "safety@lampen.example"},
           "responsible_person": {"name": "Eva EU", "address": "Weg 2, Berlin", "email": "eu@lampen.example"},
           "warnings": {"de": "Heiße Oberfläche.", "en": "Hot surface."}})
}

async fn shown(shop: &TestShop, member: &str) -> Value {
    let data = shop.client().get("/products/lamp").await.expect_status(200).json()["data"].clone();
    data.get(member).cloned().unwrap_or_else(|| panic!("{member} is a member"))
}

both_databases!(safety_is_shown_exported_and_cleared);
async fn safety_is_shown_exported_and_cleared(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[product("lamp", &json!({}))]).await;
    assert_eq!(shown(&shop, "safety").await, Value::Null);
    shop.stock(&[product("lamp", &json!({"safety": safety()}))]).await;
    assert_eq!(shown(&shop, "safety").await, safety());
    let lines = exported(&shop).await;
    assert_eq!(lines[0]["safety"], safety());
    assert_eq!(shop.import(&lines).await, [Ok(Change::Unchanged)]);
    let part = json!({"warnings": {"en": "Hot."}});
    shop.stock(&[product("lamp", &json!({"safety": part}))]).await;
    let whole = json!({"manufacturer": null, "responsible_person": null, "warnings": {"en": "Hot."}});
    assert_eq!(shown(&shop, "safety").await, whole, "it is replaced as a whole");
    shop.stock(&[product("lamp", &json!({"safety": {"warnings": {"en": " "}}}))]).await;
    assert_eq!(shown(&shop, "safety").await, Value::Null, "what says nothing is none");
}

both_databases!(a_unit_price_follows_the_price_until_another_is_said);
async fn a_unit_price_follows_the_price_until_another_is_said(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[product("lamp", &json!({}))]).await;
    assert_eq!(shown(&shop, "unit_price").await, Value::Null);
    let said = json!({"amount": 4000, "reference": "1 kg"});
    shop.stock(&[product("lamp", &json!({"unit_price": said}))]).await;
    let expected = json!({"amount": 4000, "formatted": "€40.00", "reference": "1 kg"});
    assert_eq!(shown(&shop, "unit_price").await, expected);
    for (price, amount) in [(333, 1332), (1000, 4000)] {
        shop.stock(&[json!({"type": "product", "slug": "lamp", "price_amount": price})]).await;
        assert_eq!(shown(&shop, "unit_price").await["amount"], amount, "{price}");
        let lines = exported(&shop).await;
        assert_eq!(lines[0]["unit_price"], json!({"amount": amount, "reference": "1 kg"}));
        assert_eq!(shop.import(&lines).await, [Ok(Change::Unchanged)]);
    }
    shop.stock(&[product("lamp", &json!({"unit_price": {"amount": 400, "reference": "100 ml"}}))]).await;
    assert_eq!(shown(&shop, "unit_price").await["reference"], "100 ml");
    shop.stock(&[product("lamp", &json!({"unit_price": null}))]).await;
    assert_eq!(shown(&shop, "unit_price").await, Value::Null);
}

both_databases!(a_reduction_shows_the_lowest_price_of_the_thirty_days_before_it);
async fn a_reduction_shows_the_lowest_price_of_the_thirty_days_before_it(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let at = async |days: i64, price: i64, compare_at: Option<i64>| {
        shop.clock.advance(TimeDelta::days(days));
        shop.stock(&[product("lamp", &json!({"price_amount": price, "compare_at_amount": compare_at}))]).await;
        shown(&shop, "lowest_recent_amount").await
    };
    assert_eq!(at(0, 2000, Some(2500)).await, Value::Null, "there was no price before");
    assert_eq!(at(1, 2500, None).await, Value::Null, "it is not reduced");
    assert_eq!(at(20, 2300, None).await, Value::Null);
    assert_eq!(at(20, 1900, Some(2500)).await, 2300, "what was before the thirty days does not count");
    shop.clock.advance(TimeDelta::days(300));
    assert_eq!(at(0, 1900, Some(2600)).await, 2300, "it is the same reduction, however long it lasts");
    assert_eq!(at(1, 1500, Some(2600)).await, 2300, "and however deep it becomes");
    assert_eq!(at(1, 1800, Some(2600)).await, 1500, "a price that rises begins another one");
    assert_eq!(at(1, 2600, Some(2600)).await, Value::Null);
    let listed = shop.client().get("/products").await.json();
    assert_eq!(listed["data"][0]["lowest_recent_amount"], Value::Null);
}
