//! Several at once.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::testing::both_databases;
use stoa_core::withdrawals::{WithdrawalNumber, accept_withdrawal, refund_withdrawal, refuse_withdrawal};

use crate::shelf::{buyer, count, id, item, shop};

both_databases!(of_declarations_at_once_each_unit_is_in_one);
async fn of_declarations_at_once_each_unit_is_in_one(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    // The control: two units take two declarations, one after the other.
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    let one = json!({"order_id": order["id"], "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
    ada.withdraw(&one).await;
    ada.withdraw(&one).await;
    assert_eq!(count(&shop).await, 2);
    for round in 0..5 {
        let order = ada.buy(&shop, &[("lamp", 2)]).await;
        let one = json!({"order_id": order["id"], "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
        let tries = (0..6).map(|_| {
            let (ada, one) = (ada.clone(), one.clone());
            tokio::spawn(async move { ada.try_to_withdraw(&one).await.status.as_u16() })
        });
        let mut statuses = Vec::new();
        for one in tries.collect::<Vec<_>>() {
            statuses.push(one.await.expect("it ends"));
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 201, 422, 422, 422, 422], "round {round}");
        assert_eq!(ada.read(&order).await["withdrawal"]["lines"][0]["withdrawn_quantity"], 2);
    }
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(of_refunds_and_decisions_at_once_one_counts);
async fn of_refunds_and_decisions_at_once_one_counts(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    for _ in 0..5 {
        let order = ada.buy(&shop, &[("lamp", 1)]).await;
        let number = WithdrawalNumber::of(id(&ada.withdraw(&json!({"order_id": order["id"]})).await));
        let (parts, other) = (shop.parts.clone(), shop.parts.clone());
        let accepting =
            tokio::spawn(async move { accept_withdrawal(&FromShop::from_shop(&parts), number).await.is_ok() });
        let refusing = tokio::spawn(async move {
            refuse_withdrawal(&other.db, &FromShop::from_shop(&other), number, Some("No.")).await.is_ok()
        });
        let (accepted, refused) = (accepting.await.expect("it ends"), refusing.await.expect("it ends"));
        assert!(accepted != refused, "one of them decides: {accepted}, {refused}");
        if !accepted {
            continue;
        }
        let tries = (0..4).map(|_| {
            let parts = shop.parts.clone();
            tokio::spawn(async move { refund_withdrawal(&FromShop::from_shop(&parts), number).await.is_ok() })
        });
        let mut done = 0;
        for one in tries.collect::<Vec<_>>() {
            done += usize::from(one.await.expect("it ends"));
        }
        assert_eq!(done, 1);
        assert_eq!(ada.read(&order).await["payment"]["refunded_amount"], order["total_amount"]);
    }
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}
