//! Statements of the command line. None of them reads a value.

use stoa_core::prelude::*;

pub(super) const POOL_NAMES: Sql = sql!("SELECT name FROM digital_secrets_pools ORDER BY name");

pub(super) const LIST_UNITS: Sql = sql!(
    "SELECT u.id, u.state AS status, u.product_id, i.slug, i.label AS name, p.name AS pool, u.order_id, u.order_line_id, u.unit, u.customer_id,
            v.id AS value_id, v.hint AS value_hint, u.created_at, u.paid_at, u.granted_at, u.ended_at
     FROM digital_secrets_units u
     JOIN shop_order_lines i ON i.id = u.order_line_id
     JOIN digital_secrets_pools p ON p.id = u.pool_id
     JOIN shop_customers c ON c.id = u.customer_id
     LEFT JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state IN ('reserved', 'delivered', 'revoked')
     WHERE (CAST($1 AS BIGINT) IS NULL OR u.order_id = $1)
       AND (CAST($2 AS TEXT) IS NULL OR c.email = $2 OR CAST(c.id AS TEXT) = $2)
       AND (CAST($3 AS TEXT) IS NULL OR p.name = $3)
       AND (CAST($4 AS TEXT) IS NULL OR u.state = $4)
     ORDER BY u.id DESC LIMIT $5"
);

pub(super) const FIND_UNIT: Sql = sql!(
    "SELECT u.id, u.state AS status, u.product_id, i.slug, i.label AS name, p.name AS pool, u.order_id, u.order_line_id, u.unit, u.customer_id,
            v.id AS value_id, v.hint AS value_hint, u.created_at, u.paid_at, u.granted_at, u.ended_at
     FROM digital_secrets_units u
     JOIN shop_order_lines i ON i.id = u.order_line_id
     JOIN digital_secrets_pools p ON p.id = u.pool_id
     LEFT JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state IN ('reserved', 'delivered', 'revoked')
     WHERE u.id = $1"
);

pub(super) const COUNT_REVEALS: Sql = sql!("SELECT COUNT(*) FROM digital_secrets_reveals WHERE unit_id = $1");

pub(super) const LIST_REVEALS: Sql = sql!(
    "SELECT actor, token_id, route, value_id, revealed_at FROM digital_secrets_reveals
     WHERE unit_id = $1 ORDER BY id DESC LIMIT $2"
);

pub(super) const LIST_CHANGES: Sql = sql!(
    "SELECT action, value_id, replacement_id, reason, created_at FROM digital_secrets_changes
     WHERE unit_id = $1 ORDER BY id"
);

pub(super) const LIST_VALUES: Sql = sql!(
    "SELECT id, state, origin, hint, unit_id AS digital_secret_id, key_id, created_at, delivered_at
     FROM digital_secrets_values
     WHERE pool_id = $1 AND (CAST($2 AS TEXT) IS NULL OR state = $2) AND id > $3 ORDER BY id LIMIT $4"
);

pub(super) const FIND_VALUE: Sql = sql!(
    "SELECT id, state, origin, hint, unit_id AS digital_secret_id, key_id, created_at, delivered_at
     FROM digital_secrets_values WHERE id = $1"
);

pub(super) const LIST_POOL_IDS: Sql = sql!("SELECT id FROM digital_secrets_pools ORDER BY id");

pub(super) const FIND_BY_FINGERPRINT: Sql = sql!(
    "SELECT v.id AS value_id, p.name AS pool, v.state, v.unit_id AS digital_secret_id, u.order_id, u.customer_id
     FROM digital_secrets_values v
     JOIN digital_secrets_pools p ON p.id = v.pool_id
     LEFT JOIN digital_secrets_units u ON u.id = v.unit_id
     WHERE v.fingerprint IN (SELECT value ->> 'fingerprint' FROM json_each($1)) ORDER BY v.id"
);
