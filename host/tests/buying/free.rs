//! Orders that cost nothing: nobody has to say how nothing is paid (contract 2.2).

use serde_json::{Value, json};
use stoa_core::config::BasisPoints;
use stoa_core::db::{Backend, Sql};
use stoa_core::discounts::{DiscountCode, NewDiscount, create_discount};
use stoa_core::pricing::DiscountRule;
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, buyer, fill, refused_fields};

const MANUAL_OFF: &str = "[payments.manual]\nenabled = false";
const ORDERS: Sql = sql!("SELECT COUNT(*) FROM orders");

/// A shop without payment by hand, and with more settings.
async fn shop(backend: Backend, config: &str) -> (TestShop, Buyer) {
    let shop = TestShop::builder(backend).config(MANUAL_OFF).config(config).open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    (shop, ada)
}

async fn everything_for_nothing(shop: &TestShop) {
    let all = BasisPoints::new(10_000).expect("a share");
    let code = NewDiscount {
        code: DiscountCode::parse("GIFT").expect("a code"),
        rule: DiscountRule::Percent(all),
        minimum_amount: None,
        max_uses: None,
        max_uses_per_customer: None,
        valid_from: None,
        valid_until: None,
        customer_id: None,
    };
    shop.parts.db.write(async |tx| create_discount(tx, &code).await).await.expect("the code is free");
}

async fn requirements(ada: &Buyer) -> Value {
    ada.client.get("/checkout/requirements").await.expect_status(200).json()["data"].clone()
}

both_databases!(a_shop_without_a_gateway_gives_away_what_costs_nothing);
async fn a_shop_without_a_gateway_gives_away_what_costs_nothing(backend: Backend) {
    let (shop, ada) = shop(backend, "").await;
    everything_for_nothing(&shop).await;
    ada.fill(&shop, &[("sample", 1)]).await;
    let asked = requirements(&ada).await;
    assert_eq!((&asked["requirements"], &asked["payment_methods"]), (&json!(["billing", "review"]), &json!([])));
    let free = ada.place(&shop, &[("sample", 1)]).await;
    let discounted = ada.place_with(&shop, &[("book", 1)], &json!({"discount_code": "gift"})).await;
    for order in [free, discounted] {
        assert_eq!((&order["total_amount"], &order["status"]), (&json!(0), &json!("paid")));
        assert_eq!((&order["payment"], &order["payment_status"]), (&json!(null), &json!(null)));
    }
}

both_databases!(a_shop_without_a_gateway_says_that_it_takes_no_payments);
async fn a_shop_without_a_gateway_says_that_it_takes_no_payments(backend: Backend) {
    let (shop, ada) = shop(backend, "").await;
    ada.fill(&shop, &[("book", 1), ("sample", 1)]).await;
    for members in [json!({}), json!({"payment_method": null}), json!({"payment_method": "manual"})] {
        let refused = ada.check_out(&members).await.expect_error(422, "validation_error").json();
        let told = refused["errors"]["payment_method"][0].as_str().expect("it is told");
        assert!(told.contains("takes no payments"), "{told}");
    }
    assert_eq!(shop.parts.db.read(ORDERS).scalar::<i64>().await.expect("they are counted"), 0);
    assert_eq!(ada.lines().await, 2, "the cart is as it was");
}

both_databases!(what_costs_nothing_needs_no_way_to_pay_and_everything_else_does);
async fn what_costs_nothing_needs_no_way_to_pay_and_everything_else_does(backend: Backend) {
    let (shop, ada) = shop(backend, "[payments.development]\nenabled = true").await;
    everything_for_nothing(&shop).await;
    assert_eq!(requirements(&ada).await["requirements"], json!(["billing", "payment", "review"]));
    assert_eq!(ada.place(&shop, &[("sample", 1)]).await["status"], "paid");
    assert_eq!(ada.place_with(&shop, &[("book", 1)], &json!({"discount_code": "GIFT"})).await["total_amount"], 0);
    ada.fill(&shop, &[("book", 1)]).await;
    assert_eq!(refused_fields(ada.check_out(&json!({})).await), ["payment_method"]);
    let paid = ada.check_out(&json!({"payment_method": "development"})).await.expect_status(201).json();
    assert_eq!(paid["data"]["status"], "paid");
}

both_databases!(a_way_to_pay_that_is_named_has_to_be_there_whatever_the_order_costs);
async fn a_way_to_pay_that_is_named_has_to_be_there_whatever_the_order_costs(backend: Backend) {
    let (shop, ada) = shop(backend, "[payments.development]\nenabled = true").await;
    ada.fill(&shop, &[("sample", 1)]).await;
    assert_eq!(refused_fields(ada.check_out(&json!({"payment_method": "manual"})).await), ["payment_method"]);
}
