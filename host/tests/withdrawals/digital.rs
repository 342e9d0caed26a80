//! The waiver of digital goods that are delivered at once (C10.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{Buyer, EU, builder, buyer, filled, item, pay, refused_fields, shop};

async fn asked(buyer: &Buyer) -> Vec<Value> {
    let requirements = buyer.client.get("/checkout/requirements").await.expect_status(200).json();
    requirements["data"]["consents"].as_array().cloned().unwrap_or_default()
}

both_databases!(the_waiver_is_asked_for_what_is_delivered_at_once);
async fn the_waiver_is_asked_for_what_is_delivered_at_once(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1), ("advice", 1)]).await;
    assert_eq!(asked(&ada).await, Vec::<Value>::new());
    ada.fill(&shop, &[("song", 1)]).await;
    let [waiver] = asked(&ada).await.try_into().expect("one consent");
    assert_eq!(
        (&waiver["id"], &waiver["required"], &waiver["url"]),
        (&json!("digital_waiver"), &json!(true), &Value::Null)
    );
    let german = Buyer { client: ada.client.with_header("accept-language", "de"), ..ada.clone() };
    let label = asked(&german).await[0]["label"].clone();
    assert!(label.as_str().is_some_and(|label| label.contains("Widerrufsrecht")), "{label}");
    // Without the law there is nothing to give up.
    let none = filled(builder(backend)).await;
    let bob = buyer(&none).await;
    bob.fill(&none, &[("song", 1)]).await;
    assert_eq!(asked(&bob).await, Vec::<Value>::new());
    bob.check_out(&[]).await.expect_status(201);
}

both_databases!(without_the_waiver_nothing_is_placed_and_with_it_the_order_keeps_it);
async fn without_the_waiver_nothing_is_placed_and_with_it_the_order_keeps_it(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("song", 1)]).await;
    assert_eq!(refused_fields(ada.check_out(&[]).await), ["consents"]);
    assert_eq!(refused_fields(ada.check_out(&["digital_waiver@2020-01"]).await), ["consents"]);
    assert_eq!(refused_fields(ada.check_out(&["waiver"]).await), ["consents"]);
    let version = asked(&ada).await[0]["version"].as_str().expect("a version").to_owned();
    let order = ada.check_out(&[&format!("digital_waiver@{version}")]).await.expect_status(201).json()["data"].clone();
    assert_eq!(
        (&order["consents"][0]["id"], &order["consents"][0]["version"]),
        (&json!("digital_waiver"), &json!(version))
    );
    // Given with an order that needs none, it is passed over.
    ada.fill(&shop, &[("lamp", 1)]).await;
    let plain = ada.check_out(&["digital_waiver"]).await.expect_status(201).json();
    assert_eq!(plain["data"]["consents"], json!([]));
}

both_databases!(what_was_delivered_under_the_waiver_cannot_be_withdrawn);
async fn what_was_delivered_under_the_waiver_cannot_be_withdrawn(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.order_with(&shop, &[("song", 2), ("key", 1), ("lamp", 1)], &["digital_waiver"]).await;
    // Nothing is delivered yet.
    assert_eq!(order["withdrawal"]["lines"][0]["quantity"], 2);
    pay(&shop, &order).await;
    let rights = ada.read(&order).await["withdrawal"].clone();
    for (index, units, excluded) in [(0, 0, 2), (1, 0, 1), (2, 1, 0)] {
        let line = &rights["lines"][index];
        assert_eq!((&line["quantity"], &line["excluded_quantity"]), (&json!(units), &json!(excluded)), "{rights}");
    }
    assert_eq!(rights["lines"][0]["excluded_reason"], "delivered");
    let song = json!({"order_id": order["id"], "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
    assert_eq!(refused_fields(ada.try_to_withdraw(&song).await), ["lines.0.quantity"]);
    let withdrawal = ada.withdraw(&json!({"order_id": order["id"]})).await;
    assert_eq!(withdrawal["lines"], json!([{"item_id": item(&order, 2), "quantity": 1, "label": "Lamp"}]));
    assert_eq!(
        withdrawal["excluded"],
        json!([{"item_id": item(&order, 0), "quantity": 2, "reason": "delivered"},
               {"item_id": item(&order, 1), "quantity": 1, "reason": "delivered"}])
    );
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(what_waits_for_a_value_is_not_delivered_and_can_be_withdrawn);
async fn what_waits_for_a_value_is_not_delivered_and_can_be_withdrawn(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&[json!({"type": "product", "slug": "voucher", "name": "Voucher", "price_amount": 500,
                        "capabilities": ["digital_secret"]})])
        .await;
    let ada = buyer(&shop).await;
    let order = ada.buy_with(&shop, &[("voucher", 1)], &["digital_waiver"]).await;
    assert_eq!(order["withdrawal"]["lines"][0]["quantity"], 1);
    ada.withdraw(&json!({"order_id": order["id"]})).await;
    // What comes now goes to nobody who has withdrawn.
    std::fs::write(shop.folder().join("values.txt"), "SECRET-ONE\n").expect("it is written");
    shop.command(&["digital-secrets", "add", "voucher", "values.txt"]).await.expect_success();
    shop.run_jobs().await;
    assert_eq!(ada.client.get("/digital-secrets").await.expect_status(200).json()["meta"]["total"], 0);
    // The control: somebody else gets it.
    let bob = buyer(&shop).await;
    let bought = bob.buy_with(&shop, &[("voucher", 1)], &["digital_waiver"]).await;
    assert_eq!(bob.client.get("/digital-secrets").await.expect_status(200).json()["meta"]["total"], 1);
    assert_eq!(bought["withdrawal"]["lines"][0]["excluded_quantity"], 1);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(the_operators_own_text_of_the_waiver_is_asked_for_where_the_waiver_is);
async fn the_operators_own_text_of_the_waiver_is_asked_for_where_the_waiver_is(backend: Backend) {
    let own = r#"
        [[shop.consents]]
        id = "digital_waiver"
        version = "7"
        label = { en = "At once, please." }
        required = false
    "#;
    let shop = filled(builder(backend).config(EU).config(own)).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    assert_eq!(asked(&ada).await, Vec::<Value>::new());
    ada.fill(&shop, &[("song", 1)]).await;
    let waiver =
        json!({"id": "digital_waiver", "version": "7", "label": "At once, please.", "url": null, "required": true});
    assert_eq!(asked(&ada).await, [waiver]);
}
