//! A product that is deleted while customers buy it.

use serde_json::json;
use stoa_core::catalog::write::{RemoveProductError, remove_product};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, buyer, id_of, product, shop};

const ORPHANS: Sql =
    sql!("SELECT COUNT(*) FROM order_lines i LEFT JOIN products p ON p.id = i.product_id WHERE p.id IS NULL");

const DELETE: Sql = sql!("DELETE FROM products WHERE slug = $1");

async fn orphans(shop: &TestShop) -> i64 {
    shop.parts.db.read(ORPHANS).scalar().await.expect("they are counted")
}

async fn with_cart(shop: &TestShop, slug: &str) -> Buyer {
    shop.stock(&[product(slug, "Fad", 100, &json!({}))]).await;
    let ada = buyer(shop).await;
    ada.fill(shop, &[(slug, 1)]).await;
    ada
}

both_databases!(what_is_deleted_while_it_is_ordered_is_either_ordered_or_gone);
async fn what_is_deleted_while_it_is_ordered_is_either_ordered_or_gone(backend: Backend) {
    let shop = shop(backend).await;
    let (mut ordered, mut gone) = (0, 0);
    for round in 0..12 {
        let slug = format!("fad-{round}");
        let ada = with_cart(&shop, &slug).await;
        let ordering = tokio::spawn({
            let ada = ada.clone();
            async move { ada.check_out(&json!({})).await }
        });
        if round % 3 > 0 {
            tokio::task::yield_now().await;
        }
        let removed = remove_product(&shop.parts.db, &slug).await;
        let answer = ordering.await.expect("it ends");
        match (answer.status.as_u16(), removed) {
            (201, Err(RemoveProductError::Ordered(1))) => ordered += 1,
            (422, Ok(1)) => gone += 1,
            (status, removed) => panic!("{status} and {removed:?}: {answer:?}"),
        }
    }
    assert_eq!((orphans(&shop).await, ordered + gone), (0, 12));
}

// The control of the test above: who deletes without a look at the orders leaves some that are about nothing.
both_databases!(a_product_that_is_simply_deleted_is_missed_by_its_orders);
async fn a_product_that_is_simply_deleted_is_missed_by_its_orders(backend: Backend) {
    let shop = shop(backend).await;
    with_cart(&shop, "fad").await.check_out(&json!({})).await.expect_status(201);
    let delete = shop.parts.db.write(async |tx| -> Result<u64, DbError> { tx.run(DELETE).bind("fad").execute().await });
    assert_eq!((delete.await.expect("it is deleted"), orphans(&shop).await), (1, 1));
}

both_databases!(what_is_deleted_while_it_is_put_into_carts_is_never_a_failure);
async fn what_is_deleted_while_it_is_put_into_carts_is_never_a_failure(backend: Backend) {
    let shop = shop(backend).await;
    for round in 0..6 {
        let slug = format!("fad-{round}");
        shop.stock(&[product(&slug, "Fad", 100, &json!({}))]).await;
        let line = json!({"product_id": id_of(&shop, &slug).await, "quantity": 1});
        let mut adding = Vec::new();
        for _ in 0..6 {
            let (ada, line) = (buyer(&shop).await, line.clone());
            adding.push(tokio::spawn(async move { ada.client.post("/cart", &line).await }));
        }
        tokio::task::yield_now().await;
        remove_product(&shop.parts.db, &slug).await.expect("nobody has ordered it");
        for answer in adding {
            let answer = answer.await.expect("it ends");
            assert!([200, 422].contains(&answer.status.as_u16()), "{answer:?}");
        }
    }
}

both_databases!(a_product_that_was_ordered_stays);
async fn a_product_that_was_ordered_stays(backend: Backend) {
    let shop = shop(backend).await;
    let order = buyer(&shop).await.place(&shop, &[("lamp", 1)]).await;
    let removed = remove_product(&shop.parts.db, "lamp").await;
    assert!(matches!(removed, Err(RemoveProductError::Ordered(1))), "{removed:?}");
    assert!(matches!(remove_product(&shop.parts.db, "nope").await, Err(RemoveProductError::Unknown)));
    assert!(order["items"].is_array() && id_of(&shop, "lamp").await > 0);
}
