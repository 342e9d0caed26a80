//! What customers see of the module.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::customers::{CustomerRecord, anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, both_databases};
use stoa_gift_wrap::GiftWrap;

use crate::shelf::{CREATE, READ, builder, customer, import, product, shop, stocked, wish, wrappable};

both_databases!(a_saved_wish_can_be_read);
async fn a_saved_wish_can_be_read(backend: Backend) {
    let shop = shop(backend).await;
    let ada = customer(&shop).await;
    let saved = ada.post("/gift-wraps", &wish(1)).await.expect_status(201).json();
    assert_eq!(
        saved,
        json!({"id": 1, "product_id": 1, "paper": "stars", "message": "Happy birthday!", "surcharge_amount": 250,
               "currency": "EUR", "order_id": null, "card_printed_at": null, "created_at": "2026-01-15T12:00:00Z"})
    );
    assert_eq!(ada.get("/gift-wraps/1").await.expect_status(200).json()["data"], saved);
}

both_databases!(somebody_elses_wish_is_not_found);
async fn somebody_elses_wish_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    customer(&shop).await.post("/gift-wraps", &wish(1)).await.expect_status(201);
    let eve = customer(&shop).await;
    eve.get("/gift-wraps/1").await.expect_error(404, "not_found");
    assert_eq!(eve.get("/gift-wraps").await.expect_status(200).json()["meta"]["total"], 0);
}

both_databases!(the_list_is_paged_with_the_newest_first);
async fn the_list_is_paged_with_the_newest_first(backend: Backend) {
    let shop = builder(backend).open().await;
    let products = (1..=21).map(|number| wrappable(&format!("product-{number}"))).collect::<Vec<_>>();
    assert_eq!(import(&shop, &products).await, [""; 0]);
    let ada = customer(&shop).await;
    for product in 1..=21 {
        ada.post("/gift-wraps", &wish(product)).await.expect_status(201);
    }
    let first = ada.get("/gift-wraps").await.expect_status(200).json();
    assert_eq!((&first["data"][0]["id"], &first["meta"]["last_page"]), (&json!(21), &json!(2)));
    let second = ada.get("/gift-wraps?page=2").await.expect_status(200).json();
    assert_eq!(second["data"].as_array().map(Vec::len), Some(1));
}

both_databases!(each_prefix_needs_its_own_ability);
async fn each_prefix_needs_its_own_ability(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    shop.client().get("/gift-wraps").await.expect_error(401, "unauthenticated");
    let reader = shop.client().token(&ada, &[READ]).await;
    let refused = reader.post("/gift-wraps", &wish(1)).await.expect_error(403, "insufficient_scope");
    assert_eq!(refused.json()["errors"]["required_ability"], json!([CREATE]));
    let writer = shop.client().token(&ada, &[CREATE]).await;
    writer.get("/gift-wraps").await.expect_error(403, "insufficient_scope");
}

both_databases!(only_what_a_product_offers_can_be_wished_for);
async fn only_what_a_product_offers_can_be_wished_for(backend: Backend) {
    let shop = shop(backend).await;
    let ada = customer(&shop).await;
    for (body, field) in [
        (json!({"product_id": 1, "paper": "camouflage"}), "paper"),
        (json!({"product_id": 3, "paper": "stars"}), "product_id"),
        (json!({"product_id": 4711, "paper": "stars"}), "product_id"),
        (json!({"product_id": 1}), "paper"),
    ] {
        let refused = ada.post("/gift-wraps", &body).await.expect_error(422, "validation_error").json();
        assert!(refused["errors"][field].is_array(), "{body}: {refused}");
    }
}

both_databases!(a_message_must_fit_on_the_card);
async fn a_message_must_fit_on_the_card(backend: Backend) {
    let shop = builder(backend).config("[modules.gift_wrap]\nmax_message_length = 5").open().await;
    assert_eq!(import(&shop, &[wrappable("teapot")]).await, [""; 0]);
    let ada = customer(&shop).await;
    let body = |message: &str| json!({"product_id": 1, "paper": "stars", "message": message});
    let refused = ada.post("/gift-wraps", &body("Merci!")).await.expect_error(422, "validation_error").json();
    assert!(refused["errors"]["message"].is_array(), "{refused}");
    ada.post("/gift-wraps", &body("Grüße")).await.expect_status(201);
}

