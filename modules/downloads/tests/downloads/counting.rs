//! What is counted: so many downloads are so many files, whatever parts are asked for, and what broke off goes on.

use axum::body::Body;
use chrono::TimeDelta;
use http::Method;
use http_body_util::BodyExt;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};
use tower_service::Service;

use crate::kit::{self, attach, buy, bytes, customer, newest, path, range, shop};

both_databases!(so_many_downloads_are_so_many_whole_files);
async fn so_many_downloads_are_so_many_whole_files(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "book", "book.pdf", &bytes(1000), &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "book", 1).await;
    let listed = newest(&ada).await;
    assert_eq!((&listed["download_limit"], &listed["download_count"]), (&json!(3), &json!(0)));
    assert_eq!(listed["expires_at"], "2026-02-14T12:00:00Z");
    let file = path(&listed);
    for (count, whole) in [(1, None), (2, Some("bytes=0-")), (3, Some("bytes=-1000"))] {
        let answer = match whole {
            None => ada.get(&file).await,
            Some(whole) => range(&ada, &file, whole).await,
        };
        assert_eq!(answer.body.len(), 1000);
        assert_eq!(newest(&ada).await["download_count"], count);
    }
    let refused = ada.get(&file).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "used_up");
    let listed = newest(&ada).await;
    assert_eq!((&listed["can_download"], &listed["unavailable_reason"]), (&json!(false), &json!("used_up")));
    for part in ["bytes=0-", "bytes=1-", "bytes=0-0", "bytes=-1", "bytes=500-600"] {
        range(&ada, &file, part).await.expect_error(409, "invalid_state");
    }
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(no_ranges_bring_more_than_there_are_downloads);
async fn no_ranges_bring_more_than_there_are_downloads(backend: Backend) {
    let shop = shop(backend).await;
    let content = bytes(1000);
    attach(&shop, "songs", "songs.zip", &content, &["--limit", "2"]).await;
    for parts in [
        &["bytes=1-", "bytes=0-0"][..],
        &["bytes=0-0", "bytes=1-"],
        &["bytes=1-"],
        &["bytes=0-998"],
        &["bytes=0-499", "bytes=500-"],
        &["bytes=500-", "bytes=0-499", "bytes=250-749"],
        &["bytes=0-0", "bytes=0-"],
        &["bytes=-700", "bytes=0-599"],
    ] {
        let (_, ada) = customer(&shop).await;
        buy(&shop, &ada, "songs", 1).await;
        let file = path(&newest(&ada).await);
        let mut sent = 0;
        for part in parts.repeat(12) {
            let answer = range(&ada, &file, part).await;
            match answer.status.as_u16() {
                409 => {}
                206 => sent += answer.body.len(),
                status => panic!("{part}: {status}"),
            }
        }
        assert!((1000..=2000).contains(&sent), "{parts:?} have brought {sent} bytes of two times 1000");
    }
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(what_is_left_of_one_version_pays_for_nothing_of_the_next);
async fn what_is_left_of_one_version_pays_for_nothing_of_the_next(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(1000), &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    range(&ada, &file, "bytes=0-499").await.expect_status(206);
    attach(&shop, "songs", "songs.zip", &bytes(2000), &["--limit", "1", "--keep-counts"]).await;
    let refused = range(&ada, &file, "bytes=1500-1999").await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "used_up");
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(an_interrupted_transfer_goes_on_for_a_day_without_counting);
async fn an_interrupted_transfer_goes_on_for_a_day_without_counting(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(1000), &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    range(&ada, &file, "bytes=0-99").await.expect_status(206);
    ada.get(&file).await.expect_error(409, "invalid_state");
    shop.advance(TimeDelta::hours(5));
    range(&ada, &file, "bytes=100-499").await.expect_status(206);
    range(&ada, &file, "bytes=100-").await.expect_error(409, "invalid_state");
    range(&ada, &file, "bytes=500-998").await.expect_status(206);
    shop.advance(TimeDelta::hours(20));
    range(&ada, &file, "bytes=999-").await.expect_error(409, "invalid_state");
    assert_eq!(newest(&ada).await["download_count"], 1);
}

/// Begins to fetch a file and breaks off after so many bytes at least; gives what has come.
async fn broken_off(shop: &TestShop, client: &TestClient, path: &str, bytes: usize) -> Vec<u8> {
    let request = client.request(Method::GET, path, Body::empty());
    let Ok(response) = shop.front.clone().call(request).await;
    assert!(response.status().is_success(), "{}", response.status());
    let (mut body, mut sent) = (response.into_body(), Vec::new());
    while sent.len() < bytes {
        let piece = body.frame().await.expect("there is more").expect("it can be read");
        sent.extend_from_slice(&piece.into_data().expect("bytes"));
    }
    sent
}

both_databases!(what_broke_off_goes_on_where_the_client_says_and_with_what_was_lost_on_the_way);
async fn what_broke_off_goes_on_where_the_client_says_and_with_what_was_lost_on_the_way(backend: Backend) {
    let shop = shop(backend).await;
    let content = bytes(4_000_000);
    attach(&shop, "songs", "songs.zip", &content, &["--limit", "1"]).await;
    let (record, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let sent = broken_off(&shop, &ada, &file, 1_000_000).await;
    ada.get(&file).await.expect_error(409, "invalid_state");
    // Another instance, as after a crash: nothing is known but what was written down.
    let folder = format!("[modules.downloads]\nfolder = '{}'", shop.folder().join("data/downloads").display());
    let other = kit::builder(backend).config(&folder).on(shop.database()).clock(&shop.clock).seed(5).open().await;
    let there = other.client().token(&record, &["*"]).await;
    let rest = range(&there, &file, "bytes=700000-").await.expect_status(206);
    assert_eq!([&sent[..700_000], &rest.body].concat(), content, "some of it had not arrived");
    range(&there, &file, "bytes=700000-").await.expect_error(409, "invalid_state");
    assert_eq!(newest(&ada).await["download_count"], 1);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(breaking_off_again_and_again_brings_no_further_file);
async fn breaking_off_again_and_again_brings_no_further_file(backend: Backend) {
    let shop = shop(backend).await;
    let content = bytes(4_000_000);
    attach(&shop, "songs", "songs.zip", &content, &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let mut sent = broken_off(&shop, &ada, &file, 3_700_000).await.len();
    for start in [1, 500_000, 1_000_000, 2_000_000, 3_000_000, 3_500_000, 3_800_000].repeat(4) {
        let answer = range(&ada, &file, &format!("bytes={start}-")).await;
        if answer.status == 206 {
            sent += answer.body.len();
        }
    }
    assert!(sent > content.len() && sent < 2 * content.len(), "{sent} bytes");
    assert_eq!(newest(&ada).await["download_count"], 1);
}

both_databases!(a_transfer_stops_where_another_one_goes_on_with_it);
async fn a_transfer_stops_where_another_one_goes_on_with_it(backend: Backend) {
    let shop = shop(backend).await;
    let content = bytes(4_000_000);
    attach(&shop, "songs", "songs.zip", &content, &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let request = ada.request(Method::GET, &file, Body::empty());
    let Ok(response) = shop.front.clone().call(request).await;
    let mut body = response.into_body();
    let mut first =
        body.frame().await.expect("it begins").expect("it can be read").into_data().expect("bytes").to_vec();
    // Clients that fetch parts at once begin with the whole and take the others out of it.
    let middle = range(&ada, &file, "bytes=1500000-2999999").await.expect_status(206);
    let last = range(&ada, &file, "bytes=3000000-").await.expect_status(206);
    let told = loop {
        match body.frame().await.expect("the end is an error") {
            Ok(piece) => first.extend_from_slice(&piece.into_data().expect("bytes")),
            Err(error) => break error.to_string(),
        }
    };
    assert!(!told.contains("transfer") && first.len() == 1_500_000, "{told}: {}", first.len());
    assert_eq!([first, middle.body.to_vec(), last.body.to_vec()].concat(), content);
    assert_eq!(newest(&ada).await["download_count"], 1);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(many_at_once_get_so_many_files_as_there_are_downloads);
async fn many_at_once_get_so_many_files_as_there_are_downloads(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(1000), &["--limit", "3"]).await;
    for part in [None, Some("bytes=0-"), Some("bytes=1-")] {
        let (_, ada) = customer(&shop).await;
        buy(&shop, &ada, "songs", 1).await;
        let file = path(&newest(&ada).await);
        let asking = part.map_or(ada.clone(), |part| ada.with_header("range", part));
        let answers = at_once(&asking, &file, 8).await;
        let refused = answers.iter().filter(|status| **status == 409).count();
        assert_eq!((answers.len() - refused, refused), (3, 5), "{part:?}: {answers:?}");
        assert_eq!(newest(&ada).await["download_count"], 3);
    }
    assert_eq!(shop.breaches().await, [""; 0]);
}

/// The statuses of many requests at the same time.
async fn at_once(client: &TestClient, path: &str, many: usize) -> Vec<u16> {
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..many {
        let (client, path) = (client.clone(), path.to_owned());
        tasks.spawn(async move { client.get(&path).await.status.as_u16() });
    }
    tasks.join_all().await
}
