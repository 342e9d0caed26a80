//! What waited in the tables that the queue has taken the place of is still done.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::types::Json;
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, DbError, Tx};
use stoa_core::events::{DeliveryState, EventDelivery};
use stoa_core::gateways::{Notice, Notification};
use stoa_core::jobs::list_jobs;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::details_of;
use stoa_core::payments::list_callbacks;
use stoa_core::prelude::*;
use stoa_core::refunds::find_refund;
use stoa_core::testing::{TestDatabase, TestShop, both_databases};
use stoa_core::webhooks::{DeliveryFilter, list_deliveries};
use uuid::Uuid;

use crate::logs;

/// The latest migration before the queue.
const BEFORE: i64 = 21;

/// The latest migration before payments came into it.
const BEFORE_PAYMENTS: i64 = 25;

const EVENT: Sql = sql!(
    "INSERT INTO event_deliveries (event, listener, payload, state, attempts, next_attempt_at, last_error, created_at)
     VALUES ('CustomerAnonymized', 'heir.inherit', $1, $2, $3, $4, $5, $4)"
);
const MAIL: Sql = sql!(
    "INSERT INTO mail_messages (recipient, subject, body, language, message_id, state, attempts, next_attempt_at,
                                expires_at, last_error, created_at)
     VALUES ($1, 'Hello', $2, 'en', $1, $3, $4, $5, $5, $6, $5)"
);
const ENDPOINT: Sql = sql!(
    "INSERT INTO webhook_endpoints (id, url, kind, events, locale, secret, enabled, consecutive_failures, created_at, updated_at)
     VALUES (1, 'https://hook.example.com/', 'http', $1, 'en', $2, TRUE, 0, $3, $3)"
);
const DELIVERY: Sql = sql!(
    "INSERT INTO webhook_deliveries (delivery_id, endpoint_id, event, body, state, attempts, next_attempt_at, created_at, finished_at)
     VALUES ($1, 1, 'order.paid', '{}', $2, $3, $4, $5, $6)"
);
const JOB: Sql = sql!(
    "INSERT INTO scheduled_jobs (name, last_run_at, next_run_at, last_error) VALUES ('orders.expire', $1, $2, 'no')"
);
const MAILS: Sql = sql!(
    "SELECT m.recipient, t.state, t.attempts FROM tasks t
     JOIN mail_messages m ON m.id = CAST(t.payload ->> 'mail_message_id' AS BIGINT)
     WHERE t.lane = 'mail' AND t.kind = 'mail.send' ORDER BY t.id"
);

const USER: Sql = sql!("INSERT INTO users (id, email, created_at, updated_at) VALUES (1, 'ada@example.com', $1, $1)");
const CUSTOMER: Sql =
    sql!("INSERT INTO customers (id, user_id, name, created_at, updated_at) VALUES (1001, 1, 'Ada', $1, $1)");
const ORDER: Sql = sql!(
    "INSERT INTO orders (id, customer_id, status, currency, subtotal_amount, discount_amount, shipping_amount, tax_amount,
                         total_amount, prices_include_tax, billing_address, shipping_tax_rate, shipping_tax_amount,
                         payment_method, language, fulfillment_status, created_at, updated_at)
     VALUES (1, 1001, 'pending', 'EUR', 500, 0, 0, 0, 500, TRUE, $1, 0, 0, 'gone', 'en', 'not_required', $2, $2)"
);
const PAYMENT: Sql = sql!(
    "INSERT INTO payments (id, order_id, status, amount, currency, created_at, updated_at)
     VALUES (1, 1, 'pending', 500, 'EUR', $1, $1)"
);
const ATTEMPT: Sql = sql!(
    "INSERT INTO payment_attempts (payment_id, order_id, gateway, status, reference, amount, currency, return_url,
                                   cancel_url, next_check_at, checks, last_error, created_at, updated_at)
     VALUES (1, 1, $5, $1, $2, 500, 'EUR', '', '', $3, 2, 'busy', $4, $4)"
);
const REFUND: Sql = sql!(
    "INSERT INTO refunds (payment_id, order_id, status, amount, currency, reason, gateway, reference, next_check_at, checks,
                          created_at, updated_at)
     VALUES (1, 1, $1, 100, 'EUR', 'Broken', $5, $2, $3, 1, $4, $4)"
);
const CALLBACK: Sql = sql!(
    "INSERT INTO payment_callbacks (gateway, event_id, event_type, state, notification, next_try_at, tries, received_at)
     VALUES ('gone', $1, 'paid', $2, $3, $4, 3, $5)"
);

