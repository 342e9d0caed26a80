//! What is refunded is void, and nothing else.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::refunds::{
    NewRefund, RefundLine, RefundRecorded, RefundScope, RefundedUnits, refund_order, reserve_refund, resume_refund,
};
use stoa_core::testing::both_databases;

use crate::kit::{assert_sound, builder, buyer, id_of, item_id, order_id, pay, refund, seated, shop_with, taken, text};

both_databases!(one_refunded_unit_of_three_is_void);
async fn one_refunded_unit_of_three_is_void(backend: Backend) {
    let shop = shop_with(backend, 3).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.buy(&shop, "standing", 3).await;
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["issued", "issued", "void"], "the last unit goes first");
    assert_eq!(taken(&shop, "standing").await, 2);
    bob.buy(&shop, "standing", 1).await;
    refund(&shop, &order, 2).await;
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["void", "void", "void"]);
    assert_eq!(bob.statuses().await, ["issued"]);
    assert_sound(&shop.breaches().await);
}

both_databases!(a_refunded_seat_can_be_sold_again);
async fn a_refunded_seat_can_be_sold_again(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({"capacity": 1}))]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1"})).await;
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    bob.buy_with(&shop, "stalls", 1, &json!({"seat": "A1"})).await;
    assert_eq!((ada.statuses().await[0].as_str(), bob.statuses().await[0].as_str()), ("void", "issued"));
    assert_sound(&shop.breaches().await);
}

both_databases!(a_ticket_that_was_checked_in_is_refunded_last);
async fn a_ticket_that_was_checked_in_is_refunded_last(backend: Backend) {
    let shop = shop_with(backend, 9).await;
    for (used, undone, expected) in [
        (0, None, ["issued", "void", "checked_in"]),
        (1, None, ["issued", "checked_in", "void"]),
        (0, Some(0), ["issued", "issued", "void"]),
    ] {
        let ada = buyer(&shop).await;
        let order = ada.buy(&shop, "standing", 3).await;
        // The newest comes first, which is the highest unit.
        let tickets = ada.tickets().await;
        shop.command(&["event-tickets", "check-in", &text(&tickets[used]["token"])]).await.expect_success();
        if let Some(undone) = undone {
            shop.command(&["event-tickets", "undo", &text(&tickets[undone]["token"])]).await.expect_success();
        }
        refund(&shop, &order, 1).await;
        shop.run_jobs().await;
        assert_eq!(ada.statuses().await, expected, "{used} {undone:?}");
    }
    assert_sound(&shop.breaches().await);
}

both_databases!(the_place_of_a_ticket_that_was_used_is_not_sold_again);
async fn the_place_of_a_ticket_that_was_used_is_not_sold_again(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({"capacity": 2}))]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let refunded = ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1"})).await;
    ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A2"})).await;
    for ticket in ada.tickets().await {
        shop.command(&["event-tickets", "check-in", &text(&ticket["token"])]).await.expect_success();
    }
    refund(&shop, &refunded, 1).await;
    shop.run_jobs().await;
    shop.command(&["event-tickets", "void", "ET-000002"]).await.expect_success();
    assert_eq!(ada.statuses().await, ["void", "void"]);
    assert_eq!(taken(&shop, "stalls").await, 2, "both of them came in");
    bob.fill(&shop, "stalls", 1, &json!({"seat": "A3"})).await;
    assert_eq!(bob.refusal().await, "sold_out");
    shop.command(&["event-tickets", "type", "set", "1", "--capacity", "3"]).await.expect_success();
    let eve = buyer(&shop).await;
    eve.fill(&shop, "stalls", 1, &json!({"seat": "A1"})).await;
    assert_eq!(eve.refusal().await, "seat_taken");
    assert_eq!(bob.check_out().await.status.as_u16(), 201);
    assert_sound(&shop.breaches().await);
}

both_databases!(nobody_comes_in_with_a_ticket_whose_money_is_on_its_way_back);
async fn nobody_comes_in_with_a_ticket_whose_money_is_on_its_way_back(backend: Backend) {
    let shop = shop_with(backend, 3).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, "standing", 2).await;
    let tickets = ada.tickets().await;
    let line = RefundLine { item_id: item_id(&order), quantity: 1, units: vec![1] };
    let scope = RefundScope::Lines { lines: vec![line], shipping: false };
    let new = NewRefund { order_id: order_id(&order), scope, reason: String::from("a cold") };
    let refund_id = reserve_refund(&shop.uses(), &new).await.expect("it is set aside");
    let check_in = ["event-tickets", "check-in", &text(&tickets[1]["token"]), "--json"];
    let refused = shop.command(&check_in).await;
    assert_eq!((refused.code, &refused.json()["result"]), (1, &json!("void")));
    shop.command(&["event-tickets", "check-in", &text(&tickets[0]["token"])]).await.expect_success();
    resume_refund(&shop.uses(), refund_id).await.expect("it goes back");
    // Before the module has heard of it.
    assert_eq!(shop.command(&check_in).await.json()["result"], "void");
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["void", "checked_in"]);
    assert_sound(&shop.breaches().await);
}

