//! `/subscriptions` over HTTP.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{Buyer, builder, shop_at};

both_databases!(somebody_elses_subscription_is_not_found);
async fn somebody_elses_subscription_is_not_found(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let (ada, eve) = (Buyer::new(&shop).await, Buyer::new(&shop).await);
    ada.buy(&shop, 1).await;
    eve.client.get("/subscriptions/1").await.expect_error(404, "not_found");
    assert_eq!(eve.client.get("/subscriptions").await.expect_status(200).json()["meta"]["total"], 0);
    for id in ["0", "-1", "2", "99999999999999999999", "S-000001"] {
        ada.client.get(&format!("/subscriptions/{id}")).await.expect_error(404, "not_found");
    }
}

both_databases!(the_routes_need_their_ability);
async fn the_routes_need_their_ability(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    for path in ["/subscriptions", "/subscriptions/1"] {
        shop.client().get(path).await.expect_error(401, "unauthenticated");
        let stranger = shop.client().token(&ada.customer, &["orders.read"]).await;
        stranger.get(path).await.expect_error(403, "insufficient_scope");
        let reader = shop.client().token(&ada.customer, &["subscriptions.read"]).await;
        reader.get(path).await.expect_status(200);
    }
}

both_databases!(the_list_is_paged_with_the_newest_first);
async fn the_list_is_paged_with_the_newest_first(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 21).await;
    let first = ada.client.get("/subscriptions").await.expect_status(200).json();
    assert_eq!((first["data"][0]["id"].as_i64(), first["meta"]["last_page"].as_i64()), (Some(21), Some(2)));
    let second = ada.client.get("/subscriptions?page=2").await.expect_status(200).json();
    assert_eq!(second["data"].as_array().map(Vec::len), Some(1));
}
