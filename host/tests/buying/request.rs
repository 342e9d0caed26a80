//! Every field of `POST /checkout`: what is refused, and that nothing is placed then (contract 2.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{address, body, builder, buyer, fill, refused_fields, rows, shop};

fn with(mut address: Value, member: &str, value: Value) -> Value {
    address[member] = value;
    address
}

both_databases!(fields_of_wrong_kind_or_size_are_refused_by_name);
async fn fields_of_wrong_kind_or_size_are_refused_by_name(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let before = rows(&shop).await;
    let (long, text) = ("x".repeat(1001), "x".repeat(81));
    let answers = (0..51).map(|number| (format!("question_{number}"), json!("yes"))).collect::<serde_json::Map<_, _>>();
    for (member, values) in [
        ("billing", vec![json!(null), json!("Amsterdam"), json!([]), json!(1), json!(true)]),
        ("shipping", vec![json!("Amsterdam"), json!([]), json!(1)]),
        ("billing_address_id", vec![json!(0), json!(-1), json!("1"), json!(1.5), json!(true), json!([1])]),
        ("shipping_address_id", vec![json!(0), json!("1"), json!({}), json!(4711)]),
        ("shipping_same_as_billing", vec![json!("yes"), json!(1), json!("true"), json!([])]),
        ("shipping_method_id", vec![json!(null), json!(""), json!(1), json!("drone"), json!(text), json!({})]),
        ("payment_method", vec![json!("stripe"), json!("barter"), json!(1), json!(text), json!([])]),
        ("discount_code", vec![json!("NOSUCH"), json!(1), json!(text), json!(true)]),
        ("note", vec![json!(long), json!(1), json!(["x"]), json!("nul\u{0}"), json!("\u{1b}[2J")]),
        ("expected_total_amount", vec![json!("2000"), json!(-1), json!(20.5), json!(true), json!([2000])]),
        ("idempotency_key", vec![json!("k".repeat(65)), json!(1), json!(true), json!("a\u{0}b")]),
        (
            "vat_id",
            vec![json!(1), json!(true), json!([]), json!({}), json!("x".repeat(65)), json!("DE1\u{0}3"), json!("x")],
        ),
        (
            "consents",
            vec![json!(1), json!(true), json!("terms"), json!({}), json!(vec!["terms"; 51]), json!(["terms"])],
        ),
        ("answers", vec![json!(1), json!(true), json!("yes"), json!([]), json!(answers)]),
    ] {
        for value in values {
            let refused = refused_fields(ada.check_out(&json!({member: value})).await);
            assert_eq!(refused, [member], "{value}");
        }
    }
    assert_eq!(rows(&shop).await, before);
    assert_eq!(ada.lines().await, 1);
    ada.check_out(&json!({})).await.expect_status(201);
}

both_databases!(an_address_has_the_rules_of_saved_addresses);
async fn an_address_has_the_rules_of_saved_addresses(backend: Backend) {
    let shop = builder(backend).config("[shop]\ncountries = [\"NL\", \"DE\"]").open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    for given in ["billing", "shipping"] {
        let required = refused_fields(ada.check_out(&json!({given: {}})).await);
        assert_eq!(required, ["city", "country", "line1", "name", "postal_code"].map(|name| format!("{given}.{name}")));
        for (member, value) in [
            ("name", json!("x".repeat(256))),
            ("line1", json!(1)),
            ("city", json!("x".repeat(121))),
            ("postal_code", json!("x".repeat(21))),
            ("country", json!("FR")),
            ("country", json!("NLD")),
            ("country", json!("XX")),
            ("phone", json!("1".repeat(41))),
            ("company", json!(false)),
        ] {
            let refused = refused_fields(ada.check_out(&json!({given: with(address("NL"), member, value)})).await);
            assert_eq!(refused, [format!("{given}.{member}")]);
        }
        let alias = with(address("NL"), "properties", json!({"country": "FR"}));
        assert_eq!(
            refused_fields(ada.check_out(&json!({given: alias})).await),
            [format!("{given}.properties.country")]
        );
    }
    assert_eq!(ada.lines().await, 1);
}

both_databases!(what_is_longest_is_still_taken_and_blanks_are_nothing);
async fn what_is_longest_is_still_taken_and_blanks_are_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let (note, key) = ("\u{e4}".repeat(1000), "k".repeat(64));
    let longest = ada.place_with(&shop, &[("lamp", 1)], &json!({"note": note, "idempotency_key": key})).await;
    assert_eq!(longest["note"], note);
    let lines = ada.place_with(&shop, &[("lamp", 1)], &json!({"note": " two\n\tlines "})).await;
    assert_eq!(lines["note"], "two\n\tlines");
    let blank = json!({"note": "  ", "discount_code": "", "payment_method": " ", "idempotency_key": "",
                       "expected_total_amount": null, "shipping": null, "unknown": {"member": 1}});
    let order = ada.place_with(&shop, &[("lamp", 1)], &blank).await;
    assert_eq!((&order["note"], &order["payment_method"]), (&Value::Null, &json!("manual")));
}

both_databases!(prices_and_totals_of_the_client_change_nothing);
async fn prices_and_totals_of_the_client_change_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let wishes = json!({"total_amount": 1, "subtotal_amount": 1, "tax_amount": 0, "status": "paid", "customer_id": 1,
                        "items": [], "unit_amount": 1, "shipping_amount": 0, "discount_amount": 1999});
    let order = ada.place_with(&shop, &[("lamp", 1)], &wishes).await;
    assert_eq!((&order["total_amount"], &order["status"]), (&json!(2000), &json!("pending")));
}

both_databases!(only_a_customer_with_the_ability_places_orders);
async fn only_a_customer_with_the_ability_places_orders(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    shop.client().post("/checkout", &body(&json!({}))).await.expect_error(401, "unauthenticated");
    let reader = shop.client().token(&ada.customer, &["orders.read", "orders.pay"]).await;
    let refused = reader.post("/checkout", &body(&json!({}))).await.expect_error(403, "insufficient_scope");
    assert_eq!(refused.json()["errors"]["required_ability"], json!(["orders.create"]));
    let only = shop.client().token(&ada.customer, &["orders.create"]).await;
    let order = only.post("/checkout", &body(&json!({}))).await.expect_status(201).json();
    only.get(&format!("/orders/{}", order["data"]["id"])).await.expect_error(403, "insufficient_scope");
}
