//! What the receiver takes over, and what it refuses.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde::Deserialize;
use stoa_core::clock::Clock;
use stoa_core::secret::Secret;
use stoa_core::webhooks::{sign, verify};
use stoa_webhook_receiver::{Inbox, Receiver, router};
use tempfile::TempDir;
use tower::ServiceExt;

const SECRET: &str = "whsec_test";
const BODY: &str = r#"{"id":"1","type":"order.paid","data":{"order_id":7}}"#;

fn receiver(folder: &TempDir) -> axum::Router {
    let inbox = Inbox::open(&folder.path().join("inbox.jsonl")).expect("the folder is ours");
    router(Receiver { secret: Secret::new(SECRET), clock: Clock::system(), inbox })
}

fn stored(folder: &TempDir) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path().join("inbox.jsonl")).expect("it can be read");
    text.lines().map(str::to_owned).collect()
}

async fn deliver(app: &axum::Router, delivery: &str, secret: &str, seconds_ago: i64, body: &str) -> StatusCode {
    let timestamp = (Clock::system().now().timestamp() - seconds_ago).to_string();
    let request = Request::post("/hook")
        .header("X-Service-Event", "order.paid")
        .header("X-Service-Delivery", delivery)
        .header("X-Service-Timestamp", &timestamp)
        .header("X-Service-Signature", sign(secret, &timestamp, body.as_bytes()))
        .body(Body::from(body.to_owned()))
        .expect("a request");
    app.clone().oneshot(request).await.expect("it answers").status()
}

#[tokio::test]
async fn a_delivery_is_stored_once_however_often_it_comes() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let app = receiver(&folder);
    for _ in 0..3 {
        assert_eq!(deliver(&app, "one", SECRET, 0, BODY).await, StatusCode::OK);
    }
    assert_eq!(deliver(&app, "two", SECRET, 0, BODY).await, StatusCode::OK);
    assert_eq!(stored(&folder).len(), 2);
    // The same after it was started again.
    assert_eq!(deliver(&receiver(&folder), "one", SECRET, 0, BODY).await, StatusCode::OK);
    assert_eq!(stored(&folder).len(), 2);
}

#[tokio::test]
async fn what_is_not_verified_is_not_stored() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let app = receiver(&folder);
    assert_eq!(deliver(&app, "one", "whsec_other", 0, BODY).await, StatusCode::UNAUTHORIZED);
    assert_eq!(deliver(&app, "one", SECRET, 310, BODY).await, StatusCode::UNAUTHORIZED);
    assert_eq!(deliver(&app, "one", SECRET, -310, BODY).await, StatusCode::UNAUTHORIZED);
    assert_eq!(deliver(&app, "", SECRET, 0, BODY).await, StatusCode::BAD_REQUEST);
    assert_eq!(deliver(&app, "one", SECRET, 0, "no JSON").await, StatusCode::BAD_REQUEST);
    let unsigned = Request::post("/hook").body(Body::from(BODY)).expect("a request");
    assert_eq!(app.oneshot(unsigned).await.expect("it answers").status(), StatusCode::UNAUTHORIZED);
    assert_eq!(stored(&folder).len(), 0);
}

#[tokio::test]
async fn a_line_that_a_crash_has_cut_is_no_delivery() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    assert_eq!(deliver(&receiver(&folder), "one", SECRET, 0, BODY).await, StatusCode::OK);
    let file = folder.path().join("inbox.jsonl");
    let whole = std::fs::read_to_string(&file).expect("it can be read");
    std::fs::write(&file, format!("{whole}{{\"delivery\":\"tw")).expect("it can be written to");
    assert_eq!(deliver(&receiver(&folder), "two", SECRET, 0, BODY).await, StatusCode::OK);
    assert_eq!(stored(&folder).iter().filter(|line| line.ends_with('}')).count(), 2);
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    secret: String,
    timestamp: String,
    signature: String,
    body: String,
    now: i64,
    valid: bool,
}

#[test]
fn the_vectors_are_judged_as_they_say() {
    let vectors: Vec<Vector> = serde_json::from_str(include_str!("../vectors.json")).expect("JSON");
    assert!(vectors.len() >= 20);
    for vector in vectors {
        let body = vector.body.as_bytes();
        let verdict = verify(&vector.secret, &vector.timestamp, &vector.signature, body, vector.now);
        assert_eq!(verdict.is_ok(), vector.valid, "{}: {verdict:?}", vector.name);
    }
}
