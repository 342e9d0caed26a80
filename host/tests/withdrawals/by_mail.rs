//! `POST /withdrawal-requests`: by the number of an order and the address that it was placed with.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::withdrawals::{WithdrawalFilter, list_withdrawals};

use crate::shelf::{EU, buyer, count, filled, refused_fields, shop, with_modules};

both_databases!(an_order_and_its_address_withdraw_everything_and_the_receipt_goes_there);
async fn an_order_and_its_address_withdraw_everything_and_the_receipt_goes_there(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(with_modules(smtp.shop(backend)).config(EU)).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    smtp.collect();
    let asked = json!({"order_number": order["number"], "email": ada.email.to_uppercase(), "statement": "No."});
    let at = shop.now();
    let answer = shop.client().post("/withdrawal-requests", &asked).await.expect_status(200).json();
    assert_eq!(answer, json!({"ok": true}));
    shop.advance(TimeDelta::minutes(5));
    shop.run_jobs().await;
    let mail = smtp.only();
    assert!(mail.text().contains("2 × Lamp"), "{}", mail.text());
    let records = list_withdrawals(&shop.parts.db, &WithdrawalFilter::default()).await.expect("they are read");
    // The time is that of the declaration, whenever it was looked into.
    assert_eq!((records.len(), records[0].withdrawal.declared_at), (1, at));
    assert_eq!(records[0].withdrawal.statement.as_deref(), Some("No."));
    shop.client().post("/withdrawal-requests", &asked).await.expect_status(200);
    shop.run_jobs().await;
    assert_eq!((count(&shop).await, smtp.collect().len()), (1, 0));
}

both_databases!(the_answer_does_not_tell_whether_there_is_such_an_order);
async fn the_answer_does_not_tell_whether_there_is_such_an_order(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    let asked = |number: &Value, email: &str| json!({"order_number": number, "email": email});
    let mut answers = Vec::new();
    for wrong in [
        asked(&order["number"], &bob.email),
        asked(&order["number"], "nobody@example.com"),
        asked(&json!("O-999999"), &ada.email),
    ] {
        answers.push(shop.client().post("/withdrawal-requests", &wrong).await.expect_status(200).text());
    }
    shop.run_jobs().await;
    assert_eq!(count(&shop).await, 0);
    answers.push(
        shop.client()
            .post("/withdrawal-requests", &asked(&order["number"], &ada.email))
            .await
            .expect_status(200)
            .text(),
    );
    shop.run_jobs().await;
    assert_eq!(count(&shop).await, 1);
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
}

both_databases!(what_is_asked_by_mail_is_checked_and_counted);
async fn what_is_asked_by_mail_is_checked_and_counted(backend: Backend) {
    let shop = shop(backend).await;
    for (body, field) in [
        (json!({"email": "ada@example.com"}), "order_number"),
        (json!({"order_number": "hello", "email": "ada@example.com"}), "order_number"),
        (json!({"order_number": "O-1"}), "email"),
        (json!({"order_number": "O-1", "email": "ada"}), "email"),
        (json!({"order_number": "O-1", "email": "ada@example.com", "statement": "x".repeat(2001)}), "statement"),
    ] {
        assert_eq!(refused_fields(shop.client().post("/withdrawal-requests", &body).await), [field], "{body}");
    }
    let body = json!({"order_number": "O-1", "email": "ada@example.com"});
    let mut statuses = Vec::new();
    for client in 1..=8 {
        let client = shop.client().at_address(&format!("192.0.2.{client}"));
        statuses.push(client.post("/withdrawal-requests", &body).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429, 429], "for one e-mail address, from wherever");
}

both_databases!(a_declaration_that_comes_to_nothing_is_shown_to_the_operator);
async fn a_declaration_that_comes_to_nothing_is_shown_to_the_operator(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy_with(&shop, &[("song", 1)], &["digital_waiver"]).await;
    let asked = json!({"order_number": order["number"], "email": ada.email});
    shop.client().post("/withdrawal-requests", &asked).await.expect_status(200);
    shop.run_jobs().await;
    let found = stoa_core::orders::find_order(&shop.parts.db, &shop.parts.money, crate::shelf::id(&order)).await;
    let record = found.expect("it is read").expect("it is there");
    assert!(record.review_reason.is_some_and(|reason| reason.contains("withdrawn")));
    assert_eq!(count(&shop).await, 0);
}
