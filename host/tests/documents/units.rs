//! Which units go back: the named ones, else those that nobody has used.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::entitlements::{EntitlementEnded, SoldUnit, undo_use, use_units};
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::RefundStatus;
use stoa_core::orders::{OrderShipped, ShippedLine};
use stoa_core::refunds::{
    NewRefund, RefundLine, RefundOrderError, RefundRecord, RefundScope, RefundedUnits, ReserveRefundError, UnitError,
    refund_order, reserve_refund, resume_refund,
};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};
use tokio::sync::Barrier;

use crate::shelf::{Buyer, buyer, heard, id, item, lines, refund, shop, try_to_refund};
use crate::till::reason;

fn sold(order: &Value, slug: &str, unit: i64) -> SoldUnit {
    SoldUnit { order_line_id: item(order, slug), unit }
}

/// Uses a unit; whether it may be used.
async fn try_to_use(shop: &TestShop, unit: SoldUnit) -> bool {
    let refused: Result<BTreeSet<SoldUnit>, DbError> =
        shop.parts.db.write(async |tx| use_units(tx, "till", &[unit]).await).await;
    refused.expect("it is written").is_empty()
}

/// The units of a refund's first item, and those of them that were used.
fn taken(record: &RefundRecord) -> (&[i64], &[i64]) {
    (&record.items[0].units, &record.items[0].used_units)
}

fn named(order: &Value, slug: &str, quantity: i64, units: &[i64]) -> RefundScope {
    let line = RefundLine { item_id: item(order, slug), quantity, units: units.to_vec() };
    RefundScope::Lines { lines: vec![line], shipping: false }
}

async fn lamps(shop: &TestShop, quantity: i64) -> (Buyer, Value) {
    let ada = buyer(shop).await;
    let order = ada.buy(shop, &[("lamp", quantity)]).await;
    (ada, order)
}

