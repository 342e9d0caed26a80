//! Statements about orders.

use std::fmt::Write;

use stoa_kernel::db::{Reference, Sql};
use stoa_kernel::sql;

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO orders (customer_id, cart_id, cart_filling, status, currency, subtotal_amount, discount_amount,
                         shipping_amount, tax_amount, total_amount, prices_include_tax, discount_code, billing_address,
                         shipping_address, shipping_method_id, shipping_method_label, shipping_tax_rate,
                         shipping_tax_amount, payment_method, note, language, fulfillment_status, expires_at,
                         capabilities, created_at, updated_at, consents, added_lines, vat_id, vat_id_check, reverse_charge)
     VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
             $23, $24, $24, $25, $26, $27, $28, $29)
     RETURNING id"
);

/// All items at once: their number does not change how many statements an order takes.
pub(super) const INSERT_ITEMS: Sql = sql!(
    "INSERT INTO order_lines (order_id, position, product_id, slug, sku, label, quantity, unit_amount, line_total_amount,
                              discount_amount, tax_class, tax_rate, tax_amount, selections, options, choice_skus,
                              capabilities, module_settings, shippable, added_by, withdrawal_rule)
     SELECT $1, CAST(value ->> 'position' AS BIGINT), CAST(value ->> 'product_id' AS BIGINT), value ->> 'slug',
            value ->> 'sku', value ->> 'label', CAST(value ->> 'quantity' AS BIGINT),
            CAST(value ->> 'unit_amount' AS BIGINT), CAST(value ->> 'line_total_amount' AS BIGINT),
            CAST(value ->> 'discount_amount' AS BIGINT), value ->> 'tax_class', CAST(value ->> 'tax_rate' AS BIGINT),
            CAST(value ->> 'tax_amount' AS BIGINT), value -> 'selections', value -> 'options', value -> 'choice_skus',
            value -> 'capabilities', value -> 'module_settings', CAST(value ->> 'shippable' AS BOOLEAN),
            value ->> 'added_by', value ->> 'withdrawal_rule'
     FROM json_each($2)
     RETURNING id, position"
);

pub(super) const EARLIER_ORDER: Sql = sql!(
    "SELECT customer_id, currency, billing_address, shipping_address, shipping_method_id, payment_method, language,
            vat_id, vat_id_check, reverse_charge
     FROM orders WHERE id = $1"
);

pub(super) const EARLIER_ITEM: Sql = sql!(
    "SELECT product_id, slug, sku, label, tax_class, selections, options, choice_skus, capabilities, module_settings
     FROM order_lines WHERE order_id = $1 AND id = $2 AND added_by IS NULL"
);

/// Makes whoever changes the same order wait. SQLite has one writer at a time anyway.
pub(super) const LOCK: Sql = sql!(
    sqlite: "SELECT id, customer_id, status, currency, total_amount, fulfillment_status, payment_method, expires_at,
                    capabilities
             FROM orders WHERE id = $1",
    postgres: "SELECT id, customer_id, status, currency, total_amount, fulfillment_status, payment_method, expires_at,
                      capabilities
               FROM orders WHERE id = $1 FOR NO KEY UPDATE",
);

pub(super) const MARK_PAID: Sql = sql!(
    "UPDATE orders SET status = 'paid', paid_at = $2, updated_at = $2, expires_at = NULL
     WHERE id = $1 AND status = 'pending'"
);

pub(super) const MARK_CANCELLED: Sql = sql!(
    "UPDATE orders SET status = 'cancelled', cancelled_at = $2, updated_at = $2, expires_at = NULL, cancel_reason = $3
     WHERE id = $1 AND status = 'pending'"
);

pub(super) const SET_EXPIRY: Sql =
    sql!("UPDATE orders SET expires_at = $2, updated_at = $3 WHERE id = $1 AND status = 'pending'");

/// Keeps the first reason: the operator has not looked yet.
pub(super) const FLAG: Sql =
    sql!("UPDATE orders SET review_reason = COALESCE(review_reason, $2), updated_at = $3 WHERE id = $1");

