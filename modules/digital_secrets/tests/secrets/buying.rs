//! Placing, paying and cancelling orders.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{
    add, assert_sound, available, builder, buyer, cancel, keyed, pay, plain, pool, repeat_paid, shop, states, units,
    values,
};

both_databases!(a_paid_order_delivers_a_value_for_each_unit);
async fn a_paid_order_delivers_a_value_for_each_unit(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 5)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("font", 3), ("mug", 1)]).await;
    shop.run_jobs().await;
    assert_eq!(ada.secrets().await, [json!(null); 0], "nothing is delivered before it is paid");
    pay(&shop, order_id).await;
    assert_eq!(ada.values().await, values(1, 3));
    assert_eq!(pool(&shop, "font").await["available"], 2);
    assert_sound(&shop).await;
}

both_databases!(values_are_reserved_when_the_order_is_placed);
async fn values_are_reserved_when_the_order_is_placed(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order_id = ada.place(&shop, &[("font", 2)]).await;
    let counted = pool(&shop, "font").await;
    assert_eq!((&counted["available"], &counted["reserved"]), (&json!(1), &json!(2)));
    let refused = bob.refused(&shop, &[("font", 2)]).await;
    assert_eq!(refused["reason"], "insufficient_stock");
    assert_eq!(refused["errors"]["cart"], json!(["Only one \u{201c}font\u{201d} is left."]));
    bob.buy(&shop, &[("font", 1)]).await;
    assert_eq!(bob.values().await, values(3, 3), "the reserved ones are not theirs");
    pay(&shop, order_id).await;
    assert_eq!(ada.values().await, values(1, 2));
    assert_sound(&shop).await;
}

both_databases!(an_order_that_is_refused_leaves_nothing_reserved);
async fn an_order_that_is_refused_leaves_nothing_reserved(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    add(&shop, "game", &values(4, 4)).await;
    let ada = buyer(&shop).await;
    ada.refused(&shop, &[("font", 3), ("game", 2)]).await;
    assert_eq!((available(&shop, "font").await, available(&shop, "game").await), (3, 1));
    assert_eq!(ada.client.get("/orders").await.json()["meta"]["total"], 0);
    assert_sound(&shop).await;
}

both_databases!(lines_that_share_a_pool_are_summed_up);
async fn lines_that_share_a_pool_are_summed_up(backend: Backend) {
    let shop = builder(backend).open().await;
    let shared = json!({"pool": "letters"});
    shop.stock(&[keyed("sans", &shared), keyed("serif", &shared)]).await;
    add(&shop, "sans", &values(1, 3)).await;
    let ada = buyer(&shop).await;
    let refused = ada.refused(&shop, &[("sans", 2), ("serif", 2)]).await;
    assert_eq!(refused["errors"]["cart"], json!(["Only one \u{201c}serif\u{201d} is left."]));
    ada.buy(&shop, &[("sans", 1), ("serif", 2)]).await;
    assert_eq!(ada.values().await, values(1, 3));
    assert_sound(&shop).await;
}

both_databases!(a_cancelled_order_gives_its_values_back);
async fn a_cancelled_order_gives_its_values_back(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order_id = ada.place(&shop, &[("font", 2)]).await;
    cancel(&shop, order_id).await;
    assert_eq!(available(&shop, "font").await, 2);
    assert_eq!(states(&shop, order_id).await, ["released", "released"]);
    shop.run_jobs().await;
    bob.buy(&shop, &[("font", 2)]).await;
    assert_eq!(bob.values().await, values(1, 2));
    assert_eq!(ada.secrets().await.len(), 0);
    assert_sound(&shop).await;
}

both_databases!(an_order_that_expires_gives_its_values_back);
async fn an_order_that_expires_gives_its_values_back(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("font", &json!({}))]).await;
    add(&shop, "font", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    ada.place(&shop, &[("font", 1)]).await;
    assert_eq!(available(&shop, "font").await, 0);
    shop.advance(TimeDelta::days(20));
    shop.run_jobs().await;
    assert_eq!(available(&shop, "font").await, 1);
    assert_sound(&shop).await;
}

both_databases!(a_free_order_is_delivered_as_well);
async fn a_free_order_is_delivered_as_well(backend: Backend) {
    let shop = builder(backend).open().await;
    let mut gift = keyed("gift", &json!({}));
    gift["price_amount"] = json!(0);
    shop.stock(&[gift]).await;
    add(&shop, "gift", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("gift", 1)]).await;
    shop.run_jobs().await;
    assert_eq!(ada.values().await, values(1, 1));
    assert_eq!(states(&shop, order_id).await, ["delivered"]);
    assert_sound(&shop).await;
}

both_databases!(a_repeated_event_delivers_nothing_more);
async fn a_repeated_event_delivers_nothing_more(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 9)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 2)]).await;
    let delivered = units(&shop, order_id).await;
    for _ in 0..10 {
        repeat_paid(&shop, order_id, ada.customer.id).await;
    }
    shop.run_jobs().await;
    assert_eq!(units(&shop, order_id).await, delivered);
    assert_eq!(available(&shop, "font").await, 7);
    assert_sound(&shop).await;
}

both_databases!(a_product_without_the_capability_takes_nothing);
async fn a_product_without_the_capability_takes_nothing(backend: Backend) {
    let shop = builder(backend).open().await;
    let mut mug = plain("mug");
    mug["modules"] = json!({"digital_secrets": {"pool": "font"}});
    shop.stock(&[keyed("font", &json!({})), mug]).await;
    add(&shop, "font", &values(1, 1)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("mug", 5)]).await;
    assert_eq!(units(&shop, order_id).await, [json!(null); 0]);
    assert_eq!(available(&shop, "font").await, 1);
}

both_databases!(an_order_keeps_the_settings_it_was_placed_with);
async fn an_order_keeps_the_settings_it_was_placed_with(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    add(&shop, "game", &values(2, 2)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("font", 1)]).await;
    shop.stock(&[keyed("font", &json!({"pool": "game"}))]).await;
    pay(&shop, order_id).await;
    assert_eq!(ada.values().await, values(1, 1));
    ada.buy(&shop, &[("font", 1)]).await;
    assert_eq!(ada.values().await, values(1, 2));
}

both_databases!(a_customer_has_no_more_than_the_product_allows);
async fn a_customer_has_no_more_than_the_product_allows(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("beta", &json!({"max_per_customer": 2}))]).await;
    add(&shop, "beta", &values(1, 9)).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let refused = ada.refused(&shop, &[("beta", 3)]).await;
    assert_eq!(refused["reason"], "max_per_customer");
    let first = ada.place(&shop, &[("beta", 1)]).await;
    ada.buy(&shop, &[("beta", 1)]).await;
    assert_eq!(ada.refused(&shop, &[("beta", 1)]).await["reason"], "max_per_customer");
    bob.buy(&shop, &[("beta", 2)]).await;
    cancel(&shop, first).await;
    ada.buy(&shop, &[("beta", 1)]).await;
    assert_sound(&shop).await;
}