both_databases!(what_nobody_has_used_goes_back_first);
async fn what_nobody_has_used_goes_back_first(backend: Backend) {
    let shop = shop(backend).await;
    let (_, order) = lamps(&shop, 4).await;
    for unit in [4, 3] {
        assert!(try_to_use(&shop, sold(&order, "lamp", unit)).await);
        assert!(try_to_use(&shop, sold(&order, "lamp", unit)).await, "as often as one likes");
    }
    let undone: Result<(), DbError> =
        shop.parts.db.write(async |tx| undo_use(tx, "till", sold(&order, "lamp", 3)).await).await;
    undone.expect("it is written");
    let first = refund(&shop, &order, lines(&order, &[("lamp", 1)])).await;
    assert_eq!(taken(&first), (&[3][..], &[][..]), "its use was taken back");
    let next = refund(&shop, &order, lines(&order, &[("lamp", 1)])).await;
    assert_eq!(taken(&next), (&[2][..], &[][..]));
    let last = refund(&shop, &order, lines(&order, &[("lamp", 2)])).await;
    assert_eq!(taken(&last), (&[4, 1][..], &[4][..]));
    let told = last.to_json().expect("it is written");
    assert_eq!((&told["items"][0]["units"], &told["items"][0]["used_units"]), (&json!([4, 1]), &json!([4])));
    let told = heard(&shop, &order).await;
    let units = |units: &RefundedUnits| (units.ordinals.clone(), units.used_ordinals.clone());
    let told = told.iter().map(|event| units(&event.units[0])).collect::<Vec<_>>();
    assert_eq!(told, [(vec![3], vec![]), (vec![2], vec![]), (vec![4, 1], vec![4])]);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(what_is_left_goes_with_the_last_of_the_money);
async fn what_is_left_goes_with_the_last_of_the_money(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, order) = lamps(&shop, 3).await;
    refund(&shop, &order, named(&order, "lamp", 1, &[2])).await;
    assert!(try_to_use(&shop, sold(&order, "lamp", 1)).await);
    let left = ada.read("orders", &order).await["payment"]["net_amount"].as_i64().expect("an amount");
    let record = refund(&shop, &order, RefundScope::Amount(left)).await;
    assert_eq!(taken(&record), (&[3, 1][..], &[1][..]));
    assert_eq!(heard(&shop, &order).await[1].units[0].ordinals, [3, 1]);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(named_units_go_back_and_no_others);
async fn named_units_go_back_and_no_others(backend: Backend) {
    let shop = shop(backend).await;
    let (_, order) = lamps(&shop, 3).await;
    assert!(try_to_use(&shop, sold(&order, "lamp", 1)).await);
    let record = refund(&shop, &order, named(&order, "lamp", 2, &[1, 3])).await;
    assert_eq!(taken(&record), (&[3, 1][..], &[1][..]));
    for (quantity, units, error) in [
        (1, &[4][..], UnitError::Unknown { unit: 4, quantity: 3 }),
        (1, &[3], UnitError::Taken(3)),
        (1, &[2, 2], UnitError::Repeated(2)),
        (1, &[2, 3], UnitError::Taken(3)),
    ] {
        let refused = try_to_refund(&shop, &order, named(&order, "lamp", quantity, units), "No").await;
        let Err(RefundOrderError::Reserve(ReserveRefundError::Units { error: told, .. })) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(told, error);
    }
    assert_eq!(taken(&refund(&shop, &order, named(&order, "lamp", 1, &[2])).await).0, [2]);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(what_is_on_its_way_back_cannot_be_used_until_the_refund_has_failed);
async fn what_is_on_its_way_back_cannot_be_used_until_the_refund_has_failed(backend: Backend) {
    let shop = shop(backend).await;
    let (_, order) = lamps(&shop, 2).await;
    for (says, is_back) in [("refuse", true), ("yes", false)] {
        let scope = named(&order, "lamp", 1, &[1]);
        let new = NewRefund { order_id: id(&order), scope, reason: reason(says) };
        let refund_id = reserve_refund(&shop.uses(), &new).await.expect("it is set aside");
        assert!(!try_to_use(&shop, sold(&order, "lamp", 1)).await, "its money is on its way");
        let other = try_to_refund(&shop, &order, named(&order, "lamp", 1, &[1]), "No").await;
        assert!(matches!(other, Err(RefundOrderError::Reserve(ReserveRefundError::Units { .. }))), "{other:?}");
        resume_refund(&shop.uses(), refund_id).await.expect("there is an answer");
        assert_eq!(try_to_use(&shop, sold(&order, "lamp", 1)).await, is_back);
    }
    assert!(try_to_use(&shop, sold(&order, "lamp", 2)).await);
    assert_eq!(heard(&shop, &order).await[0].units[0].used_ordinals, [1], "it was used between the two");
    assert_eq!(shop.breaches().await, [""; 0]);
}

const FORGET_UNITS: Sql = sql!("DELETE FROM refund_units");

both_databases!(a_refund_that_an_earlier_version_has_begun_takes_its_units_when_it_succeeds);
async fn a_refund_that_an_earlier_version_has_begun_takes_its_units_when_it_succeeds(backend: Backend) {
    let shop = shop(backend).await;
    let (_, order) = lamps(&shop, 3).await;
    assert!(try_to_use(&shop, sold(&order, "lamp", 3)).await);
    let new = NewRefund { order_id: id(&order), scope: lines(&order, &[("lamp", 1)]), reason: reason("yes") };
    let refund_id = reserve_refund(&shop.uses(), &new).await.expect("it is set aside");
    let forgotten: Result<u64, DbError> = shop.parts.db.write(async |tx| tx.run(FORGET_UNITS).execute().await).await;
    assert_eq!(forgotten.expect("it is written"), 1, "as earlier versions have left it");
    resume_refund(&shop.uses(), refund_id).await.expect("there is an answer");
    assert_eq!(heard(&shop, &order).await[0].units[0].ordinals, [2]);
    assert_eq!(shop.breaches().await, [""; 0]);
}

#[test]
fn what_an_earlier_version_has_told_can_be_read() {
    let told = r#"{"order_item_id": 7, "product_id": 1, "quantity": 2, "ordinals": [3, 2]}"#;
    let read = serde_json::from_str::<RefundedUnits>(told).expect("it can be read");
    assert_eq!((read.order_line_id, read.ordinals, read.used_ordinals), (7, vec![3, 2], vec![]));
    let shipped = r#"{"order_id": 1, "customer_id": 2, "shipment_id": 3, "tracking": null,
                      "items": [{"order_item_id": 7, "product_id": 1, "quantity": 2}]}"#;
    let read = serde_json::from_str::<OrderShipped>(shipped).expect("it can be read");
    assert_eq!(read.lines, [ShippedLine { order_line_id: 7, product_id: 1, quantity: 2 }]);
    let ended = r#"{"order_id": 1, "order_item_id": 7, "unit": 2, "customer_id": 3}"#;
    let read = serde_json::from_str::<EntitlementEnded>(ended).expect("it can be read");
    assert_eq!((read.order_line_id, read.unit), (7, 2));
}

both_databases!(refunds_at_once_take_each_unit_once);
async fn refunds_at_once_take_each_unit_once(backend: Backend) {
    let shop = shop(backend).await;
    let (_, order) = lamps(&shop, 6).await;
    let running = (0..9).map(|number| {
        let scope = if number % 3 == 0 { named(&order, "lamp", 1, &[6]) } else { lines(&order, &[("lamp", 1)]) };
        let (parts, order_id) = (shop.parts.clone(), id(&order));
        tokio::spawn(async move {
            refund_order(&FromShop::from_shop(&parts), &NewRefund { order_id, scope, reason: reason("yes") }).await
        })
    });
    let mut units = Vec::new();
    for refunded in running.collect::<Vec<_>>() {
        if let Ok(record) = refunded.await.expect("it ends") {
            assert_eq!(record.refund.status, RefundStatus::Succeeded);
            units.extend_from_slice(&record.items[0].units);
        }
    }
    units.sort_unstable();
    assert_eq!(units, [1, 2, 3, 4, 5, 6]);
    assert_eq!(shop.breaches().await, [""; 0]);
}

const COUNT_USES: Sql = sql!("SELECT COUNT(*) FROM unit_uses WHERE order_line_id = $1");

both_databases!(a_unit_is_used_or_refunded_and_never_both);
async fn a_unit_is_used_or_refunded_and_never_both(backend: Backend) {
    let shop = shop(backend).await;
    for _ in 0..12 {
        let (_, order) = lamps(&shop, 2).await;
        let unit = sold(&order, "lamp", 2);
        let (used, record) = tokio::join!(
            try_to_use(&shop, unit),
            try_to_refund(&shop, &order, lines(&order, &[("lamp", 1)]), "Broken")
        );
        let record = record.expect("it goes back");
        let expected = if used { 1 } else { 2 };
        assert_eq!(taken(&record), (&[expected][..], &[][..]), "used: {used}");
    }
    assert_eq!(shop.breaches().await, [""; 0]);

    // The control: who looks first and waits for nobody takes what somebody uses at that moment.
    let (_, order) = lamps(&shop, 1).await;
    let (unit, barrier) = (sold(&order, "lamp", 1), Arc::new(Barrier::new(2)));
    let look = async {
        let uses = shop.parts.db.read(COUNT_USES).bind(unit.order_line_id).scalar::<i64>().await;
        barrier.wait().await;
        uses.expect("it is read")
    };
    let use_it = async {
        barrier.wait().await;
        try_to_use(&shop, unit).await
    };
    assert_eq!(tokio::join!(look, use_it), (0, true), "the race cannot happen here, so the test above proves nothing");
}
