//! Statements about pools, units and their values.

use stoa_core::prelude::*;

/// Makes whoever takes from the pool, or gives back to it, wait until this transaction ends. So what is read afterwards is
/// what all before have left. SQLite has one writer.
pub(crate) const LOCK_POOL: Sql = sql!(
    sqlite: "SELECT id FROM digital_secrets_pools WHERE name = $1",
    postgres: "SELECT id FROM digital_secrets_pools WHERE name = $1 FOR NO KEY UPDATE",
);

pub(crate) const INSERT_POOL: Sql =
    sql!("INSERT INTO digital_secrets_pools (name, created_at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING");

pub(crate) const FIND_POOL: Sql = sql!("SELECT id FROM digital_secrets_pools WHERE name = $1");

/// The same for all pools of an order, in the order in which pools are locked.
pub(crate) const LOCK_POOLS_OF_ORDER: Sql = sql!(
    sqlite: "SELECT p.id FROM digital_secrets_pools p
             WHERE p.id IN (SELECT u.pool_id FROM digital_secrets_units u WHERE u.order_id = $1) ORDER BY p.name",
    postgres: "SELECT p.id FROM digital_secrets_pools p
               WHERE p.id IN (SELECT u.pool_id FROM digital_secrets_units u WHERE u.order_id = $1) ORDER BY p.name
               FOR NO KEY UPDATE",
);

/// How many units of a product a customer has, or is about to have.
pub(crate) const COUNT_OF_CUSTOMER: Sql = sql!(
    "SELECT COUNT(*) FROM digital_secrets_units
     WHERE customer_id = $1 AND product_id = $2 AND state IN ('promised', 'waiting', 'delivered')"
);

/// One row for each unit; those that are there stay as they are.
pub(crate) const INSERT_UNITS: Sql = sql!(
    "INSERT INTO digital_secrets_units (order_id, order_line_id, unit, customer_id, product_id, pool_id, pattern, backorder,
                                        state, created_at)
     SELECT $1, CAST(value ->> 'order_line_id' AS BIGINT), CAST(value ->> 'unit' AS BIGINT), $2,
            CAST(value ->> 'product_id' AS BIGINT), CAST(value ->> 'pool_id' AS BIGINT), value ->> 'pattern',
            CAST(value ->> 'backorder' AS BOOLEAN), 'promised', $4
     FROM json_each($3) WHERE TRUE
     ON CONFLICT (order_line_id, unit) DO NOTHING"
);

/// Gives the oldest values of a pool to an order's units; those that cannot wait come first. With a bare value as its limit,
/// SQLite would plan it anew each time.
pub(crate) const RESERVE: Sql = sql!(
    "UPDATE digital_secrets_values SET state = 'reserved', unit_id = chosen.chosen_unit
     FROM (SELECT v.value_id, u.chosen_unit
           FROM (SELECT value_id, ROW_NUMBER() OVER (ORDER BY value_id) AS place
                 FROM (SELECT id AS value_id FROM digital_secrets_values
                       WHERE pool_id = $1 AND state = 'available' ORDER BY id LIMIT $3 + 0) oldest) v
           JOIN (SELECT id AS chosen_unit, ROW_NUMBER() OVER (ORDER BY backorder, id) AS place
                 FROM digital_secrets_units
                 WHERE order_id = $2 AND pool_id = $1 AND state = 'promised' AND pattern IS NULL) u
             ON u.place = v.place) chosen
     WHERE digital_secrets_values.id = chosen.value_id AND digital_secrets_values.state = 'available'"
);

/// Hands over what was reserved for an order. A unit whose price went back already gets nothing.
pub(crate) const DELIVER_RESERVED: Sql = sql!(
    "UPDATE digital_secrets_values SET state = 'delivered', delivered_at = $2
     WHERE state = 'reserved' AND unit_id IN (
         SELECT u.id FROM digital_secrets_units u
         WHERE u.order_id = $1 AND u.state = 'promised'
           AND NOT EXISTS (SELECT 1 FROM shop_refunded_units r WHERE r.order_line_id = u.order_line_id AND r.unit = u.unit
                                                          AND r.revoked_at IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM json_each($3) h
                           WHERE CAST(h.value ->> 'order_line_id' AS BIGINT) = u.order_line_id
                             AND CAST(h.value ->> 'unit' AS BIGINT) = u.unit))"
);

