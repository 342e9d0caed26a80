//! What the operator is told, and settings of the module.

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{assert_clean, builder, cancel, counted, order, shop};

const LOW: Sql = sql!("SELECT sku FROM inventory_stock WHERE low_since IS NOT NULL ORDER BY sku");

async fn low(shop: &TestShop) -> Vec<String> {
    shop.advance(chrono::TimeDelta::minutes(6));
    shop.run_jobs().await;
    shop.parts.db.read(LOW).scalars().await.expect("they are read")
}

both_databases!(what_becomes_low_is_told_once_each_time);
async fn what_becomes_low_is_told_once_each_time(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 9), counted("cup", 1)]).await;
    assert_eq!(low(&shop).await, ["cup"]);
    let placed = order(&shop, "mug", 4).await;
    assert_eq!(low(&shop).await, ["cup", "mug"]);
    cancel(&shop, &placed).await.expect("it is cancelled");
    assert_eq!(low(&shop).await, ["cup"]);
    shop.command(&["inventory", "forget", "cup"]).await.expect_success();
    assert_eq!(low(&shop).await, [""; 0]);
    assert_clean(&shop).await;
}

both_databases!(the_threshold_is_a_setting);
async fn the_threshold_is_a_setting(backend: Backend) {
    let shop = builder(backend).config("[modules.inventory]\nlow_stock_threshold = 20").open().await;
    shop.stock(&[counted("mug", 9)]).await;
    assert_eq!(low(&shop).await, ["mug"]);
    let refused = builder(backend).config("[modules.inventory]\nlow_stock_threshold = -1").freeze();
    let told = refused.map(drop).expect_err("it is refused").to_string();
    assert!(told.contains("low_stock_threshold") && told.contains("from 0"), "{told}");
}

both_databases!(doctor_and_metrics_tell_of_low_stock);
async fn doctor_and_metrics_tell_of_low_stock(backend: Backend) {
    let shop = builder(backend).config("[server]\nmetrics = true").open().await;
    shop.stock(&[counted("mug", 9), counted("cup", 1), counted("jug", 0)]).await;
    order(&shop, "mug", 3).await;
    let told = shop.examined().await;
    let text = told.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("\n");
    assert!(text.contains("of 3 SKUs that are counted, 2 are low, 1 of them sold out"), "{text}");
    assert!(text.contains("nothing is promised that is not there"), "{text}");
    shop.command(&["inventory", "set", "mug", "1"]).await.expect_success();
    let short = shop.examined().await;
    assert!(short.iter().any(|finding| finding.message.contains("of 1 SKUs more is promised")), "{short:?}");
    let mut samples = Vec::new();
    for measurement in &*shop.registry.measurements {
        samples.extend(measurement.run(&shop.parts).await.expect("it is measured"));
    }
    let expected = [
        Sample::gauge("stoa_inventory_low", "SKUs whose stock is low or gone.", 3),
        Sample::gauge("stoa_inventory_reserved", "Pieces that orders hold.", 3),
    ];
    assert!(expected.iter().all(|sample| samples.contains(sample)), "{samples:?}");
    assert_clean(&shop).await;
}
