//! Every statement of the module, once for both databases.

use stoa_core::prelude::*;

pub(crate) const FIND_ACCOUNT: Sql = sql!("SELECT points, wanted FROM loyalty_accounts WHERE customer_id = $1");

/// Makes the account if there is none, and has others wait who want to change it.
pub(crate) const LOCK: Sql = sql!(
    "INSERT INTO loyalty_accounts (customer_id, points, wanted) VALUES ($1, 0, 0)
     ON CONFLICT (customer_id) DO UPDATE SET points = loyalty_accounts.points"
);

pub(crate) const ADD: Sql = sql!("UPDATE loyalty_accounts SET points = points + $2 WHERE customer_id = $1");

/// Takes points, unless there are fewer.
pub(crate) const TAKE: Sql =
    sql!("UPDATE loyalty_accounts SET points = points - $2, wanted = 0 WHERE customer_id = $1 AND points >= $2");

pub(crate) const WANT: Sql =
    sql!("UPDATE loyalty_accounts SET wanted = $2 WHERE customer_id = $1 AND ($2 = 0 OR points >= $2)");

pub(crate) const NOTE: Sql = sql!(
    "INSERT INTO loyalty_entries (customer_id, order_id, kind, points, reason, created_at) VALUES ($1, $2, $3, $4, $5, $6)"
);

/// Whose an order is, unless they were erased.
pub(crate) const FIND_BUYER: Sql = sql!(
    "SELECT o.customer_id FROM shop_orders o JOIN shop_customers c ON c.id = o.customer_id
     WHERE o.id = $1 AND c.anonymized_at IS NULL"
);

/// What was paid for an order, and what of it went back.
pub(crate) const FIND_PAID: Sql =
    sql!("SELECT amount, refunded_amount FROM shop_payments WHERE order_id = $1 AND paid_at IS NOT NULL");

pub(crate) const SUM_EARNED: Sql = sql!(
    "SELECT CAST(COALESCE(SUM(points), 0) AS BIGINT) FROM loyalty_entries
     WHERE order_id = $1 AND kind IN ('earned', 'taken_back')"
);

/// Below zero: what was redeemed with an order and not given back.
pub(crate) const SUM_REDEEMED: Sql = sql!(
    "SELECT CAST(COALESCE(SUM(points), 0) AS BIGINT) FROM loyalty_entries
     WHERE order_id = $1 AND kind IN ('redeemed', 'given_back')"
);

pub(crate) const COUNT_ENTRIES: Sql = sql!("SELECT COUNT(*) FROM loyalty_entries WHERE customer_id = $1");

pub(crate) const LIST_ENTRIES: Sql = sql!(
    "SELECT id, order_id, kind, points, reason, created_at FROM loyalty_entries
     WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3"
);

pub(crate) const FIND_CUSTOMER: Sql = sql!("SELECT id FROM shop_customers WHERE id = $1 AND anonymized_at IS NULL");

pub(crate) const COUNT_ACCOUNTS: Sql =
    sql!("SELECT COUNT(*) FROM (SELECT 1 FROM loyalty_accounts LIMIT $1) AS counted");

/// For the operator.
pub(crate) const LIST_ACCOUNTS: Sql = sql!(
    "SELECT a.customer_id, c.name, a.points, a.wanted FROM loyalty_accounts a
     JOIN shop_customers c ON c.id = a.customer_id
     WHERE CAST($2 AS BIGINT) IS NULL OR a.customer_id < $2 ORDER BY a.customer_id DESC LIMIT $1"
);

pub(crate) const DELETE_ENTRIES: Sql = sql!("DELETE FROM loyalty_entries WHERE customer_id = $1");

pub(crate) const DELETE_ACCOUNT: Sql = sql!("DELETE FROM loyalty_accounts WHERE customer_id = $1");

/// Adds what a guest has to what the customer has.
pub(crate) const CLAIM: [Sql; 3] = [
    sql!(
        "INSERT INTO loyalty_accounts (customer_id, points, wanted)
         SELECT CAST($2 AS BIGINT), points, 0 FROM loyalty_accounts WHERE customer_id = $1
         ON CONFLICT (customer_id) DO UPDATE SET points = loyalty_accounts.points + excluded.points"
    ),
    sql!("UPDATE loyalty_entries SET customer_id = $2 WHERE customer_id = $1"),
    sql!("DELETE FROM loyalty_accounts WHERE customer_id = $1 AND customer_id <> $2"),
];

pub(crate) const FIND_WRONG: Sql = sql!(
    "SELECT 'the account of customer ' || CAST(a.customer_id AS TEXT), 'its entries come to another number of points'
     FROM loyalty_accounts a
     WHERE a.points <> (SELECT COALESCE(SUM(e.points), 0) FROM loyalty_entries e WHERE e.customer_id = a.customer_id)
     ORDER BY a.customer_id LIMIT 100"
);