pub(crate) const GRANT_ORDER: Sql = sql!(
    "UPDATE digital_secrets_units
     SET state = 'delivered', granted_at = $2, paid_at = (SELECT o.paid_at FROM shop_orders o WHERE o.id = $1)
     WHERE order_id = $1 AND state = 'promised' AND EXISTS (
         SELECT 1 FROM digital_secrets_values v WHERE v.unit_id = digital_secrets_units.id AND v.state = 'delivered')"
);

/// The units of an order that are paid, have no value yet, and are still owed one.
pub(crate) const LET_ORDER_WAIT: Sql = sql!(
    "UPDATE digital_secrets_units
     SET state = 'waiting', paid_at = (SELECT o.paid_at FROM shop_orders o WHERE o.id = $1)
     WHERE order_id = $1 AND state = 'promised'
       AND NOT EXISTS (SELECT 1 FROM digital_secrets_values v
                       WHERE v.unit_id = digital_secrets_units.id AND v.state = 'reserved')
       AND NOT EXISTS (SELECT 1 FROM shop_refunded_units r WHERE r.order_line_id = digital_secrets_units.order_line_id
                                                      AND r.unit = digital_secrets_units.unit
                                                      AND r.revoked_at IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM json_each($2) h
                           WHERE CAST(h.value ->> 'order_line_id' AS BIGINT) = digital_secrets_units.order_line_id
                             AND CAST(h.value ->> 'unit' AS BIGINT) = digital_secrets_units.unit)"
);

/// Units of a pool whose order is paid, though it was not heard of yet: they wait like all others, by the time of payment.
pub(crate) const LET_PAID_WAIT: Sql = sql!(
    "UPDATE digital_secrets_units
     SET state = 'waiting', paid_at = (SELECT o.paid_at FROM shop_orders o WHERE o.id = order_id)
     WHERE pool_id = $1 AND state = 'promised' AND pattern IS NULL
       AND EXISTS (SELECT 1 FROM shop_orders o WHERE o.id = order_id AND o.status = 'paid')
       AND NOT EXISTS (SELECT 1 FROM digital_secrets_values v
                       WHERE v.unit_id = digital_secrets_units.id AND v.state = 'reserved')
       AND NOT EXISTS (SELECT 1 FROM shop_refunded_units r WHERE r.order_line_id = digital_secrets_units.order_line_id
                                                      AND r.unit = digital_secrets_units.unit
                                                      AND r.revoked_at IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM json_each($2) h
                           WHERE CAST(h.value ->> 'order_line_id' AS BIGINT) = digital_secrets_units.order_line_id
                             AND CAST(h.value ->> 'unit' AS BIGINT) = digital_secrets_units.unit)"
);

/// Units of an order whose value is generated.
pub(crate) const LIST_TO_GENERATE: Sql = sql!(
    "SELECT id, pool_id, pattern FROM digital_secrets_units
     WHERE order_id = $1 AND state = 'waiting' AND pattern IS NOT NULL ORDER BY id"
);

/// Units that wait for a value of a pool, or are about to.
pub(crate) const WAITING_UNITS: Sql = sql!(
    "SELECT u.order_line_id, u.unit FROM digital_secrets_units u
     WHERE u.pool_id = $1 AND u.pattern IS NULL
       AND (u.state = 'waiting'
            OR (u.state = 'promised' AND EXISTS (SELECT 1 FROM shop_orders o WHERE o.id = u.order_id AND o.status = 'paid')
                AND NOT EXISTS (SELECT 1 FROM digital_secrets_values v WHERE v.unit_id = u.id AND v.state = 'reserved')))"
);

pub(crate) const UNITS_OF_ORDER: Sql =
    sql!("SELECT order_line_id, unit FROM digital_secrets_units WHERE order_id = $1 ORDER BY order_line_id, unit");

pub(crate) const DELIVERED_OF_ORDER: Sql =
    sql!("SELECT order_line_id, unit FROM digital_secrets_units WHERE order_id = $1 AND state = 'delivered'");

/// Units of a pool that have just got their value.
pub(crate) const JUST_SERVED: Sql = sql!(
    "SELECT order_line_id, unit FROM digital_secrets_units
     WHERE pool_id = $1 AND state = 'delivered' AND granted_at = $2"
);