/// Products alone: what a module has charged beside them promises nothing.
pub(super) const CANCELLED_ITEMS: Sql = sql!(
    "SELECT id AS order_line_id, product_id, quantity FROM order_lines
     WHERE order_id = $1 AND added_by IS NULL ORDER BY position"
);

macro_rules! sold_lines {
    ($more:literal) => {
        sql!(concat!(
            "SELECT id, product_id, slug, sku, label, quantity, unit_amount, selections, choice_skus, capabilities,
                    module_settings
             FROM order_lines WHERE order_id = $1 AND added_by IS NULL ",
            $more,
            " ORDER BY position"
        ))
    };
}

pub(super) const SOLD_LINES: Sql = sold_lines!("");

/// Those of them that are delivered: digital goods may be held until their buyer can withdraw no more.
pub(super) const DELIVERED_LINES: Sql = sold_lines!("AND (withdrawal_rule IS NULL OR withdrawal_rule <> 'later')");

pub(super) const COUNT_OF_CUSTOMER: Sql = sql!("SELECT COUNT(*) FROM orders WHERE customer_id = $1");

pub(super) const PAGE_OF_CUSTOMER: Sql =
    sql!("SELECT id FROM orders WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3");

pub(super) const LOAD: Sql = sql!(
    "SELECT o.id, o.customer_id, o.status, o.currency, o.subtotal_amount, o.discount_amount, o.shipping_amount,
            o.tax_amount, o.total_amount, o.prices_include_tax, o.shipping_tax_rate, o.shipping_tax_amount,
            o.discount_code, o.added_lines, o.billing_address, o.shipping_address, o.shipping_method_id, o.shipping_method_label,
            o.payment_method, o.note, o.consents, o.vat_id, o.vat_id_check, o.reverse_charge, o.fulfillment_status, o.review_reason, o.cancel_reason,
            o.expires_at, o.language, o.created_at, o.paid_at, o.cancelled_at,
            CASE WHEN u.anonymized_at IS NULL THEN u.email END AS customer_email,
            p.id AS payment_id, p.status AS payment_status, p.amount AS payment_amount,
            p.refunded_amount AS payment_refunded_amount,
            i.id AS invoice_id, i.number AS invoice_number, i.status AS invoice_status
     FROM orders o
     JOIN customers c ON c.id = o.customer_id
     JOIN users u ON u.id = c.user_id
     LEFT JOIN payments p ON p.order_id = o.id
     LEFT JOIN invoices i ON i.order_id = o.id
     WHERE o.id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))
     ORDER BY o.id DESC"
);

pub(super) const LOAD_ITEMS: Sql = sql!(
    "SELECT id, order_id, CASE WHEN added_by IS NULL THEN product_id END AS product_id,
            CASE WHEN added_by IS NULL THEN slug END AS slug, sku, label, quantity, unit_amount, line_total_amount, discount_amount,
            tax_rate, tax_amount, selections, options, shippable, shipped_quantity, refunded_quantity
     FROM order_lines WHERE order_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))
     ORDER BY order_id, position"
);

pub(super) const LOAD_CREDIT_NOTES: Sql = sql!(
    "SELECT id, order_id, number, total_amount FROM credit_notes
     WHERE order_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))
     ORDER BY id"
);

pub(super) const LOAD_SHIPMENTS: Sql = sql!(
    "SELECT s.id, s.order_id, s.tracking, s.shipped_at, i.order_line_id, i.quantity
     FROM shipments s JOIN shipment_lines i ON i.shipment_id = s.id
     WHERE s.order_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))
     ORDER BY s.id, i.order_line_id"
);

pub(super) const LIST_EXPIRED: Sql = sql!(
    "SELECT o.id FROM orders o
     WHERE o.status = 'pending' AND o.expires_at <= $1 AND o.id > $2
       AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id AND a.status = 'processing')
     ORDER BY o.id LIMIT $3"
);

