//! The files in a bucket of an S3-compatible server, for which a small one stands in; also that of the shop's pictures.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::doctor::State as Finding;
use stoa_core::jobs::run_job;
use stoa_core::testing::{BucketMood, TestBucket, TestShop, both_databases};

use crate::kit::{self, attach, buy, bytes, command, customer, digital, newest, path, range, sha256};

/// A bucket, and a shop that keeps its files there.
async fn shop(backend: Backend) -> (TestShop, TestBucket) {
    let bucket = TestBucket::new().await;
    let config = format!("[modules.downloads.s3]\n{}", bucket.own_settings("own/shop"));
    (stocked(backend, &config).await, bucket)
}

async fn stocked(backend: Backend, config: &str) -> TestShop {
    let shop = kit::builder(backend).config(config).open().await;
    shop.stock(&[digital("songs", &json!({}))]).await;
    shop
}

both_databases!(files_are_kept_in_a_bucket);
async fn files_are_kept_in_a_bucket(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    // More than two parts of 8 MiB.
    let content = bytes(17 * 1024 * 1024 + 5);
    attach(&shop, "songs", "songs.zip", &content, &["--limit", "2"]).await;
    let keys = bucket.keys();
    assert!(keys.len() == 1 && keys[0].starts_with("own/shop/") && !keys[0].contains("songs"), "{keys:?}");
    assert!(!shop.folder().join("data/downloads").exists());
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let first = range(&ada, &file, "bytes=0-9999999").await.expect_status(206);
    let second = range(&ada, &file, "bytes=10000000-").await.expect_status(206);
    assert_eq!(sha256(&[first.body, second.body].concat()), sha256(&content));
    assert_eq!(newest(&ada).await["download_count"], 1);
    ada.get(&file).await.expect_status(200);
    ada.get(&file).await.expect_error(409, "invalid_state");
    range(&ada, &file, "bytes=10000000-").await.expect_error(409, "invalid_state");
    assert_eq!(command(&shop, &["check"]).await["checked"], 1);
    assert_eq!(bucket.suspicious(), [""; 0]);
}

both_databases!(a_bucket_that_fails_costs_no_download);
async fn a_bucket_that_fails_costs_no_download(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"one", &["--limit", "1"]).await;
    attach(&shop, "songs", "songs.zip", b"two", &[]).await;
    shop.advance(TimeDelta::days(31));
    let cleaned = run_job(&shop.parts, &shop.registry.jobs, "downloads.cleanup", shop.clock.clone()).await;
    cleaned.expect("it can be run");
    assert_eq!(bucket.objects().into_values().collect::<Vec<_>>(), [b"two"]);
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let object = bucket.take_all();
    let told = ada.get(&file).await.expect_error(503, "server_error");
    assert!(!told.text().contains("files") && !told.text().contains("127.0.0.1"), "{}", told.text());
    bucket.put_all(object);
    assert_eq!(newest(&ada).await["download_count"], 0);
    assert_eq!(ada.get(&file).await.expect_status(200).text(), "two");
    for examination in shop.registry.examinations.iter().filter(|examination| examination.owner == "downloads") {
        let found = examination.run(&shop.parts).await.expect("the database can be read");
        assert!(found.iter().all(|finding| finding.state == Finding::Ok), "{found:?}");
    }
}

both_databases!(without_a_bucket_of_their_own_files_lie_beside_the_shops_pictures_where_nobody_sees_them);
async fn without_a_bucket_of_their_own_files_lie_beside_the_shops_pictures_where_nobody_sees_them(backend: Backend) {
    let bucket = TestBucket::new().await;
    let shop = stocked(backend, &bucket.media_settings("shop")).await;
    attach(&shop, "songs", "songs.zip", b"a song", &[]).await;
    let keys = bucket.keys();
    assert!(keys.len() == 1 && keys[0].starts_with("shop/.downloads/"), "{keys:?}");
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    assert_eq!(ada.get(&path(&newest(&ada).await)).await.expect_status(200).text(), "a song");
    let stolen = format!("/media/{}", keys[0].trim_start_matches("shop/"));
    ada.send(ada.site_request(http::Method::GET, &stolen, "")).await.expect_status(404);
    bucket.behave(BucketMood::ReadOnly);
    let mut found = Vec::new();
    for examination in shop.registry.examinations.iter() {
        found.extend(examination.run(&shop.parts).await.expect("the database can be read"));
    }
    let told = found.iter().find(|finding| finding.state == Finding::Failure).expect("it is told");
    assert!(told.message.contains("s3://files/shop/.downloads cannot be written"), "{told:?}");
    // A folder that is written down stays one.
    let kept = format!("[modules.downloads]\nfolder = 'sold'\n{}", bucket.media_settings("shop"));
    let shop = stocked(backend, &kept).await;
    attach(&shop, "songs", "songs.zip", b"a song", &[]).await;
    assert!(shop.folder().join("sold").is_dir());
}
