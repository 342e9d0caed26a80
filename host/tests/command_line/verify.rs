//! `stoa verify`: a shop that has seen everything adds up, and whatever is bent is found.

use serde_json::Value;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::order::Sold;
use super::place::ShopFolder;

/// What bends the database, and the invariant that finds it.
const BENT: [(&str, Sql); 15] = [
    ("documents", sql!("UPDATE invoices SET sequence = sequence + 10 WHERE order_id = 3")),
    ("order_totals", sql!("UPDATE orders SET subtotal_amount = subtotal_amount + 1 WHERE id = 1")),
    ("order_lines", sql!("UPDATE order_lines SET unit_amount = unit_amount + 1 WHERE order_id = 1")),
    ("refund_sums", sql!("UPDATE refunds SET amount = amount + 1 WHERE order_id = 1")),
    ("refund_units", sql!("UPDATE order_lines SET refunded_quantity = 0 WHERE order_id = 1")),
    ("shipped_units", sql!("UPDATE shipment_lines SET quantity = quantity + 1")),
    ("discount_uses", sql!("UPDATE discounts SET uses = uses + 1")),
    ("discount_released", sql!("UPDATE discount_redemptions SET released_at = created_at WHERE released_at IS NULL")),
    ("bought", sql!("UPDATE customers SET bought = 'once' WHERE bought = 'often'")),
    ("history", sql!("DELETE FROM order_history WHERE action = 'cancelled'")),
    ("attempt_amounts", sql!("UPDATE payment_attempts SET amount = amount + 1")),
    ("idempotency", sql!("UPDATE idempotency_keys SET order_id = NULL")),
    (
        "paid_once",
        sql!(
            "INSERT INTO payment_attempts (payment_id, order_id, gateway, status, reference, amount, currency, return_url,
                                           cancel_url, created_at, updated_at)
             SELECT payment_id, order_id, gateway, status, $1, amount, currency, return_url, cancel_url, created_at,
                    updated_at
             FROM payment_attempts WHERE status = 'succeeded'"
        ),
    ),
    ("paid_together", sql!("UPDATE payments SET status = 'pending' WHERE order_id = 1")),
    ("payment_of_order", sql!("UPDATE payments SET amount = amount + 1 WHERE order_id = 1")),
];

/// A shop with an order that was paid, shipped and refunded in part, one that was cancelled, and one that waits.
async fn lively(backend: Backend) -> Sold {
    let sold = Sold::on(backend).await;
    sold.place.run(["discount", "create", "SPRING", "--percent", "12.5"]).await.succeeded();
    let bought =
        sold.order_with(&[("lamp", 3), ("chair", 1)], &[("discount_code", "spring"), ("idempotency_key", "k")]).await;
    let (id, lamp) = (bought["id"].to_string(), bought["items"][0]["id"].to_string());
    sold.pay(&bought).await;
    sold.place.run(["order", "ship", &id, "--line", &format!("{lamp}:1")]).await.succeeded();
    let units = format!("{lamp}:2");
    sold.place.run(["order", "refund", &id, "--line", &units, "--reason", "Broken"]).await.succeeded();
    let cancelled = sold.order_with(&[("chair", 2)], &[("discount_code", "SPRING")]).await;
    sold.place.run(["order", "cancel", &cancelled["id"].to_string()]).await.succeeded();
    sold.order(&[("song", 1), ("lamp", 1)]).await;
    sold
}

async fn broken(sold: &Sold) -> Vec<String> {
    let found = sold.place.run(["verify", "--json"]).await;
    let found = found.data().into_iter().map(|breach| breach["invariant"].as_str().map(str::to_owned));
    found.collect::<Option<Vec<_>>>().expect("each breach names its invariant")
}

both_databases!(a_shop_that_was_used_in_every_way_adds_up);
async fn a_shop_that_was_used_in_every_way_adds_up(backend: Backend) {
    let sold = lively(backend).await;
    assert_eq!(sold.place.run(["verify"]).await.succeeded().out, "everything adds up\n");
    assert_eq!(sold.place.run(["verify", "--json"]).await.succeeded().data(), Vec::<Value>::new());
}

both_databases!(whatever_is_bent_is_found_and_named);
async fn whatever_is_bent_is_found_and_named(backend: Backend) {
    let sold = lively(backend).await;
    let db = sold.place.db().await;
    for (invariant, bend) in BENT {
        let before = broken(&sold).await;
        assert!(!before.iter().any(|name| name == invariant), "{invariant} was broken before: {before:?}");
        let reference = uuid::Uuid::from_u128(1);
        let bent = db
            .write(async |tx| -> Result<u64, DbError> {
                if invariant == "paid_once" {
                    return tx.run(bend).bind(reference).execute().await;
                }
                tx.run(bend).execute().await
            })
            .await
            .expect("it can be bent");
        assert!(bent > 0, "{invariant}: nothing was bent");
        let after = broken(&sold).await;
        assert!(after.iter().any(|name| name == invariant), "{invariant} is not found: {after:?}");
    }
    sold.place.run(["verify"]).await.refused(1, &["do not add up", "order 1", "SPRING", "order_totals"]);
}

both_databases!(what_was_not_checked_is_said);
async fn what_was_not_checked_is_said(backend: Backend) {
    let place = ShopFolder::on(backend).await.variable("STOA_MODULES__EVENT_TICKETS__ENABLED", "true");
    place.run(["migrate"]).await.succeeded();
    assert_eq!(place.run(["verify"]).await.succeeded().out, "everything adds up\n");
    let place = place.variable("STOA_MODULES__EVENT_TICKETS__ENABLED", "false");
    let told = place.run(["verify"]).await.succeeded().out;
    assert!(told.contains("everything that was checked adds up") && told.contains("not checked"), "{told}");
    assert!(told.contains("event_tickets"), "{told}");
    let told = place.run(["verify", "--json"]).await.succeeded().json();
    assert_eq!(told, serde_json::json!({"data": [], "not_checked": ["event_tickets"]}));
}