pub(crate) const COUNT_WAITING: Sql = sql!(
    "SELECT COUNT(*) FROM digital_secrets_units u
     WHERE u.pool_id = $1 AND u.state = 'waiting' AND u.pattern IS NULL
       AND NOT EXISTS (SELECT 1 FROM shop_refunded_units r WHERE r.order_line_id = u.order_line_id AND r.unit = u.unit
                                                      AND r.revoked_at IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM json_each($2) h
                           WHERE CAST(h.value ->> 'order_line_id' AS BIGINT) = u.order_line_id
                             AND CAST(h.value ->> 'unit' AS BIGINT) = u.unit)"
);

/// Gives the oldest values of a pool to the units that have waited longest since they were paid.
pub(crate) const SERVE_WAITING: Sql = sql!(
    "UPDATE digital_secrets_values SET state = 'delivered', unit_id = chosen.chosen_unit, delivered_at = $2
     FROM (SELECT v.value_id, u.chosen_unit
           FROM (SELECT value_id, ROW_NUMBER() OVER (ORDER BY value_id) AS place
                 FROM (SELECT id AS value_id FROM digital_secrets_values
                       WHERE pool_id = $1 AND state = 'available' ORDER BY id LIMIT $3) oldest) v
           JOIN (SELECT w.id AS chosen_unit, ROW_NUMBER() OVER (ORDER BY w.paid_at, w.order_id, w.id) AS place
                 FROM digital_secrets_units w
                 WHERE w.pool_id = $1 AND w.state = 'waiting' AND w.pattern IS NULL
                   AND NOT EXISTS (SELECT 1 FROM shop_refunded_units r
                                   WHERE r.order_line_id = w.order_line_id AND r.unit = w.unit
                                     AND r.revoked_at IS NOT NULL)
           AND NOT EXISTS (SELECT 1 FROM json_each($4) h
                           WHERE CAST(h.value ->> 'order_line_id' AS BIGINT) = w.order_line_id
                             AND CAST(h.value ->> 'unit' AS BIGINT) = w.unit)) u
             ON u.place = v.place) chosen
     WHERE digital_secrets_values.id = chosen.value_id AND digital_secrets_values.state = 'available'"
);

pub(crate) const GRANT_WAITING: Sql = sql!(
    "UPDATE digital_secrets_units SET state = 'delivered', granted_at = $2
     WHERE pool_id = $1 AND state = 'waiting' AND EXISTS (
         SELECT 1 FROM digital_secrets_values v WHERE v.unit_id = digital_secrets_units.id AND v.state = 'delivered')"
);

/// Gives back what was reserved for an order.
pub(crate) const RELEASE_VALUES: Sql = sql!(
    "UPDATE digital_secrets_values SET state = 'available', unit_id = NULL
     WHERE state = 'reserved'
       AND unit_id IN (SELECT u.id FROM digital_secrets_units u WHERE u.order_id = $1 AND u.state = 'promised')"
);

pub(crate) const RELEASE_UNITS: Sql = sql!(
    "UPDATE digital_secrets_units SET state = 'released', ended_at = $2 WHERE order_id = $1 AND state = 'promised'"
);

/// Takes back one unit, whatever has become of it so far.
pub(crate) const REVOKE_UNIT: Sql = sql!(
    "UPDATE digital_secrets_units SET state = 'revoked', ended_at = $3
     WHERE order_line_id = $1 AND unit = $2 AND state IN ('promised', 'waiting', 'delivered')
     RETURNING id"
);

/// A value that somebody has had is never given to anybody again.
pub(crate) const REVOKE_VALUE: Sql =
    sql!("UPDATE digital_secrets_values SET state = 'revoked' WHERE unit_id = $1 AND state = 'delivered'");

/// One that nobody has seen is as good as new.
pub(crate) const RELEASE_VALUE: Sql = sql!(
    "UPDATE digital_secrets_values SET state = 'available', unit_id = NULL WHERE unit_id = $1 AND state = 'reserved'"
);

/// New values without their content, which is sealed for the row; those that the pool has had before are left out.
pub(crate) const INSERT_VALUES: Sql = sql!(
    "INSERT INTO digital_secrets_values (pool_id, state, origin, fingerprint, sealed_value, hint, created_at)
     SELECT $1, 'available', 'added', value ->> 'fingerprint', '', value ->> 'hint', $3
     FROM json_each($2) WHERE TRUE ORDER BY key
     ON CONFLICT (pool_id, fingerprint) DO NOTHING
     RETURNING id, fingerprint"
);

