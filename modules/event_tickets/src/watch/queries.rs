//! Statements that find what must not be.

use stoa_core::prelude::*;

/// A lowered capacity does not take back what was sold before.
pub(crate) const BEYOND_CAPACITY: Sql = sql!(
    "SELECT 'ticket type ' || t.id AS about,
            t.taken || ' are taken of ' || t.capacity || ' places of `' || t.name || '`' AS problem
     FROM event_tickets_types t WHERE t.taken > t.capacity AND t.taken > t.allowance
     UNION ALL
     SELECT 'shared capacity ' || q.id, q.taken || ' are taken of ' || q.capacity || ' places of `' || q.name || '`'
     FROM event_tickets_quotas q WHERE q.taken > q.capacity AND q.taken > q.allowance
     LIMIT 100"
);

pub(crate) const MISCOUNTED: Sql = sql!(
    "SELECT 'ticket type ' || t.id AS about, t.taken || ' are counted and ' || t.held || ' are there' AS problem
     FROM (SELECT t.id, t.taken, COUNT(k.id) AS held
           FROM event_tickets_types t
           LEFT JOIN event_tickets_tickets k ON k.type_id = t.id
                                                  AND (k.status <> 'void' OR k.keeps_place = TRUE)
           GROUP BY t.id, t.taken) t
     WHERE t.taken <> t.held
     UNION ALL
     SELECT 'shared capacity ' || q.id, q.taken || ' are counted and ' || q.held || ' are there'
     FROM (SELECT q.id, q.taken, COALESCE(SUM(t.taken), 0) AS held
           FROM event_tickets_quotas q LEFT JOIN event_tickets_types t ON t.quota_id = q.id
           GROUP BY q.id, q.taken) q
     WHERE q.taken <> q.held
     LIMIT 100"
);

pub(crate) const SEATS_TWICE: Sql = sql!(
    "SELECT 'event ' || event_id AS about, 'the seat `' || MIN(seat) || '` is sold ' || COUNT(*) || ' times' AS problem
     FROM event_tickets_tickets WHERE seat_key IS NOT NULL AND (status <> 'void' OR keeps_place = TRUE)
     GROUP BY event_id, seat_key HAVING COUNT(*) > 1 ORDER BY event_id LIMIT 100"
);

pub(crate) const UNITS_TWICE: Sql = sql!(
    "SELECT 'ticket ' || k.id AS about,
            'unit ' || k.unit || ' of item ' || k.order_line_id || ' of order ' || k.order_id
                || ' is none that this customer has ordered' AS problem
     FROM event_tickets_tickets k
     JOIN shop_order_lines i ON i.id = k.order_line_id
     JOIN shop_orders o ON o.id = i.order_id
     WHERE k.unit > i.quantity OR o.id <> k.order_id OR o.customer_id <> k.customer_id
     ORDER BY k.id LIMIT 100"
);

pub(crate) const UNPAID: Sql = sql!(
    "SELECT 'ticket ' || k.id AS about, 'it is ' || k.status || ' and its order is ' || o.status AS problem
     FROM event_tickets_tickets k JOIN shop_orders o ON o.id = k.order_id
     WHERE (k.status IN ('issued', 'checked_in') AND o.status <> 'paid')
        OR (k.status = 'reserved' AND o.status = 'cancelled')
     ORDER BY k.id LIMIT 100"
);
