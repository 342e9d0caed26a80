//! What the operator is told without asking for it.

use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{NAME, builder, give_entry};

both_databases!(the_operator_is_told_what_is_wrong);
async fn the_operator_is_told_what_is_wrong(backend: Backend) {
    let shop = builder(backend).open().await;
    give_entry(&shop, shop.customer().await.id).await;
    assert!(shop.measured().await.contains(&format!("stoa_{NAME}_entries 1\n")));
    assert_eq!((shop.breaches().await, shop.findings().await), (vec![], vec![]));
    shop.advance(TimeDelta::days(3651));
    assert_eq!(shop.findings().await.len(), 1);
}
