//! Taxes at checkout (contract 1 and 2.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::discounts::create_discount;
use stoa_core::pricing::DiscountRule;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{address, builder, buyer, fill, unlimited};

async fn shop(backend: Backend, prices_include_tax: bool) -> TestShop {
    let config = format!(
        r#"
        [tax]
        prices_include_tax = {prices_include_tax}
        rates = {{ NL = 2100, DE = 1900 }}
        [tax.classes]
        reduced = {{ NL = 900, DE = 700 }}
        [[shipping.methods]]
        id = "standard"
        label = "Standard"
        amount = 495
        "#
    );
    let shop = builder(backend).config(&config).open().await;
    fill(&shop).await;
    shop
}

fn amounts(order: &Value) -> [i64; 5] {
    ["subtotal_amount", "discount_amount", "shipping_amount", "tax_amount", "total_amount"]
        .map(|name| order[name].as_i64().expect("an amount"))
}

const LINES: &[(&str, i64)] = &[("lamp", 2), ("book", 1)];

both_databases!(tax_is_within_prices_that_include_it);
async fn tax_is_within_prices_that_include_it(backend: Backend) {
    let shop = shop(backend, true).await;
    let ada = buyer(&shop).await;
    // 4000 x 21/121 = 694.2, 1500 x 9/109 = 123.9, 495 x 21/121 = 85.9.
    let order = ada.place(&shop, LINES).await;
    assert_eq!(amounts(&order), [5500, 0, 495, 694 + 124 + 86, 5995]);
}

both_databases!(tax_comes_on_top_of_prices_that_exclude_it);
async fn tax_comes_on_top_of_prices_that_exclude_it(backend: Backend) {
    let shop = shop(backend, false).await;
    let ada = buyer(&shop).await;
    // 4000 x 21 % = 840, 1500 x 9 % = 135, 495 x 21 % = 103.95.
    let order = ada.place(&shop, LINES).await;
    assert_eq!(amounts(&order), [5500, 0, 495, 840 + 135 + 104, 5995 + 1079]);
    assert_eq!(order["payment"]["amount"], 7074);
}

both_databases!(the_country_of_delivery_decides_else_that_of_the_bill);
async fn the_country_of_delivery_decides_else_that_of_the_bill(backend: Backend) {
    let shop = shop(backend, false).await;
    let ada = buyer(&shop).await;
    let to = |billing: &str, shipping: &str| json!({"billing": address(billing), "shipping": address(shipping)});
    for (lines, members, tax) in [
        (LINES, to("NL", "DE"), 760 + 105 + 94),
        (LINES, to("DE", "NL"), 840 + 135 + 104),
        (&[("book", 1)][..], to("DE", "NL"), 105),
        (&[("book", 1)], to("NL", "DE"), 135),
        (LINES, to("NL", "FR"), 0),
        (&[("book", 1)], to("FR", "NL"), 0),
    ] {
        let order = ada.place_with(&shop, lines, &members).await;
        assert_eq!(order["tax_amount"], tax, "{members}");
    }
}

both_databases!(what_a_code_takes_off_is_not_taxed);
async fn what_a_code_takes_off_is_not_taxed(backend: Backend) {
    let shop = shop(backend, false).await;
    let new = unlimited("THOUSAND", DiscountRule::Amount(1000));
    shop.parts.db.write(async |tx| create_discount(tx, &new).await).await.expect("the code is free");
    let ada = buyer(&shop).await;
    // 1000 is spread 727 to 273 over 4000 and 1500; (4000 - 727) x 21 % = 687.3, (1500 - 273) x 9 % = 110.4.
    let order = ada.place_with(&shop, LINES, &json!({"discount_code": "thousand"})).await;
    assert_eq!(amounts(&order), [5500, 1000, 495, 687 + 110 + 104, 4500 + 495 + 901]);
}
