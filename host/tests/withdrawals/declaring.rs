//! `GET|POST /withdrawals`.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::webhooks::{EndpointKind, NewEndpoint, add_endpoint};
use stoa_core::{db::Sql, sql};

use crate::shelf::{EU, builder, buyer, count, filled, id, item, pay, refused_fields, ship, shop, with_modules};

const TOLD: Sql = sql!("SELECT body FROM webhook_deliveries WHERE event = 'withdrawal.declared' ORDER BY id");

both_databases!(without_the_law_there_is_nothing_to_withdraw);
async fn without_the_law_there_is_nothing_to_withdraw(backend: Backend) {
    let shop = filled(builder(backend)).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    assert_eq!(order["withdrawal"], Value::Null);
    ada.try_to_withdraw(&json!({"order_id": order["id"]})).await.expect_error(404, "not_found");
    ada.client.get("/withdrawals").await.expect_error(404, "not_found");
    ada.client.get("/withdrawals/1").await.expect_error(404, "not_found");
    let asked = json!({"order_number": order["number"], "email": ada.email});
    shop.client().post("/withdrawal-requests", &asked).await.expect_error(404, "not_found");
}

both_databases!(a_customer_withdraws_from_all_of_an_order);
async fn a_customer_withdraws_from_all_of_an_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2), ("chair", 1)]).await;
    let rights = &order["withdrawal"];
    assert_eq!(
        (&rights["possible"], &rights["deadline"], &rights["within_period"]),
        (&json!(true), &Value::Null, &json!(true))
    );
    assert_eq!((&rights["lines"][0]["quantity"], &rights["lines"][1]["quantity"]), (&json!(2), &json!(1)));
    let withdrawal = ada.withdraw(&json!({"order_id": order["id"], "statement": "Too bright.\nSorry."})).await;
    let expected = json!({
        "id": withdrawal["id"], "number": format!("W-{:06}", id(&withdrawal)), "order_id": order["id"],
        "order_number": order["number"], "status": "declared",
        "lines": [{"item_id": item(&order, 0), "quantity": 2, "label": "Lamp"},
                  {"item_id": item(&order, 1), "quantity": 1, "label": "Chair"}],
        "excluded": [], "statement": "Too bright.\nSorry.", "declared_at": withdrawal["declared_at"], "deadline": null,
        "within_period": true, "refusal_reason": null,
    });
    assert_eq!(withdrawal, expected);
    let read = ada.client.get(&format!("/withdrawals/{}", withdrawal["id"])).await.expect_status(200).json();
    assert_eq!(read["data"], expected);
    let list = ada.client.get("/withdrawals").await.expect_status(200).json();
    assert_eq!((&list["data"], &list["meta"]["total"]), (&json!([expected]), &json!(1)));
    let after = ada.read(&order).await;
    assert_eq!(after["withdrawal"]["possible"], false);
    assert_eq!(after["withdrawal"]["lines"][0]["withdrawn_quantity"], 2);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(a_part_may_be_withdrawn_and_the_rest_later);
async fn a_part_may_be_withdrawn_and_the_rest_later(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 3)]).await;
    let line =
        |quantity: i64| json!({"order_id": order["id"], "lines": [{"item_id": item(&order, 0), "quantity": quantity}]});
    assert_eq!(ada.withdraw(&line(1)).await["lines"][0]["quantity"], 1);
    assert_eq!(refused_fields(ada.try_to_withdraw(&line(3)).await), ["lines.0.quantity"]);
    assert_eq!(ada.withdraw(&line(2)).await["lines"][0]["quantity"], 2);
    // Twice is once too often.
    assert_eq!(refused_fields(ada.try_to_withdraw(&line(1)).await), ["order_id"]);
    assert_eq!(refused_fields(ada.try_to_withdraw(&json!({"order_id": order["id"]})).await), ["order_id"]);
    assert_eq!(count(&shop).await, 2);
}