both_databases!(the_card_is_printed_after_the_commit);
async fn the_card_is_printed_after_the_commit(backend: Backend) {
    let shop = shop(backend).await;
    let ada = customer(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    shop.advance(TimeDelta::minutes(1));
    shop.run_jobs().await;
    let printed = ada.get("/gift-wraps/1").await.expect_status(200).json();
    assert_eq!(printed["data"]["card_printed_at"], "2026-01-15T12:01:00Z");
}

both_databases!(a_card_that_is_printed_again_is_told_of_once);
async fn a_card_that_is_printed_again_is_told_of_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = stocked(builder(backend).config(&smtp.config())).await;
    let ada = customer(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    shop.run_jobs().await;
    let mail = smtp.only();
    assert!(mail.text().contains("the card for your present says:"), "{}", mail.text());
    shop.command(&["gift-wrap", "reprint", "1"]).await.expect_success();
    shop.run_jobs().await;
    assert_eq!(smtp.collect().len(), 0);
}

both_databases!(a_wish_replaces_the_earlier_one_for_the_same_product);
async fn a_wish_replaces_the_earlier_one_for_the_same_product(backend: Backend) {
    let shop = shop(backend).await;
    let ada = customer(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    ada.post("/gift-wraps", &wish(2)).await.expect_status(201);
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    let kept = ada.get("/gift-wraps").await.expect_status(200).json();
    let ids = kept["data"].as_array().into_iter().flatten().map(|wish| &wish["id"]).collect::<Vec<_>>();
    assert_eq!(ids, [3, 2]);
}

both_databases!(a_wish_with_a_printed_card_is_final);
async fn a_wish_with_a_printed_card_is_final(backend: Backend) {
    let shop = shop(backend).await;
    let ada = customer(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    shop.run_jobs().await;
    let refused = ada.post("/gift-wraps", &wish(1)).await.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "card_printed");
    assert_eq!(refused["errors"]["product_id"], json!(["The card for this product is printed already."]));
    assert_eq!(ada.get("/gift-wraps").await.json()["meta"]["total"], 1);
}

both_databases!(old_wishes_are_forgotten);
async fn old_wishes_are_forgotten(backend: Backend) {
    let shop = shop(backend).await;
    let ada = customer(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    shop.advance(TimeDelta::days(89));
    ada.post("/gift-wraps", &wish(2)).await.expect_status(201);
    shop.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    ada.get("/gift-wraps/1").await.expect_error(404, "not_found");
    ada.get("/gift-wraps/2").await.expect_status(200);
}

both_databases!(wishes_go_with_their_customer_even_while_the_module_is_off);
async fn wishes_go_with_their_customer_even_while_the_module_is_off(backend: Backend) {
    let shop = shop(backend).await;
    let parts = &shop.parts;
    let (ada, bob, eve) = (shop.customer().await, shop.customer().await, shop.customer().await);
    for customer in [&ada, &bob, &eve] {
        let client = shop.client().token(customer, &[CREATE]).await;
        client.post("/gift-wraps", &wish(1)).await.expect_status(201);
    }
    anonymize_customer(&parts.db, ada.id).await.expect("it is done");
    assert_eq!(exported(&shop, &ada).await, json!([]));
    assert_eq!(exported(&shop, &bob).await[0]["message"], "Happy birthday!");

    let entry = ModuleEntry::of::<GiftWrap>("stoa-gift-wrap", "0.1.0");
    let off = TestShop::builder(backend).linked_module(entry).on(shop.database()).seed(2).open().await;
    anonymize_customer(&off.parts.db, bob.id).await.expect("it is done");
    assert_eq!(exported(&shop, &bob).await.as_array().map(Vec::len), Some(1), "it waits");
    shop.run_jobs().await;
    assert_eq!(exported(&shop, &bob).await, json!([]));
    assert_eq!(exported(&shop, &eve).await.as_array().map(Vec::len), Some(1));
}

/// What the module adds to the export of a customer.
async fn exported(shop: &TestShop, customer: &CustomerRecord) -> Value {
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer.id).await.expect("it can be read").expect("there is one");
    let parts = export_customer(&parts.db, &parts.events, &account).await;
    parts.expect("it is exported")["gift_wrap"].clone()
}

both_databases!(a_disabled_module_is_not_there);
async fn a_disabled_module_is_not_there(backend: Backend) {
    let entry = ModuleEntry::of::<GiftWrap>("stoa-gift-wrap", "0.1.0");
    let shop = TestShop::builder(backend).linked_module(entry).open().await;
    shop.client().get("/gift-wraps").await.expect_error(404, "not_found");
    let everything = shop.client().token(&shop.customer().await, &["*"]).await;
    everything.post("/gift-wraps", &wish(1)).await.expect_error(404, "not_found");
}

both_databases!(settings_of_a_product_are_checked_on_import);
async fn settings_of_a_product_are_checked_on_import(backend: Backend) {
    let shop = builder(backend).open().await;
    for (settings, expected) in [
        (json!({"papers": []}), "`papers`"),
        (json!({"papers": ["stars"], "surcharge_amount": -1}), "`surcharge_amount`"),
        (json!({"papers": ["stars"], "ribbon": "red"}), "`ribbon`"),
    ] {
        let problems = import(&shop, &[product("teapot", Some(settings))]).await;
        assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
    }
}

#[test]
fn impossible_settings_stop_the_start() {
    for (setting, key) in [("max_message_length = 0", "max_message_length"), ("keep_days = 0", "keep_days")] {
        let config = format!("[modules.gift_wrap]\n{setting}");
        let Err(problems) = builder(Backend::Sqlite).config(&config).freeze() else { panic!("{setting} is accepted") };
        assert!(problems.to_string().contains(&format!("`modules.gift_wrap.{key}`")), "{problems}");
    }
}
