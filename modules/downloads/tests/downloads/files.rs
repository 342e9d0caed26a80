//! The file itself: whole, in parts, and its headers.

use axum::body::Body;
use http::Method;
use http_body_util::BodyExt;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use tower_service::Service;

use crate::kit::{self, attach, buy, bytes, command, customer, newest, path, range, sha256, shop};

both_databases!(a_bought_file_comes_as_an_attachment_that_no_browser_runs);
async fn a_bought_file_comes_as_an_attachment_that_no_browser_runs(backend: Backend) {
    let shop = shop(backend).await;
    let content = bytes(700_000);
    attach(&shop, "songs", "Grüße \"live\".html", &content, &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let listed = newest(&ada).await;
    let answer = ada.get(&path(&listed)).await.expect_status(200);
    assert_eq!((answer.body.len(), sha256(&answer.body)), (content.len(), sha256(&content)));
    assert_eq!(answer.header("content-length"), Some("700000"));
    assert_eq!(answer.header("content-type"), Some("application/octet-stream"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("content-security-policy"), Some("default-src 'none'; sandbox"));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.header("accept-ranges"), Some("bytes"));
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename=\"Gr__e _live_.html\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22live%22.html")
    );
    assert_eq!(answer.header("etag"), Some(format!("\"{}\"", sha256(&content)).as_str()));
    assert_eq!(listed["sha256"], sha256(&content));
    assert_eq!(listed["size"], 700_000);
    assert_eq!((&listed["label"], &listed["filename"]), (&json!("The songs"), &json!("Grüße \"live\".html")));
}

both_databases!(two_ranges_come_to_the_same_file_and_count_once);
async fn two_ranges_come_to_the_same_file_and_count_once(backend: Backend) {
    let shop = shop(backend).await;
    let content = bytes(1_000_003);
    attach(&shop, "songs", "songs.zip", &content, &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let first = range(&ada, &file, "bytes=0-600000").await.expect_status(206);
    assert_eq!(first.header("content-range"), Some("bytes 0-600000/1000003"));
    assert_eq!(first.header("content-length"), Some("600001"));
    let second = range(&ada, &file, "bytes=600001-").await.expect_status(206);
    assert_eq!(second.header("content-range"), Some("bytes 600001-1000002/1000003"));
    assert_eq!(sha256(&[first.body, second.body].concat()), sha256(&content));
    assert_eq!(newest(&ada).await["download_count"], 1);
    range(&ada, &file, "bytes=-3").await.expect_error(409, "invalid_state");
}

both_databases!(ranges_that_cannot_be_had_or_understood_are_answered_as_the_standard_says);
async fn ranges_that_cannot_be_had_or_understood_are_answered_as_the_standard_says(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.txt", b"0123456789", &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let listed = newest(&ada).await;
    let file = path(&listed);
    for behind in ["bytes=10-", "bytes=10-20", "bytes=-0"] {
        let refused = range(&ada, &file, behind).await.expect_error(416, "validation_error");
        assert_eq!(refused.header("content-range"), Some("bytes */10"), "{behind}");
    }
    assert_eq!(newest(&ada).await["download_count"], 0, "nothing was sent");
    for whole in ["bytes=5-4", "bytes=0-1,4-5", "lines=1-2", "bytes=x-"] {
        assert_eq!(range(&ada, &file, whole).await.expect_status(200).text(), "0123456789", "{whole}");
    }
    let etag = format!("\"{}\"", listed["sha256"].as_str().expect("text"));
    let same = range(&ada.with_header("if-range", &etag), &file, "bytes=5-").await.expect_status(206);
    assert_eq!(same.text(), "56789");
    let other = range(&ada.with_header("if-range", "\"other\""), &file, "bytes=5-").await.expect_status(200);
    assert_eq!(other.text(), "0123456789", "a part of another content is not put to it");
    ada.with_header("if-none-match", &etag).get(&file).await.expect_status(304);
}

both_databases!(head_costs_nothing_and_says_what_get_would);
async fn head_costs_nothing_and_says_what_get_would(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(5000), &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    for _ in 0..3 {
        let head = ada.head(&file).await.expect_status(200);
        assert_eq!((head.header("content-length"), head.body.len()), (Some("5000"), 0));
        assert_eq!(head.header("content-type"), Some("application/zip"));
    }
    ada.with_header("range", "bytes=9999-").head(&file).await.expect_status(200);
    assert_eq!(newest(&ada).await["download_count"], 0);
    ada.get(&file).await.expect_status(200);
    ada.head(&file).await.expect_status(409);
}

both_databases!(a_missing_object_is_told_without_details_and_not_counted);
async fn a_missing_object_is_told_without_details_and_not_counted(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(400_000), &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let object = only_object(&shop);
    let content = std::fs::read(&object).expect("it can be read");

    std::fs::remove_file(&object).expect("it can be removed");
    let told = ada.get(&file).await.expect_error(503, "server_error");
    assert!(!told.text().contains("object") && !told.text().contains("data"), "{}", told.text());
    std::fs::write(&object, &content[..1000]).expect("it can be written");
    ada.get(&file).await.expect_error(503, "server_error");
    assert_eq!(newest(&ada).await["download_count"], 0);

    let refused = shop.command(&["downloads", "check"]).await;
    assert!(refused.code == 1 && refused.output.contains("has 1000 bytes, not 400000"), "{refused:?}");
    let mut changed = content.clone();
    changed[7] ^= 1;
    std::fs::write(&object, &changed).expect("it can be written");
    let refused = shop.command(&["downloads", "check", "--json"]).await;
    assert!(refused.code == 1 && refused.json()["damaged"] == 1, "{refused:?}");
    std::fs::write(&object, &content).expect("it can be written");
    assert_eq!(command(&shop, &["check"]).await["damaged"], 0);
    ada.get(&file).await.expect_status(200);
}

/// The path of the one stored object.
fn only_object(shop: &TestShop) -> std::path::PathBuf {
    let folders = std::fs::read_dir(shop.folder().join("data/downloads")).expect("the folder is there");
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.expect("a folder").path()).expect("it can be read"));
    let mut files = files.map(|file| file.expect("a file").path()).collect::<Vec<_>>();
    assert_eq!(files.len(), 1);
    files.remove(0)
}