both_databases!(what_is_wrong_with_a_declaration_is_said_by_field);
async fn what_is_wrong_with_a_declaration_is_said_by_field(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let (order, other) = (ada.buy(&shop, &[("lamp", 2)]).await, bob.buy(&shop, &[("lamp", 1)]).await);
    let (own, foreign) = (item(&order, 0), item(&other, 0));
    let lines = |lines: Value| json!({"order_id": order["id"], "lines": lines});
    for (body, field) in [
        (json!({}), "order_id"),
        (json!({"order_id": null}), "order_id"),
        (json!({"order_id": "x"}), "order_id"),
        (json!({"order_id": 0}), "order_id"),
        (json!({"order_id": 999_999}), "order_id"),
        (json!({"order_id": other["id"]}), "order_id"),
        (lines(json!([])), "lines"),
        (lines(json!("all")), "lines"),
        (lines(json!([5])), "lines.0"),
        (lines(json!([{"quantity": 1}])), "lines.0.item_id"),
        (lines(json!([{"item_id": own}])), "lines.0.quantity"),
        (lines(json!([{"item_id": own, "quantity": 0}])), "lines.0.quantity"),
        (lines(json!([{"item_id": own, "quantity": -1}])), "lines.0.quantity"),
        (lines(json!([{"item_id": own, "quantity": 0.5}])), "lines.0.quantity"),
        (lines(json!([{"item_id": own, "quantity": 3}])), "lines.0.quantity"),
        (lines(json!([{"item_id": foreign, "quantity": 1}])), "lines.0.item_id"),
        (lines(json!([{"item_id": own, "quantity": 1}, {"item_id": own, "quantity": 1}])), "lines.1.item_id"),
        (json!({"order_id": order["id"], "statement": "x".repeat(2001)}), "statement"),
        (json!({"order_id": order["id"], "statement": 5}), "statement"),
    ] {
        assert_eq!(refused_fields(ada.try_to_withdraw(&body).await), [field], "{body}");
    }
    assert_eq!(count(&shop).await, 0);
    let withdrawal = ada.withdraw(&json!({"order_id": order["id"]})).await;
    bob.client.get(&format!("/withdrawals/{}", withdrawal["id"])).await.expect_error(404, "not_found");
    assert_eq!(bob.client.get("/withdrawals").await.expect_status(200).json()["meta"]["total"], 0);
}

both_databases!(the_period_of_goods_begins_when_the_last_are_sent);
async fn the_period_of_goods_begins_when_the_last_are_sent(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1), ("chair", 1)]).await;
    ship(&shop, &order, &[(item(&order, 0), 1)]).await;
    assert_eq!(ada.read(&order).await["withdrawal"]["deadline"], Value::Null);
    shop.advance(TimeDelta::days(20));
    ship(&shop, &order, &[(item(&order, 1), 1)]).await;
    let last_day = (shop.now().date_naive() + TimeDelta::days(14)).to_string();
    let deadline = json!(format!("{last_day}T23:59:59Z"));
    let rights = ada.read(&order).await["withdrawal"].clone();
    assert_eq!((&rights["deadline"], &rights["lines"][0]["deadline"]), (&deadline, &deadline));
    let end = deadline.as_str().expect("a time").parse::<chrono::DateTime<chrono::Utc>>().expect("a time");
    shop.advance(end - shop.now());
    let line =
        |index: usize| json!({"order_id": order["id"], "lines": [{"item_id": item(&order, index), "quantity": 1}]});
    let in_time = ada.withdraw(&line(0)).await;
    assert_eq!((&in_time["within_period"], &in_time["deadline"]), (&json!(true), &deadline));
    shop.advance(TimeDelta::seconds(1));
    let rights = ada.read(&order).await["withdrawal"].clone();
    assert_eq!((&rights["possible"], &rights["within_period"]), (&json!(true), &json!(false)));
    // Late ones are taken, and say so.
    let late = ada.withdraw(&line(1)).await;
    assert_eq!((&late["within_period"], &late["status"]), (&json!(false), &json!("declared")));
}

both_databases!(the_period_of_what_is_not_sent_begins_with_the_order);
async fn the_period_of_what_is_not_sent_begins_with_the_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.order_with(&shop, &[("advice", 1)], &[]).await;
    let deadline = format!("{}T23:59:59Z", shop.now().date_naive() + TimeDelta::days(14));
    assert_eq!(order["withdrawal"]["deadline"], json!(deadline));
    shop.advance(TimeDelta::days(3));
    pay(&shop, &order).await;
    assert_eq!(ada.read(&order).await["withdrawal"]["deadline"], json!(deadline));
    // With goods beside it that are not sent yet, not all of the period has begun; a declaration has the earliest end.
    let mixed = ada.buy(&shop, &[("advice", 1), ("lamp", 1)]).await;
    assert_eq!(mixed["withdrawal"]["deadline"], Value::Null);
    let withdrawal = ada.withdraw(&json!({"order_id": mixed["id"]})).await;
    let of_advice = format!("{}T23:59:59Z", shop.now().date_naive() + TimeDelta::days(14));
    assert_eq!(withdrawal["deadline"], json!(of_advice));
}

