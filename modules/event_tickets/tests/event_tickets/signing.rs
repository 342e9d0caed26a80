//! Codes that doors can verify without the shop.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, Verifier, VerifyingKey};
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{builder, buyer, order_id, refund, seated, shop_with, text};

/// What a signed text says, verified with nothing but what `keys --json` prints.
fn verified(keys: &Value, signed: &str, kind: &str) -> Option<Value> {
    let (said, signature) = signed.rsplit_once('.')?;
    let json = URL_SAFE_NO_PAD.decode(said.strip_prefix(kind)?).ok()?;
    let content = serde_json::from_slice::<Value>(&json).ok()?;
    let key = keys["data"].as_array()?.iter().find(|key| key["key_id"] == content["key_id"])?;
    let key = URL_SAFE_NO_PAD.decode(key["public_key"].as_str()?).ok()?;
    let key = VerifyingKey::from_bytes(&key.try_into().ok()?).ok()?;
    let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
    key.verify(said.as_bytes(), &signature).ok().map(|()| content)
}

async fn keys(shop: &TestShop) -> Value {
    shop.command(&["event-tickets", "keys", "--json"]).await.json()
}

both_databases!(a_code_is_verified_with_the_published_key_alone);
async fn a_code_is_verified_with_the_published_key_alone(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({}))]).await;
    let before = keys(&shop).await;
    assert_eq!(before["data"].as_array().map(Vec::len), Some(1), "doors can be prepared before anything is sold");
    let ada = buyer(&shop).await;
    ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1", "holder": "Ada"})).await;
    let ticket = ada.tickets().await.remove(0);
    let qr = text(&ticket["qr"]);
    let said = verified(&before, &qr, "T1.").expect("it is genuine");
    let key_id = before["data"][0]["key_id"].clone();
    assert_eq!(
        said,
        json!({"key_id": key_id, "number": "ET-000001", "token": ticket["token"], "event": "symposium-1", "seat": "A1"})
    );
    for position in [3, 20, qr.len() / 2, qr.len() - 3] {
        let mut forged = qr.clone().into_bytes();
        forged[position] = if forged[position] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(forged).expect("it is ASCII");
        assert_eq!(verified(&before, &forged, "T1."), None, "{forged}");
    }
}

both_databases!(a_retired_key_signs_no_more_and_its_tickets_stay_genuine);
async fn a_retired_key_signs_no_more_and_its_tickets_stay_genuine(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.buy(&shop, "standing", 1).await;
    let rotated = shop.command(&["event-tickets", "keys", "rotate", "--json"]).await.json();
    let states = rotated["data"].as_array().expect("a list").iter().map(|key| key["active"].clone());
    assert_eq!(states.collect::<Vec<_>>(), [true, false]);
    bob.buy(&shop, "standing", 1).await;
    let (old, new) = (text(&ada.tickets().await[0]["qr"]), text(&bob.tickets().await[0]["qr"]));
    let (old_said, new_said) = (verified(&rotated, &old, "T1."), verified(&rotated, &new, "T1."));
    let (old_said, new_said) = (old_said.expect("it is genuine"), new_said.expect("it is genuine"));
    assert_eq!(
        (&old_said["key_id"], &new_said["key_id"]),
        (&rotated["data"][1]["key_id"], &rotated["data"][0]["key_id"])
    );
    for code in [old, new] {
        shop.command(&["event-tickets", "check-in", &code]).await.expect_success();
    }
    assert_eq!(keys(&shop).await, rotated, "the same keys are published from then on");
}

