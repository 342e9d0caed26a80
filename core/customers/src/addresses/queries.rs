//! Statements about saved addresses.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Makes whoever writes addresses of the same customer wait, so that each sees what the one before has left. SQLite
/// has one writer at a time anyway. The weaker of PostgreSQL's locks suffices: it lets rows that refer to the customer in.
pub(super) const LOCK_CUSTOMER: Sql = sql!(
    sqlite: "SELECT id FROM customers WHERE id = $1",
    postgres: "SELECT id FROM customers WHERE id = $1 FOR NO KEY UPDATE",
);

/// How many addresses a customer has; no row for one who is anonymized.
pub(super) const COUNT: Sql = sql!(
    "SELECT COUNT(a.id) FROM customers c
     JOIN users u ON u.id = c.user_id
     LEFT JOIN addresses a ON a.customer_id = c.id
     WHERE c.id = $1 AND u.anonymized_at IS NULL
     GROUP BY c.id"
);

pub(super) const LIST: Sql = sql!(
    "SELECT id, label, name, company, line1, line2, city, postal_code, region, country, phone,
            is_default_billing, is_default_shipping
     FROM addresses WHERE customer_id = $1 ORDER BY id DESC"
);

pub(super) const FIND: Sql = sql!(
    "SELECT id, label, name, company, line1, line2, city, postal_code, region, country, phone,
            is_default_billing, is_default_shipping
     FROM addresses WHERE id = $2 AND customer_id = $1"
);

pub(super) const FIND_PROPERTIES: Sql = sql!("SELECT name, properties FROM customers WHERE id = $1");

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO addresses (customer_id, label, name, company, line1, line2, city, postal_code, region, country, phone,
                            is_default_billing, is_default_shipping, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
             COALESCE(CAST($12 AS BOOLEAN), FALSE), COALESCE(CAST($13 AS BOOLEAN), FALSE), $14, $14)
     RETURNING id, label, name, company, line1, line2, city, postal_code, region, country, phone,
               is_default_billing, is_default_shipping"
);

pub(super) const UPDATE: Sql = sql!(
    "UPDATE addresses
     SET label = $2, name = $3, company = $4, line1 = $5, line2 = $6, city = $7, postal_code = $8, region = $9,
         country = $10, phone = $11,
         is_default_billing = COALESCE(CAST($12 AS BOOLEAN), is_default_billing),
         is_default_shipping = COALESCE(CAST($13 AS BOOLEAN), is_default_shipping),
         updated_at = $14
     WHERE id = $15 AND customer_id = $1
     RETURNING id, label, name, company, line1, line2, city, postal_code, region, country, phone,
               is_default_billing, is_default_shipping"
);

pub(super) const CLEAR_DEFAULT_BILLING: Sql = sql!(
    "UPDATE addresses SET is_default_billing = FALSE, updated_at = $2
     WHERE customer_id = $1 AND is_default_billing"
);

pub(super) const CLEAR_DEFAULT_SHIPPING: Sql = sql!(
    "UPDATE addresses SET is_default_shipping = FALSE, updated_at = $2
     WHERE customer_id = $1 AND is_default_shipping"
);

pub(super) const DELETE: Sql = sql!("DELETE FROM addresses WHERE id = $2 AND customer_id = $1");

pub(super) const DELETE_ALL: Sql = sql!("DELETE FROM addresses WHERE customer_id = $1");

pub(super) const EMPTY_PROPERTIES: Sql = sql!("UPDATE customers SET properties = '{}', updated_at = $2 WHERE id = $1");

pub(super) const PROPERTIES: Sql = sql!("SELECT properties FROM customers WHERE id = $1");

pub(super) const SET_PROPERTIES: Sql = sql!("UPDATE customers SET properties = $2, updated_at = $3 WHERE id = $1");