/// The newest first, with each filter only where it is given.
pub(super) const LIST: Sql = sql!(
    "SELECT id FROM orders
     WHERE (CAST($1 AS TEXT) IS NULL OR status = $1) AND (CAST($2 AS BIGINT) IS NULL OR customer_id = $2)
       AND (CAST($3 AS BOOLEAN) IS NULL OR review_reason IS NOT NULL) AND (CAST($4 AS BIGINT) IS NULL OR id < $4)
       AND (CAST($5 AS BOOLEAN) IS NULL
            OR (status = 'paid' AND fulfillment_status IN ('unfulfilled', 'partially_fulfilled')))
     ORDER BY id DESC LIMIT $6"
);

pub(super) const LIST_ATTEMPTS: Sql = sql!(
    "SELECT id, gateway, status, amount, currency, gateway_attempt_id, gateway_payment_id, checks, last_error, created_at,
            (SELECT CASE WHEN t.due_at < t.created_at THEN t.created_at ELSE t.due_at END FROM tasks t
             WHERE t.kind = 'payments.ask' AND t.subject = payment_attempts.id) AS next_check_at
     FROM payment_attempts WHERE order_id = $1 ORDER BY id"
);

pub(super) const LIST_REFUNDS: Sql = sql!(
    "SELECT id, status, amount, currency, reason, gateway, gateway_refund_id, last_error, created_at
     FROM refunds WHERE order_id = $1 ORDER BY id"
);

pub(super) const REVIEW_REASON: Sql = sql!("SELECT review_reason FROM orders WHERE id = $1");

pub(super) const UNFLAG: Sql = sql!("UPDATE orders SET review_reason = NULL, updated_at = $2 WHERE id = $1");

pub(super) const COUNT_TO_REVIEW: Sql = sql!("SELECT COUNT(*) FROM orders WHERE review_reason IS NOT NULL");

/// How many units of a line are to be sent in all: none whose money went back, be it for units or with all of the order.
macro_rules! units_to_send {
    () => {
        "(quantity - CASE WHEN revoked_quantity > refunded_quantity THEN revoked_quantity ELSE refunded_quantity END)"
    };
}
pub(crate) use units_to_send;

pub(super) const ITEMS_TO_SHIP: Sql = sql!(concat!(
    "SELECT id, product_id, label, shippable, ",
    units_to_send!(),
    " - shipped_quantity AS remaining FROM order_lines WHERE order_id = $1 ORDER BY position"
));

/// Never more than was ordered and not refunded.
pub(super) const SHIP_ITEM: Sql = sql!(concat!(
    "UPDATE order_lines SET shipped_quantity = shipped_quantity + $2
     WHERE id = $1 AND shippable = TRUE AND shipped_quantity + $2 <= ",
    units_to_send!()
));

pub(super) const INSERT_SHIPMENT: Sql =
    sql!("INSERT INTO shipments (order_id, tracking, carrier, shipped_at) VALUES ($1, $2, $3, $4) RETURNING id");

/// The shipments of an order that name a carrier.
pub(super) const LIST_CARRIERS: Sql =
    sql!("SELECT id, carrier FROM shipments WHERE order_id = $1 AND carrier IS NOT NULL ORDER BY id");

pub(super) const INSERT_SHIPMENT_ITEM: Sql =
    sql!("INSERT INTO shipment_lines (shipment_id, order_line_id, quantity) VALUES ($1, $2, $3)");

