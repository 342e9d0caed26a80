//! What a shop holds after years: as many customers, orders and products as are asked for, each with what belongs to it.
//!
//! Everything is copied from the first customer, product and order, which came through the shop itself, by one statement for each
//! table. Names, addresses, states and times differ: of a hundred orders one is not paid yet and five are cancelled; one of a
//! thousand is to be packed, and two of a hundred were refunded. A few customers have hundreds of orders, and many have none.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use stoa_core::db::{Backend, Db, DbError, Sql};
use stoa_core::sql;

use crate::Outcome;

/// Copies rows for the `number`s from 2 to $1; `at` is a minute later for each, beginning at $2.
macro_rules! copies {
    ($name:ident, $statement:expr) => {
        const $name: Sql = sql!(
            sqlite: concat!(
                "WITH RECURSIVE numbers (number, at) AS (
                     SELECT 2, $2 UNION ALL
                     SELECT number + 1, strftime('%Y-%m-%dT%H:%M:%S+00:00', at, '+1 minute') FROM numbers WHERE number < $1) ",
                $statement
            ),
            postgres: concat!(
                "WITH RECURSIVE numbers (number, at) AS (
                     SELECT CAST(2 AS BIGINT), CAST($2 AS TIMESTAMPTZ) UNION ALL
                     SELECT number + 1, at + INTERVAL '1 minute' FROM numbers WHERE number < $1) ",
                $statement
            ),
        );
    };
}

/// Twenty first and twenty-five last names, and a number to tell people apart.
macro_rules! name {
    () => {
        "TRIM(SUBSTR('Ada  Bram Cas  Daan Emil Fenna Gus Han  Iris Jan  Kim  Lotte Mari Nora Otto Piet Rosa Sam  Tess Wim  ',
                     CAST(number % 20 AS INTEGER) * 5 + 1, 5)) || ' '
         || TRIM(SUBSTR('Berg   Bos    Brand  Dam    Dijk   Field  Haag   Hall   Hoek   Jansen Kerk   Klein  Kuiper Lund   Maas   Meer   Muller Nord   Peters Rijn   SchmidtStein  Veld   Vos    Wald   ',
                     CAST(number / 20 % 25 AS INTEGER) * 7 + 1, 7)) || '-' || number / 500"
    };
}

copies!(
    USERS,
    "INSERT INTO users (id, email, guest, email_verified_at, created_at, updated_at)
     SELECT number, 'crowd-' || number || '@example.com', FALSE, at, at, at FROM numbers"
);

copies!(
    CUSTOMERS,
    concat!(
        "INSERT INTO customers (id, user_id, name, properties, created_at, updated_at)
         SELECT c.id + number - 1, number, ",
        name!(),
        ", c.properties, at, at FROM numbers, (SELECT * FROM customers ORDER BY id LIMIT 1) c"
    )
);

copies!(
    PRODUCTS,
    concat!(
        "INSERT INTO products (id, slug, name, name_folded, sku, description, price_amount, images, capabilities, options, active,
                               visible, changed_version, created_at, updated_at)
         SELECT number, 'crowd-' || number, ",
        name!(),
        ", LOWER(",
        name!(),
        "), 'CR-' || number, p.description, p.price_amount + number % 1000, p.images, p.capabilities, p.options, number % 50 > 0,
           number % 50 > 0, p.changed_version, at, at FROM numbers, products p WHERE p.id = 1"
    )
);