both_databases!(a_request_that_is_repeated_declares_once);
async fn a_request_that_is_repeated_declares_once(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    let body = json!({"order_id": order["id"], "idempotency_key": "once",
                      "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
    let first = ada.withdraw(&body).await;
    let again = ada.try_to_withdraw(&body).await.expect_status(200).json();
    assert_eq!(again["data"], first);
    let other = json!({"order_id": order["id"], "idempotency_key": "once"});
    let refused = ada.try_to_withdraw(&other).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "idempotency_key_reused");
    assert_eq!(count(&shop).await, 1);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(tokens_and_guests_withdraw_by_the_abilities_of_orders);
async fn tokens_and_guests_withdraw_by_the_abilities_of_orders(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let reads = shop.client().token(&customer, &["orders.read"]).await;
    let refused = reads.post("/withdrawals", &json!({"order_id": 1})).await.expect_error(403, "insufficient_scope");
    assert_eq!(refused.json()["errors"]["required_ability"], json!(["orders.create"]));
    reads.get("/withdrawals").await.expect_status(200);
    let writes = shop.client().token(&customer, &["orders.create"]).await;
    writes.get("/withdrawals").await.expect_error(403, "insufficient_scope");
    let wish = json!({"email": "guest@example.com", "name": "Ada Guest"});
    let token = shop.client().post("/auth/guest-tokens", &wish).await.expect_status(201).json();
    let client = shop.client().bearer(token["token"].as_str().expect("a token"));
    let guest = crate::shelf::Buyer { email: String::from("guest@example.com"), client };
    let order = guest.buy(&shop, &[("lamp", 1)]).await;
    let withdrawal = guest.withdraw(&json!({"order_id": order["id"]})).await;
    guest.client.get(&format!("/withdrawals/{}", withdrawal["id"])).await.expect_status(200);
}

async fn endpoint(shop: &TestShop) {
    let (parts, events) = (&shop.parts, vec![String::from("withdrawal.declared")]);
    let url = String::from("https://hooks.example.com/stoa");
    let new = NewEndpoint { url, kind: EndpointKind::Http, events, secret: None };
    add_endpoint(&parts.db, &parts.random, &parts.cipher, &parts.config, new).await.expect("it is added");
}

both_databases!(the_customer_gets_a_receipt_and_others_are_told);
async fn the_customer_gets_a_receipt_and_others_are_told(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(with_modules(smtp.shop(backend)).config(EU)).await;
    endpoint(&shop).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    smtp.collect();
    let body = json!({"order_id": order["id"], "statement": "Too bright.",
                      "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
    let withdrawal = ada.withdraw(&body).await;
    shop.run_jobs().await;
    let mail = smtp.only();
    let text = mail.text();
    let at = withdrawal["declared_at"].as_str().expect("a time").replace('T', " ");
    for word in [
        "1 × Lamp",
        "Too bright.",
        order["number"].as_str().expect("it"),
        withdrawal["number"].as_str().expect("it"),
        &at[..19],
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("period ended"), "{text}");
    let told = shop.parts.db.read(TOLD).scalars::<String>().await.expect("they are read");
    let told = serde_json::from_str::<Value>(&told[0]).expect("JSON");
    assert_eq!(
        (told["type"].as_str(), &told["data"]),
        (
            Some("withdrawal.declared"),
            &json!({
                "withdrawal_id": withdrawal["id"], "withdrawal_number": withdrawal["number"], "order_id": order["id"],
                "order_number": order["number"], "status": "declared", "within_period": true,
                "lines": [{"item_id": item(&order, 0), "quantity": 1}],
            })
        )
    );
    ship(&shop, &order, &[]).await;
    shop.advance(TimeDelta::days(16));
    ada.withdraw(&json!({"order_id": order["id"]})).await;
    shop.run_jobs().await;
    assert!(smtp.collect().iter().any(|mail| mail.text().contains("period ended on")));
}