both_databases!(a_refund_by_amount_takes_nothing_back_until_all_is_refunded);
async fn a_refund_by_amount_takes_nothing_back_until_all_is_refunded(backend: Backend) {
    let shop = shop_with(backend, 3).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, "standing", 2).await;
    for (amount, expected) in [(500, "issued"), (1500, "void")] {
        let reason = String::from("late");
        let new = NewRefund { order_id: order_id(&order), scope: RefundScope::Amount(amount), reason };
        refund_order(&shop.uses(), &new).await.expect("it goes back");
        shop.run_jobs().await;
        assert_eq!(ada.statuses().await, [expected, expected]);
    }
    assert_eq!(taken(&shop, "standing").await, 0);
}

both_databases!(a_unit_that_is_refunded_before_it_is_issued_is_never_issued);
async fn a_unit_that_is_refunded_before_it_is_issued_is_never_issued(backend: Backend) {
    let shop = shop_with(backend, 3).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, "standing", 3).await;
    // The row of the refund is delivered first, as it can be after the row of the payment has failed once.
    let product_id = id_of(&shop, "standing").await;
    let refunded = RefundRecorded {
        refund_id: 1,
        order_id: order_id(&order),
        payment_id: 1,
        customer_id: ada.customer.id,
        amount: 1000,
        currency: String::from("EUR"),
        is_full: false,
        units: vec![RefundedUnits {
            order_line_id: item_id(&order),
            product_id,
            quantity: 1,
            ordinals: vec![2],
            used_ordinals: vec![],
        }],
    };
    for _ in 0..2 {
        let emitted = shop.parts.db.write(async |tx| tx.emit(&refunded).await);
        emitted.await.expect("it is told");
        shop.run_jobs().await;
    }
    assert_eq!(taken(&shop, "standing").await, 2, "it is given back once, though it was told twice");
    pay(&shop, &order).await;
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["issued", "issued"]);
    assert_sound(&shop.breaches().await);
}

both_databases!(a_refund_of_another_module_s_goods_changes_no_ticket);
async fn a_refund_of_another_module_s_goods_changes_no_ticket(backend: Backend) {
    let shop = shop_with(backend, 3).await;
    shop.stock(&[json!({"type": "product", "slug": "mug", "name": "Mug", "price_amount": 500, "active": true})]).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let order = ada.buy(&shop, "mug", 1).await;
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["issued"]);
    let failed = stoa_core::events::EventDelivery::list(&shop.parts.db).await.expect("they are read");
    assert!(failed.is_empty(), "{failed:?}");
}

both_databases!(a_paid_item_without_a_reservation_gets_its_tickets_or_is_told);
async fn a_paid_item_without_a_reservation_gets_its_tickets_or_is_told(backend: Backend) {
    const FORGET: Sql = sql!("DELETE FROM event_tickets_tickets WHERE order_id = $1");
    const UNCOUNT: Sql = sql!("UPDATE event_tickets_types SET taken = taken - $1");
    let shop = shop_with(backend, 2).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.place(&shop, "standing", 2).await;
    let forgotten = shop.parts.db.write(async |tx| {
        tx.run(FORGET).bind(order_id(&order)).execute().await?;
        tx.run(UNCOUNT).bind(2_i64).execute().await
    });
    forgotten.await.expect("it is forgotten");
    let other = bob.buy(&shop, "standing", 1).await;
    pay(&shop, &order).await;
    shop.run_jobs().await;
    let waiting = stoa_core::events::EventDelivery::list(&shop.parts.db).await.expect("they are read");
    assert!(waiting[0].last_error.as_ref().is_some_and(|error| error.contains("sold_out")), "{waiting:?}");
    refund(&shop, &other, 1).await;
    shop.advance(chrono::TimeDelta::hours(1));
    shop.run_jobs().await;
    shop.run_jobs().await;
    shop.advance(chrono::TimeDelta::hours(1));
    shop.run_jobs().await;
    assert_eq!(ada.statuses().await, ["issued", "issued"]);
    assert_sound(&shop.breaches().await);
}
