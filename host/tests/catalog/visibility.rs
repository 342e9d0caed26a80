//! What is not active is not shown anywhere (S4.2, S7, contract 2).

use serde_json::json;
use stoa_core::catalog::write::Change;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{category, column, product};

both_databases!(an_inactive_product_is_shown_nowhere);
async fn an_inactive_product_is_shown_nowhere(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("tools", &json!({})),
        product("old-hoe", &json!({"category": "tools", "active": false})),
        product("rake", &json!({"category": "tools"})),
    ];
    shop.stock(&lines).await;
    let client = shop.client();
    client.get("/products/old-hoe").await.expect_error(404, "not_found");
    assert_eq!(column(&client.get("/products").await.json(), "slug"), ["rake"]);
    assert_eq!(column(&client.get("/products?q=hoe").await.json(), "slug"), Vec::<String>::new());
    assert_eq!(column(&client.get("/search?q=hoe").await.json(), "slug"), Vec::<String>::new());
    assert_eq!(client.get("/categories/tools").await.json()["meta"]["total"], 1);
    assert_eq!(client.get("/categories").await.json()["data"][0]["products_count"], 1);
}

both_databases!(what_lies_below_an_inactive_category_is_inactive);
async fn what_lies_below_an_inactive_category_is_inactive(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("winter", &json!({"active": false})),
        category("skis", &json!({"parent": "winter"})),
        product("sled", &json!({"category": "winter"})),
        product("ski", &json!({"category": "skis"})),
        product("free", &json!({})),
    ];
    shop.stock(&lines).await;
    let client = shop.client();
    for path in ["/categories/winter", "/categories/skis", "/products/sled", "/products/ski"] {
        client.get(path).await.expect_error(404, "not_found");
    }
    assert_eq!(column(&client.get("/products").await.json(), "slug"), ["free"]);
    assert_eq!(column(&client.get("/products?category=skis").await.json(), "slug"), Vec::<String>::new());

    shop.stock(&[category("winter", &json!({"active": true}))]).await;
    for path in ["/categories/winter", "/categories/skis", "/products/sled", "/products/ski"] {
        client.get(path).await.expect_status(200);
    }
    assert_eq!(column(&client.get("/search?q=ski").await.json(), "slug"), ["ski"]);

    shop.stock(&[category("skis", &json!({"active": false}))]).await;
    client.get("/products/ski").await.expect_error(404, "not_found");
    client.get("/products/sled").await.expect_status(200);
}

both_databases!(moving_a_category_moves_what_is_below_it);
async fn moving_a_category_moves_what_is_below_it(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("open", &json!({})),
        category("closed", &json!({"active": false})),
        category("shelf", &json!({"parent": "closed"})),
        product("box", &json!({"category": "shelf"})),
    ];
    shop.stock(&lines).await;
    shop.client().get("/products/box").await.expect_error(404, "not_found");
    shop.stock(&[category("shelf", &json!({"parent": "open"}))]).await;
    shop.client().get("/products/box").await.expect_status(200);
}

both_databases!(a_category_cannot_stand_below_itself);
async fn a_category_cannot_stand_below_itself(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[category("a", &json!({})), category("b", &json!({"parent": "a"}))]).await;
    let outcomes = shop.import(&[category("a", &json!({"parent": "b"}))]).await;
    let problems = outcomes[0].as_ref().expect_err("a circle is refused");
    assert_eq!(problems[0].member, "parent");
    let outcomes = shop.import(&[category("b", &json!({"parent": null}))]).await;
    assert_eq!(outcomes[0], Ok(Change::Updated));
}
