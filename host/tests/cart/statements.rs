//! A cart with many lines takes as many statements as one with a single line.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{add, builder, fill, id_of, lines, path_of, product, read, token_of, with_cart};

/// A guest's cart with this many lines.
async fn filled(shop: &TestShop, count: usize) -> TestClient {
    let visitor = crate::shelf::guest(shop).await;
    for number in 0..count {
        add(shop, &visitor, &format!("p{number}"), 1).await;
    }
    visitor
}

/// The statements that each of these requests takes: reading, adding, changing, removing, moving.
async fn statements(shop: &TestShop, count: usize) -> [u64; 5] {
    let db = &shop.parts.db;
    let visitor = filled(shop, count).await;
    let own = shop.client().token(&shop.customer().await, &[]).await;
    add(shop, &own, "lamp", 1).await;
    let book = json!({"product_id": id_of(shop, "book").await});
    let path = path_of(&read(&visitor).await["lines"][0]);
    let moving = with_cart(&own, &token_of(visitor.get("/cart").await));
    let mut seen = vec![db.statements()];
    assert_eq!(lines(&read(&visitor).await).len(), count);
    seen.push(db.statements());
    visitor.post("/cart", &book).await.expect_status(200);
    seen.push(db.statements());
    visitor.patch(&path, &json!({"quantity": 2})).await.expect_status(200);
    seen.push(db.statements());
    visitor.delete(&path).await.expect_status(200);
    seen.push(db.statements());
    assert_eq!(lines(&read(&moving).await).len(), count + 1);
    seen.push(db.statements());
    std::array::from_fn(|at| seen[at + 1] - seen[at])
}

both_databases!(the_number_of_statements_does_not_grow_with_the_cart);
async fn the_number_of_statements_does_not_grow_with_the_cart(backend: Backend) {
    let shop = builder(backend).open().await;
    fill(&shop).await;
    shop.stock(&(0..99).map(|number| product(&format!("p{number}"), "Thing", 1)).collect::<Vec<_>>()).await;
    let one = statements(&shop, 1).await;
    assert_eq!(statements(&shop, 99).await, one);
    assert_eq!(one[..4], [1, 4, 4, 4], "the cart is read with its lines; a change adds to that");
}
