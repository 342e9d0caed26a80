//! `GET /categories` and `GET /categories/{slug}` (S2.2, S4.2 rule 5).

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{category, column, product};

async fn garden(backend: Backend) -> TestShop {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("garden", &json!({"name": "Garden", "image": "garden.svg"})),
        category("tools", &json!({"name": "Tools", "parent": "garden"})),
        category("plants", &json!({"name": "Plants", "parent": "garden"})),
        category("deep", &json!({"name": "Deep", "parent": "tools"})),
        category("empty", &json!({"name": "empty"})),
        product("bench", &json!({"category": "garden"})),
        product("rake", &json!({"category": "tools"})),
        product("spade", &json!({"category": "tools"})),
        product("old-hoe", &json!({"category": "tools", "active": false})),
        product("trowel", &json!({"category": "deep"})),
    ];
    shop.stock(&lines).await;
    shop
}

both_databases!(the_list_has_roots_with_one_level_of_children);
async fn the_list_has_roots_with_one_level_of_children(backend: Backend) {
    let shop = garden(backend).await;
    let body = shop.client().get("/categories").await.expect_status(200).json();
    assert_eq!(column(&body, "slug"), ["empty", "garden"]);
    let garden = &body["data"][1];
    assert_eq!(garden["image"], "http://shop.test/media/garden.svg");
    assert_eq!(garden["products_count"], 1, "its own products alone");
    let children = garden["children"].as_array().expect("children");
    let shown = children.iter().map(|child| (child["slug"].as_str(), child["products_count"].as_i64()));
    assert_eq!(shown.collect::<Vec<_>>(), [(Some("plants"), Some(0)), (Some("tools"), Some(2))]);
    assert!(children.iter().all(|child| child.get("children").is_none()));
    assert_eq!(body["data"][0]["image"], json!(null));
}

both_databases!(the_detail_has_the_category_its_products_and_three_numbers);
async fn the_detail_has_the_category_its_products_and_three_numbers(backend: Backend) {
    let shop = garden(backend).await;
    let body = shop.client().get("/categories/tools").await.expect_status(200).json();
    assert_eq!(body["meta"], json!({"current_page": 1, "last_page": 1, "total": 2}));
    assert!(body.get("links").is_none());
    assert_eq!(body["data"]["category"]["slug"], "tools");
    assert_eq!(body["data"]["category"]["children"][0]["slug"], "deep");
    let products = json!({"data": body["data"]["products"]});
    assert_eq!(column(&products, "slug"), ["rake", "spade"]);
    let alone = shop.client().get("/products/rake").await.json();
    assert_eq!(body["data"]["products"][0], alone["data"]);
}

both_databases!(the_detail_is_paged_by_24);
async fn the_detail_is_paged_by_24(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut lines = vec![category("bulk", &json!({}))];
    lines.extend((0..30).map(|n| product(&format!("p-{n:02}"), &json!({"category": "bulk"}))));
    shop.stock(&lines).await;
    let body = shop.client().get("/categories/bulk?page=2").await.json();
    assert_eq!(body["meta"], json!({"current_page": 2, "last_page": 2, "total": 30}));
    assert_eq!(body["data"]["products"].as_array().map(Vec::len), Some(6));
    let past = shop.client().get("/categories/bulk?page=9").await.expect_status(200).json();
    assert_eq!(past["data"]["products"], json!([]));
    let odd = shop.client().get("/categories/bulk?page=x").await.json();
    assert_eq!(odd["meta"]["current_page"], 1);
}

both_databases!(an_unknown_category_is_404);
async fn an_unknown_category_is_404(backend: Backend) {
    let shop = garden(backend).await;
    for slug in ["none", "TOOLS", "%00", "1"] {
        shop.client().get(&format!("/categories/{slug}")).await.expect_error(404, "not_found");
    }
}
