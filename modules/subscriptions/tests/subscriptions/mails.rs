//! What customers are told about renewals: each once, whatever is repeated.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use stoa_core::customers::anonymize_customer;
use stoa_core::db::Backend;
use stoa_core::jobs::run_job;
use stoa_core::prelude::*;
use stoa_core::testing::smtp_fake::{Received, SmtpFake};
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases};

use crate::kit::{Buyer, assert_sound, at, billing, builder, id_of, import, pay, product, renew_at, renew_on, shop_at};

const INSTRUCTIONS: &str = "[payments.manual]\ninstructions = 'Transfer {amount} and name {order}.'\n";

/// Has everything looked at again, as after a crash.
const LOOK_AGAIN: Sql = sql!("UPDATE tasks SET due_at = $1 WHERE kind = 'subscriptions.renewal'");

const COUNT_KEYS: Sql = sql!("SELECT COUNT(*) FROM mail_keys WHERE mail_key LIKE 'subscriptions_%'");

fn sending(backend: Backend, smtp: &SmtpFake, config: &str) -> TestShopBuilder {
    builder(backend).config(&smtp.config()).config(INSTRUCTIONS).config(config)
}

/// A shop where Ada has subscribed by hand on 31 January, at noon, so that her month ends on 28 February.
async fn subscribed(backend: Backend, smtp: &SmtpFake, config: &str) -> (TestShop, Buyer) {
    let shop = shop_at(sending(backend, smtp, config), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    (shop, ada)
}

/// The same, paid at the till, which has saved her card.
async fn subscribed_at_till(backend: Backend, smtp: &SmtpFake, config: &str) -> (TestShop, Buyer) {
    let shop = shop_at(sending(backend, smtp, config), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    let order = id_of(&ada.place(1, "till").await);
    ada.pay_at_till(&shop, order).await;
    (shop, ada)
}

/// What has been told since the last look, besides what every order brings.
async fn told(shop: &TestShop, smtp: &SmtpFake) -> Vec<Received> {
    shop.run_jobs().await;
    shop.run_jobs().await;
    let mut received = smtp.collect();
    received.retain(|mail| !is_of_every_order(&subject(mail)));
    received
}

fn subject(mail: &Received) -> String {
    mail.header("Subject").expect("a subject")
}

fn is_of_every_order(subject: &str) -> bool {
    let order_is_cancelled = subject.contains("order O-") && subject.ends_with("is cancelled");
    subject.contains("your order") || subject.contains("payment received") || order_is_cancelled
}

fn subjects(mails: &[Received]) -> Vec<String> {
    mails.iter().map(|mail| subject(mail).replace("Stoa: ", "")).collect()
}

/// Goes through the time from one moment to another in steps of six hours, each worked on twice, and returns what was told when.
async fn walk(shop: &TestShop, smtp: &SmtpFake, from: &str, to: &str) -> Vec<(DateTime<Utc>, String)> {
    let mut found = Vec::new();
    let (mut time, end) = (at(from), at(to));
    while time <= end {
        renew_on(shop, time).await;
        renew_on(shop, time).await;
        look_again(shop).await;
        renew_on(shop, time).await;
        found.extend(subjects(&told(shop, smtp).await).into_iter().map(|subject| (time, subject)));
        time += TimeDelta::hours(6);
    }
    found
}

async fn look_again(shop: &TestShop) {
    let now = shop.parts.db.now();
    let look = shop.parts.db.write(async |tx| -> Result<u64, DbError> { tx.run(LOOK_AGAIN).bind(now).execute().await });
    look.await.expect("it is written");
}

fn expected(told: &[(&str, &str)]) -> Vec<(DateTime<Utc>, String)> {
    told.iter().map(|(time, subject)| (at(time), (*subject).to_owned())).collect()
}

const DUE: &str = "the renewal of The tea is to be paid";
const TRIAL_ENDS: &str = "your trial of The tea ends on 31 January 2026";
const FAILED: &str = "we could not charge you for The tea";
const SUSPENDED: &str = "The tea is suspended";
const ENDED: &str = "The tea has ended";

both_databases!(an_unpaid_renewal_is_reminded_of_on_its_days_and_told_when_it_is_suspended_and_ends);
async fn an_unpaid_renewal_is_reminded_of_on_its_days_and_told_when_it_is_suspended_and_ends(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, _ada) = subscribed(backend, &smtp, "").await;
    // The first of its days is that of the order, whose own mail tells the same.
    let mut found = walk(&shop, &smtp, "2026-02-21T12:00:00Z", "2026-02-28T12:00:00Z").await;
    found.extend(walk(&shop, &smtp, "2026-03-06T12:00:00Z", "2026-03-08T12:00:00Z").await);
    found.extend(walk(&shop, &smtp, "2026-03-29T12:00:00Z", "2026-03-31T12:00:00Z").await);
    let days = [
        ("2026-02-23T12:00:00Z", DUE),
        ("2026-02-25T12:00:00Z", DUE),
        ("2026-02-27T12:00:00Z", DUE),
        ("2026-03-07T12:00:00Z", SUSPENDED),
        ("2026-03-30T12:00:00Z", ENDED),
    ];
    assert_eq!(found, expected(&days));
    assert_sound(&shop).await;
}

both_databases!(a_reminder_says_what_is_to_be_paid_and_how);
async fn a_reminder_says_what_is_to_be_paid_and_how(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = subscribed(backend, &smtp, "").await;
    renew_on(&shop, at("2026-02-21T12:00:00Z")).await;
    told(&shop, &smtp).await;
    renew_on(&shop, at("2026-02-23T12:00:00Z")).await;
    let mails = told(&shop, &smtp).await;
    assert_eq!((mails.len(), mails[0].to.as_slice()), (1, [ada.customer.email].as_slice()));
    let text = "Hello Ada,\n\nyour subscription to The tea (S-000001) goes on from 28 February 2026, and its renewal is not \
                paid yet.\n\nOrder: O-000002\nAmount: €19.95\n\nHow to pay:\nTransfer €19.95 and name O-000002.\n\n\
                If you have paid in the meantime, there is nothing left to do.\n\nStoa";
    assert_eq!(mails[0].text().trim_end(), text);
    renew_on(&shop, at("2026-03-07T12:00:00Z")).await;
    let text = told(&shop, &smtp).await.pop().expect("it is suspended").text();
    for words in ["due since 28 February 2026", "ends on 30 March 2026", "Order: O-000002", "Transfer €19.95"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    renew_on(&shop, at("2026-03-30T12:00:00Z")).await;
    let text = told(&shop, &smtp).await.pop().expect("it has ended").text();
    assert!(text.contains("Order O-000002 for €19.95 is cancelled") && !text.contains("How to pay"), "{text}");
}

both_databases!(what_was_missed_while_the_shop_was_down_is_reminded_of_once);
async fn what_was_missed_while_the_shop_was_down_is_reminded_of_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = subscribed(backend, &smtp, "[modules.subscriptions]\nrenew_ahead_days = 14").await;
    renew_on(&shop, at("2026-02-14T12:00:00Z")).await;
    assert_eq!(told(&shop, &smtp).await.len(), 0);
    let found = walk(&shop, &smtp, "2026-02-26T18:00:00Z", "2026-02-28T06:00:00Z").await;
    assert_eq!(found, expected(&[("2026-02-26T18:00:00Z", DUE), ("2026-02-27T12:00:00Z", DUE)]));
    // Down when it was to be billed: the mail about the order says what the reminders would have said.
    pay(&shop, ada.orders().await.1).await;
    let found = walk(&shop, &smtp, "2026-03-29T12:00:00Z", "2026-03-31T06:00:00Z").await;
    assert_eq!(found, expected(&[("2026-03-30T12:00:00Z", DUE)]));
}

both_databases!(who_has_paid_or_wants_no_more_is_not_reminded);
async fn who_has_paid_or_wants_no_more_is_not_reminded(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = subscribed(backend, &smtp, "").await;
    let bob = Buyer::new(&shop).await;
    bob.buy(&shop, 1).await;
    renew_on(&shop, at("2026-02-21T12:00:00Z")).await;
    pay(&shop, ada.orders().await.1).await;
    shop.command(&["subscriptions", "cancel", "2"]).await.expect_success();
    assert_eq!(walk(&shop, &smtp, "2026-02-23T12:00:00Z", "2026-02-28T18:00:00Z").await, []);
    assert_eq!(walk(&shop, &smtp, "2026-03-07T12:00:00Z", "2026-03-07T18:00:00Z").await, []);
}

both_databases!(who_is_charged_is_not_reminded);
async fn who_is_charged_is_not_reminded(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = subscribed_at_till(backend, &smtp, "").await;
    assert_eq!(walk(&shop, &smtp, "2026-02-22T12:00:00Z", "2026-02-28T18:00:00Z").await, []);
    assert_eq!(ada.subscription(1).await["current_period_end"], "2026-03-31T12:00:00Z");
}

both_databases!(a_charge_that_failed_for_good_is_told_and_not_before);
async fn a_charge_that_failed_for_good_is_told_and_not_before(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let config = "[modules.subscriptions]\nretry_days = [1, 2]\n[modules.counter]\ndeclines = 100";
    let (shop, _ada) = subscribed_at_till(backend, &smtp, config).await;
    let mut found = walk(&shop, &smtp, "2026-02-27T12:00:00Z", "2026-03-03T12:00:00Z").await;
    found.extend(walk(&shop, &smtp, "2026-03-07T12:00:00Z", "2026-03-07T18:00:00Z").await);
    assert_eq!(found, expected(&[("2026-03-02T12:00:00Z", FAILED), ("2026-03-07T12:00:00Z", SUSPENDED)]));
}

both_databases!(a_customer_who_is_to_pay_after_an_early_charge_is_told_and_reminded);
async fn a_customer_who_is_to_pay_after_an_early_charge_is_told_and_reminded(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let config = "[modules.subscriptions]\nretry_days = []\ncharge_ahead_days = 4\n[modules.counter]\ndeclines = 1";
    let (shop, _ada) = subscribed_at_till(backend, &smtp, config).await;
    renew_on(&shop, at("2026-02-21T12:00:00Z")).await;
    renew_on(&shop, at("2026-02-24T12:00:00Z")).await;
    let mails = told(&shop, &smtp).await;
    assert_eq!(subjects(&mails), [FAILED]);
    assert!(mails[0].text().contains("Order: O-000002\nAmount: €19.95"), "{}", mails[0].text());
    let found = walk(&shop, &smtp, "2026-02-24T18:00:00Z", "2026-02-28T06:00:00Z").await;
    assert_eq!(found, expected(&[("2026-02-25T12:00:00Z", DUE), ("2026-02-27T12:00:00Z", DUE)]));
}

both_databases!(a_debit_is_told_to_have_failed_once_the_bank_has_said_so);
async fn a_debit_is_told_to_have_failed_once_the_bank_has_said_so(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let config = "[modules.subscriptions]\nretry_days = []\n[modules.counter]\ndebits = 1";
    let (shop, _ada) = subscribed_at_till(backend, &smtp, config).await;
    renew_on(&shop, at("2026-02-28T12:00:00Z")).await;
    // Not `told`, which would ask the bank.
    let run = async |job| run_job(&shop.parts, &shop.registry.jobs, job, shop.clock.clone()).await;
    run("mail.deliver").await.expect("the database works");
    assert!(!subjects(&smtp.collect()).iter().any(|subject| subject == FAILED));
    shop.advance(TimeDelta::days(2));
    run("payments.reconcile").await.expect("the database works");
    renew_on(&shop, at("2026-03-02T13:00:00Z")).await;
    assert_eq!(subjects(&told(&shop, &smtp).await), [FAILED]);
}

/// A shop with a trial of 14 days from 17 January on, whose first charge is in a month's order.
async fn with_trial(backend: Backend, smtp: &SmtpFake, config: &str) -> (TestShop, Buyer) {
    let shop = shop_at(sending(backend, smtp, config), "2026-01-17T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    (shop, ada)
}

async fn begin_trial(shop: &TestShop, ada: &Buyer, days: i64, payment_method: &str) {
    let plan = json!({"interval": "month", "trial_days": days});
    assert_eq!(import(shop, &[product("tea", 1995, plan, &[])]).await, [""; 0]);
    ada.place(1, payment_method).await;
    shop.run_jobs().await;
}

both_databases!(the_end_of_a_trial_is_told_with_what_is_to_be_paid);
async fn the_end_of_a_trial_is_told_with_what_is_to_be_paid(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = with_trial(backend, &smtp, "").await;
    begin_trial(&shop, &ada, 14, "manual").await;
    let found = walk(&shop, &smtp, "2026-01-18T12:00:00Z", "2026-01-28T06:00:00Z").await;
    assert_eq!(found, [], "it is told of before it is reminded of");
    renew_on(&shop, at("2026-01-28T12:00:00Z")).await;
    let mails = told(&shop, &smtp).await;
    assert_eq!(subjects(&mails), [TRIAL_ENDS]);
    let text = mails[0].text();
    for words in ["order O-000002 for €19.95 is paid, which is due on 31 January 2026", "Transfer €19.95"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains("we charge"), "{text}");
    let found = walk(&shop, &smtp, "2026-01-28T18:00:00Z", "2026-01-31T06:00:00Z").await;
    assert_eq!(found, expected(&[("2026-01-30T12:00:00Z", DUE)]));
}

both_databases!(the_end_of_a_trial_is_told_before_what_is_saved_is_charged);
async fn the_end_of_a_trial_is_told_before_what_is_saved_is_charged(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = with_trial(backend, &smtp, "[modules.subscriptions]\ncharge_ahead_days = 1").await;
    let first = id_of(&ada.place(1, "till").await);
    ada.pay_at_till(&shop, first).await;
    begin_trial(&shop, &ada, 14, "till").await;
    renew_on(&shop, at("2026-01-27T06:00:00Z")).await;
    assert_eq!(subjects(&told(&shop, &smtp).await), [""; 0]);
    renew_on(&shop, at("2026-01-27T12:00:00Z")).await;
    let mails = told(&shop, &smtp).await;
    assert_eq!(subjects(&mails), [TRIAL_ENDS]);
    let text = mails[0].text();
    assert!(
        text.contains("On 30 January 2026 we charge €19.95 for order O-000003") && !text.contains("is paid"),
        "{text}"
    );
    assert_eq!(walk(&shop, &smtp, "2026-01-29T18:00:00Z", "2026-01-31T18:00:00Z").await, []);
    assert_eq!(ada.subscription(2).await["current_period_end"], "2026-02-28T12:00:00Z");
}

both_databases!(a_short_trial_is_told_to_end_with_its_order);
async fn a_short_trial_is_told_to_end_with_its_order(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = with_trial(backend, &smtp, "").await;
    begin_trial(&shop, &ada, 4, "manual").await;
    let found = walk(&shop, &smtp, "2026-01-18T12:00:00Z", "2026-01-21T06:00:00Z").await;
    let ends = "your trial of The tea ends on 21 January 2026";
    assert_eq!(found, expected(&[("2026-01-19T12:00:00Z", ends), ("2026-01-20T12:00:00Z", DUE)]));
}

both_databases!(workers_at_the_same_time_remind_once);
async fn workers_at_the_same_time_remind_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, _ada) = subscribed(backend, &smtp, "").await;
    let other = sending(backend, &smtp, "").on(shop.database()).clock(&shop.clock).seed(2).open().await;
    renew_on(&shop, at("2026-02-21T12:00:00Z")).await;
    for time in ["2026-02-25T12:00:00Z", "2026-03-07T12:00:00Z"] {
        let time = at(time);
        shop.advance(time - shop.now());
        tokio::join!(renew_at(&shop, time), renew_at(&other, time), renew_at(&shop, time), other.run_jobs());
    }
    other.run_jobs().await;
    assert_eq!(subjects(&told(&shop, &smtp).await), [DUE, SUSPENDED]);
}

