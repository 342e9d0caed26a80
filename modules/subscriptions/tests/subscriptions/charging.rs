//! Renewals that are charged without the customer.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::customers::anonymize_customer;
use stoa_core::db::Backend;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{Buyer, assert_sound, at, builder, heard, id_of, renew_at, renew_on, shop_at};

const SAVED: Sql = sql!("SELECT customer_id, gateway, method FROM saved_payment_methods ORDER BY id");
const WAITING: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'events'");
const ATTEMPTS: Sql = sql!("SELECT off_session, status FROM payment_attempts ORDER BY id");

/// A shop where Ada has subscribed on 31 January, paying at a till that says no this often from then on.
async fn paid_at_till(backend: Backend, declines: u32) -> (TestShop, Buyer) {
    paid_at_till_with(backend, &format!("declines = {declines}")).await
}

async fn paid_at_till_with(backend: Backend, setting: &str) -> (TestShop, Buyer) {
    let till = format!("[modules.counter]\n{setting}");
    let shop = shop_at(builder(backend).config(&till), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    let order = id_of(&ada.place(1, "till").await);
    ada.pay_at_till(&shop, order).await;
    (shop, ada)
}

async fn attempts(shop: &TestShop) -> Vec<(bool, String)> {
    shop.parts.db.read(ATTEMPTS).all().await.expect("they can be read")
}

both_databases!(what_the_customer_paid_with_is_kept_sealed_and_charged_with_the_end_of_the_period);
async fn what_the_customer_paid_with_is_kept_sealed_and_charged_with_the_end_of_the_period(backend: Backend) {
    let (shop, ada) = paid_at_till(backend, 0).await;
    let saved = shop.parts.db.read(SAVED).all::<(i64, String, Vec<u8>)>().await.expect("they can be read");
    assert_eq!((saved.len(), saved[0].0, saved[0].1.as_str()), (1, ada.customer.id, "till"));
    assert!(!saved[0].2.windows(4).any(|bytes| bytes == b"card"), "it is sealed");
    renew_on(&shop, at("2026-02-28T11:59:00Z")).await;
    let (_, order) = ada.orders().await;
    assert_eq!(ada.order(order).await["status"], "pending");
    let end = at("2026-02-28T12:00:00Z");
    shop.advance(end - shop.now());
    tokio::join!(renew_at(&shop, end), renew_at(&shop, end), shop.run_jobs());
    assert_eq!(ada.order(order).await["payment_status"], "paid");
    let renewed = ada.subscription(1).await;
    assert_eq!(
        (&renewed["status"], &renewed["current_period_end"]),
        (&json!("active"), &json!("2026-03-31T12:00:00Z"))
    );
    let succeeded = String::from("succeeded");
    assert_eq!(attempts(&shop).await, [(false, succeeded.clone()), (true, succeeded)]);
    assert_eq!(ada.orders().await.0, 2);
    assert_sound(&shop).await;
}

both_databases!(a_declined_card_is_tried_again_on_the_days_of_the_ladder);
async fn a_declined_card_is_tried_again_on_the_days_of_the_ladder(backend: Backend) {
    let (shop, ada) = paid_at_till(backend, 3).await;
    let mut tried = Vec::new();
    for hour in 0..(24 * 6) {
        let time = at("2026-02-28T12:00:00Z") + TimeDelta::hours(hour);
        let before = attempts(&shop).await.len();
        renew_on(&shop, time).await;
        renew_on(&shop, time).await;
        if attempts(&shop).await.len() > before {
            tried.push(hour / 24);
            let expected = if tried.len() < 4 { "past_due" } else { "active" };
            assert_eq!(ada.subscription(1).await["status"], expected, "{tried:?}");
        }
    }
    assert_eq!(tried, [0, 1, 3, 5]);
    assert_eq!(ada.subscription(1).await["current_period_end"], "2026-03-31T12:00:00Z");
    assert_eq!((ada.orders().await.0, heard(&shop).await.len()), (2, 0));
    assert_sound(&shop).await;
}

both_databases!(a_charge_that_was_put_off_by_a_clock_that_was_years_ahead_is_made_when_it_is_right);
async fn a_charge_that_was_put_off_by_a_clock_that_was_years_ahead_is_made_when_it_is_right(backend: Backend) {
    const PUT_OFF: Sql =
        sql!("UPDATE subscriptions_periods SET next_charge_at = $1, charged_at = $1 WHERE state = 'open'");
    const FORGET: Sql = sql!("UPDATE tasks SET due_at = $1, written_at = $1 WHERE kind = 'subscriptions.renewal'");
    let (shop, ada) = paid_at_till(backend, 2).await;
    let (end, years) = (at("2026-02-28T12:00:00Z"), TimeDelta::days(3 * 365));
    renew_on(&shop, end).await;
    renew_on(&shop, end + TimeDelta::hours(1)).await;
    assert_eq!(attempts(&shop).await.len(), 2, "it was declined, and waits for its day");
    let put_off = async |tx: &mut Tx| -> Result<u64, DbError> {
        tx.run(FORGET).bind(end + years).execute().await?;
        tx.run(PUT_OFF).bind(end + years).execute().await
    };
    assert_eq!(shop.parts.db.write(put_off).await.expect("they are changed"), 1);
    renew_on(&shop, end + TimeDelta::hours(2)).await;
    renew_on(&shop, end + TimeDelta::hours(3)).await;
    assert_eq!(attempts(&shop).await.len(), 3, "it is charged once more, not again and again");
    renew_on(&shop, end + TimeDelta::days(7)).await;
    assert_eq!(ada.subscription(1).await["current_period_end"], "2026-03-31T12:00:00Z");
    assert_sound(&shop).await;
}

both_databases!(a_debit_that_fails_later_is_tried_again_on_the_days_of_the_ladder);
async fn a_debit_that_fails_later_is_tried_again_on_the_days_of_the_ladder(backend: Backend) {
    let (shop, ada) = paid_at_till_with(backend, "debits = 2").await;
    let end = at("2026-02-28T12:00:00Z");
    let last = async || attempts(&shop).await.pop().expect("there is one").1;
    renew_on(&shop, end).await;
    renew_on(&shop, end + TimeDelta::days(1)).await;
    assert_eq!((attempts(&shop).await.len(), last().await.as_str()), (2, "processing"), "it is on its way still");
    assert_eq!(ada.subscription(1).await["status"], "active");

    for (hours, tried) in [(48, 3), (71, 3), (72, 4)] {
        assert_eq!(ask_about(&shop).await, RunOutcome::Done);
        renew_on(&shop, end + TimeDelta::hours(hours)).await;
        renew_on(&shop, end + TimeDelta::hours(hours)).await;
        assert_eq!(attempts(&shop).await.len(), tried, "after {hours} hours");
    }
    assert_eq!(last().await, "succeeded");
    assert_eq!(ada.subscription(1).await["current_period_end"], "2026-03-31T12:00:00Z");
    assert_sound(&shop).await;
}

/// Asks providers about what is under way.
async fn ask_about(shop: &TestShop) -> RunOutcome {
    let asked = run_job(&shop.parts, &shop.registry.jobs, "payments.reconcile", shop.clock.clone()).await;
    asked.expect("the database works")
}

both_databases!(a_customer_whose_card_is_declined_pays_the_order_without_it);
async fn a_customer_whose_card_is_declined_pays_the_order_without_it(backend: Backend) {
    let (shop, ada) = paid_at_till(backend, 100).await;
    renew_on(&shop, at("2026-03-15T12:00:00Z")).await;
    let shown = shop.command(&["subscriptions", "show", "1", "--json"]).await.json();
    assert_eq!(shown["periods"][1]["charges"], 1);
    assert!(shown["periods"][1]["last_error"].as_str().is_some_and(|error| error.contains("declined")), "{shown}");
    let (_, order) = ada.orders().await;
    assert_eq!(ada.order(order).await["payment_status"], "failed");
    ada.pay_at_till(&shop, order).await;
    assert_eq!(ada.subscription(1).await["status"], "active");
    assert_sound(&shop).await;
}

both_databases!(a_provider_that_does_not_answer_is_asked_again_what_was_saved);
async fn a_provider_that_does_not_answer_is_asked_again_what_was_saved(backend: Backend) {
    let shop = shop_at(builder(backend).config("[modules.counter]\nsilent = 2"), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    let order = id_of(&ada.place(1, "till").await);
    ada.pay_at_till(&shop, order).await;
    let saved = async || shop.parts.db.read(SAVED).all::<(i64, String, Vec<u8>)>().await.expect("it can be read").len();
    assert_eq!((ada.subscription(1).await["status"].as_str(), saved().await), (Some("active"), 0));
    for expected in [0, 1] {
        shop.advance(TimeDelta::minutes(5));
        shop.run_jobs().await;
        assert_eq!(saved().await, expected);
    }
}

both_databases!(who_pays_a_renewal_with_what_is_saved_then_is_charged_for_the_next);
async fn who_pays_a_renewal_with_what_is_saved_then_is_charged_for_the_next(backend: Backend) {
    let shop = shop_at(builder(backend), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.buy(&shop, 1).await;
    renew_on(&shop, at("2026-02-28T12:00:00Z")).await;
    let (_, order) = ada.orders().await;
    assert_eq!(ada.order(order).await["status"], "pending", "who pays by hand is not charged");
    ada.pay_at_till(&shop, order).await;
    renew_on(&shop, at("2026-03-31T12:00:00Z")).await;
    assert_eq!(ada.subscription(1).await["current_period_end"], "2026-04-30T12:00:00Z");
    assert_eq!(attempts(&shop).await.last().map(|(off_session, _)| *off_session), Some(true));
    assert_sound(&shop).await;
}

both_databases!(a_gateway_that_needs_no_customer_pays_renewals_by_itself);
async fn a_gateway_that_needs_no_customer_pays_renewals_by_itself(backend: Backend) {
    let config = "[payments.development]\nenabled = true";
    let shop = shop_at(builder(backend).config(config), "2026-01-31T12:00:00Z").await;
    let ada = Buyer::new(&shop).await;
    ada.place(1, "development").await;
    shop.run_jobs().await;
    for (end, next) in [
        ("2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z"),
        ("2026-03-31T12:00:00Z", "2026-04-30T12:00:00Z"),
        ("2026-04-30T12:00:00Z", "2026-05-31T12:00:00Z"),
    ] {
        // As `stoa jobs run --at` does: the clock of the shop stays where it is.
        renew_at(&shop, at(end)).await;
        renew_at(&shop, at(end)).await;
        assert_eq!(ada.subscription(1).await["current_period_end"], next);
        // What such a run has told is heard today.
        shop.run_jobs().await;
        assert_eq!(shop.parts.db.read(WAITING).scalar::<i64>().await.expect("it can be read"), 0);
    }
    assert_eq!((ada.orders().await.0, ada.invoices().await), (4, 4));
    assert_sound(&shop).await;
}

both_databases!(a_method_goes_with_its_customer);
async fn a_method_goes_with_its_customer(backend: Backend) {
    let (shop, ada) = paid_at_till(backend, 0).await;
    anonymize_customer(&shop.parts.db, ada.customer.id).await.expect("it is done");
    shop.run_jobs().await;
    let saved = shop.parts.db.read(SAVED).all::<(i64, String, Vec<u8>)>().await.expect("they can be read");
    assert_eq!(saved, []);
    renew_on(&shop, at("2026-04-28T12:00:00Z")).await;
    assert_eq!(attempts(&shop).await.len(), 1, "nobody is charged any more");
}
