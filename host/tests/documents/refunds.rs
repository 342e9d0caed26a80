//! Refunds by lines and by amount, with their credit notes (contract 2.3).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::RefundStatus;
use stoa_core::orders::{CancelReason, cancel_order, find_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{RefundOrderError, RefundScope, RefundedUnits, ReserveRefundError};
use stoa_core::testing::both_databases;

use crate::shelf::{Buyer, buyer, heard, id, item, lines, refund, shop, try_to_refund};

async fn only_note(ada: &Buyer) -> Value {
    let notes = ada.list("credit-notes").await;
    assert_eq!(notes.len(), 1);
    ada.read("credit-notes", &notes[0]).await
}

both_databases!(units_go_back_for_what_was_paid_for_them);
async fn units_go_back_for_what_was_paid_for_them(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 3), ("book", 2)]).await;
    let record = refund(&shop, &order, lines(&order, &[("lamp", 1), ("book", 2)])).await;
    assert_eq!((record.refund.status, record.refund.amount), (RefundStatus::Succeeded, 5000));

    let mut note = only_note(&ada).await;
    note["id"].take();
    let expected = json!({
        "id": null, "number": "CN-2026-000001", "status": "issued", "reason": "Broken", "issued_at": "2026-01-15",
        "invoice_id": order["invoice"]["id"], "currency": "EUR", "subtotal_amount": 5000, "tax_amount": 595,
        "total_amount": 5000, "total_formatted": "€50.00", "vat_id": null, "reverse_charge": false,
        "items": [
            {"label": "Lamp", "quantity": 1, "unit_amount": 2000, "line_total_amount": 2000},
            {"label": "Book", "quantity": 2, "unit_amount": 1500, "line_total_amount": 3000},
        ],
    });
    assert_eq!(note, expected);
    let order = ada.read("orders", &order).await;
    assert_eq!((&order["status"], &order["payment_status"]), (&json!("paid"), &json!("partially_refunded")));
    assert_eq!((&order["payment"]["refunded_amount"], &order["payment"]["net_amount"]), (&json!(5000), &json!(4495)));
    assert_eq!(order["credit_notes"][0]["total_amount"], 5000);
    let invoice = ada.read("invoices", &order["invoice"]).await;
    assert_eq!((&invoice["status"], &invoice["credited_amount"]), (&json!("paid"), &json!(5000)));
    assert_eq!(invoice["credit_notes"][0]["number"], "CN-2026-000001");
}

both_databases!(the_last_units_and_shipping_make_it_whole);
async fn the_last_units_and_shipping_make_it_whole(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    refund(&shop, &order, lines(&order, &[("lamp", 1)])).await;
    let rest = RefundScope::Lines {
        lines: match lines(&order, &[("lamp", 1)]) {
            RefundScope::Lines { lines, .. } => lines,
            RefundScope::Amount(_) => unreachable!("lines were asked for"),
        },
        shipping: true,
    };
    let record = refund(&shop, &order, rest).await;
    assert_eq!((record.refund.amount, record.refund.shipping_amount), (2495, 495));
    let note = record.credit_note.expect("it has one").credit_note;
    let labels = note.items.iter().map(|item| (item.label.as_str(), item.line_total_amount)).collect::<Vec<_>>();
    assert_eq!(labels, [("Lamp", 2000), ("Courier", 495)]);
    let order = ada.read("orders", &order).await;
    assert_eq!((&order["payment_status"], &order["payment"]["net_amount"]), (&json!("refunded"), &json!(0)));
    let nothing = try_to_refund(&shop, &order, RefundScope::Amount(1), "More").await;
    assert!(matches!(nothing, Err(RefundOrderError::Reserve(ReserveRefundError::NothingLeft))), "{nothing:?}");
    // All tax of the invoice is in the two credit notes.
    let tax =
        ada.list("credit-notes").await.iter().map(|note| note["tax_amount"].as_i64().expect("an amount")).sum::<i64>();
    assert_eq!(tax, order["tax_amount"].as_i64().expect("an amount"));
}

both_databases!(units_are_revoked_once_the_last_ones_first);
async fn units_are_revoked_once_the_last_ones_first(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 4), ("book", 1), ("sample", 1)]).await;
    refund(&shop, &order, lines(&order, &[("lamp", 1)])).await;
    refund(&shop, &order, RefundScope::Amount(100)).await;
    refund(&shop, &order, lines(&order, &[("lamp", 2)])).await;
    let left = ada.read("orders", &order).await["payment"]["net_amount"].as_i64().expect("an amount");
    refund(&shop, &order, RefundScope::Amount(left)).await;
    let units = |slug: &str, ordinals: &[i64]| (item(&order, slug), ordinals.to_vec());
    let events = heard(&shop, &order).await;
    let revoked =
        |units: &[RefundedUnits]| units.iter().map(|own| (own.order_line_id, own.ordinals.clone())).collect::<Vec<_>>();
    let shown = events.iter().map(|event| (event.is_full, revoked(&event.units))).collect::<Vec<_>>();
    assert_eq!(
        shown,
        [
            (false, vec![units("lamp", &[4])]),
            (false, vec![]),
            (false, vec![units("lamp", &[3, 2])]),
            (true, vec![units("lamp", &[1]), units("book", &[1]), units("sample", &[1])]),
        ]
    );
    for event in &events {
        assert!(event.units.iter().all(|own| own.quantity == i64::try_from(own.ordinals.len()).expect("few")));
    }
}