/// The module `heir`, which is told of those who are gone.
struct Heir;

impl AfterCommit<stoa_core::customers::CustomerAnonymized> for Heir {
    type Uses = Db;

    async fn after_commit(
        &self,
        event: &stoa_core::customers::CustomerAnonymized,
        db: &Db,
    ) -> Result<(), ListenerError> {
        const NOTE: Sql = sql!("INSERT INTO installation (name, value) VALUES ($1, 'inherited')");
        let name = format!("of-{}", event.customer_id);
        db.write(async |tx| tx.run(NOTE).bind(name).execute().await).await?;
        Ok(())
    }
}

impl Module for Heir {
    const NAME: &'static str = "heir";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_committed::<stoa_core::customers::CustomerAnonymized>("heir.inherit", Heir);
        Ok(())
    }
}

async fn fill(tx: &mut Tx, now: DateTime<Utc>) -> Result<(), DbError> {
    let payload = |customer_id| Json(json!({"customer_id": customer_id, "user_id": customer_id}));
    for (customer_id, state, attempts, error) in [(1, "pending", 0, None), (2, "failed", 9, Some("no paper left"))] {
        let insert = tx.run(EVENT).bind(payload(customer_id)).bind(state).bind(attempts);
        insert.bind(now).bind(error).execute().await?;
    }
    for (recipient, state, attempts, error) in
        [("a@b.example", "pending", 2, Some("busy")), ("c@d.example", "failed", 6, None)]
    {
        let insert = tx.run(MAIL).bind(recipient).bind(vec![1_u8]).bind(state).bind(attempts);
        insert.bind(now + TimeDelta::hours(1)).bind(error).execute().await?;
    }
    tx.run(ENDPOINT).bind(Json(json!(["*"]))).bind(vec![1_u8]).bind(now).execute().await?;
    let later = now + TimeDelta::minutes(5);
    for (id, state, attempts, due_at, finished_at) in [
        ("new", "pending", 0, None, None),
        ("tried", "pending", 2, Some(later), None),
        ("given-up", "dead_letter", 5, None, Some(now)),
    ] {
        let insert = tx.run(DELIVERY).bind(id).bind(state).bind(attempts).bind(due_at);
        insert.bind(now).bind(finished_at).execute().await?;
    }
    tx.run(JOB).bind(now).bind(now + TimeDelta::minutes(1)).execute().await.map(drop)
}

both_databases!(what_waited_before_the_queue_is_carried_over);
async fn what_waited_before_the_queue_is_carried_over(backend: Backend) {
    const NOTED: Sql = sql!("SELECT name FROM installation WHERE value = 'inherited'");
    let database = TestDatabase::empty(backend).await;
    let program = TestShop::builder(backend).module::<Heir>().freeze().unwrap_or_else(|found| panic!("{found}"));
    let migrations = program.registry.migrations;
    let earlier = migrations.iter().map(|set| set.up_to(BEFORE)).collect::<Vec<_>>();
    let now = "2026-01-15T12:00:00Z".parse::<DateTime<Utc>>().expect("a time");
    let db = database.open(Clock::manual(now)).await;
    db.migrate(&earlier).await.expect("the schema of before is made");
    db.write(async |tx| fill(tx, now).await).await.expect("rows are written");
    db.migrate(&migrations).await.expect("the database is upgraded");

    let shop = TestShop::builder(backend).on(&database).clock(&Clock::manual(now)).module::<Heir>().open().await;
    let jobs = list_jobs(&shop.parts.db, &shop.registry.jobs).await.expect("jobs can be listed");
    let job = jobs.iter().find(|job| job.name == "orders.expire").expect("there is such a job");
    let told = (job.last_run_at, job.next_run_at, job.last_error.as_deref());
    assert_eq!(told, (Some(now), Some(now + TimeDelta::minutes(1)), Some("no")));
    let all = list_deliveries(&shop.parts.db, &DeliveryFilter::default(), 10).await.expect("they can be listed");
    let all = all.iter().rev().map(|found| (found.delivery_id.as_str(), found.attempts, found.next_attempt_at));
    let expected = [("new", 0, Some(now)), ("tried", 2, Some(now + TimeDelta::minutes(5))), ("given-up", 5, None)];
    assert_eq!(all.collect::<Vec<_>>(), expected);
    shop.run_jobs().await;
    let left = EventDelivery::list(&shop.parts.db).await.expect("they can be listed");
    let [failed] = &left[..] else { panic!("what was given up is left: {left:?}") };
    assert_eq!((failed.state, failed.last_error.as_deref()), (DeliveryState::Failed, Some("no paper left")));
    let noted = shop.parts.db.read(NOTED).scalars::<String>().await.expect("they can be read");
    assert_eq!(noted, ["of-1"]);
    let mails = shop.parts.db.read(MAILS).all::<(String, String, i64)>().await.expect("they can be read");
    let expected = [("a@b.example", "pending", 2), ("c@d.example", "failed", 6)];
    assert_eq!(mails, expected.map(|(recipient, state, attempts)| (recipient.to_owned(), state.to_owned(), attempts)));
}

