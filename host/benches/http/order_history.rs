//! `GET /orders` of a customer with fifty orders, in a database with 1,000 orders of others and with 1,000,000.

use std::sync::Arc;

use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use tokio::runtime::Runtime;

use crate::Outcome;
use crate::customers::{ADD, CATALOG, CHECKOUT, CustomerShop, name_of};
use crate::full_load::{self, Measured};
use crate::options::Options;
use crate::process::Cores;
use crate::report::{Report, Row};
use crate::throughput::{median, ratio};
use crate::wire::{Client, get_with, post_with};

const PATH: &str = "/api/v1/orders";

/// Orders of the customer who asks.
const OWN: usize = 50;

/// Orders of others.
const OTHERS: [i64; 2] = [1_000, 1_000_000];

/// Least share of the small database's rate.
const SHARE: f64 = 0.9;

/// Copies of the first order, for the other customer, who came last.
const COPY_ORDERS: Sql = sql!(
    "WITH RECURSIVE numbers (number) AS (SELECT CAST($1 AS BIGINT) UNION ALL
                                         SELECT number + 1 FROM numbers WHERE number < $2)
     INSERT INTO orders (customer_id, status, currency, subtotal_amount, discount_amount, shipping_amount, tax_amount,
                         total_amount, prices_include_tax, billing_address, shipping_tax_rate, shipping_tax_amount,
                         payment_method, language, fulfillment_status, created_at, updated_at)
     SELECT (SELECT MAX(id) FROM customers), o.status, o.currency, o.subtotal_amount, o.discount_amount,
            o.shipping_amount, o.tax_amount, o.total_amount, o.prices_include_tax, o.billing_address,
            o.shipping_tax_rate, o.shipping_tax_amount, o.payment_method, o.language, o.fulfillment_status, o.created_at, o.updated_at
     FROM numbers, orders o WHERE o.id = 1"
);

const COPY_ITEMS: Sql = sql!(
    "INSERT INTO order_lines (order_id, position, product_id, slug, label, quantity, unit_amount, line_total_amount,
                              discount_amount, tax_rate, tax_amount, selections, options, choice_skus, capabilities,
                              module_settings, shippable)
     SELECT o.id, i.position, i.product_id, i.slug, i.label, i.quantity, i.unit_amount, i.line_total_amount,
            i.discount_amount, i.tax_rate, i.tax_amount, i.selections, i.options, i.choice_skus, i.capabilities,
            i.module_settings, i.shippable
     FROM orders o, order_lines i WHERE o.customer_id = (SELECT MAX(id) FROM customers) AND i.order_id = 1"
);

const COPY_PAYMENTS: Sql = sql!(
    "INSERT INTO payments (order_id, status, amount, currency, created_at, updated_at)
     SELECT o.id, 'pending', o.total_amount, o.currency, o.created_at, o.updated_at
     FROM orders o WHERE o.customer_id = (SELECT MAX(id) FROM customers)"
);

const COPY_INVOICES: Sql = sql!(
    "INSERT INTO invoices (number, year, sequence, order_id, customer_id, status, currency, subtotal_amount,
                           discount_amount, shipping_amount, tax_amount, total_amount, document, issued_at, updated_at)
     SELECT 'B-' || o.id, 1999, o.id, o.id, o.customer_id, i.status, i.currency, i.subtotal_amount, i.discount_amount,
            i.shipping_amount, i.tax_amount, i.total_amount, i.document, i.issued_at, i.updated_at
     FROM orders o, invoices i WHERE o.customer_id = (SELECT MAX(id) FROM customers) AND i.order_id = 1"
);

const ANALYZE: Sql = sql!("ANALYZE");

/// Measures both databases at both sizes.
pub(crate) fn measure(options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let mut rates = Vec::new();
        for others in OTHERS {
            eprintln!("order history on {}: {others} orders of others", name_of(backend));
            let measured = one_size(backend, others, options, cores)?;
            let rate = median(measured.iter().map(|round| round.rate));
            let cost = median(measured.iter().map(|round| round.cost));
            let what = format!("`/orders`, {others} orders of others, {}", name_of(backend));
            let text = format!("{rate:.0}/s, {cost:.1} µs of the server's processor time");
            let row = Row::without_products(what).measured(text);
            report.add(match rates.first() {
                Some(small) => {
                    let share: f64 = rate / small;
                    row.target(format!("as fast as with {}: {}", OTHERS[0], ratio(share)), share >= SHARE)
                }
                None => row,
            });
            rates.push(rate);
        }
    }
    Ok(())
}

fn one_size(backend: Backend, others: i64, options: &Options, cores: &Cores) -> Outcome<Vec<Measured>> {
    let shop = CustomerShop::prepare("order-history", backend, 2, CATALOG, options, cores)?;
    let (server, address) = shop.serve(cores)?;
    let authorization = format!("Bearer {}", shop.tokens[0]);
    let headers = [("authorization", authorization.as_str())];
    let (add, checkout) = (post_with("/api/v1/cart", ADD, &headers), post_with("/api/v1/checkout", CHECKOUT, &headers));
    let mut client = Client::connect(address)?;
    for _ in 0..OWN {
        for request in [&add, &checkout] {
            let (status, body) = client.send(request)?;
            if !matches!(status, 200 | 201) {
                return Err(format!("answered with {status}: {}", String::from_utf8_lossy(body)).into());
            }
        }
    }
    Runtime::new()?.block_on(copy(&shop, others))?;
    let request: Arc<[Box<[u8]>]> = Arc::new([get_with(PATH, &headers)]);
    let mut rounds = Vec::new();
    for round in 0..=options.rounds {
        let measured = full_load::run(address, &server, &request, options.connections, options.duration())?;
        if round > 0 {
            rounds.push(measured);
        }
    }
    Ok(rounds)
}

/// Writes the orders of others.
async fn copy(shop: &CustomerShop, others: i64) -> Outcome<()> {
    let db = shop.open(2).await?;
    db.write(async |tx| -> Result<(), DbError> {
        tx.run(COPY_ORDERS).bind(1_i64).bind(others).execute().await?;
        for statement in [COPY_ITEMS, COPY_PAYMENTS, COPY_INVOICES, ANALYZE] {
            tx.run(statement).execute().await?;
        }
        Ok(())
    })
    .await?;
    db.close().await;
    Ok(())
}