pub(crate) const SEAL_VALUES: Sql = sql!(
    "UPDATE digital_secrets_values SET key_id = $2, sealed_value = e.sealed
     FROM (SELECT CAST(value ->> 'id' AS BIGINT) AS value_id, value ->> 'sealed' AS sealed FROM json_each($1)) e
     WHERE digital_secrets_values.id = e.value_id"
);

/// A value that is made for a unit.
pub(crate) const INSERT_FOR_UNIT: Sql = sql!(
    "INSERT INTO digital_secrets_values (pool_id, unit_id, state, origin, fingerprint, sealed_value, hint, created_at,
                                         delivered_at)
     VALUES ($1, $2, $3, $4, $5, '', $6, $7, $8)
     ON CONFLICT (pool_id, fingerprint) DO NOTHING RETURNING id"
);

/// Which of these values the pool has had before.
pub(crate) const LIST_KNOWN: Sql = sql!(
    "SELECT fingerprint FROM digital_secrets_values
     WHERE pool_id = $1 AND fingerprint IN (SELECT value ->> 'fingerprint' FROM json_each($2))"
);

pub(crate) const GRANT_UNIT: Sql =
    sql!("UPDATE digital_secrets_units SET state = 'delivered', granted_at = $2 WHERE id = $1 AND state = 'waiting'");

pub(crate) const COUNT_OWN: Sql = sql!(
    "SELECT COUNT(*) FROM digital_secrets_units
     WHERE customer_id = $1 AND order_id = COALESCE($2, order_id) AND granted_at IS NOT NULL
       AND state IN ('delivered', 'revoked')"
);

/// A customer's secrets. What was revoked is not even fetched.
macro_rules! own {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT u.id, u.order_line_id, u.unit, u.product_id, i.slug, i.label, u.state, u.granted_at, u.ended_at, u.order_id, v.id AS value_id, v.hint,
                    CASE WHEN u.state = 'delivered' THEN v.sealed_value END AS sealed_value, k.id AS key_id, k.sealed_key
             FROM digital_secrets_units u
             JOIN shop_order_lines i ON i.id = u.order_line_id
             JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state IN ('delivered', 'revoked')
             LEFT JOIN digital_secrets_keys k ON k.id = v.key_id AND u.state = 'delivered'
             WHERE u.customer_id = $1 AND u.order_id = COALESCE($2, u.order_id) AND u.granted_at IS NOT NULL
               AND u.state IN ('delivered', 'revoked') ",
            $rest
        ))
    };
}

/// The newest first.
pub(crate) const LIST_OWN: Sql = own!("ORDER BY u.granted_at DESC, u.id DESC LIMIT $3 OFFSET $4");

pub(crate) const FIND_OWN: Sql = own!("AND u.id = $3");

pub(crate) const INSERT_REVEALS: Sql = sql!(
    "INSERT INTO digital_secrets_reveals (unit_id, value_id, actor, token_id, route, revealed_at)
     SELECT CAST(value ->> 'unit_id' AS BIGINT), CAST(value ->> 'value_id' AS BIGINT), $2, $3, $4, $5 FROM json_each($1)"
);

pub(crate) const DELETE_OLD_REVEALS: Sql = sql!(
    "DELETE FROM digital_secrets_reveals
     WHERE id IN (SELECT id FROM digital_secrets_reveals WHERE revealed_at < $1 ORDER BY revealed_at LIMIT $2)"
);

/// Values that were ordered, and those that buyers may look at.
pub(crate) const COUNT_LEFT_ALONE: Sql = sql!(
    "SELECT COUNT(*) FROM digital_secrets_units
     WHERE state IN ('promised', 'waiting', 'delivered') AND created_at <= $1"
);

/// Hands what a guest has bought over.
pub(crate) const CLAIM: Sql = sql!("UPDATE digital_secrets_units SET customer_id = $2 WHERE customer_id = $1");

pub(crate) const FIND_PRODUCT: Sql = sql!(
    "SELECT p.slug, s.settings FROM shop_products p
     LEFT JOIN shop_product_settings s ON s.product_id = p.id AND s.module = 'digital_secrets' WHERE p.slug = $1"
);

pub(crate) const COUNT_AVAILABLE: Sql = sql!(
    "SELECT COUNT(*) FROM digital_secrets_values v JOIN digital_secrets_pools p ON p.id = v.pool_id
     WHERE p.name = $1 AND v.state = 'available'"
);