both_databases!(the_private_key_is_not_in_the_database_as_it_is);
async fn the_private_key_is_not_in_the_database_as_it_is(backend: Backend) {
    const PRIVATE: stoa_core::prelude::Sql = stoa_core::sql!("SELECT private_key FROM event_tickets_keys");
    let shop = shop_with(backend, 10).await;
    keys(&shop).await;
    let kept = shop.parts.db.read(PRIVATE).scalar::<Vec<u8>>().await.expect("there is a key");
    let public = text(&keys(&shop).await["data"][0]["public_key"]);
    for secret in kept.windows(32) {
        let key = ed25519_dalek::SigningKey::from_bytes(secret.try_into().expect("32 bytes"));
        assert_ne!(URL_SAFE_NO_PAD.encode(key.verifying_key().to_bytes()), public);
    }
}

both_databases!(void_tickets_stand_on_a_signed_list);
async fn void_tickets_stand_on_a_signed_list(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, "standing", 3).await;
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    let listed = shop.command(&["event-tickets", "revocations", "--json"]).await.json();
    let said = verified(&keys(&shop).await, listed["signed"].as_str().expect("a text"), "R1.").expect("it is genuine");
    assert_eq!(said["revoked"], json!(["ET-000003"]));
    assert_eq!(said["issued_at"], "2026-01-15T12:00:00Z");
    assert_eq!(listed["data"][0]["event"], "symposium-1");

    shop.command(&["event-tickets", "revocations", "revoked.txt", "--event", "symposium-1"]).await.expect_success();
    let file = std::fs::read_to_string(shop.folder().join("revoked.txt")).expect("it is written");
    let said = verified(&keys(&shop).await, file.trim(), "R1.").expect("it is genuine");
    assert_eq!((&said["revoked"], &said["event"]), (&json!(["ET-000003"]), &json!("symposium-1")));
    let printed = shop.command(&["event-tickets", "revocations"]).await.expect_success();
    assert!(verified(&keys(&shop).await, printed.trim(), "R1.").is_some(), "{printed}");
    assert!(order_id(&order) > 0);
}

both_databases!(the_code_of_a_ticket_is_shown_as_a_picture);
async fn the_code_of_a_ticket_is_shown_as_a_picture(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let ticket = ada.tickets().await.remove(0);
    let path = format!("/event-tickets/{}", text(&ticket["token"]));
    let drawn = ada.client.with_header("accept", "image/svg+xml").get(&path).await.expect_status(200);
    assert_eq!(drawn.header("content-type"), Some("image/svg+xml"));
    assert_eq!(drawn.header("vary").map(|vary| vary.contains("Accept")), Some(true));
    assert_eq!(scanned(&drawn.text()), text(&ticket["qr"]));
    for accept in ["*/*", "application/json, image/svg+xml;q=0.5", "text/html"] {
        let plain = ada.client.with_header("accept", accept).get(&path).await.expect_status(200);
        assert_eq!(plain.json()["data"]["qr"], ticket["qr"], "{accept}");
    }
}

/// What a scanner reads off the picture: the SVG is drawn square by square, as a browser would.
fn scanned(svg: &str) -> String {
    const SCALE: usize = 4;
    let size = between(svg, "viewBox=\"0 0 ", " ").parse::<usize>().expect("a size");
    let mut dark = vec![false; size * size];
    let path = between(svg, "fill=\"#000\" d=\"", "\"");
    for part in path.split('M').skip(1) {
        let (place, run) = part.split_once('h').expect("a run of squares");
        let (x, y) = place.split_once(' ').expect("a place");
        let length = run.split('v').next().and_then(|length| length.parse::<usize>().ok()).expect("a length");
        let start = y.parse::<usize>().expect("a row") * size + x.parse::<usize>().expect("a column");
        dark[start..start + length].fill(true);
    }
    let pixel = |x: usize, y: usize| dark[y / SCALE * size + x / SCALE];
    let mut image = rqrr::PreparedImage::prepare_from_bitmap(size * SCALE, size * SCALE, pixel);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "one code is seen");
    grids[0].decode().expect("it can be read").1
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let after = text.split_once(start).unwrap_or_else(|| panic!("{start} is in {text}")).1;
    after.split_once(end).expect("it ends").0
}
