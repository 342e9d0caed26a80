//! Discount codes at checkout: what they take off, who may use them how often, and that a cancelled order gives its use
//! back (contract 2.2).

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::config::BasisPoints;
use stoa_core::db::Backend;
use stoa_core::discounts::{Discount, NewDiscount, create_discount, look_up_discount};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::pricing::DiscountRule;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{builder, buyer, fill, id, refused_fields, rows, shop, unlimited};

fn percent(code: &str, points: u16) -> NewDiscount {
    unlimited(code, DiscountRule::Percent(BasisPoints::new(points).expect("a share")))
}

async fn store(shop: &TestShop, new: &NewDiscount) -> Discount {
    shop.parts.db.write(async |tx| create_discount(tx, new).await).await.expect("the code is free")
}

async fn uses(shop: &TestShop, code: &str) -> i64 {
    look_up_discount(&shop.parts.db, code).await.expect("it is read").expect("it is there").uses
}

both_databases!(a_code_takes_its_share_off_the_subtotal);
async fn a_code_takes_its_share_off_the_subtotal(backend: Backend) {
    let shipping = "[[shipping.methods]]\nid = \"standard\"\nlabel = \"Standard\"\namount = 495";
    let shop = builder(backend).config(shipping).open().await;
    fill(&shop).await;
    store(&shop, &percent("Third", 3333)).await;
    store(&shop, &unlimited("BIG", DiscountRule::Amount(1_000_000))).await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, &[("lamp", 1), ("book", 1)], &json!({"discount_code": " tHIRD "})).await;
    // 33.33 % of 3500 is 1166.55.
    assert_eq!((&order["discount_amount"], &order["discount_code"]), (&json!(1167), &json!("Third")));
    assert_eq!((&order["subtotal_amount"], &order["total_amount"]), (&json!(3500), &json!(3500 - 1167 + 495)));
    assert_eq!(order["items"][0]["line_total_amount"], 2000, "lines show what they cost before");
    let most = ada.place_with(&shop, &[("lamp", 1)], &json!({"discount_code": "big"})).await;
    assert_eq!((&most["discount_amount"], &most["total_amount"]), (&json!(2000), &json!(495)));
    let all = ada.place_with(&shop, &[("book", 1)], &json!({"discount_code": "BIG"})).await;
    assert_eq!((&all["total_amount"], &all["status"]), (&json!(0), &json!("paid")));
}

both_databases!(a_code_that_cannot_be_used_is_refused_by_field);
async fn a_code_that_cannot_be_used_is_refused_by_field(backend: Backend) {
    let shop = shop(backend).await;
    let now = shop.now();
    store(&shop, &NewDiscount { minimum_amount: Some(2001), ..percent("MINIMUM", 1000) }).await;
    store(&shop, &NewDiscount { valid_from: Some(now + TimeDelta::hours(1)), ..percent("SOON", 1000) }).await;
    store(&shop, &NewDiscount { valid_until: Some(now + TimeDelta::hours(1)), ..percent("TODAY", 1000) }).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let before = rows(&shop).await;
    let refused = async |code: &str| refused_fields(ada.check_out(&json!({"discount_code": code})).await);
    for code in ["NOSUCH", "MINIMUM", "SOON"] {
        assert_eq!(refused(code).await, ["discount_code"], "{code}");
    }
    shop.advance(TimeDelta::hours(1));
    assert_eq!(refused("TODAY").await, ["discount_code"]);
    assert_eq!(rows(&shop).await, before);
    ada.check_out(&json!({"discount_code": "SOON"})).await.expect_status(201);
    ada.place_with(&shop, &[("lamp", 2)], &json!({"discount_code": "MINIMUM"})).await;
}

both_databases!(a_cancelled_order_gives_back_the_use_of_its_code);
async fn a_cancelled_order_gives_back_the_use_of_its_code(backend: Backend) {
    let shop = shop(backend).await;
    store(&shop, &NewDiscount { max_uses: Some(1), ..percent("ONCE", 1000) }).await;
    let code = json!({"discount_code": "ONCE"});
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.place_with(&shop, &[("lamp", 1)], &code).await;
    bob.fill(&shop, &[("lamp", 1)]).await;
    assert_eq!(refused_fields(bob.check_out(&code).await), ["discount_code"]);
    assert_eq!(uses(&shop, "ONCE").await, 1);
    cancel_order(&Payments::from_shop(&shop.parts), id(&order), CancelReason::Operator).await.expect("it is cancelled");
    assert_eq!(uses(&shop, "ONCE").await, 0);
    bob.check_out(&code).await.expect_status(201);
    assert_eq!(uses(&shop, "ONCE").await, 1);
}

both_databases!(a_customer_uses_a_code_as_often_as_it_says);
async fn a_customer_uses_a_code_as_often_as_it_says(backend: Backend) {
    let shop = shop(backend).await;
    store(&shop, &NewDiscount { max_uses_per_customer: Some(2), ..percent("TWICE", 1000) }).await;
    let code = json!({"discount_code": "TWICE"});
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    for _ in 0..2 {
        ada.place_with(&shop, &[("lamp", 1)], &code).await;
    }
    ada.fill(&shop, &[("lamp", 1)]).await;
    assert_eq!(refused_fields(ada.check_out(&code).await), ["discount_code"]);
    bob.place_with(&shop, &[("lamp", 1)], &code).await;
    assert_eq!(uses(&shop, "TWICE").await, 3);
}
