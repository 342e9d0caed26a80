//! Any refunds of any orders: sums hold to the cent, and nothing goes back above what was paid.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::invoices::verify_documents;
use stoa_core::refunds::{RefundOrderError, RefundScope};
use stoa_core::testing::{TestShop, both_databases};

use crate::numbering::orders;
use crate::shelf::{Buyer, buyer, id, item, lines, shop, try_to_refund};
use crate::till::reason;

const PRODUCTS: [&str; 3] = ["lamp", "book", "sample"];

/// A refund as drawn: of units of a product, or of an amount.
#[derive(Debug, Clone)]
enum Step {
    Units(usize, i64, bool),
    Amount(i64),
}

fn step() -> impl Strategy<Value = (Step, &'static str)> {
    let units = (0..PRODUCTS.len(), 1..4_i64, any::<bool>());
    let units = units.prop_map(|(product, units, shipping)| Step::Units(product, units, shipping));
    let what = prop_oneof![3 => units, 2 => (1..4000_i64).prop_map(Step::Amount)];
    (what, prop_oneof![8 => Just("yes"), 1 => Just("refuse"), 1 => Just("fail")])
}

fn scope(order: &Value, step: &Step) -> RefundScope {
    match step {
        Step::Amount(amount) => RefundScope::Amount(*amount),
        Step::Units(product, units, shipping) => match lines(order, &[(PRODUCTS[*product], *units)]) {
            RefundScope::Lines { lines, .. } => RefundScope::Lines { lines, shipping: *shipping },
            amount @ RefundScope::Amount(_) => amount,
        },
    }
}

fn amount(thing: &Value, member: &str) -> i64 {
    thing[member].as_i64().unwrap_or_else(|| panic!("{member} is an amount in {thing}"))
}

/// Refunds an order step by step, then all that is left, and adds up after each step.
async fn refund_all(shop: &TestShop, ada: &Buyer, quantities: [i64; 3], steps: &[(Step, &'static str)]) {
    let wanted = PRODUCTS.into_iter().zip(quantities).collect::<Vec<_>>();
    let order = ada.buy(shop, &wanted).await;
    let total = amount(&order, "total_amount");
    let mut refunded = 0;
    for (step, says) in steps {
        match try_to_refund(shop, &order, scope(&order, step), &reason(says)).await {
            Ok(record) if *says == "yes" => refunded += record.refund.amount,
            Ok(record) => assert!(record.credit_note.is_none()),
            Err(RefundOrderError::Reserve(_)) => {}
            Err(error) => panic!("{error:?}"),
        }
        let now = ada.read("orders", &order).await;
        assert_eq!(amount(&now["payment"], "refunded_amount"), refunded);
        assert!(refunded <= total);
    }
    if refunded < total {
        try_to_refund(shop, &order, RefundScope::Amount(total - refunded), &reason("yes")).await.expect("it is left");
    }
    let order = ada.read("orders", &order).await;
    assert_eq!(order["payment_status"], "refunded");
    let invoice = ada.read("invoices", &order["invoice"]).await;
    assert_eq!(amount(&invoice, "credited_amount"), total);
    let mut sums = (0, 0);
    for note in order["credit_notes"].as_array().expect("a list") {
        let note = ada.read("credit-notes", note).await;
        let items = note["items"].as_array().expect("a list").iter().map(|item| amount(item, "line_total_amount"));
        assert_eq!(items.sum::<i64>(), amount(&note, "total_amount"));
        sums = (sums.0 + amount(&note, "total_amount"), sums.1 + amount(&note, "tax_amount"));
    }
    assert_eq!(sums, (total, amount(&order, "tax_amount")), "order {}", id(&order));
    assert!(item(&order, "lamp") > 0);
}

both_databases!(any_refunds_come_to_what_was_paid_to_the_cent);
async fn any_refunds_come_to_what_was_paid_to_the_cent(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let plans = (prop::array::uniform3(1..4_i64), prop::collection::vec(step(), 0..7));
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    for _ in 0..(orders() / 5) {
        let (quantities, steps) = plans.new_tree(&mut runner).expect("a plan is drawn").current();
        refund_all(&shop, &ada, quantities, &steps).await;
    }
    assert_eq!(verify_documents(&shop.parts.db).await.expect("they are looked through"), []);
}
