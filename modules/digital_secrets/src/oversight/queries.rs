//! Statements for looking after pools, and those that find what must never be.

use stoa_core::prelude::*;

/// What is in each pool that is not handed out, and who waits for it. Values that were handed out are many and are not counted.
pub(super) const LIST_STOCKS: Sql = sql!(
    "SELECT p.name, p.low_water,
            (SELECT COUNT(*) FROM digital_secrets_values v WHERE v.pool_id = p.id AND v.state = 'available') AS available,
            (SELECT COUNT(*) FROM digital_secrets_values v WHERE v.pool_id = p.id AND v.state = 'reserved') AS reserved,
            (SELECT COUNT(*) FROM digital_secrets_units u WHERE u.pool_id = p.id AND u.state = 'waiting') AS waiting,
            (SELECT MIN(u.paid_at) FROM digital_secrets_units u WHERE u.pool_id = p.id AND u.state = 'waiting')
                AS waiting_since,
            EXISTS (SELECT 1 FROM digital_secrets_values v WHERE v.pool_id = p.id AND v.origin = 'added') AS is_filled
     FROM digital_secrets_pools p ORDER BY p.name"
);

/// Products on sale whose values are not generated, and whose pool was never filled.
pub(super) const LIST_UNSTOCKED: Sql = sql!(
    "SELECT p.slug FROM shop_products p
     LEFT JOIN shop_product_settings s ON s.product_id = p.id AND s.module = 'digital_secrets'
     WHERE p.visible = TRUE
       AND CAST(p.capabilities AS TEXT) LIKE '%\"digital_secret\"%'
       AND s.settings ->> 'pattern' IS NULL
       AND NOT EXISTS (SELECT 1 FROM digital_secrets_pools d JOIN digital_secrets_values v ON v.pool_id = d.id
                       WHERE d.name = COALESCE(s.settings ->> 'pool', p.slug) AND v.origin = 'added')
     ORDER BY p.slug LIMIT 100"
);

pub(super) const VALUES_IN_PLACE: Sql = sql!(
    "SELECT 'value ' || CAST(v.id AS TEXT),
            'it is ' || v.state || ' for digital secret ' || CAST(u.id AS TEXT) || ', which is ' || u.state
     FROM digital_secrets_values v JOIN digital_secrets_units u ON u.id = v.unit_id
     WHERE (v.state = 'reserved' AND u.state <> 'promised')
        OR (v.state = 'delivered' AND u.state <> 'delivered')
        OR (v.state = 'revoked' AND u.state <> 'revoked')
        OR v.pool_id <> u.pool_id
     UNION ALL
     SELECT 'value ' || CAST(v.id AS TEXT), 'nobody has it, and it has a unit, or the other way round'
     FROM digital_secrets_values v
     WHERE (v.state = 'available' AND v.unit_id IS NOT NULL)
        OR (v.state IN ('reserved', 'delivered', 'revoked') AND v.unit_id IS NULL)
     LIMIT 100"
);

pub(super) const ONE_VALUE_EACH: Sql = sql!(
    "SELECT 'digital secret ' || CAST(u.id AS TEXT), 'it is delivered, and has ' || CAST(COUNT(v.id) AS TEXT) || ' values'
     FROM digital_secrets_units u LEFT JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state = 'delivered'
     WHERE u.state = 'delivered' GROUP BY u.id HAVING COUNT(v.id) <> 1
     UNION ALL
     SELECT 'digital secret ' || CAST(u.id AS TEXT), 'it was sold from the pool, and nothing is reserved for it'
     FROM digital_secrets_units u
     WHERE u.state = 'promised' AND u.backorder = FALSE AND u.pattern IS NULL
       AND NOT EXISTS (SELECT 1 FROM digital_secrets_values v WHERE v.unit_id = u.id AND v.state = 'reserved')
     LIMIT 100"
);

pub(super) const PAID_FOR: Sql = sql!(
    "SELECT 'digital secret ' || CAST(u.id AS TEXT), 'it is ' || u.state || ', and its order ' || o.status
     FROM digital_secrets_units u JOIN shop_orders o ON o.id = u.order_id
     WHERE (u.state IN ('waiting', 'delivered', 'revoked') AND o.status <> 'paid')
        OR (u.state = 'promised' AND o.status = 'cancelled')
        OR (u.state = 'released' AND o.status <> 'cancelled')
     ORDER BY u.id LIMIT 100"
);

pub(super) const UNITS_OF_ITEMS: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT),
            'item ' || CAST(i.id AS TEXT) || ' has ' || CAST(c.units AS TEXT) || ' digital secrets for '
            || CAST(i.quantity AS TEXT) || ' units'
     FROM (SELECT order_line_id, order_id, customer_id, COUNT(*) AS units, MAX(unit) AS highest
           FROM digital_secrets_units GROUP BY order_line_id, order_id, customer_id) c
     JOIN shop_order_lines i ON i.id = c.order_line_id
     JOIN shop_orders o ON o.id = i.order_id
     WHERE c.units <> i.quantity OR c.highest <> i.quantity OR c.order_id <> i.order_id OR c.customer_id <> o.customer_id
     UNION ALL
     SELECT 'digital secret ' || CAST(u.id AS TEXT), 'it is revoked, and its unit was not refunded'
     FROM digital_secrets_units u
     WHERE u.state = 'revoked'
       AND NOT EXISTS (SELECT 1 FROM shop_refunded_units r WHERE r.order_line_id = u.order_line_id AND r.unit = u.unit
                                                      AND r.revoked_at IS NOT NULL)
     LIMIT 100"
);

pub(super) const SEALED: Sql = sql!(
    "SELECT 'value ' || CAST(v.id AS TEXT), 'it is ' || v.state || ', and its content is gone'
     FROM digital_secrets_values v WHERE v.state IN ('available', 'reserved') AND v.key_id IS NULL
     ORDER BY v.id LIMIT 100"
);
