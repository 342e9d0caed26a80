//! Units whose money went back.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::refunds::{RefundRecorded, RefundedUnits};
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{Buyer, assert_sound, at, builder, heard, id_of, pay, renew_on, shop_at, told};

const ITEM: Sql = sql!("SELECT MIN(id) FROM order_lines WHERE order_id = $1");

/// Tells that these units of an order went back.
async fn refund(shop: &TestShop, order_id: i64, customer_id: i64, ordinals: &[i64]) {
    let order_line_id = shop.parts.db.read(ITEM).bind(order_id).scalar::<i64>().await.expect("there is one");
    let quantity = i64::try_from(ordinals.len()).expect("a few");
    let units = vec![RefundedUnits {
        order_line_id,
        product_id: 1,
        quantity,
        ordinals: ordinals.to_vec(),
        used_ordinals: vec![],
    }];
    let event = RefundRecorded {
        refund_id: 1,
        order_id,
        payment_id: 1,
        customer_id,
        amount: 1995 * quantity,
        currency: String::from("EUR"),
        is_full: false,
        units,
    };
    shop.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it is written");
    shop.run_jobs().await;
}

async fn statuses(ada: &Buyer) -> Vec<String> {
    let list = ada.client.get("/subscriptions").await.expect_status(200).json();
    let mut all = list["data"].as_array().expect("a list").clone();
    all.sort_by_key(id_of);
    all.iter().map(|own| own["status"].as_str().expect("a word").to_owned()).collect()
}

both_databases!(exactly_the_units_that_were_refunded_end);
async fn exactly_the_units_that_were_refunded_end(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    let order = ada.buy(&shop, 3).await;
    refund(&shop, order, ada.customer.id, &[3]).await;
    refund(&shop, order, ada.customer.id, &[3]).await;
    assert_eq!(statuses(&ada).await, ["active", "active", "ended"]);
    assert_eq!(heard(&shop).await, [told("EntitlementEnded", 3)]);
    renew_on(&shop, at("2026-02-28T12:00:00Z")).await;
    assert_eq!(ada.orders().await.0, 3, "the other two are renewed");
    assert_sound(&shop).await;
}

both_databases!(a_refund_that_comes_before_the_grant_leaves_nothing_to_be_granted);
async fn a_refund_that_comes_before_the_grant_leaves_nothing_to_be_granted(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    let order = id_of(&ada.place(2, "manual").await);
    refund(&shop, order, ada.customer.id, &[2]).await;
    pay(&shop, order).await;
    assert_eq!(statuses(&ada).await, ["active", "ended"]);
    assert_sound(&shop).await;
}

both_databases!(the_refund_of_the_current_period_ends_it_and_that_of_an_earlier_one_does_not);
async fn the_refund_of_the_current_period_ends_it_and_that_of_an_earlier_one_does_not(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    let mut renewals = Vec::new();
    for time in ["2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z"] {
        renew_on(&shop, at(time)).await;
        let (_, order) = ada.orders().await;
        pay(&shop, order).await;
        renewals.push(order);
    }
    refund(&shop, renewals[0], ada.customer.id, &[1]).await;
    assert_eq!(statuses(&ada).await, ["active"]);
    refund(&shop, renewals[1], ada.customer.id, &[1]).await;
    assert_eq!(statuses(&ada).await, ["ended"]);
    let shown = shop.command(&["subscriptions", "show", "1", "--json"]).await.json();
    assert_eq!(shown["end_reason"], json!("refunded"));
    assert_sound(&shop).await;
}
