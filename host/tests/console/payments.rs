//! Payments in the console: what was paid, what providers have told, and asking them again.

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;

use crate::shelf::{audit, browser, order, paid_order, shop, submit, told};

const INSERT_CALLBACK: Sql = sql!(
    "INSERT INTO payment_callbacks (gateway, event_id, event_type, state, notification, reason, received_at)
     VALUES ($1, $2, 'payment.paid', $3, '{}', 'nobody knows it', $4)"
);

const INSERT_ATTEMPT: Sql = sql!(
    "INSERT INTO payment_attempts (payment_id, order_id, gateway, status, reference, amount, currency, return_url, cancel_url,
                                   created_at, updated_at)
     SELECT p.id, p.order_id, 'development', 'pending', $2, p.amount, p.currency, 'https://x.example', 'https://x.example', $3, $3
     FROM payments p WHERE p.order_id = $1"
);

both_databases!(payments_are_listed_and_shown_with_what_became_of_them);
async fn payments_are_listed_and_shown_with_what_became_of_them(backend: Backend) {
    let shop = shop(backend).await;
    order(&shop, 1).await;
    paid_order(&shop, 2).await;
    let mut accountant = browser(&shop, "accountant").await;
    for (query, count) in [
        ("", "1–2 of 2"),
        ("status=paid", "1–1 of 1"),
        ("order=O-000001", "1–1 of 1"),
        ("gateway=manual", "1–1 of 1"),
        ("gateway=stripe", "0 of 0"),
    ] {
        let page = accountant.get(&format!("/console/payments?{query}")).await.expect_status(200).text();
        assert!(page.contains(count), "{query}: {page}");
    }
    let page = accountant.get("/console/payments/O-000002").await.expect_status(200).text();
    assert!(
        page.contains("/console/orders/O-000002")
            && page.contains("Bank transfer")
            && !page.contains("Ask the provider"),
        "{page}"
    );
    accountant.get("/console/payments/O-000099").await.expect_status(404);
    let asked = submit(&mut accountant, "/console/payments/O-000001", "/console/payments/O-000001", &[]).await;
    let said = told(&mut accountant, asked).await;
    assert!(said.contains("No attempt is open."), "{said}");
}

both_databases!(a_provider_is_asked_about_an_open_attempt_and_it_is_written_down_who_did);
async fn a_provider_is_asked_about_an_open_attempt_and_it_is_written_down_who_did(backend: Backend) {
    let shop = shop(backend).await;
    let id = order(&shop, 1).await["id"].as_i64().expect("an id");
    let db = &shop.parts.db;
    let insert = async |tx: &mut Tx| -> Result<u64, DbError> {
        let now = tx.now();
        tx.run(INSERT_ATTEMPT).bind(id).bind(shop.parts.random.uuid()).bind(now).execute().await
    };
    db.write(insert).await.expect("it is begun");
    let mut accountant = browser(&shop, "accountant").await;
    let page = accountant.get("/console/payments/O-000001").await.expect_status(200).text();
    assert!(page.contains("Ask the provider") && page.contains("development"), "{page}");
    let refused = submit(&mut accountant, "/console/payments/O-000001", "/console/payments/O-000001", &[]).await;
    let told = refused.expect_status(502).text();
    assert!(told.contains("development did not say what became of it"), "{told}");
    let row = &audit(&shop).await[0];
    assert_eq!((row.act.as_str(), row.subject.as_str()), ("payments.ask", "order:1"));
}

both_databases!(callbacks_are_listed_and_looked_at_again);
async fn callbacks_are_listed_and_looked_at_again(backend: Backend) {
    let shop = shop(backend).await;
    let insert = async |tx: &mut Tx| -> Result<(), DbError> {
        let now = tx.now();
        for (gateway, state) in [("gone", "unmatched"), ("stripe", "processed")] {
            let event = format!("evt_{gateway}");
            tx.run(INSERT_CALLBACK).bind(gateway).bind(event).bind(state).bind(now).execute().await?;
        }
        Ok(())
    };
    shop.parts.db.write(insert).await.expect("they came");
    let mut accountant = browser(&shop, "accountant").await;
    for (query, count) in
        [("", "1–2 of 2"), ("state=unmatched", "1–1 of 1"), ("gateway=stripe", "1–1 of 1"), ("state=flagged", "0 of 0")]
    {
        let page = accountant.get(&format!("/console/payments/callbacks?{query}")).await.expect_status(200).text();
        assert!(page.contains(count), "{query}: {page}");
    }
    let page = accountant.get("/console/payments/callbacks/1").await.expect_status(200).text();
    assert!(page.contains("Look at it again") && page.contains("nobody knows it"), "{page}");
    let (page, done) = ("/console/payments/callbacks/1", "/console/payments/callbacks/2");
    let refused = submit(&mut accountant, page, page, &[]).await.expect_status(409).text();
    assert!(refused.contains("This program does not contain the gateway `gone`"), "{refused}");
    assert!(!accountant.get(done).await.expect_status(200).text().contains("Look at it again"));
    submit(&mut accountant, done, done, &[]).await.expect_status(409);
    let mut viewer = browser(&shop, "viewer").await;
    assert!(!viewer.get(page).await.expect_status(200).text().contains("Look at it again"));
}
