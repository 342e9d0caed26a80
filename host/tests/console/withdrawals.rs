//! Withdrawals in the console: what was declared, what it is worth, and what the shop says.

use stoa_core::db::{Backend, Reader};
use stoa_core::orders::details_of;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::withdrawals::{WithdrawalNumber, WithdrawalStatus, find_withdrawal};

use crate::shelf::{audit, browser, builder, filled, submit, told, withdrawn};

async fn shop(backend: Backend) -> TestShop {
    filled(builder(backend).config("[shop]\nconsumer_rights = \"eu\"\n")).await
}

async fn status(shop: &TestShop, id: i64) -> WithdrawalStatus {
    let found = find_withdrawal(&mut Reader::from(&shop.parts.db), WithdrawalNumber::of(id)).await;
    found.expect("it is read").expect("it is there").withdrawal.status
}

both_databases!(a_withdrawal_is_accepted_and_what_was_shown_goes_back);
async fn a_withdrawal_is_accepted_and_what_was_shown_goes_back(backend: Backend) {
    let shop = shop(backend).await;
    withdrawn(&shop, 2, true).await;
    let mut support = browser(&shop, "support").await;
    for (query, count) in [
        ("", "1–1 of 1"),
        ("q=W-000001", "1–1 of 1"),
        ("q=O-000001", "1–1 of 1"),
        ("q=customer-1", "1–1 of 1"),
        ("q=customer-9", "0 of 0"),
        ("status=declared", "1–1 of 1"),
        ("status=refused", "0 of 0"),
        ("late=1", "0 of 0"),
    ] {
        let page = support.get(&format!("/console/withdrawals?{query}")).await.expect_status(200).text();
        assert!(page.contains(count), "{query}: {page}");
    }
    let orders = support.get("/console/orders").await.expect_status(200).text();
    assert!(orders.contains(">withdrawal</span>"), "whoever packs sees it: {orders}");
    let mut warehouse = browser(&shop, "warehouse").await;
    let packed = warehouse.get("/console/orders/O-000001").await.expect_status(200).text();
    assert!(packed.contains("has withdrawn</strong> from 2 × Lamp: ") && packed.contains("Do not ship it"), "{packed}");
    let order = support.get("/console/orders/O-000001").await.expect_status(200).text();
    assert!(order.contains("<a href=\"/console/withdrawals/W-000001\">W-000001</a>"), "{order}");
    let path = "/console/withdrawals/W-000001";
    let shown = support.get(path).await.expect_status(200).text();
    assert!(shown.contains("€44.95 would go back") && shown.contains("Shipping: €4.95"), "{shown}");
    assert_eq!(status(&shop, 1).await, WithdrawalStatus::Declared, "it was only looked at");
    submit(&mut support, path, &format!("{path}/accept"), &[]).await.expect_status(303);
    assert_eq!(status(&shop, 1).await, WithdrawalStatus::Accepted);
    let early = submit(&mut support, path, &format!("{path}/complete"), &[]).await.expect_status(409).text();
    assert!(early.contains("has not gone back"), "{early}");
    let accept = submit(&mut support, path, &format!("{path}/accept"), &[("refund", "1")]).await;
    let said = told(&mut support, accept).await;
    assert!(said.contains("44.95 went back"), "{said}");
    let twice = submit(&mut support, path, &format!("{path}/accept"), &[("refund", "1")]).await;
    twice.expect_status(409);
    submit(&mut support, path, &format!("{path}/complete"), &[]).await.expect_status(303);
    assert_eq!(status(&shop, 1).await, WithdrawalStatus::Completed);
    let orders = support.get("/console/orders").await.expect_status(200).text();
    assert!(!orders.contains(">withdrawal</span>"), "{orders}");
    let order = support.get("/console/orders/O-000001").await.expect_status(200).text();
    assert!(!order.contains("has withdrawn"), "it is settled: {order}");
    let acts = audit(&shop).await.into_iter().map(|row| row.act).collect::<Vec<_>>();
    assert!(acts.iter().any(|act| act == "withdrawals.accepted"), "{acts:?}");
    assert_eq!(acts[0], "withdrawals.completed");
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(a_withdrawal_is_refused_with_a_reason_and_once);
async fn a_withdrawal_is_refused_with_a_reason_and_once(backend: Backend) {
    let shop = shop(backend).await;
    withdrawn(&shop, 1, true).await;
    let mut support = browser(&shop, "support").await;
    let path = "/console/withdrawals/W-000001";
    let refuse = format!("{path}/refuse");
    let empty = submit(&mut support, path, &refuse, &[("reason", " ")]).await.expect_status(422).text();
    assert!(empty.contains("aria-describedby=\"wrong-reason\""), "{empty}");
    submit(&mut support, path, &refuse, &[("reason", "The seal was broken.")]).await.expect_status(303);
    assert_eq!(status(&shop, 1).await, WithdrawalStatus::Refused);
    let shown = support.get(path).await.text();
    assert!(shown.contains("The seal was broken.") && !shown.contains("would go back"), "{shown}");
    submit(&mut support, path, &refuse, &[("reason", "Again.")]).await.expect_status(409);
    submit(&mut support, path, &format!("{path}/accept"), &[]).await.expect_status(409);
    assert_eq!(audit(&shop).await[0].act, "withdrawals.refused");
}

both_databases!(accepting_the_withdrawal_of_an_unpaid_order_cancels_it);
async fn accepting_the_withdrawal_of_an_unpaid_order_cancels_it(backend: Backend) {
    let shop = shop(backend).await;
    let order = withdrawn(&shop, 1, false).await;
    let mut support = browser(&shop, "support").await;
    let path = "/console/withdrawals/W-000001";
    let shown = support.get(path).await.expect_status(200).text();
    assert!(shown.contains("Nothing was paid for it"), "{shown}");
    submit(&mut support, path, &format!("{path}/accept"), &[("refund", "1")]).await.expect_status(303);
    let page = support.get("/console/orders/O-000001").await.text();
    assert!(page.contains("cancelled"), "{page}");
    let id = order["id"].as_i64().expect("an id");
    let details = details_of(&shop.parts.db, id).await.expect("it is read");
    assert!(details.refunds.is_empty(), "{:?}", details.refunds);
}
