//! What customers are told of a secret before they buy it.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{MARK, add, builder, keyed, plain, values};

both_databases!(a_product_tells_when_it_is_delivered_and_no_value);
async fn a_product_tells_when_it_is_delivered_and_no_value(backend: Backend) {
    let shop = builder(backend).config("[modules.digital_secrets]\nbackorder = true").open().await;
    shop.stock(&[
        keyed("font", &json!({"backorder": false})),
        keyed("game", &json!({})),
        keyed("license", &json!({"pattern": "XXXX-9999-****"})),
        plain("mug"),
    ])
    .await;
    add(&shop, "font", &values(1, 2)).await;
    for (slug, delivery) in [
        ("font", json!("instant")),
        ("game", json!("when_available")),
        ("license", json!("instant")),
        ("mug", Value::Null),
    ] {
        let shown = shop.client().get(&format!("/products/{slug}")).await.expect_status(200);
        assert_eq!(shown.json()["data"]["details"]["digital_secrets"]["delivery"], delivery, "{slug}");
        assert!(!shown.text().contains(MARK) && !shown.text().contains("XXXX-"), "{}", shown.text());
    }
}
