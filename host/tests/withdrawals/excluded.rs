//! What there is no right to withdraw from.

use serde_json::json;
use stoa_core::checkout::{Checkout, FollowUpLine, FollowUpOrder, place_follow_up};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{buyer, id, item, refused_fields, shop};

both_databases!(tickets_for_a_date_cannot_be_withdrawn);
async fn tickets_for_a_date_cannot_be_withdrawn(backend: Backend) {
    let shop = shop(backend).await;
    let concert = json!({"type": "product", "slug": "concert", "name": "Concert", "price_amount": 100,
                         "capabilities": ["event_ticket"],
                         "modules": {"event_tickets": {"event": "Concert", "starts_at": "2031-05-01T19:00:00Z",
                                                       "capacity": 1000}}});
    shop.stock(&[concert]).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("concert", 2)]).await;
    let line = &order["withdrawal"]["lines"][0];
    assert_eq!(
        (&line["quantity"], &line["excluded_quantity"], &line["excluded_reason"]),
        (&json!(0), &json!(2), &json!("dated"))
    );
    assert_eq!(order["withdrawal"]["possible"], false);
    assert_eq!(refused_fields(ada.try_to_withdraw(&json!({"order_id": order["id"]})).await), ["order_id"]);
}

both_databases!(what_follows_from_an_earlier_order_has_no_right_of_its_own);
async fn what_follows_from_an_earlier_order_has_no_right_of_its_own(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("advice", 1)]).await;
    let line =
        FollowUpLine { order_line_id: item(&order, 0), quantity: 1, unit_amount: 3000, capabilities: Vec::new() };
    let again = FollowUpOrder { order_id: id(&order), lines: vec![line], payment_method: None };
    let checkout = shop.uses::<Checkout>();
    let placed =
        shop.parts.db.write(async |tx| place_follow_up(tx, &checkout, &again).await).await.expect("it is placed");
    let renewal = ada.read(&json!({"id": placed.order_id})).await;
    assert_eq!(renewal["withdrawal"]["lines"][0]["excluded_reason"], "renewal");
    assert_eq!(refused_fields(ada.try_to_withdraw(&json!({"order_id": renewal["id"]})).await), ["order_id"]);
    // The control: the first order has it.
    ada.withdraw(&json!({"order_id": order["id"]})).await;
}
