//! What operators are told by `stoa doctor`, the metrics and `stoa verify`.

use serde_json::json;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::doctor::{Finding, State};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{add, assert_sound, builder, buyer, keyed, shop, values};

/// What the module's part of `stoa doctor` says of a check.
pub(crate) async fn finding(shop: &TestShop, check: &str) -> Finding {
    let mut findings = Vec::new();
    for examination in shop.registry.examinations.iter() {
        findings.extend(examination.run(&shop.parts).await.expect("the database can be read"));
    }
    findings.into_iter().find(|finding| finding.check == check).unwrap_or_else(|| panic!("no finding of {check}"))
}

both_databases!(a_pool_that_runs_low_is_told);
async fn a_pool_that_runs_low_is_told(backend: Backend) {
    let shop = builder(backend).config("[modules.digital_secrets]\nlow_water = 3").open().await;
    shop.stock(&[keyed("font", &json!({})), keyed("license", &json!({"pattern": "XXXX-XXXX-XXXX"}))]).await;
    add(&shop, "font", &values(1, 3)).await;
    assert_eq!(finding(&shop, "digital_secrets.pools").await.state, State::Ok);
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 1), ("license", 1)]).await;
    let low = finding(&shop, "digital_secrets.pools").await;
    assert_eq!(
        (low.state, low.message.as_str()),
        (State::Warning, "pools of digital secrets run low: `font` has 2 left")
    );
}

both_databases!(a_product_that_never_had_a_value_is_told);
async fn a_product_that_never_had_a_value_is_told(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&[keyed("license", &json!({"pattern": "XXXX-XXXX-XXXX"})), keyed("serif", &json!({"pool": "font"}))])
        .await;
    let told = finding(&shop, "digital_secrets.products").await;
    assert!(told.message.ends_with("`font`, `game`, `serif`"), "{told:?}");
    add(&shop, "font", &values(1, 1)).await;
    let told = finding(&shop, "digital_secrets.products").await;
    assert!(told.message.ends_with(": `game`"), "{told:?}");
}

both_databases!(who_has_paid_and_waits_is_told);
async fn who_has_paid_and_waits_is_told(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("font", &json!({"backorder": true}))]).await;
    assert_eq!(finding(&shop, "digital_secrets.waiting").await.state, State::Ok);
    buyer(&shop).await.buy(&shop, &[("font", 2)]).await;
    let told = finding(&shop, "digital_secrets.waiting").await;
    assert!(told.message.ends_with("2 for `font` since 2026-01-15T12:00:00Z"), "{told:?}");
}

both_databases!(the_metrics_count_what_is_left);
async fn the_metrics_count_what_is_left(backend: Backend) {
    let shop = builder(backend).config("[server]\nmetrics = true").open().await;
    shop.stock(&[keyed("font", &json!({}))]).await;
    add(&shop, "font", &values(1, 4)).await;
    buyer(&shop).await.place(&shop, &[("font", 1)]).await;
    let client = shop.client();
    let metrics = client.send(client.site_request(http_get(), "/metrics", "")).await.expect_status(200).text();
    for line in [
        "stoa_digital_secrets_available{pool=\"font\"} 3",
        "stoa_digital_secrets_reserved{pool=\"font\"} 1",
        "stoa_digital_secrets_waiting{pool=\"font\"} 0",
        "stoa_digital_secrets_low{pool=\"font\"} 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} is missing in {metrics}");
    }
}

fn http_get() -> http::Method {
    http::Method::GET
}

const SPOILS: [(Sql, &str); 6] = [
    (
        sql!("UPDATE digital_secrets_values SET state = 'revoked' WHERE state = 'delivered'"),
        "digital_secrets_values: value 1: it is revoked for digital secret 1, which is delivered",
    ),
    (
        sql!("UPDATE digital_secrets_values SET state = 'voided' WHERE state = 'delivered'"),
        "digital_secrets_one_each: digital secret 1: it is delivered, and has 0 values",
    ),
    (
        sql!("UPDATE digital_secrets_values SET state = 'available', unit_id = NULL WHERE state = 'reserved'"),
        "digital_secrets_one_each: digital secret 3: it was sold from the pool, and nothing is reserved for it",
    ),
    (
        sql!("UPDATE digital_secrets_units SET state = 'waiting' WHERE state = 'promised'"),
        "digital_secrets_paid: digital secret 3: it is waiting, and its order pending",
    ),
    (
        sql!("UPDATE digital_secrets_units SET unit = 7 WHERE id = 2"),
        "digital_secrets_units: order 1: item 1 has 2 digital secrets for 2 units",
    ),
    (
        sql!("UPDATE digital_secrets_values SET key_id = NULL, sealed_value = '' WHERE state = 'reserved'"),
        "digital_secrets_sealed: value 3: it is reserved, and its content is gone",
    ),
];

both_databases!(what_must_never_be_is_found);
async fn what_must_never_be_is_found(backend: Backend) {
    for (spoil, expected) in SPOILS {
        let shop = shop(backend).await;
        add(&shop, "font", &values(1, 3)).await;
        let ada = buyer(&shop).await;
        ada.buy(&shop, &[("font", 2)]).await;
        ada.place(&shop, &[("font", 1)]).await;
        assert_sound(&shop).await;
        let spoiled = shop.parts.db.write(async |tx| tx.run(spoil).execute().await);
        spoiled.await.map_err(|error: DbError| error.to_string()).expect("it is spoiled");
        let breaches = shop.breaches().await;
        assert!(breaches.iter().any(|breach| breach == expected), "{expected} is missing in {breaches:#?}");
    }
}