copies!(
    ORDERS,
    "INSERT INTO orders (id, customer_id, status, currency, subtotal_amount, discount_amount, shipping_amount, tax_amount,
                         total_amount, prices_include_tax, billing_address, shipping_tax_rate, shipping_tax_amount, payment_method,
                         language, fulfillment_status, review_reason, created_at, updated_at, paid_at, cancelled_at, capabilities)
     SELECT number, o.customer_id + (number * 7919 % $1) * (number * 7919 % $1) / $1, n.status, o.currency,
            o.subtotal_amount + number * 31 % 20000, o.discount_amount, o.shipping_amount,
            o.tax_amount, o.total_amount + number * 31 % 20000, o.prices_include_tax, o.billing_address, o.shipping_tax_rate, o.shipping_tax_amount,
            o.payment_method, o.language,
            CASE WHEN n.status <> 'paid' OR number % 1000 = 500 THEN 'unfulfilled' ELSE 'fulfilled' END,
            CASE WHEN number % 5000 = 9 THEN 'paid late' END, at, at,
            CASE n.status WHEN 'paid' THEN at END, CASE n.status WHEN 'cancelled' THEN at END, o.capabilities
     FROM (SELECT number, at, CASE WHEN number % 100 = 3 THEN 'pending' WHEN number % 20 = 7 THEN 'cancelled' ELSE 'paid' END AS status
           FROM numbers) n, orders o WHERE o.id = 1"
);

/// What belongs to each order but the first.
const OF_ORDERS: [Sql; 9] = [
    sql!(
        "UPDATE customers SET bought = CASE orders WHEN 1 THEN 'once' ELSE 'often' END
         FROM (SELECT customer_id, COUNT(*) AS orders FROM orders GROUP BY customer_id) o WHERE o.customer_id = customers.id"
    ),
    sql!(
        "INSERT INTO order_lines (order_id, position, product_id, slug, label, quantity, unit_amount, line_total_amount,
                                  discount_amount, tax_rate, tax_amount, selections, options, choice_skus, capabilities,
                                  module_settings, shippable, shipped_quantity)
         SELECT o.id, l.position, l.product_id, l.slug, l.label, l.quantity, l.unit_amount, l.line_total_amount, l.discount_amount,
                l.tax_rate, l.tax_amount, l.selections, l.options, l.choice_skus, l.capabilities, l.module_settings, l.shippable,
                CASE o.fulfillment_status WHEN 'fulfilled' THEN l.quantity ELSE 0 END
         FROM orders o, order_lines l WHERE o.id > 1 AND l.order_id = 1"
    ),
    sql!(
        "INSERT INTO payments (order_id, status, amount, currency, gateway, refunded_amount, paid_at, created_at, updated_at,
                               order_cancelled)
         SELECT id, CASE WHEN status = 'paid' AND id % 50 = 11 THEN 'refunded' ELSE status END, total_amount, currency,
                CASE status WHEN 'paid' THEN payment_method END,
                CASE WHEN status = 'paid' AND id % 50 = 11 THEN total_amount ELSE 0 END, paid_at, created_at, updated_at,
                status = 'cancelled'
         FROM orders WHERE id > 1"
    ),
    sql!(
        "INSERT INTO invoices (number, year, sequence, order_id, customer_id, status, currency, subtotal_amount, discount_amount,
                               shipping_amount, tax_amount, total_amount, document, issued_at, updated_at)
         SELECT 'C-' || o.id, 1999, o.id, o.id, o.customer_id, CASE o.status WHEN 'paid' THEN 'paid' ELSE 'issued' END, i.currency,
                i.subtotal_amount, i.discount_amount, i.shipping_amount, i.tax_amount, i.total_amount, i.document, o.created_at,
                o.created_at
         FROM orders o, invoices i WHERE o.id > 1 AND o.status <> 'cancelled' AND i.order_id = 1"
    ),
    sql!(
        "INSERT INTO tax_entries (order_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency, base_amount,
                                  tax_amount)
         SELECT o.id, t.kind, o.created_at, o.created_at, t.country, t.tax_rate, t.reverse_charge, t.currency, t.base_amount,
                t.tax_amount
         FROM orders o, tax_entries t WHERE o.id > 1 AND o.status <> 'cancelled' AND t.order_id = 1"
    ),
    sql!(
        "INSERT INTO shipments (order_id, tracking, carrier, shipped_at)
         SELECT id, '3SCRWD' || id, 'postnl', created_at FROM orders WHERE id > 1 AND fulfillment_status = 'fulfilled'"
    ),
    sql!(
        "INSERT INTO mail_messages (recipient, subject, body, language, message_id, expires_at, created_at, kind, customer_id,
                                    sent_at, answer, order_id)
         SELECT 'crowd-' || o.customer_id || '@example.com', m.subject, m.body, m.language, 'crowd-' || o.id, m.expires_at,
                o.created_at, m.kind, o.customer_id, o.created_at, '250 OK', o.id
         FROM orders o, (SELECT * FROM mail_messages ORDER BY id LIMIT 1) m WHERE o.id > 1"
    ),
    sql!(
        "INSERT INTO audit_log (at, actor, act, subject)
         SELECT created_at, CASE WHEN id % 3 = 0 THEN 'cli:ada' ELSE 'staff:ada@example.com' END,
                CASE WHEN id % 1000 = 0 THEN 'orders.refund' ELSE 'orders.ship' END, 'order:' || id FROM orders WHERE id > 1"
    ),
    sql!(
        "INSERT INTO support_tickets (number, customer_id, subject, status, priority, created_at, updated_at, closed_at)
         SELECT 'T-C' || id, customer_id, 'Where is my parcel?', CASE WHEN id % 1000 = 0 THEN 'open' ELSE 'closed' END,
                CASE WHEN id % 500 = 10 THEN 'high' WHEN id % 500 = 20 THEN 'low' ELSE 'normal' END, created_at, created_at,
                CASE WHEN id % 1000 <> 0 THEN created_at END FROM orders WHERE id > 1 AND id % 10 = 0"
    ),
];

