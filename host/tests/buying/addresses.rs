//! Where the bill and the goods of an order go (contract 2.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{address, buyer, refused_fields, shop};

both_databases!(goods_go_where_the_bill_goes_unless_said_otherwise);
async fn goods_go_where_the_bill_goes_unless_said_otherwise(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let countries = |order: &Value| {
        let country = |name: &str| order[name]["country"].as_str().unwrap_or_default().to_owned();
        (country("billing_address"), country("shipping_address"))
    };
    let pair = |billing: &str, shipping: &str| (billing.to_owned(), shipping.to_owned());
    for (members, expected) in [
        (json!({}), pair("NL", "NL")),
        (json!({"shipping": address("DE")}), pair("NL", "DE")),
        (json!({"shipping": address("DE"), "shipping_same_as_billing": false}), pair("NL", "DE")),
        (json!({"shipping": address("DE"), "shipping_same_as_billing": true}), pair("NL", "NL")),
        (json!({"shipping_same_as_billing": true}), pair("NL", "NL")),
        (json!({"shipping_same_as_billing": null}), pair("NL", "NL")),
    ] {
        let order = ada.place_with(&shop, &[("lamp", 1)], &members).await;
        assert_eq!(countries(&order), expected, "{members}");
    }
    let order = ada.place_with(&shop, &[("book", 1)], &json!({"shipping": address("DE")})).await;
    assert_eq!((&order["shipping_address"], &order["shipping_method"]), (&Value::Null, &Value::Null));
    ada.fill(&shop, &[("lamp", 1)]).await;
    let missing = ada.check_out(&json!({"shipping_same_as_billing": false})).await;
    assert_eq!(refused_fields(missing), ["shipping"]);
}

both_databases!(a_saved_address_is_taken_by_its_id);
async fn a_saved_address_is_taken_by_its_id(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    let saved = shop.address(&ada.customer).await.id;
    let foreign = shop.address(&eve.customer).await.id;
    let ids = json!({"billing": null, "billing_address_id": saved, "shipping_address_id": saved});
    let order = ada.place_with(&shop, &[("lamp", 1)], &ids).await;
    assert_eq!(order["billing_address"]["name"], ada.customer.name.as_str());
    assert_eq!(order["shipping_address"], order["billing_address"]);
    ada.fill(&shop, &[("lamp", 1)]).await;
    for (members, field) in [
        (json!({"billing": null, "billing_address_id": foreign}), "billing_address_id"),
        (json!({"billing": null, "billing_address_id": 4711}), "billing_address_id"),
        (json!({"shipping_address_id": foreign}), "shipping_address_id"),
        (json!({"billing_address_id": saved}), "billing_address_id"),
        (json!({"shipping": address("NL"), "shipping_address_id": saved}), "shipping_address_id"),
    ] {
        assert_eq!(refused_fields(ada.check_out(&members).await), [field], "{members}");
    }
}

both_databases!(an_order_keeps_the_address_that_changes_later);
async fn an_order_keeps_the_address_that_changes_later(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let saved = shop.address(&ada.customer).await.id;
    let ids = json!({"billing": null, "billing_address_id": saved});
    let order = ada.place_with(&shop, &[("lamp", 1)], &ids).await;
    ada.client.patch(&format!("/addresses/{saved}"), &address("DE")).await.expect_status(200);
    assert_eq!(ada.read(&order).await["billing_address"]["country"], "NL");
    ada.client.delete(&format!("/addresses/{saved}")).await.expect_status(200);
    assert_eq!(ada.read(&order).await, order);
}

both_databases!(aliases_take_precedence_as_in_saved_addresses);
async fn aliases_take_precedence_as_in_saved_addresses(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let mut billing = address("NL");
    billing["properties"] = json!({"city": "Utrecht", "zip": "3511 AB", "country": "DE"});
    let order = ada.place_with(&shop, &[("book", 1)], &json!({"billing": billing})).await;
    let stored = &order["billing_address"];
    assert_eq!((&stored["city"], &stored["postal_code"]), (&json!("Utrecht"), &json!("3511 AB")));
    assert_eq!((&stored["country"], &stored["line1"]), (&json!("DE"), &json!("Keizersgracht 1")));
}
