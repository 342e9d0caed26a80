//! Digital goods without a waiver, which are held until their buyer can withdraw no more (`shop.digital_without_waiver = "later"`).

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, builder, buyer, filled, id, item, pay, with_modules};

const LATER: &str = "[shop]\nconsumer_rights = \"eu\"\ndigital_without_waiver = \"later\"\n";

async fn shop(backend: Backend) -> TestShop {
    let shop = filled(builder(backend).config(LATER)).await;
    std::fs::write(shop.folder().join("song.mp3"), b"la la la").expect("it is written");
    shop.command(&["downloads", "attach", "song", "song.mp3"]).await.expect_success();
    shop
}

/// How many files and values the customer has.
async fn delivered(buyer: &Buyer) -> (Value, Value) {
    let downloads = buyer.client.get("/downloads").await.expect_status(200).json();
    let secrets = buyer.client.get("/digital-secrets").await.expect_status(200).json();
    (downloads["meta"]["total"].clone(), secrets["meta"]["total"].clone())
}

/// Goes on to the end of the period of an order of now.
async fn end_period(shop: &TestShop) {
    shop.advance(TimeDelta::days(15));
    // What is held is let go, then those who deliver hear of it.
    shop.run_jobs().await;
    shop.run_jobs().await;
}

both_databases!(without_a_waiver_digital_goods_come_when_the_period_is_over);
async fn without_a_waiver_digital_goods_come_when_the_period_is_over(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("song", 1)]).await;
    let consents = ada.client.get("/checkout/requirements").await.expect_status(200).json()["data"]["consents"].clone();
    assert_eq!((&consents[0]["id"], &consents[0]["required"]), (&json!("digital_waiver"), &json!(false)));
    let order = ada.buy(&shop, &[("key", 2)]).await;
    let due = json!(format!("{}T00:00:00Z", shop.now().date_naive() + TimeDelta::days(15)));
    let line = &order["withdrawal"]["lines"][0];
    assert_eq!((&line["delivery_at"], &line["quantity"]), (&due, &json!(1)));
    assert_eq!(delivered(&ada).await, (json!(0), json!(0)));
    shop.advance(TimeDelta::days(14));
    shop.run_jobs().await;
    assert_eq!(delivered(&ada).await, (json!(0), json!(0)));
    shop.advance(TimeDelta::days(1));
    shop.run_jobs().await;
    shop.run_jobs().await;
    assert_eq!(delivered(&ada).await, (json!(1), json!(2)));
    let order = ada.read(&order).await;
    assert_eq!(order["withdrawal"]["lines"][0]["delivery_at"], Value::Null);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
    // With the waiver they come at once.
    let bob = buyer(&shop).await;
    bob.buy_with(&shop, &[("song", 1), ("key", 1)], &["digital_waiver"]).await;
    assert_eq!(delivered(&bob).await, (json!(1), json!(1)));
}

both_databases!(an_order_that_is_paid_after_the_period_is_delivered_then);
async fn an_order_that_is_paid_after_the_period_is_delivered_then(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.order_with(&shop, &[("song", 1)], &[]).await;
    end_period(&shop).await;
    assert_eq!(delivered(&ada).await.0, 0);
    if ada.read(&order).await["status"] == "pending" {
        pay(&shop, &order).await;
        assert_eq!(delivered(&ada).await.0, 1);
    }
}

both_databases!(what_is_withdrawn_is_never_delivered_unless_it_is_refused);
async fn what_is_withdrawn_is_never_delivered_unless_it_is_refused(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("song", 2), ("key", 2)]).await;
    let one_each = json!({"order_id": order["id"], "lines": [
        {"item_id": item(&order, 0), "quantity": 1}, {"item_id": item(&order, 1), "quantity": 1},
    ]});
    let withdrawal = ada.withdraw(&one_each).await;
    end_period(&shop).await;
    assert_eq!(delivered(&ada).await, (json!(1), json!(1)));
    let number = stoa_core::withdrawals::WithdrawalNumber::of(id(&withdrawal));
    stoa_core::withdrawals::refuse_withdrawal(&shop.parts.db, &shop.uses(), number, Some("No."))
        .await
        .expect("it is refused");
    shop.run_jobs().await;
    assert_eq!(delivered(&ada).await, (json!(2), json!(2)));
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(what_is_refunded_or_cancelled_while_it_is_held_is_never_delivered);
async fn what_is_refunded_or_cancelled_while_it_is_held_is_never_delivered(backend: Backend) {
    use stoa_core::orders::{CancelReason, cancel_order};
    use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order};
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let (refunded, cancelled) =
        (ada.buy(&shop, &[("song", 1), ("key", 1)]).await, ada.order_with(&shop, &[("song", 1)], &[]).await);
    let lines = vec![RefundLine::any(item(&refunded, 0), 1), RefundLine::any(item(&refunded, 1), 1)];
    let new = NewRefund {
        order_id: id(&refunded),
        scope: RefundScope::Lines { lines, shipping: false },
        reason: String::from("Not wanted"),
    };
    refund_order(&shop.uses(), &new).await.expect("it goes back");
    cancel_order(&shop.uses(), id(&cancelled), CancelReason::Operator).await.expect("it is cancelled");
    shop.run_jobs().await;
    end_period(&shop).await;
    assert_eq!(delivered(&ada).await, (json!(0), json!(0)));
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(mails_say_what_was_agreed_to_and_when_what_is_held_comes);
async fn mails_say_what_was_agreed_to_and_when_what_is_held_comes(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(with_modules(smtp.shop(backend)).config(LATER)).await;
    let ada = buyer(&shop).await;
    let mails = async |consents: &[&str]| {
        ada.buy_with(&shop, &[("key", 2)], consents).await;
        shop.run_jobs().await;
        let mails = smtp.collect();
        let about = |words: &str| {
            let found = mails.iter().find(|mail| mail.header("Subject").is_some_and(|subject| subject.contains(words)));
            found.expect("it is told").text()
        };
        (about("your order"), about("payment received"))
    };
    let (placed, paid) = mails(&[]).await;
    assert!(!placed.contains("agreed"), "{placed}");
    assert!(paid.contains("2 × Key\nIt is delivered on ") && !paid.contains("you have bought"), "{paid}");
    let (placed, paid) = mails(&["digital_waiver"]).await;
    assert!(placed.contains("You have agreed to:\n") && placed.contains("right of withdrawal"), "{placed}");
    assert!(paid.contains("you have bought") && !paid.contains("It is delivered on"), "{paid}");
}