both_databases!(what_is_stored_belongs_to_the_owner_alone);
async fn what_is_stored_belongs_to_the_owner_alone(backend: Backend) {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(1000), &[]).await;
    let rights = |path: &std::path::Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let object = only_object(&shop);
    assert_eq!((rights(&shop.folder().join("data/downloads")), rights(&object)), (0o700, 0o600));
    let name = object.file_name().and_then(|name| name.to_str()).expect("text");
    assert!(name.len() == 64 && !name.contains("songs"), "nothing of its name is in its path: {name}");
}

both_databases!(files_share_the_limit_of_checkouts);
async fn files_share_the_limit_of_checkouts(backend: Backend) {
    let shop = TestShop::builder(backend).module::<stoa_downloads::Downloads>().open().await;
    shop.stock(&[kit::digital("songs", &json!({}))]).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    for _ in 0..9 {
        ada.get(&file).await.expect_status(200);
    }
    ada.get(&file).await.expect_error(429, "rate_limited");
    ada.post("/checkout", &json!({"billing": kit::billing()})).await.expect_error(429, "rate_limited");
    ada.get("/downloads").await.expect_status(200);
}

both_databases!(a_file_that_is_cut_on_its_way_cuts_the_answer);
async fn a_file_that_is_cut_on_its_way_cuts_the_answer(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(4_000_000), &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let request = ada.request(Method::GET, &path(&newest(&ada).await), Body::empty());
    let Ok(response) = shop.front.clone().call(request).await;
    assert_eq!(response.status(), 200);
    let mut body = response.into_body();
    let mut sent = body.frame().await.expect("it begins").expect("it can be read").into_data().expect("bytes").len();
    let object = std::fs::File::options().write(true).open(only_object(&shop)).expect("it is there");
    object.set_len(300_000).expect("it can be cut");
    let told = loop {
        match body.frame().await.expect("the end is an error") {
            Ok(piece) => sent += piece.into_data().expect("bytes").len(),
            Err(error) => break error.to_string(),
        }
    };
    assert!(sent < 4_000_000 && !told.contains("object") && !told.contains("data"), "{sent}: {told}");
    assert_eq!(newest(&ada).await["download_count"], 1, "some of it was sent");
}