/// What is neither sent nor to be sent was not required.
pub(super) const REFRESH_FULFILLMENT: Sql = sql!(concat!(
    "UPDATE orders
     SET fulfillment_status = (
             SELECT CASE WHEN COALESCE(SUM(shipped_quantity), 0) = 0 AND COALESCE(SUM(",
    units_to_send!(),
    "), 0) = 0 THEN 'not_required'
                         WHEN COALESCE(SUM(shipped_quantity), 0) = 0 THEN 'unfulfilled'
                         WHEN MAX(CASE WHEN shipped_quantity < ",
    units_to_send!(),
    " THEN 1 ELSE 0 END) = 1 THEN 'partially_fulfilled'
                         ELSE 'fulfilled' END
             FROM order_lines WHERE order_id = $1 AND shippable = TRUE
         ),
         updated_at = $2
     WHERE id = $1"
));

pub(super) const ERASE_NOTES: Sql =
    sql!("UPDATE orders SET note = NULL, updated_at = $2 WHERE customer_id = $1 AND note IS NOT NULL");

pub(super) const ALL_OF_CUSTOMER: Sql = sql!("SELECT id FROM orders WHERE customer_id = $1 ORDER BY id");

/// Guests from before `$1`, for `find_idle_guests`.
pub(super) const FROM_BEFORE: &str = "u.created_at <= $1";

/// The guest with the id `$1` as a customer.
pub(super) const THE_GUEST: &str = "c.id = $1";

/// The guests of whom nobody keeps anything but their addresses, at most `$2`: a user, and the customer if there is one.
pub(super) fn find_idle_guests(which: &str, of_customers: &[Reference], of_users: &[Reference]) -> Sql {
    let mut text = format!(
        "SELECT u.id, c.id FROM users u LEFT JOIN customers c ON c.user_id = u.id
         WHERE u.guest = TRUE AND {which} AND u.anonymized_at IS NULL"
    );
    for (kept, id) in [(of_customers, "c.id"), (of_users, "u.id")] {
        for Reference { table, column } in kept {
            let _ = write!(text, " AND NOT EXISTS (SELECT 1 FROM {table} r WHERE r.{column} = {id})");
        }
    }
    text.push_str(" ORDER BY u.id LIMIT $2");
    // The schema is as it is while a program runs, so this is once in its life.
    let text = String::leak(text);
    Sql::new(text, text, file!(), line!())
}

pub(super) const DELETE_ADDRESSES_OF_GUESTS: Sql =
    sql!("DELETE FROM addresses WHERE customer_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))");

pub(super) const DELETE_GUESTS: Sql =
    sql!("DELETE FROM customers WHERE id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))");

pub(super) const DELETE_USERS_OF_GUESTS: Sql =
    sql!("DELETE FROM users WHERE id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))");

/// Hands the orders of a guest over, which holds them: whoever else writes down whose they are waits.
pub(super) const CLAIM: Sql = sql!("UPDATE orders SET customer_id = $2 WHERE customer_id = $1");

/// What the guest has bought counts for the customer. It is added and not counted anew, since another order may come meanwhile.
pub(super) const CLAIM_BOUGHT: Sql = sql!(
    "UPDATE customers
     SET bought = CASE WHEN g.bought = 'never' THEN customers.bought WHEN customers.bought = 'never' THEN g.bought ELSE 'often' END
     FROM customers g WHERE g.id = $1 AND customers.id = $2"
);

pub(super) const CLAIMED_BOUGHT: Sql = sql!("UPDATE customers SET bought = 'never' WHERE id = $1 AND id <> $2");

/// One more order; who buys often does so already.
pub(super) const COUNT_BOUGHT: Sql = sql!(
    "UPDATE customers SET bought = CASE bought WHEN 'never' THEN 'once' ELSE 'often' END WHERE id = $1 AND bought <> 'often'"
);

/// Who has placed an order. On PostgreSQL, the order is handed over to nobody else until this transaction is over; SQLite has one
/// writer.
pub(super) const CUSTOMER_OF_ORDER: Sql = sql!(
    sqlite: "SELECT customer_id FROM orders WHERE id = $1",
    postgres: "SELECT customer_id FROM orders WHERE id = $1 FOR SHARE",
);

pub(super) const COUNT_TO_PACK: Sql = sql!(
    "SELECT COUNT(*) FROM orders WHERE status = 'paid' AND fulfillment_status IN ('unfulfilled', 'partially_fulfilled')"
);

pub(super) const COUNT_UNPAID: Sql = sql!("SELECT COUNT(*) FROM orders WHERE status = 'pending'");
