//! How much memory a large file takes on its way. Alone in its program, whose memory is measured.

#[expect(dead_code, reason = "this program uses a part of it")]
#[path = "downloads/kit.rs"]
mod kit;

use axum::body::Body;
use http::Method;
use http_body_util::BodyExt;
use kit::{attach, buy, bytes, customer, newest, path, sha256, shop};
use sha2::{Digest, Sha256};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, leave_out, run_test};
use tower_service::Service;

/// Bytes of the file.
const SIZE: usize = 64 * 1024 * 1024;

/// Most bytes that sending it may take.
const MOST: u64 = 16 * 1024 * 1024;

/// The most memory that this process ever had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is told");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

/// Lets the peak begin anew; whether the system allows it.
fn forget_peak() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Reads the file piece by piece, as the server does; gives its SHA-256 and the largest piece.
async fn stream(shop: &TestShop, client: &TestClient, path: &str) -> (String, usize) {
    let request = client.request(Method::GET, path, Body::empty());
    let Ok(response) = shop.front.clone().call(request).await;
    assert_eq!(response.status(), 200);
    let (mut body, mut hash, mut largest) = (response.into_body(), Sha256::new(), 0);
    while let Some(frame) = body.frame().await {
        let piece = frame.expect("it can be read").into_data().expect("there are no trailers");
        hash.update(&piece);
        largest = largest.max(piece.len());
    }
    (hex::encode(hash.finalize()), largest)
}

#[test]
fn a_large_file_is_sent_in_little_memory() {
    run_test(Backend::Sqlite, async |backend| {
        let shop = shop(backend).await;
        let content = bytes(SIZE);
        let expected = sha256(&content);
        attach(&shop, "songs", "songs.zip", &content, &[]).await;
        drop(content);
        let (_, ada) = customer(&shop).await;
        buy(&shop, &ada, "songs", 1).await;
        let file = path(&newest(&ada).await);
        if !forget_peak() {
            leave_out("tests of memory", "its peak cannot be measured here");
            return;
        }
        let before = peak();
        let (sha, largest) = stream(&shop, &ada, &file).await;
        let taken = peak().saturating_sub(before);
        assert_eq!(sha, expected);
        assert!(largest <= 256 * 1024, "{largest}");
        assert!(taken < MOST, "sending took {taken} bytes");

        // The control: keeping it whole is seen.
        let whole = ada.get(&file).await.expect_status(200);
        assert_eq!(whole.body.len(), SIZE);
        assert!(peak().saturating_sub(before) > MOST, "the measure sees nothing");
    });
}
