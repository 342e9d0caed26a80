//! Everything that is wrong with a checkout is told in one answer, wherever it is found.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, address, builder, buyer, fill, refused_fields, rows};

const SETTINGS: &str = r#"
    [shop]
    countries = ["NL", "DE"]
    [[shop.consents]]
    id = "terms"
    version = "2026-11"
    label = { en = "I accept the terms." }
    [[shipping.methods]]
    id = "bike"
    label = "Bike"
    amount = 500
    countries = ["NL"]
    [[shipping.methods]]
    id = "truck"
    label = "Truck"
    amount = 1500
"#;

async fn shop(backend: Backend) -> (TestShop, Buyer) {
    let shop = builder(backend).config(SETTINGS).open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    (shop, ada)
}

/// An address in a country, without its city.
fn nowhere(country: &str) -> Value {
    let mut address = address(country);
    address["city"] = Value::Null;
    address
}

both_databases!(wrong_fields_missing_consents_and_wishes_that_cannot_be_had_are_told_together);
async fn wrong_fields_missing_consents_and_wishes_that_cannot_be_had_are_told_together(backend: Backend) {
    let (shop, ada) = shop(backend).await;
    let before = rows(&shop).await;
    let everything = json!({"billing": nowhere("NL"), "shipping_address_id": 4711, "shipping_same_as_billing": false,
        "shipping_method_id": null, "payment_method": "barter", "discount_code": "NOSUCH", "vat_id": "junk", "note": 1,
        "expected_total_amount": 1});
    let fields = [
        "billing.city",
        "consents",
        "discount_code",
        "note",
        "payment_method",
        "shipping_address_id",
        "shipping_method_id",
        "vat_id",
    ];
    assert_eq!(refused_fields(ada.check_out(&everything).await), fields);
    let found_later = json!({"shipping_method_id": "drone", "discount_code": "NOSUCH"});
    let fields = ["consents", "discount_code", "shipping_method_id"];
    assert_eq!(refused_fields(ada.check_out(&found_later).await), fields, "without one wrong value");
    assert_eq!((rows(&shop).await, ada.lines().await), (before, 1));
}

both_databases!(an_address_that_is_refused_still_says_which_country_it_is_in);
async fn an_address_that_is_refused_still_says_which_country_it_is_in(backend: Backend) {
    let (_shop, ada) = shop(backend).await;
    let to = |billing: Value| json!({"billing": billing, "shipping_method_id": "bike", "consents": ["terms"]});
    let refused = refused_fields(ada.check_out(&to(nowhere("DE"))).await);
    assert_eq!(refused, ["billing.city", "shipping_method_id"], "no bike goes to Germany");
    assert_eq!(refused_fields(ada.check_out(&to(nowhere("NL"))).await), ["billing.city"]);
    assert_eq!(
        refused_fields(ada.check_out(&to(address("FR"))).await),
        ["billing.country"],
        "no other country is sold to"
    );
}

both_databases!(what_follows_from_a_refused_field_is_not_told);
async fn what_follows_from_a_refused_field_is_not_told(backend: Backend) {
    let (_shop, ada) = shop(backend).await;
    for (member, value, field) in [
        ("billing", json!("Amsterdam"), "billing"),
        ("billing_address_id", json!("7"), "billing_address_id"),
        ("consents", json!("terms"), "consents"),
        ("consents", json!(["terms", 1]), "consents.1"),
        ("shipping_method_id", json!(1), "shipping_method_id"),
        ("answers", json!(["x"]), "answers"),
    ] {
        let mut members = json!({"shipping_method_id": "truck", "consents": ["terms"]});
        if member == "billing_address_id" {
            members["billing"] = Value::Null;
        }
        members[member] = value;
        assert_eq!(refused_fields(ada.check_out(&members).await), [field], "{members}");
    }
}

both_databases!(what_stands_against_the_cart_is_told_with_everything_else);
async fn what_stands_against_the_cart_is_told_with_everything_else(backend: Backend) {
    let (shop, ada) = shop(backend).await;
    ada.fill(&shop, &[("forbidden", 1)]).await;
    let wrong = json!({"shipping_method_id": "drone"});
    let told = |body: &Value| body["errors"].as_object().map(|told| told.keys().cloned().collect::<Vec<_>>());
    let fields = || Some(["cart", "consents", "shipping_method_id"].map(str::to_owned).to_vec());
    let refused = ada.check_out(&wrong).await.expect_error(422, "invalid_state").json();
    assert_eq!((&refused["reason"], told(&refused)), (&json!("forbidden"), fields()), "the check of a module");
    shop.stock(&[json!({"type": "product", "slug": "forbidden", "active": false})]).await;
    let refused = ada.check_out(&wrong).await.expect_error(422, "invalid_state").json();
    assert_eq!((&refused["reason"], told(&refused)), (&json!("line_unavailable"), fields()), "a line that is gone");
    let wrong = json!({"shipping_method_id": "truck", "note": 1});
    let fields = ["cart", "consents", "note"];
    assert_eq!(refused_fields(ada.check_out(&wrong).await), fields, "a wrong value decides about the code");
}

both_databases!(a_total_that_is_another_is_told_once_everything_else_is_right);
async fn a_total_that_is_another_is_told_once_everything_else_is_right(backend: Backend) {
    let (_shop, ada) = shop(backend).await;
    let expecting =
        |consents: Value| json!({"shipping_method_id": "truck", "expected_total_amount": 1, "consents": consents});
    assert_eq!(refused_fields(ada.check_out(&expecting(json!([]))).await), ["consents"]);
    let changed = ada.check_out(&expecting(json!(["terms"]))).await.expect_error(409, "invalid_state").json();
    assert_eq!((&changed["reason"], &changed["totals"]["total_amount"]), (&json!("total_changed"), &json!(3500)));
}