both_databases!(an_amount_goes_back_with_one_line_for_each_rate);
async fn an_amount_goes_back_with_one_line_for_each_rate(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("book", 2)]).await;
    refund(&shop, &order, RefundScope::Amount(109)).await;
    let note = only_note(&ada).await;
    assert_eq!(
        note["items"],
        json!([{"label": "Refund", "quantity": 1, "unit_amount": 109, "line_total_amount": 109}])
    );
    assert_eq!(
        (&note["subtotal_amount"], &note["tax_amount"], &note["total_amount"]),
        (&json!(109), &json!(9), &json!(109))
    );
    let mixed = ada.buy(&shop, &[("lamp", 1), ("book", 1)]).await;
    let record = refund(&shop, &mixed, RefundScope::Amount(1000)).await;
    let items = record.credit_note.expect("it has one").credit_note.items;
    assert_eq!(items.iter().map(|item| item.line_total_amount).collect::<Vec<_>>(), [625, 375]);
}

both_databases!(prices_without_tax_are_credited_without_it);
async fn prices_without_tax_are_credited_without_it(backend: Backend) {
    let config = "[tax]\nprices_include_tax = false\nrates = { NL = 2100 }";
    let shop = crate::shelf::stocked(crate::shelf::builder(backend).config(config)).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    assert_eq!(order["total_amount"], 4840);
    refund(&shop, &order, lines(&order, &[("lamp", 1)])).await;
    let note = only_note(&ada).await;
    assert_eq!(
        (&note["subtotal_amount"], &note["tax_amount"], &note["total_amount"]),
        (&json!(2000), &json!(420), &json!(2420))
    );
    assert_eq!(note["items"][0]["line_total_amount"], 2000);
}

both_databases!(what_cannot_go_back_is_refused_and_changes_nothing);
async fn what_cannot_go_back_is_refused_and_changes_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let unpaid = ada.place(&shop, &[("book", 1)]).await;
    let free = ada.place(&shop, &[("sample", 1)]).await;
    let order = ada.buy(&shop, &[("lamp", 2), ("sample", 1)]).await;
    let foreign = ada.buy(&shop, &[("lamp", 1)]).await;
    let mut told = Vec::new();
    for (order, scope) in [
        (&unpaid, RefundScope::Amount(1)),
        (&free, RefundScope::Amount(1)),
        (&order, RefundScope::Amount(4496)),
        (&order, RefundScope::Amount(0)),
        (&order, RefundScope::Amount(i64::MAX)),
        (&order, lines(&order, &[("lamp", 3)])),
        (&order, lines(&order, &[("lamp", 0)])),
        (&order, lines(&order, &[("lamp", 1), ("lamp", 1)])),
        (&order, lines(&foreign, &[("lamp", 1)])),
        (&order, lines(&order, &[("sample", 1)])),
        (&json!({"id": 4711}), RefundScope::Amount(1)),
    ] {
        let before = find_order(&shop.parts.db, &shop.parts.money, id(order)).await.expect("it is read");
        let refused = try_to_refund(&shop, order, scope, "No").await.expect_err("it cannot go back");
        assert!(matches!(refused, RefundOrderError::Reserve(_)), "{refused:?}");
        told.push(refused.to_string());
        let after = find_order(&shop.parts.db, &shop.parts.money, id(order)).await.expect("it is read");
        assert_eq!(after.map(|record| record.order), before.map(|record| record.order));
    }
    told.dedup();
    assert_eq!(told.len(), 10, "each says what is wrong: {told:?}");
    assert_eq!(refund(&shop, &order, RefundScope::Amount(4495)).await.refund.status, RefundStatus::Succeeded);
}

both_databases!(money_that_came_after_the_cancellation_goes_back_without_a_credit_note);
async fn money_that_came_after_the_cancellation_goes_back_without_a_credit_note(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 2)]).await;
    crate::crashes::pay_after_cancellation(&shop, &order).await;
    let late = find_order(&shop.parts.db, &shop.parts.money, id(&order)).await.expect("it is read").expect("an order");
    assert_eq!(late.review_reason.as_deref(), Some("paid_after_cancellation"));
    let record = refund(&shop, &order, lines(&order, &[("book", 2)])).await;
    assert_eq!((record.refund.amount, record.credit_note.is_none()), (3000, true));
    let order = ada.read("orders", &order).await;
    assert_eq!((&order["status"], &order["payment_status"]), (&json!("cancelled"), &json!("refunded")));
    assert_eq!(order["invoice"]["status"], "void");
    let events = heard(&shop, &order).await;
    assert_eq!((events.len(), events[0].units.len(), events[0].is_full), (1, 0, true), "nothing was granted");
}

both_databases!(money_by_hand_goes_back_by_hand);
async fn money_by_hand_goes_back_by_hand(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1)]).await;
    record_payment(&Payments::from_shop(&shop.parts), id(&order)).await.expect("it is recorded");
    let record = refund(&shop, &order, RefundScope::Amount(500)).await;
    assert_eq!((record.refund.gateway.as_str(), record.refund.status), ("manual", RefundStatus::Succeeded));
    let cancelled = cancel_order(&Payments::from_shop(&shop.parts), id(&order), CancelReason::Operator).await;
    assert!(cancelled.is_err(), "a paid order is not cancelled, whatever went back");
}
