//! What the history tells, and what `stoa verify` finds.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;

use crate::kit::{assert_clean, counted, order, pay, ship, shop};

const TAKE_SOME: Sql = sql!("UPDATE inventory_stock SET on_hand = on_hand - 1, reserved = reserved + 1");
const CHANGE_HISTORY: Sql = sql!("UPDATE inventory_movements SET on_hand_change = 0");
const FORGET_HISTORY: Sql = sql!("DELETE FROM inventory_movements");
const OVERSELL: Sql = sql!(
    "INSERT INTO inventory_movements (sku, kind, on_hand_change, reserved_change, on_hand, reserved, backorder, actor,
                                      created_at)
     SELECT sku, 'reserve', 0, 0, 1, 2, FALSE, 'customer', created_at FROM inventory_stock"
);

both_databases!(the_history_tells_what_happened_why_and_by_whom);
async fn the_history_tells_what_happened_why_and_by_whom(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 5)]).await;
    let placed = order(&shop, "mug", 2).await;
    shop.command(&["inventory", "adjust", "mug", "-1", "--reason", "broken"]).await.expect_success();
    pay(&shop, &placed).await;
    ship(&shop, &placed, 2).await;
    shop.command(&["inventory", "set", "mug", "10"]).await.expect_success();
    let history = shop.command(&["inventory", "history", "mug", "--json"]).await.json();
    let told = history["data"].as_array().expect("a list").iter().map(|movement| {
        json!([
            movement["kind"],
            movement["on_hand_change"],
            movement["reserved_change"],
            movement["on_hand"],
            movement["reserved"],
            movement["actor"],
            movement["reason"],
            movement["order_id"]
        ])
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            json!(["import", 5, 0, 5, 0, "import", null, null]),
            json!(["reserve", 0, 2, 5, 2, "customer", null, 1]),
            json!(["adjust", -1, 0, 4, 2, "operator", "broken", null]),
            json!(["ship", -2, -2, 2, 0, "system", null, 1]),
            json!(["count", 8, 0, 10, 0, "operator", null, null]),
        ]
    );
    assert_eq!(history["data"][0]["created_at"], "2026-01-15T12:00:00Z");
    let newest = shop.command(&["inventory", "history", "mug", "--limit", "2"]).await.expect_success();
    assert!(newest.contains("ship") && newest.contains("count") && !newest.contains("broken"), "{newest}");
    assert_clean(&shop).await;
}

both_databases!(what_does_not_add_up_is_found);
async fn what_does_not_add_up_is_found(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 5)]).await;
    order(&shop, "mug", 1).await;
    assert_clean(&shop).await;
    for sql in [TAKE_SOME, OVERSELL] {
        shop.parts.db.write(async |tx| tx.run(sql).execute().await).await.expect("it is written");
    }
    let found = shop.breaches().await;
    for invariant in ["inventory_reserved: mug", "inventory_ledger: mug", "inventory_promises: mug"] {
        assert!(found.iter().any(|breach| breach.starts_with(invariant)), "{invariant}: {found:?}");
    }
}

both_databases!(nobody_changes_the_history);
async fn nobody_changes_the_history(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 5)]).await;
    for sql in [CHANGE_HISTORY, FORGET_HISTORY] {
        let done: Result<u64, DbError> = shop.parts.db.write(async |tx| tx.run(sql).execute().await).await;
        done.expect_err("rows are added, never changed");
    }
    assert_clean(&shop).await;
}