/// Ids that were given by hand are taken; SQLite sees that by itself.
const TAKE_IDS: [Sql; 4] = [
    sql!(sqlite: "SELECT 1", postgres: "SELECT setval(pg_get_serial_sequence('users', 'id'), (SELECT MAX(id) FROM users))",),
    sql!(sqlite: "SELECT 1", postgres: "SELECT setval(pg_get_serial_sequence('customers', 'id'), (SELECT MAX(id) FROM customers))",),
    sql!(sqlite: "SELECT 1", postgres: "SELECT setval(pg_get_serial_sequence('products', 'id'), (SELECT MAX(id) FROM products))",),
    sql!(sqlite: "SELECT 1", postgres: "SELECT setval(pg_get_serial_sequence('orders', 'id'), (SELECT MAX(id) FROM orders))",),
];

const ANALYZE: Sql = sql!("ANALYZE");

/// Large tables that PostgreSQL has not tidied up yet, as it does by itself within minutes in any shop: before that it looks each row up
/// that an index leads to.
const UNTIDY: Sql = sql!(
    sqlite: "SELECT 0",
    postgres: "SELECT COUNT(*) FROM pg_stat_user_tables WHERE n_live_tup >= 100000 AND last_autovacuum IS NULL",
);

/// So long PostgreSQL is waited for at most, which may be told not to tidy up.
const TIDYING: Duration = Duration::from_mins(10);

/// Fills the database of a shop in which the first customer has placed the first order, of the first product, so that there are `number`
/// of each.
pub(crate) async fn fill(db: &Db, number: i64) -> Outcome<()> {
    let first = db.now() - TimeDelta::minutes(number);
    for statement in [USERS, CUSTOMERS, PRODUCTS, ORDERS] {
        db.write(async |tx| -> Result<u64, DbError> { tx.run(statement).bind(number).bind(first).execute().await })
            .await?;
    }
    for statement in OF_ORDERS {
        db.write(async |tx| -> Result<u64, DbError> { tx.run(statement).execute().await }).await?;
    }
    if db.backend() == Backend::Postgres {
        for statement in TAKE_IDS {
            db.read(statement).scalar::<i64>().await?;
        }
    }
    db.write(async |tx| -> Result<u64, DbError> { tx.run(ANALYZE).execute().await }).await?;
    let began = Instant::now();
    while db.read(UNTIDY).scalar::<i64>().await? > 0 && began.elapsed() < TIDYING {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok(())
}
