//! Pictures in a bucket (`media.url`): sent through the shop, scaled once for all instances, and never an order's business.

use std::io::Cursor;

use http::Method;
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::json;
use stoa_core::catalog::Photo;
use stoa_core::db::Backend;
use stoa_core::doctor::State;
use stoa_core::storage::MediaStore;
use stoa_core::testing::{BucketMood, TestBucket, TestClient, TestResponse, TestShop, both_databases};

use crate::shelf::product;

async fn get(client: &TestClient, path: &str) -> TestResponse {
    client.send(client.site_request(Method::GET, path, "")).await
}

fn picture() -> Vec<u8> {
    let shade = |x: u32, y: u32| u8::try_from((x * 7 + y * 13 + (x * y) % 31) % 256).expect("a byte");
    let picture = RgbImage::from_fn(800, 400, |x, y| Rgb([shade(x, y), shade(y, x), shade(x + y, x)]));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Jpeg).expect("it can be written");
    bytes.into_inner()
}

async fn shop(backend: Backend) -> (TestShop, TestBucket) {
    let bucket = TestBucket::new().await;
    let shop = TestShop::builder(backend).config(&bucket.media_settings("own/shop")).open().await;
    (shop, bucket)
}

both_databases!(a_picture_of_a_bucket_comes_whole_in_part_or_not_again);
async fn a_picture_of_a_bucket_comes_whole_in_part_or_not_again(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    let content = picture();
    bucket.put("own/shop/lamps/a b.jpg", &content);
    bucket.put("own/shop/.scaled/x.jpg", &content);
    bucket.put("elsewhere.jpg", &content);
    let client = shop.client();
    let path = "/media/lamps/a%20b.jpg";
    let whole = get(&client, path).await.expect_status(200);
    assert_eq!(whole.body, content);
    assert_eq!(whole.header("content-type"), Some("image/jpeg"));
    assert_eq!(whole.header("cache-control"), Some("public, max-age=3600"));
    assert!(whole.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")));
    let tag = whole.header("etag").expect("a tag").to_owned();
    get(&client.with_header("if-none-match", &tag), path).await.expect_status(304);
    let part = get(&client.with_header("range", "bytes=10-19"), path).await.expect_status(206);
    assert_eq!(part.body, content[10..20]);
    get(&client.with_header("range", "bytes=99999999-"), path).await.expect_status(416);
    let head = client.send(client.site_request(Method::HEAD, path, "")).await.expect_status(200);
    assert_eq!(head.header("content-length"), Some(content.len().to_string().as_str()));
    for hidden in [
        "/media/.scaled/x.jpg",
        "/media/../../elsewhere.jpg",
        "/media/%2e%2e/%2e%2e/elsewhere.jpg",
        "/media/",
        "/media/none.jpg",
    ] {
        get(&client, hidden).await.expect_status(404);
    }
    client.send(client.site_request(Method::DELETE, path, "")).await.expect_status(405);
    assert_eq!(bucket.suspicious(), [""; 0]);
}

both_databases!(a_scaled_copy_is_made_once_for_all_instances);
async fn a_scaled_copy_is_made_once_for_all_instances(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    bucket.put("own/shop/lamp.jpg", &picture());
    let copy = get(&shop.client(), "/media/lamp.jpg?w=320").await.expect_status(200);
    let size = image::load_from_memory(&copy.body).expect("a picture");
    assert_eq!((size.width(), size.height()), (320, 160));
    let kept = bucket.keys().into_iter().filter(|key| key.starts_with("own/shop/.scaled/")).collect::<Vec<_>>();
    assert_eq!(kept.len(), 1);
    let other = TestShop::builder(backend).config(&bucket.media_settings("own/shop"));
    let other = other.on(shop.database()).seed(2).open().await;
    assert_eq!(get(&other.client(), "/media/lamp.jpg?w=320").await.expect_status(200).body, copy.body);
    assert_eq!(bucket.keys().len(), 2);
    // Another picture under the same name has copies of its own; one that is gone is made again.
    bucket.put("own/shop/lamp.jpg", &[picture(), b"more".to_vec()].concat());
    get(&shop.client(), "/media/lamp.jpg?w=320").await.expect_status(200);
    assert_eq!(bucket.keys().len(), 3);
    let original = bucket.take_all().remove("own/shop/lamp.jpg").expect("it is there");
    bucket.put("own/shop/lamp.jpg", &original);
    let again = get(&shop.client(), "/media/lamp.jpg?w=320").await.expect_status(200);
    assert!(again.body.len() >= copy.body.len());
    // As it is no wider, it is sent as it is.
    assert_eq!(get(&shop.client(), "/media/lamp.jpg?w=960").await.expect_status(200).body, original);
}

both_databases!(a_bucket_that_fails_is_said_to_be_away_and_stops_no_sale);
async fn a_bucket_that_fails_is_said_to_be_away_and_stops_no_sale(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    bucket.put("own/shop/lamp.jpg", &picture());
    shop.stock(&[product("lamp", &json!({"images": ["lamp.jpg", "missing.jpg"]}))]).await;
    let findings = async || {
        let mut found = Vec::new();
        for examination in shop.registry.examinations.iter() {
            found.extend(examination.run(&shop.parts).await.expect("the database can be read"));
        }
        found.into_iter().find(|finding| finding.check == "catalog.images").expect("it is told")
    };
    let told = findings().await;
    assert!(told.message.contains("missing.jpg of lamp") && !told.message.contains(" lamp.jpg"), "{told:?}");
    bucket.behave(BucketMood::Failing);
    let away = get(&shop.client(), "/media/lamp.jpg?w=320").await.expect_error(503, "server_error");
    assert!(away.header("retry-after").is_some());
    assert!(!away.text().contains("127.0.0.1") && !away.text().contains("bucket"), "{}", away.text());
    let told = findings().await;
    assert!(told.state == State::Warning && told.message.contains("cannot be looked through"), "{told:?}");
    shop.client().get("/products/lamp").await.expect_status(200);
}

both_databases!(photos_are_kept_in_the_bucket_beside_others_of_their_name);
async fn photos_are_kept_in_the_bucket_beside_others_of_their_name(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    bucket.put("own/shop/products/lamp/a.jpg", b"another");
    let media = MediaStore::of(&shop.parts.config.media);
    let photo = Photo::read("a.jpg", &picture()).expect("a picture");
    for _ in 0..2 {
        assert_eq!(photo.keep("lamp", &media).await.expect("it is kept"), "products/lamp/a-2.jpg");
    }
    get(&shop.client(), "/media/products/lamp/a-2.jpg").await.expect_status(200);
    bucket.behave(BucketMood::ReadOnly);
    photo.keep("chair", &media).await.expect_err("nothing can be written");
}
