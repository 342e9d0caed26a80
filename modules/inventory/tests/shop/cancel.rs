//! Orders that end without being paid.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::OrderCancelled;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{assert_clean, builder, cancel, counted, id, order, pay, shop, stock};

both_databases!(a_cancelled_order_gives_back_what_it_held_once);
async fn a_cancelled_order_gives_back_what_it_held_once(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 5)]).await;
    let placed = order(&shop, "mug", 3).await;
    cancel(&shop, &placed).await.expect("it is cancelled");
    assert_eq!(stock(&shop, "mug").await, (5, 0, 5));
    // The event after the commit comes as well, and once more.
    let event = OrderCancelled {
        order_id: id(&placed),
        order_number: String::from("1"),
        customer_id: 1,
        status: stoa_core::orders::OrderStatus::Cancelled,
        total_amount: 4500,
        currency: String::from("EUR"),
        capabilities: None,
    };
    for _ in 0..3 {
        shop.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it is written");
    }
    shop.run_jobs().await;
    assert_eq!(stock(&shop, "mug").await, (5, 0, 5));
    assert_clean(&shop).await;
}

both_databases!(an_expired_order_gives_back_what_it_held);
async fn an_expired_order_gives_back_what_it_held(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 5)]).await;
    order(&shop, "mug", 5).await;
    assert_eq!(stock(&shop, "mug").await, (5, 5, 0));
    shop.advance(TimeDelta::days(15));
    shop.run_jobs().await;
    assert_eq!(stock(&shop, "mug").await, (5, 0, 5));
    assert_clean(&shop).await;
}

both_databases!(whether_paid_or_cancelled_first_stock_adds_up);
async fn whether_paid_or_cancelled_first_stock_adds_up(backend: Backend) {
    let settings = json!({"capabilities": [], "modules": {"inventory": {"quantity": 40}}});
    let shop = shop(backend, &[crate::kit::product("voucher", &settings)]).await;
    let mut left = 40;
    for _ in 0..12 {
        let placed = order(&shop, "voucher", 2).await;
        let payments = Payments::from_shop(&shop.parts);
        let expire = async {
            let expired = stoa_core::orders::CancelReason::Expired;
            stoa_core::orders::cancel_order(&payments, id(&placed), expired).await
        };
        let (paid, cancelled, expired) =
            tokio::join!(record_payment(&payments, id(&placed)), cancel(&shop, &placed), expire);
        let ends = [paid.is_ok(), cancelled.is_ok(), expired.is_ok()];
        assert_eq!(ends.iter().filter(|end| **end).count(), 1, "{paid:?} {cancelled:?} {expired:?}");
        left -= if paid.is_ok() { 2 } else { 0 };
        tokio::join!(shop.run_jobs(), shop.run_jobs());
        assert_eq!(stock(&shop, "voucher").await, (left, 0, left));
    }
    assert_clean(&shop).await;
}

/// The same shop without the module.
async fn switched_off(shop: &TestShop, backend: Backend) -> TestShop {
    let entry = stoa_core::module::ModuleEntry::of::<stoa_inventory::Inventory>("test", "0.0.0");
    let off = TestShop::builder(backend).linked_module(entry).on(shop.database()).clock(&shop.clock).seed(2);
    off.open().await
}

both_databases!(while_the_module_is_off_holds_are_given_back_and_the_rest_waits);
async fn while_the_module_is_off_holds_are_given_back_and_the_rest_waits(backend: Backend) {
    let settings = json!({"capabilities": [], "modules": {"inventory": {"quantity": 9}}});
    let shop = shop(backend, &[crate::kit::product("voucher", &settings)]).await;
    let (kept, dropped) = (order(&shop, "voucher", 2).await, order(&shop, "voucher", 3).await);
    let off = switched_off(&shop, backend).await;
    cancel(&off, &dropped).await.expect("it is cancelled");
    pay(&off, &kept).await;
    // An order that is placed meanwhile is not counted.
    order(&off, "voucher", 9).await;
    off.run_jobs().await;
    assert_eq!(stock(&shop, "voucher").await, (9, 2, 7), "released at once, not sold yet");
    let on = builder(backend).on(shop.database()).clock(&shop.clock).seed(3).open().await;
    on.run_jobs().await;
    assert_eq!(stock(&on, "voucher").await, (7, 0, 7));
    assert_clean(&on).await;
}
