//! Conditional requests, and answers that are kept while they are current.

use http::{HeaderValue, Method};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{category, product};

const PATHS: [&str; 6] =
    ["/products", "/products?q=lamp", "/products/lamp", "/categories", "/categories/lamps", "/search?q=lamp"];

async fn lit(backend: Backend) -> TestShop {
    let shop = TestShop::new(backend).await;
    shop.stock(&[category("lamps", &json!({})), product("lamp", &json!({"category": "lamps"}))]).await;
    shop
}

both_databases!(every_catalog_answer_has_a_tag_that_gives_304);
async fn every_catalog_answer_has_a_tag_that_gives_304(backend: Backend) {
    let shop = lit(backend).await;
    for path in PATHS {
        let first = shop.client().get(path).await.expect_status(200);
        let tag = first.header("etag").expect("an answer has a tag").to_owned();
        for given in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), String::from("*")] {
            let again = shop.client().with_header("if-none-match", &given).get(path).await.expect_status(304);
            assert_eq!(again.text(), "", "{path}");
            assert_eq!(again.header("etag"), Some(tag.as_str()));
        }
        shop.client().with_header("if-none-match", "\"other\"").get(path).await.expect_status(200);
    }
}

both_databases!(a_change_changes_the_tag_and_the_answer);
async fn a_change_changes_the_tag_and_the_answer(backend: Backend) {
    let shop = lit(backend).await;
    for path in PATHS {
        let before = shop.client().get(path).await;
        shop.stock(&[
            product("lamp", &json!({"name": format!("Lamp for {path}")})),
            category("lamps", &json!({"name": path})),
        ])
        .await;
        let tag = before.header("etag").expect("a tag");
        let after = shop.client().with_header("if-none-match", tag).get(path).await.expect_status(200);
        assert_ne!(after.header("etag"), Some(tag), "{path}");
        assert!(after.text().contains(path), "{path}");
    }
}

both_databases!(importing_the_same_again_changes_no_version);
async fn importing_the_same_again_changes_no_version(backend: Backend) {
    const VERSION: stoa_core::db::Sql = stoa_core::sql!("SELECT version FROM catalog_state");
    let shop = lit(backend).await;
    let version = async || shop.parts.db.read(VERSION).scalar::<i64>().await.expect("a version");
    let before = version().await;
    shop.stock(&[category("lamps", &json!({})), product("lamp", &json!({"category": "lamps"}))]).await;
    assert_eq!(version().await, before);
    shop.stock(&[product("lamp", &json!({"price_amount": 1}))]).await;
    assert_eq!(version().await, before + 1);
}

both_databases!(an_instance_follows_what_another_writes);
async fn an_instance_follows_what_another_writes(backend: Backend) {
    let first = lit(backend).await;
    let second = TestShop::builder(backend).on(first.database()).seed(2).open().await;
    let mut watch = second.parts.db.watch().await.expect("the database can be watched");
    first.stock(&[product("lamp", &json!({"name": "Renamed"}))]).await;
    watch.changed().await.expect("the change is noticed");
    second.refresh_catalog().await;
    assert_eq!(second.client().get("/products/lamp").await.json()["data"]["name"], "Renamed");
}

both_databases!(a_shop_without_a_cache_answers_alike);
async fn a_shop_without_a_cache_answers_alike(backend: Backend) {
    let kept = lit(backend).await;
    let bare =
        TestShop::builder(backend).on(kept.database()).config("[catalog]\ncache_megabytes = 0").seed(2).open().await;
    for path in PATHS {
        let (a, b) = (kept.client().get(path).await, bare.client().get(path).await);
        assert_eq!((a.text(), a.header("etag")), (b.text(), b.header("etag")), "{path}");
    }
}

both_databases!(a_shop_whose_cache_is_too_small_answers_alike);
async fn a_shop_whose_cache_is_too_small_answers_alike(backend: Backend) {
    const SETTINGS: &str = "[limits]\ncatalog = { requests = 0, per_seconds = 60 }\n[catalog]\ncache_megabytes";
    let kept = TestShop::builder(backend).config(&format!("{SETTINGS} = 1")).open().await;
    // Half as much again as fits.
    let products = (0..150).map(|number| {
        let description = format!("{number} {}", "long ".repeat(2_000));
        product(&format!("lamp-{number:03}"), &json!({"description": description}))
    });
    kept.stock(&products.collect::<Vec<_>>()).await;
    let bare = TestShop::builder(backend).on(kept.database()).config(&format!("{SETTINGS} = 0")).seed(2).open().await;
    let single = (0..150).map(|number| format!("/products/lamp-{number:03}"));
    let pages = (1..=7).map(|page| format!("/products?page={page}"));
    let paths = single.chain(pages).collect::<Vec<_>>();
    for path in [paths.as_slice(), &paths].concat() {
        let (a, b) = (kept.client().get(&path).await.expect_status(200), bare.client().get(&path).await);
        assert_eq!((a.text(), a.header("etag")), (b.text(), b.header("etag")), "{path}");
    }
}

both_databases!(catalog_answers_are_not_private);
async fn catalog_answers_are_not_private(backend: Backend) {
    let shop = lit(backend).await;
    let control = shop.client().get("/products").await.header("cache-control").map(str::to_owned);
    assert_eq!(control.as_deref(), Some("public, max-age=0, must-revalidate"));
}

both_databases!(all_lines_of_a_condition_count_and_tags_are_bytes);
async fn all_lines_of_a_condition_count_and_tags_are_bytes(backend: Backend) {
    let shop = lit(backend).await;
    let client = shop.client();
    for path in PATHS {
        let tag = client.get(path).await.header("etag").expect("a tag").to_owned();
        for (lines, status) in [
            (vec![b"\"other\"".to_vec(), tag.clone().into_bytes()], 304),
            (vec![tag.clone().into_bytes(), b"\"other\"".to_vec()], 304),
            (vec![[b"\"caf\xe9\", ", tag.as_bytes()].concat()], 304),
            (vec![[b"W/", tag.as_bytes(), b",\"\xff\""].concat()], 304),
            (vec![b"\"caf\xe9\"".to_vec(), b"\"other\"".to_vec()], 200),
        ] {
            let mut request = client.request(Method::GET, path, "");
            for line in &lines {
                let value = HeaderValue::from_bytes(line).expect("bytes that a header may have");
                request.headers_mut().append("if-none-match", value);
            }
            let answer = client.send(request).await;
            assert_eq!(answer.status, status, "{path}: {lines:?}");
        }
    }
}

both_databases!(what_has_not_changed_is_answered_without_a_length);
async fn what_has_not_changed_is_answered_without_a_length(backend: Backend) {
    let shop = lit(backend).await;
    for path in PATHS {
        let whole = shop.client().head(path).await.expect_status(200);
        let length = shop.client().get(path).await.body.len().to_string();
        assert_eq!(whole.header("content-length"), Some(length.as_str()), "{path}");
        let client = shop.client().with_header("if-none-match", whole.header("etag").expect("a tag"));
        for answer in [client.get(path).await, client.head(path).await] {
            assert_eq!(answer.expect_status(304).header("content-length"), None, "{path}");
        }
    }
}
