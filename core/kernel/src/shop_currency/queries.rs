//! The currency in the table of facts about the installation, and what has amounts in it.

use crate::db::Sql;
use crate::sql;

pub(super) const FIND: Sql = sql!("SELECT value FROM installation WHERE name = 'currency'");

/// The same, behind a lock of the row: whoever else opens the shop waits.
pub(super) const LOCK: Sql = sql!(
    sqlite: "SELECT value FROM installation WHERE name = 'currency'",
    postgres: "SELECT value FROM installation WHERE name = 'currency' FOR UPDATE",
);

/// What orders say where nothing was noted: the currency of the last one.
pub(super) const FIND_OF_ORDERS: Sql = sql!("SELECT currency FROM orders ORDER BY id DESC LIMIT 1");

pub(super) const INSERT: Sql =
    sql!("INSERT INTO installation (name, value) VALUES ('currency', $1) ON CONFLICT (name) DO NOTHING");

pub(super) const CHANGE: Sql = sql!("UPDATE installation SET value = $1 WHERE name = 'currency'");

pub(super) const COUNT_AMOUNTS: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM orders) AS orders,
            (SELECT COUNT(*) FROM products
             WHERE price_amount > 0 OR CAST(options AS TEXT) LIKE '%price_adjustment_amount%') AS products,
            (SELECT COUNT(*) FROM discounts WHERE amount IS NOT NULL OR minimum_amount IS NOT NULL) AS discounts"
);