/// What was promised or delivered with an order, without the values.
pub(crate) const LIST_OF_ORDER: Sql = sql!(
    "SELECT u.id, u.state, i.label, p.name AS pool, u.granted_at, u.order_id, v.hint
     FROM digital_secrets_units u JOIN shop_order_lines i ON i.id = u.order_line_id
     JOIN digital_secrets_pools p ON p.id = u.pool_id
     LEFT JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state IN ('reserved', 'delivered', 'revoked')
     WHERE u.order_id = $1 ORDER BY u.id LIMIT 100"
);

pub(crate) const FIND_SOLD: Sql = sql!(
    "SELECT u.id, u.state, i.label, p.name AS pool, u.granted_at, u.order_id, v.hint
     FROM digital_secrets_units u JOIN shop_order_lines i ON i.id = u.order_line_id
     JOIN digital_secrets_pools p ON p.id = u.pool_id
     LEFT JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state IN ('reserved', 'delivered', 'revoked')
     WHERE u.id = $1"
);

/// A page of what was sold, the newest first.
pub(crate) const PAGE_SOLD: Sql = sql!(
    "SELECT u.id, u.state, i.label, p.name AS pool, u.granted_at, u.order_id, v.hint
     FROM digital_secrets_units u JOIN shop_order_lines i ON i.id = u.order_line_id
     JOIN digital_secrets_pools p ON p.id = u.pool_id
     JOIN shop_customers c ON c.id = u.customer_id
     LEFT JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state IN ('reserved', 'delivered', 'revoked')
     WHERE (CAST($1 AS BIGINT) IS NULL OR u.order_id = $1) AND (CAST($2 AS TEXT) IS NULL OR c.email = $2)
       AND (CAST($3 AS TEXT) IS NULL OR p.name = $3) AND (CAST($4 AS TEXT) IS NULL OR u.state = $4)
       AND (CAST($5 AS BIGINT) IS NULL OR u.id < $5)
     ORDER BY u.id DESC LIMIT $6"
);

pub(crate) const COUNT_SOLD: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM digital_secrets_units u
         JOIN digital_secrets_pools p ON p.id = u.pool_id
         JOIN shop_customers c ON c.id = u.customer_id
         WHERE (CAST($1 AS BIGINT) IS NULL OR u.order_id = $1) AND (CAST($2 AS TEXT) IS NULL OR c.email = $2)
           AND (CAST($3 AS TEXT) IS NULL OR p.name = $3) AND (CAST($4 AS TEXT) IS NULL OR u.state = $4)
         LIMIT $5) AS counted"
);

/// A page of what lies in a pool, the oldest first, without the values.
pub(crate) const PAGE_VALUES: Sql = sql!(
    "SELECT v.id, v.state, v.origin, v.hint, v.unit_id, v.created_at, v.delivered_at
     FROM digital_secrets_values v JOIN digital_secrets_pools p ON p.id = v.pool_id
     WHERE p.name = $1 AND (CAST($2 AS TEXT) IS NULL OR v.state = $2) AND v.id > $3 ORDER BY v.id LIMIT $4"
);

pub(crate) const COUNT_VALUES: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM digital_secrets_values v JOIN digital_secrets_pools p ON p.id = v.pool_id
         WHERE p.name = $1 AND (CAST($2 AS TEXT) IS NULL OR v.state = $2) LIMIT $3) AS counted"
);

/// Whoever changes the same pool waits. SQLite has one writer.
pub(crate) const LOCK_LOW_WATER: Sql = sql!(
    sqlite: "SELECT low_water FROM digital_secrets_pools WHERE name = $1",
    postgres: "SELECT low_water FROM digital_secrets_pools WHERE name = $1 FOR NO KEY UPDATE",
);

pub(crate) const SET_LOW_WATER: Sql = sql!("UPDATE digital_secrets_pools SET low_water = $2 WHERE name = $1");

/// The value of a unit with its key, also of one that was revoked: the operator may have to talk to the vendor about it.
pub(crate) const FIND_SEALED: Sql = sql!(
    "SELECT v.id AS value_id, v.sealed_value, k.id AS key_id, k.sealed_key
     FROM digital_secrets_values v JOIN digital_secrets_keys k ON k.id = v.key_id
     WHERE v.unit_id = $1 AND v.state IN ('reserved', 'delivered', 'revoked')"
);
