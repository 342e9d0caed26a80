//! Rows of tables that have got another name.

use chrono::{DateTime, Utc};
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, both_databases};
use uuid::Uuid;

/// The latest migration before the names.
const BEFORE: i64 = 29;

const USER: Sql = sql!("INSERT INTO users (id, email, created_at, updated_at) VALUES (1, 'ada@example.com', $1, $1)");

const LINK: Sql = sql!(
    "INSERT INTO account_links (purpose, user_id, secret_hash, email, created_at, expires_at)
     VALUES ('verify_email', 1, $1, 'ada@example.com', $2, $2)"
);

const LISTING: Sql = sql!("UPDATE catalog_state SET version = 9, shelf_version = 7");

const TOKENS: Sql = sql!("SELECT user_id, secret_hash, expires_at FROM email_tokens");

const VERSIONS: Sql = sql!("SELECT version, listing_version FROM catalog_state");

both_databases!(what_was_in_a_table_or_column_is_there_under_its_new_name);
async fn what_was_in_a_table_or_column_is_there_under_its_new_name(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let program = TestShop::builder(backend).freeze().unwrap_or_else(|found| panic!("{found}"));
    let migrations = program.registry.migrations;
    let now = "2026-01-15T12:00:00Z".parse::<DateTime<Utc>>().expect("a time");
    let db = database.open(Clock::manual(now)).await;
    let earlier = migrations.iter().map(|set| set.up_to(BEFORE)).collect::<Vec<_>>();
    db.migrate(&earlier).await.expect("the schema of before is made");
    let secret = vec![7_u8; 32];
    db.write(async |tx| -> Result<(), DbError> {
        tx.run(USER).bind(now).execute().await?;
        tx.run(LINK).bind(secret.clone()).bind(now).execute().await?;
        tx.run(LISTING).execute().await.map(drop)
    })
    .await
    .expect("rows are written");
    db.migrate(&migrations).await.expect("the database is upgraded");
    let tokens = db.read(TOKENS).all::<(i64, Vec<u8>, DateTime<Utc>)>().await.expect("they can be read");
    assert_eq!(tokens, [(1, secret, now)]);
    let versions = db.read(VERSIONS).one::<(i64, i64)>().await.expect("they can be read");
    assert_eq!(versions, (9, 7));
}

/// The latest migration before order lines were called so.
const BEFORE_LINES: i64 = 48;

const CUSTOMER: Sql =
    sql!("INSERT INTO customers (id, name, user_id, created_at, updated_at) VALUES (1, 'Ada', 1, $1, $1)");

const ORDER: Sql = sql!(
    "INSERT INTO orders (id, customer_id, status, currency, subtotal_amount, discount_amount, shipping_amount, tax_amount,
                         total_amount, prices_include_tax, billing_address, shipping_tax_rate, shipping_tax_amount,
                         payment_method, language, fulfillment_status, created_at, updated_at, paid_at)
     VALUES (1, 1, 'paid', 'EUR', 2000, 0, 0, 0, 2000, TRUE, '{}', 0, 0, 'manual', 'en', 'unfulfilled', $1, $1, $1)"
);

const ITEM: Sql = sql!(
    "INSERT INTO order_items (id, order_id, position, product_id, slug, label, quantity, unit_amount, line_total_amount,
                              discount_amount, tax_rate, tax_amount, selections, options, choice_skus, capabilities,
                              module_settings, shippable)
     VALUES (7, 1, 1, 1, 'mug', 'Mug', 2, 1000, 2000, 0, 0, 0, '{}', '[]', '[]', '[]', '{}', TRUE)"
);

const SHIPMENT: Sql = sql!("INSERT INTO shipments (id, order_id, shipped_at) VALUES (1, 1, $1)");

const SHIPPED: Sql = sql!("INSERT INTO shipment_items (shipment_id, order_item_id, quantity) VALUES (1, 7, 1)");

const USED: Sql = sql!("INSERT INTO unit_uses (order_item_id, unit, module) VALUES (7, 1, 'downloads')");

const PAYMENT: Sql = sql!(
    "INSERT INTO payments (id, order_id, status, amount, currency, created_at, updated_at)
     VALUES (1, 1, 'paid', 2000, 'EUR', $1, $1)"
);

const ATTEMPT: Sql = sql!(
    "INSERT INTO payment_attempts (id, payment_id, order_id, gateway, status, reference, provider_id, provider_payment_id,
                                   amount, currency, return_url, cancel_url, created_at, updated_at)
     VALUES (1, 1, 1, 'stripe', 'succeeded', $2, 'cs_1', 'pi_1', 2000, 'EUR', '', '', $1, $1)"
);

const LINES: Sql = sql!(
    "SELECT l.label, s.quantity, u.unit FROM order_lines l
     JOIN shipment_lines s ON s.order_line_id = l.id JOIN unit_uses u ON u.order_line_id = l.id"
);

const NAMES: Sql = sql!("SELECT gateway_attempt_id, gateway_payment_id FROM payment_attempts");

both_databases!(order_lines_and_what_gateways_call_attempts_have_kept_their_rows);
async fn order_lines_and_what_gateways_call_attempts_have_kept_their_rows(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let program = TestShop::builder(backend).freeze().unwrap_or_else(|found| panic!("{found}"));
    let migrations = program.registry.migrations;
    let now = "2026-01-15T12:00:00Z".parse::<DateTime<Utc>>().expect("a time");
    let db = database.open(Clock::manual(now)).await;
    let earlier = migrations.iter().map(|set| set.up_to(BEFORE_LINES)).collect::<Vec<_>>();
    db.migrate(&earlier).await.expect("the schema of before is made");
    db.write(async |tx| -> Result<(), DbError> {
        for dated in [USER, CUSTOMER, ORDER] {
            tx.run(dated).bind(now).execute().await?;
        }
        tx.run(ITEM).execute().await?;
        tx.run(SHIPMENT).bind(now).execute().await?;
        tx.run(SHIPPED).execute().await?;
        tx.run(USED).execute().await?;
        tx.run(PAYMENT).bind(now).execute().await?;
        tx.run(ATTEMPT).bind(now).bind(Uuid::from_u128(1)).execute().await.map(drop)
    })
    .await
    .expect("rows are written");
    db.migrate(&migrations).await.expect("the database is upgraded");
    let lines = db.read(LINES).all::<(String, i64, i64)>().await.expect("they can be read");
    assert_eq!(lines, [(String::from("Mug"), 1, 1)]);
    let names = db.read(NAMES).all::<(String, String)>().await.expect("they can be read");
    assert_eq!(names, [(String::from("cs_1"), String::from("pi_1"))]);
    assert_eq!(db.damage().await.expect("it answers"), [] as [String; 0]);
}