both_databases!(a_run_as_of_another_time_tells_today);
async fn a_run_as_of_another_time_tells_today(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, _ada) = subscribed(backend, &smtp, "").await;
    renew_at(&shop, at("2026-02-21T12:00:00Z")).await;
    renew_at(&shop, at("2026-02-27T12:00:00Z")).await;
    let mails = told(&shop, &smtp).await;
    assert_eq!(subjects(&mails), [DUE]);
    assert_eq!(mails[0].header("Date").as_deref(), Some("Sat, 31 Jan 2026 12:00:00 +0000"));
}

both_databases!(customers_are_told_in_the_language_of_their_order);
async fn customers_are_told_in_the_language_of_their_order(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = shop_at(sending(backend, &smtp, ""), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    for (language, words) in [("de", "noch nicht bezahlt"), ("nl", "nog niet betaald")] {
        let client = shop.client().token(&ada.customer, &["*"]).await.with_header("accept-language", language);
        client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
        let body = json!({"billing": billing(), "payment_method": "manual"});
        let order = client.post("/checkout", &body).await.expect_status(201).json()["data"].clone();
        pay(&shop, id_of(&order)).await;
        let now = shop.now();
        renew_on(&shop, now + TimeDelta::days(24)).await;
        shop.run_jobs().await;
        smtp.collect();
        renew_on(&shop, now + TimeDelta::days(27)).await;
        shop.run_jobs().await;
        let texts = smtp.collect().iter().map(Received::text).collect::<Vec<_>>();
        assert!(texts.iter().any(|text| text.contains(words)), "{texts:?}");
        pay(&shop, ada.orders().await.1).await;
    }
}

both_databases!(nobody_is_told_who_was_anonymized_and_nothing_without_a_mail_server);
async fn nobody_is_told_who_was_anonymized_and_nothing_without_a_mail_server(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let (shop, ada) = subscribed(backend, &smtp, "").await;
    renew_on(&shop, at("2026-02-21T12:00:00Z")).await;
    told(&shop, &smtp).await;
    let silent = builder(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    renew_on(&silent, at("2026-02-25T12:00:00Z")).await;
    assert_eq!(shop.parts.db.read(COUNT_KEYS).scalar::<i64>().await.expect("they can be counted"), 0);
    renew_on(&shop, at("2026-02-27T12:00:00Z")).await;
    assert_eq!(shop.parts.db.read(COUNT_KEYS).scalar::<i64>().await.expect("they can be counted"), 1);
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is done");
    assert_eq!(walk(&shop, &smtp, "2026-02-28T12:00:00Z", "2026-03-08T12:00:00Z").await, []);
}