async fn fill_payments(tx: &mut Tx, now: DateTime<Utc>, gateway: &str) -> Result<(), DbError> {
    for sql in [USER, CUSTOMER] {
        tx.run(sql).bind(now).execute().await?;
    }
    tx.run(ORDER).bind(Json(json!({}))).bind(now).execute().await?;
    tx.run(PAYMENT).bind(now).execute().await?;
    let later = Some(now + TimeDelta::minutes(15));
    for (number, status, next) in [(1_u128, "cancelled", None), (2, "pending", later)] {
        let insert = tx.run(ATTEMPT).bind(status).bind(Uuid::from_u128(number)).bind(next).bind(now);
        insert.bind(gateway).execute().await?;
    }
    for (number, status, next) in [(3_u128, "failed", None), (4, "pending", later)] {
        let insert = tx.run(REFUND).bind(status).bind(Uuid::from_u128(number)).bind(next).bind(now);
        insert.bind(gateway).execute().await?;
    }
    for (event_id, state, next) in [("done", "unmatched", None), ("open", "unmatched", later)] {
        let (event_id, event_type) = (event_id.to_owned(), String::from("paid"));
        let told = Notification { event_id: event_id.clone(), event_type, subject: None, notice: Notice::Nothing };
        tx.run(CALLBACK).bind(event_id).bind(state).bind(Json(told)).bind(next).bind(now).execute().await?;
    }
    Ok(())
}

both_databases!(what_waited_for_payment_providers_is_carried_over);
async fn what_waited_for_payment_providers_is_carried_over(backend: Backend) {
    const ERRORS: Sql = sql!("SELECT kind, last_error FROM tasks WHERE lane IN ('attempts', 'refunds') ORDER BY kind");
    logs::keep();
    let gateway = format!("gone-{}", backend.as_str());
    let database = TestDatabase::empty(backend).await;
    let program = TestShop::builder(backend).freeze().unwrap_or_else(|found| panic!("{found}"));
    let migrations = program.registry.migrations;
    let earlier = migrations.iter().map(|set| set.up_to(BEFORE_PAYMENTS)).collect::<Vec<_>>();
    let now = "2026-01-15T12:00:00Z".parse::<DateTime<Utc>>().expect("a time");
    let db = database.open(Clock::manual(now)).await;
    db.migrate(&earlier).await.expect("the schema of before is made");
    db.write(async |tx| fill_payments(tx, now, &gateway).await).await.expect("rows are written");
    db.migrate(&migrations).await.expect("the database is upgraded");

    let shop = TestShop::builder(backend).on(&database).clock(&Clock::manual(now)).open().await;
    let db = &shop.parts.db;
    let next = async || {
        let attempts = details_of(db, 1).await.expect("they can be read").attempts;
        let callbacks = list_callbacks(db, None, None, 10).await.expect("they can be read");
        let mut next = attempts.iter().map(|attempt| attempt.next_check_at).collect::<Vec<_>>();
        next.extend(callbacks.iter().rev().map(|callback| callback.next_try_at));
        for id in [1, 2] {
            let refund = find_refund(db, &shop.uses::<Arc<MoneyFormatter>>(), id).await.expect("it can be read");
            next.push(refund.expect("it is there").refund.next_check_at);
        }
        next
    };
    let at = |minutes| Some(now + TimeDelta::minutes(minutes));
    assert_eq!(next().await, [None, at(15), None, at(15), None, at(15)]);
    shop.advance(TimeDelta::minutes(15));
    shop.run_jobs().await;
    // As often as before: the third time for the attempt, and the second for the refund; each minute for the callback.
    assert_eq!(next().await, [None, at(15 + 60), None, at(15 + 1), None, at(15 + 15)]);
    let errors = db.read(ERRORS).all::<(String, String)>().await.expect("they can be read");
    let error = format!("this program does not contain the gateway `{gateway}`");
    assert_eq!(errors, ["payments.ask", "refunds.resume"].map(|kind| (kind.to_owned(), error.clone())));
    let told = logs::with(&error);
    assert_eq!(told.len(), 2, "each question that failed is told of once: {told:?}");
}
