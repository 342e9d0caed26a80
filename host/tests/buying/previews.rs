//! What a cart costs before it is an order, and the taxes of orders (C6.1).

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::discounts::{NewDiscount, create_discount};
use stoa_core::pricing::DiscountRule;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{Buyer, address, builder, buyer, fill, id_of, rows, unlimited};

/// What a preview and an order have in common.
const SHARED: [&str; 8] = [
    "subtotal_amount",
    "discount_amount",
    "shipping_amount",
    "tax_amount",
    "total_amount",
    "total_formatted",
    "currency",
    "taxes",
];

async fn shop(backend: Backend, prices_include_tax: bool) -> TestShop {
    let config = format!(
        r#"
        [shop]
        countries = ["NL", "DE", "FR", "US"]
        [tax]
        prices_include_tax = {prices_include_tax}
        rates = {{ NL = 2100, DE = 1900, FR = 2000 }}
        [tax.classes]
        reduced = {{ NL = 900, DE = 700, FR = 550 }}
        [[shipping.methods]]
        id = "standard"
        label = "Standard"
        amount = 495
        free_from = 9000
        [[shipping.methods]]
        id = "bike"
        label = "Bike"
        amount = 333
        countries = ["NL"]
        "#
    );
    let shop = builder(backend).config(&config).open().await;
    fill(&shop).await;
    for (code, rule, minimum_amount) in [
        ("TEN", percent(1000), None),
        ("ODD", percent(3333), None),
        ("FIVE", DiscountRule::Amount(500), None),
        ("BIG", DiscountRule::Amount(500), Some(100_000)),
    ] {
        let new = NewDiscount { minimum_amount, max_uses: (code == "FIVE").then_some(1000), ..unlimited(code, rule) };
        shop.parts.db.write(async |tx| create_discount(tx, &new).await).await.expect("the code is free");
    }
    shop
}

fn percent(points: u16) -> DiscountRule {
    DiscountRule::Percent(stoa_core::config::BasisPoints::new(points).expect("a rate"))
}

async fn totals(client: &TestClient, query: &str) -> Value {
    let path = format!("/checkout/requirements?{query}");
    client.get(&path).await.expect_status(200).json()["data"]["totals"].clone()
}

fn amount(of: &Value, name: &str) -> i64 {
    of[name].as_i64().expect("an amount")
}

/// The rows of taxes come to the tax, and with what they are on to the total.
#[track_caller]
fn adds_up(of: &Value) {
    let taxes = of["taxes"].as_array().expect("a list");
    let sum = |name: &str| taxes.iter().map(|row| amount(row, name)).sum::<i64>();
    assert_eq!(sum("tax_amount"), amount(of, "tax_amount"), "{of}");
    assert_eq!(sum("base_amount") + sum("tax_amount"), amount(of, "total_amount"), "{of}");
    let mut rates = taxes.iter().map(|row| amount(row, "rate_basis_points")).collect::<Vec<_>>();
    rates.dedup();
    assert_eq!(rates.len(), taxes.len(), "one row for each rate: {of}");
}

async fn fill_at_random(shop: &TestShop, ada: &Buyer, dice: &mut Xoshiro256PlusPlus) {
    for slug in ["book", "lamp", "sample", "server"] {
        if dice.random_bool(0.6) {
            let selections = json!({"os": if dice.random_bool(0.5) { "debian" } else { "ubuntu" }});
            let mut line = json!({"product_id": id_of(shop, slug).await, "quantity": dice.random_range(1..=5)});
            if slug == "server" {
                line["selections"] = selections;
            }
            ada.client.post("/cart", &line).await.expect_status(200);
        }
    }
}

both_databases!(a_random_cart_costs_at_checkout_what_the_preview_has_said);
async fn a_random_cart_costs_at_checkout_what_the_preview_has_said(backend: Backend) {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(61);
    for inclusive in [true, false] {
        let shop = shop(backend, inclusive).await;
        let ada = buyer(&shop).await;
        for _ in 0..25 {
            fill_at_random(&shop, &ada, &mut dice).await;
            if ada.lines().await == 0 {
                continue;
            }
            let country = ["NL", "DE", "FR", "US"][dice.random_range(0..4)];
            let method = if country == "NL" && dice.random_bool(0.5) { "bike" } else { "standard" };
            let code = [None, Some("TEN"), Some("odd"), Some("FIVE")][dice.random_range(0..4)];
            let query = format!("country={country}&shipping_method_id={method}&discount_code={}", code.unwrap_or(""));
            let shown = totals(&ada.client, &query).await;
            assert_eq!(shown["complete"], true, "{shown}");
            adds_up(&shown);
            let members = json!({"billing": address(country), "shipping_method_id": method, "discount_code": code,
                                 "expected_total_amount": shown["total_amount"]});
            let order = ada.check_out(&members).await.expect_status(201).json()["data"].clone();
            for name in SHARED {
                assert_eq!(order[name], shown[name], "{name} with {query}");
            }
            assert_eq!(order["discount_code"], shown["discount_code"]);
            assert_eq!(ada.read(&order).await["taxes"], shown["taxes"], "read back");
        }
        assert_eq!(shop.breaches().await, [""; 0]);
    }
}

