//! A shop whose pictures lie in a bucket, at the command line.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use stoa_core::db::Backend;
use stoa_core::testing::{BucketMood, TestBucket, both_databases};

use super::place::{ShopFolder, found};

fn picture() -> Vec<u8> {
    let mut content = Vec::new();
    DynamicImage::new_rgb8(6, 4)
        .write_to(&mut Cursor::new(&mut content), ImageFormat::Jpeg)
        .expect("it can be written");
    content
}

both_databases!(pictures_go_into_the_bucket_and_backups_say_that_they_lie_there);
async fn pictures_go_into_the_bucket_and_backups_say_that_they_lie_there(backend: Backend) {
    let bucket = TestBucket::new().await;
    let place = ShopFolder::migrated(backend).await;
    place.configure(&bucket.media_settings("own/shop"));
    place.write("front.jpg", picture());
    let create = ["product", "create", "lamp", "--name", "Lamp", "--price", "179.00", "--photo", "front.jpg"];
    place.run(create).await.succeeded();
    assert_eq!(bucket.keys(), ["own/shop/products/lamp/front.jpg"]);
    let told = place.run(["backup", "shop.tar.gz"]).await.succeeded().out;
    assert!(
        told.contains("0 media files") && told.contains("the pictures in s3://files/own/shop are not in it"),
        "{told}"
    );
    let told = place.run(["backup", "again.tar.gz", "--json"]).await.succeeded().json();
    assert_eq!(told["media_bucket"], "s3://files/own/shop");
    let told = place.run(["restore", "shop.tar.gz", "--force"]).await.succeeded().out;
    assert!(told.contains("its pictures lay in s3://files/own/shop"), "{told}");
    assert_eq!(bucket.keys(), ["own/shop/products/lamp/front.jpg"]);
    assert!(!place.path().join("data/media").exists());
}

both_databases!(doctor_talks_to_the_bucket);
async fn doctor_talks_to_the_bucket(backend: Backend) {
    let bucket = TestBucket::new().await;
    let place = ShopFolder::migrated(backend).await;
    place.configure(&bucket.media_settings("own/shop"));
    let media = async || {
        let findings = place.run(["doctor", "--json"]).await.data();
        findings.into_iter().find(|finding| finding["check"] == "files.media").expect("it was looked at")
    };
    let told = media().await;
    assert!(found(std::slice::from_ref(&told), "files.media", "ok"), "{told}");
    assert!(told["message"].as_str().is_some_and(|text| text.contains("read, written and deleted from")), "{told}");
    assert_eq!(bucket.keys(), [""; 0]);
    bucket.behave(BucketMood::ReadOnly);
    let told = media().await;
    assert!(found(std::slice::from_ref(&told), "files.media", "failure"), "{told}");
    assert!(told["message"].as_str().is_some_and(|text| text.contains("cannot be written")), "{told}");
    place.write("front.jpg", picture());
    let create = ["product", "create", "lamp", "--name", "Lamp", "--price", "1", "--photo", "front.jpg"];
    place.run(create).await.refused(1, &["cannot keep pictures in s3://files/own/shop"]);
}
