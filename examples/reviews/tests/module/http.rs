//! What the API says, and who is let do what.

use serde_json::json;
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::{Backend, Sql};
use stoa_core::module::ModuleEntry;
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};
use stoa_reviews::Reviews;

use crate::shelf::{builder, buyer, judge, moderator, open, read, review};

const AFTER: &str = "[modules.reviews]\nmoderation = 'after'";
const AUDITED: Sql = sql!("SELECT actor, subject FROM audit_log WHERE act = 'reviews.judge'");

both_databases!(a_review_is_public_when_somebody_has_published_it_and_waits_again_when_it_changes);
async fn a_review_is_public_when_somebody_has_published_it_and_waits_again_when_it_changes(backend: Backend) {
    let shop = open(builder(backend)).await;
    let (_, ada) = buyer(&shop).await;
    let written = ada.post("/own-reviews/lamp", &review(4, "It is warm.")).await.expect_status(200).json();
    assert_eq!((&written["data"]["status"], read(&shop).await), (&json!("waiting"), (vec![], json!(null))));
    let (mut browser, page) = moderator(&shop).await;
    assert!(page.contains("It is warm."), "{page}");
    let told = judge(&mut browser, "1", "1", "published").await;
    assert!(told.contains("The review is published."), "{told}");
    let (listed, stars) = read(&shop).await;
    assert_eq!((listed.len(), &listed[0]["text"]), (1, &json!("It is warm.")));
    assert_eq!(stars, json!({"average": 4.0, "count": 1}));
    let audited = shop.parts.db.read(AUDITED).all::<(String, String)>().await.expect("it is read");
    assert_eq!(audited, [(String::from("staff:owner@shop.example"), String::from("review:1"))]);

    ada.post("/own-reviews/lamp", &review(1, "It broke.")).await.expect_status(200);
    assert_eq!(read(&shop).await, (vec![], json!(null)));
    let told = judge(&mut browser, "1", "1", "published").await;
    assert!(told.contains("read it again"), "what nobody has read is not published: {told}");
    assert_eq!(read(&shop).await.0.len(), 0);
    assert_eq!(ada.get("/own-reviews").await.json()["meta"]["total"], 1, "there is one for each product");
}

both_databases!(only_those_who_have_paid_the_product_review_it);
async fn only_those_who_have_paid_the_product_review_it(backend: Backend) {
    let shop = open(builder(backend)).await;
    let (_, ada) = buyer(&shop).await;
    let refused = ada.post("/own-reviews/chair", &review(1, "x")).await.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "not_bought");
    assert_eq!(ada.get("/own-reviews/chair").await.json()["data"], json!({"may_write": false, "review": null}));
    assert_eq!(ada.get("/own-reviews/lamp").await.json()["data"], json!({"may_write": true, "review": null}));
    for (body, field) in [(json!({"stars": 6, "text": "x", "name": "A"}), "stars"), (review(5, " "), "text")] {
        let wrong = ada.post("/own-reviews/lamp", &body).await.expect_error(422, "validation_error").json();
        assert!(wrong["errors"][field].is_array(), "{wrong}");
    }
    ada.post("/own-reviews/none", &review(1, "x")).await.expect_error(404, "not_found");
    shop.client().get("/reviews/none").await.expect_error(404, "not_found");
    shop.client().get("/own-reviews").await.expect_error(401, "unauthenticated");
}

both_databases!(a_shop_that_reads_afterwards_publishes_at_once_until_somebody_refuses);
async fn a_shop_that_reads_afterwards_publishes_at_once_until_somebody_refuses(backend: Backend) {
    let shop = open(builder(backend).config(AFTER)).await;
    let ((_, ada), (_, bob)) = (buyer(&shop).await, buyer(&shop).await);
    ada.post("/own-reviews/lamp", &review(5, "Good.")).await.expect_status(200);
    bob.post("/own-reviews/lamp", &review(2, "Bad!")).await.expect_status(200);
    assert_eq!(read(&shop).await.1, json!({"average": 3.5, "count": 2}));
    let (mut browser, _) = moderator(&shop).await;
    judge(&mut browser, "2", "1", "refused").await;
    assert_eq!(read(&shop).await.1, json!({"average": 5.0, "count": 1}));
    let again = bob.post("/own-reviews/lamp", &review(2, "Bad!!")).await.expect_status(200).json();
    assert_eq!((&again["data"]["status"], read(&shop).await.0.len()), (&json!("waiting"), 1));
    ada.delete("/own-reviews/lamp").await.expect_status(200);
    ada.delete("/own-reviews/lamp").await.expect_error(404, "not_found");
    assert_eq!(read(&shop).await, (vec![], json!(null)));
}

both_databases!(reviews_are_told_and_erased_with_their_author);
async fn reviews_are_told_and_erased_with_their_author(backend: Backend) {
    let shop = open(builder(backend).config(AFTER)).await;
    let (customer, ada) = buyer(&shop).await;
    ada.post("/own-reviews/lamp", &review(5, "Good.")).await.expect_status(200);
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer.id).await.expect("it is read").expect("there is one");
    let told = export_customer(&parts.db, &parts.events, &account).await.expect("it is exported");
    assert_eq!(told["reviews"][0]["text"], "Good.");
    assert_eq!(read(&shop).await.0.len(), 1);
    anonymize_customer(&parts.db, customer.id).await.expect("it is done");
    shop.run_jobs().await;
    assert_eq!(read(&shop).await, (vec![], json!(null)));
}

both_databases!(the_module_is_not_there_while_it_is_off);
async fn the_module_is_not_there_while_it_is_off(backend: Backend) {
    let shop = TestShop::builder(backend).linked_module(ModuleEntry::of::<Reviews>("test", "0.0.0")).open().await;
    shop.client().get("/reviews/lamp").await.expect_error(404, "not_found");
}
