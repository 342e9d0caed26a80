//! Ways of shipping at checkout (contract 2.2).

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{address, builder, buyer, fill, refused_fields};

const METHODS: &str = r#"
    [[shipping.methods]]
    id = "bike"
    label = "Bike"
    amount = 495
    countries = ["NL"]
    free_from = 4000
    [[shipping.methods]]
    id = "truck"
    label = "Truck"
    amount = 1995
    countries = ["NL", "DE"]
"#;

async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).config(METHODS).open().await;
    fill(&shop).await;
    shop
}

both_databases!(shipping_costs_what_the_method_says);
async fn shipping_costs_what_the_method_says(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    for (lines, method, shipping, total) in [
        (&[("lamp", 1)][..], "bike", 495, 2495),
        (&[("lamp", 1)], "truck", 1995, 3995),
        (&[("lamp", 2)], "bike", 0, 4000),
        (&[("lamp", 1), ("book", 2)], "bike", 0, 5000),
        (&[("lamp", 2)], "truck", 1995, 5995),
    ] {
        let order = ada.place_with(&shop, lines, &json!({"shipping_method_id": method})).await;
        let amounts = (&order["shipping_method"], &order["shipping_amount"], &order["total_amount"]);
        assert_eq!(amounts, (&json!(method), &json!(shipping), &json!(total)), "{lines:?}");
        assert_eq!(order["fulfillment_status"], "unfulfilled");
    }
}

both_databases!(a_method_must_go_to_the_country_of_delivery);
async fn a_method_must_go_to_the_country_of_delivery(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let to = |billing: &str, shipping: &str, method: &str| json!({"billing": address(billing), "shipping": address(shipping), "shipping_method_id": method});
    for refused in [to("NL", "DE", "bike"), to("DE", "FR", "truck"), to("NL", "FR", "bike"), to("NL", "NL", "drone")] {
        assert_eq!(refused_fields(ada.check_out(&refused).await), ["shipping_method_id"], "{refused}");
    }
    assert_eq!(refused_fields(ada.check_out(&json!({"shipping_method_id": null})).await), ["shipping_method_id"]);
    let order = ada.check_out(&to("FR", "DE", "truck")).await.expect_status(201).json();
    assert_eq!(order["data"]["total_amount"], 3995);
}

both_databases!(what_is_not_sent_needs_no_method_and_costs_no_shipping);
async fn what_is_not_sent_needs_no_method_and_costs_no_shipping(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    for members in [json!({"shipping_method_id": null}), json!({"shipping_method_id": "truck"}), json!({})] {
        let order = ada.place_with(&shop, &[("book", 1)], &members).await;
        assert_eq!((&order["shipping_amount"], &order["total_amount"]), (&json!(0), &json!(1500)), "{members}");
        assert_eq!(order["fulfillment_status"], "not_required");
    }
}