both_databases!(what_is_missing_counts_nothing_and_leaves_the_totals_incomplete);
async fn what_is_missing_counts_nothing_and_leaves_the_totals_incomplete(backend: Backend) {
    let shop = shop(backend, false).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    for (query, complete, shipping, tax) in [
        ("", false, 0, 0),
        ("country=NL", false, 0, 420),
        ("shipping_method_id=standard", false, 495, 0),
        ("country=DE&shipping_method_id=bike", false, 0, 380),
        ("country=BE&shipping_method_id=standard", false, 495, 0),
        ("country=nl&shipping_method_id=standard", true, 495, 420 + 104),
    ] {
        let shown = totals(&ada.client, query).await;
        assert_eq!(shown["complete"], complete, "{query}");
        assert_eq!((amount(&shown, "shipping_amount"), amount(&shown, "tax_amount")), (shipping, tax), "{query}");
        assert_eq!(amount(&shown, "total_amount"), 2000 + shipping + tax, "{query}");
    }
    assert_eq!(totals(&ada.client, "").await["taxes"], json!([]), "no rate is known without a country");
    let nothing = totals(&shop.client(), "country=NL").await;
    assert_eq!((&nothing["total_amount"], &nothing["currency"]), (&json!(0), &json!("EUR")));
}

both_databases!(a_code_that_cannot_be_used_is_a_problem_in_the_clients_language);
async fn a_code_that_cannot_be_used_is_a_problem_in_the_clients_language(backend: Backend) {
    let shop = shop(backend, true).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("book", 1)]).await;
    for language in ["en", "de", "nl"] {
        let client = ada.client.with_header("accept-language", language);
        for code in ["NOSUCH", "BIG"] {
            let shown = totals(&client, &format!("country=NL&discount_code={code}")).await;
            assert_eq!((&shown["discount_amount"], &shown["discount_code"]), (&json!(0), &Value::Null));
            let body = json!({"billing": address("NL"), "discount_code": code});
            let refused = client.post("/checkout", &body).await.expect_error(422, "validation_error").json();
            assert_eq!(json!([shown["discount_problem"]]), refused["errors"]["discount_code"], "{language}");
        }
    }
    for strange in ["%00", "%F0%9F%92%A9", "x%0Ay", "%FF"] {
        let shown =
            totals(&ada.client, &format!("country=NL&discount_code={strange}&shipping_method_id={strange}")).await;
        assert!(shown["discount_problem"].is_string(), "{strange}");
    }
    let usable = totals(&ada.client, "country=NL&discount_code=%20ten%20").await;
    assert_eq!((&usable["discount_code"], &usable["discount_problem"]), (&json!("TEN"), &Value::Null));
}

both_databases!(asking_what_a_cart_costs_writes_nothing);
async fn asking_what_a_cart_costs_writes_nothing(backend: Backend) {
    let shop = shop(backend, true).await;
    let ada = buyer(&shop).await;
    let once = NewDiscount { max_uses: Some(1), ..unlimited("ONCE", percent(5000)) };
    shop.parts.db.write(async |tx| create_discount(tx, &once).await).await.expect("the code is free");
    ada.fill(&shop, &[("book", 2)]).await;
    let before = rows(&shop).await;
    for _ in 0..3 {
        let shown = totals(&ada.client, "country=NL&discount_code=ONCE").await;
        assert_eq!((&shown["discount_amount"], &shown["discount_problem"]), (&json!(1500), &Value::Null));
    }
    assert_eq!(rows(&shop).await, before);
    ada.check_out(&json!({"discount_code": "ONCE", "expected_total_amount": 1500})).await.expect_status(201);
}

both_databases!(a_total_that_has_changed_comes_with_the_new_one);
async fn a_total_that_has_changed_comes_with_the_new_one(backend: Backend) {
    let shop = shop(backend, false).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let shown = totals(&ada.client, "country=NL&shipping_method_id=standard&discount_code=ten").await;
    let members = json!({"discount_code": "ten", "expected_total_amount": 1});
    let refused = ada.check_out(&members).await.expect_error(409, "invalid_state").json();
    assert_eq!((&refused["reason"], &refused["totals"]), (&json!("total_changed"), &shown));
}

both_databases!(a_vat_identification_number_must_look_like_one);
async fn a_vat_identification_number_must_look_like_one(backend: Backend) {
    let shop = shop(backend, false).await;
    for given in ["DE12", "12345", "NL", "%00"] {
        let refused = shop.client().get(&format!("/checkout/requirements?vat_id={given}")).await;
        let refused = refused.expect_error(422, "validation_error").json();
        assert!(refused["errors"]["vat_id"].is_array(), "{given}: {refused}");
    }
    for given in ["", "DE136695976", "nl%20004495445.b01"] {
        shop.client().get(&format!("/checkout/requirements?vat_id={given}")).await.expect_status(200);
    }
}
