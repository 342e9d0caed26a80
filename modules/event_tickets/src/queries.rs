//! Statements of reading and changing tickets; those of what is sold stand with it, in `offers`.

use stoa_core::prelude::*;

/// Tickets with their event and type, as [`TicketRow`](crate::model::TicketRow) reads them.
macro_rules! select_tickets {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT k.id, k.token, k.status, k.holder, k.seat, k.qr, k.checked_in_at, k.gate, k.issued_at, k.voided_at,
                    k.void_reason, k.order_id, k.order_line_id, k.unit, k.customer_id, t.name AS ticket_type, k.event_id, e.name AS event,
                    e.slug AS event_slug, e.venue, e.starts_at, e.ends_at, e.utc_offset_minutes,
                    (SELECT c.name FROM shop_customers c WHERE c.id = k.customer_id) AS buyer
             FROM event_tickets_tickets k
             JOIN event_tickets_types t ON t.id = k.type_id
             JOIN event_tickets_events e ON e.id = k.event_id ",
            $rest
        ))
    };
}

/// Who holds places of an order, in the order in which they are locked.
pub(crate) const LIST_TYPES_OF_ORDER: Sql = sql!(
    "SELECT DISTINCT t.product_id, t.id, t.quota_id
     FROM event_tickets_tickets k JOIN event_tickets_types t ON t.id = k.type_id
     WHERE k.order_id = $1 ORDER BY t.product_id, t.id"
);

pub(crate) const LOCK_TYPE: Sql = sql!("UPDATE event_tickets_types SET taken = taken WHERE id = $1");

pub(crate) const LOCK_QUOTA: Sql = sql!("UPDATE event_tickets_quotas SET taken = taken WHERE id = $1");

/// The condition keeps two orders from taking the last place.
pub(crate) const TAKE_OF_TYPE: Sql =
    sql!("UPDATE event_tickets_types SET taken = taken + $2 WHERE id = $1 AND taken + $2 <= capacity");

pub(crate) const TAKE_OF_QUOTA: Sql =
    sql!("UPDATE event_tickets_quotas SET taken = taken + $2 WHERE id = $1 AND taken + $2 <= capacity");

pub(crate) const LEFT_OF_TYPE: Sql = sql!("SELECT capacity - taken FROM event_tickets_types WHERE id = $1");

pub(crate) const LEFT_OF_QUOTA: Sql = sql!("SELECT capacity - taken FROM event_tickets_quotas WHERE id = $1");

pub(crate) const GIVE_BACK_TO_TYPE: Sql =
    sql!("UPDATE event_tickets_types SET taken = taken - $2 WHERE id = $1 RETURNING quota_id");

pub(crate) const GIVE_BACK_TO_QUOTA: Sql = sql!("UPDATE event_tickets_quotas SET taken = taken - $2 WHERE id = $1");

/// Leaves out units whose seat is taken; whoever inserts counts the rows.
pub(crate) const RESERVE: Sql = sql!(
    "INSERT INTO event_tickets_tickets
         (type_id, event_id, order_id, order_line_id, unit, customer_id, status, holder, seat, seat_key, created_at)
     SELECT CAST(value ->> 'type_id' AS BIGINT), CAST(value ->> 'event_id' AS BIGINT), $2,
            CAST(value ->> 'order_line_id' AS BIGINT), CAST(value ->> 'unit' AS BIGINT), $3, 'reserved',
            value ->> 'holder', value ->> 'seat', value ->> 'seat_key', $4
     FROM json_each($1) WHERE TRUE
     ON CONFLICT DO NOTHING"
);

pub(crate) const COUNT_TAKEN_SEATS: Sql = sql!(
    "SELECT COUNT(*) FROM event_tickets_tickets
     WHERE event_id = $1 AND (status <> 'void' OR keeps_place = TRUE)
       AND seat_key IN (SELECT value ->> 'seat_key' FROM json_each($2))"
);

pub(crate) const LIST_RESERVED_ITEMS: Sql =
    sql!("SELECT DISTINCT order_line_id FROM event_tickets_tickets WHERE order_id = $1");

pub(crate) const RELEASE: Sql =
    sql!("DELETE FROM event_tickets_tickets WHERE order_id = $1 AND status = 'reserved' RETURNING type_id");

pub(crate) const LIST_RESERVED: Sql = sql!(
    "SELECT k.id, e.slug AS event_slug, k.seat
     FROM event_tickets_tickets k JOIN event_tickets_events e ON e.id = k.event_id
     WHERE k.order_id = $1 AND k.status = 'reserved' ORDER BY k.id"
);

/// Changes nothing the second time, and nothing of a unit that was refunded before.
pub(crate) const ISSUE: Sql = sql!(
    "UPDATE event_tickets_tickets
     SET status = 'issued', token = made.value ->> 'token', qr = made.value ->> 'qr', key_id = $2, issued_at = $3
     FROM json_each($1) made
     WHERE event_tickets_tickets.id = CAST(made.value ->> 'id' AS BIGINT)
       AND event_tickets_tickets.status = 'reserved'"
);

/// Gives the type whose place becomes free; none when the ticket was used.
pub(crate) const VOID_UNIT: Sql = sql!(
    "UPDATE event_tickets_tickets
     SET status = 'void', voided_at = $3, void_reason = 'refunded', keeps_place = (status = 'checked_in')
     WHERE order_line_id = $1 AND unit = $2 AND status <> 'void'
     RETURNING CASE WHEN keeps_place THEN NULL ELSE type_id END"
);

/// The same of one that an operator makes void.
pub(crate) const VOID_TICKET: Sql = sql!(
    "UPDATE event_tickets_tickets
     SET status = 'void', voided_at = $2, void_reason = $3, keeps_place = (status = 'checked_in')
     WHERE id = $1 AND status IN ('issued', 'checked_in')
     RETURNING CASE WHEN keeps_place THEN NULL ELSE type_id END"
);

pub(crate) const UNDO_CHECK_IN: Sql = sql!(
    "UPDATE event_tickets_tickets SET status = 'issued', checked_in_at = NULL, gate = NULL
     WHERE id = $1 AND status = 'checked_in'"
);

/// One winner for each token, however many try. What is being refunded admits nobody.
pub(crate) const CHECK_IN: Sql = sql!(
    "UPDATE event_tickets_tickets SET status = 'checked_in', checked_in_at = $2, gate = $3
     FROM json_each($1) shown
     WHERE event_tickets_tickets.token = shown.value ->> 'token'
       AND event_tickets_tickets.status = 'issued'
       AND (CAST($4 AS BIGINT) IS NULL OR event_tickets_tickets.event_id = $4)
       AND NOT EXISTS (SELECT 1 FROM shop_refunded_units r
                       WHERE r.order_line_id = event_tickets_tickets.order_line_id
                         AND r.unit = event_tickets_tickets.unit)
     RETURNING token, order_line_id, unit"
);

/// For a ticket that was refunded while it was being checked in.
pub(crate) const TURN_AWAY: Sql =
    sql!("UPDATE event_tickets_tickets SET status = 'issued', checked_in_at = NULL, gate = NULL WHERE token = $1");

pub(crate) const LIST_SHOWN: Sql = select_tickets!("WHERE k.token IN (SELECT value ->> 'token' FROM json_each($1))");

pub(crate) const COUNT_OF_CUSTOMER: Sql = sql!(
    "SELECT COUNT(*) FROM event_tickets_tickets
     WHERE customer_id = $1 AND order_id = COALESCE($2, order_id) AND token IS NOT NULL"
);

pub(crate) const LIST_OF_CUSTOMER: Sql = select_tickets!(
    "WHERE k.customer_id = $1 AND k.order_id = COALESCE($2, k.order_id) AND k.token IS NOT NULL
     ORDER BY k.id DESC LIMIT $3 OFFSET $4"
);

pub(crate) const FIND_OF_CUSTOMER: Sql =
    select_tickets!("WHERE k.customer_id = $1 AND k.order_id = COALESCE($2, k.order_id) AND k.token = $3");

/// By token, or by the id that a number stands for.
pub(crate) const FIND: Sql =
    select_tickets!("WHERE (k.token = CAST($1 AS TEXT) OR k.id = CAST($2 AS BIGINT)) AND k.token IS NOT NULL");

/// What an operator looks for; each condition that is null admits everything.
pub(crate) const LIST: Sql = select_tickets!(
    "WHERE k.token IS NOT NULL
       AND (CAST($1 AS BIGINT) IS NULL OR k.event_id = $1)
       AND (CAST($2 AS TEXT) IS NULL OR k.status = $2)
       AND (CAST($3 AS BIGINT) IS NULL OR k.order_id = $3)
     ORDER BY k.id DESC LIMIT $4"
);

/// Who may come in, as they stand at the door.
pub(crate) const DOOR_LIST: Sql = select_tickets!(
    "WHERE k.event_id = $1 AND k.status IN ('issued', 'checked_in')
     ORDER BY COALESCE(k.holder, ''), t.name, COALESCE(k.seat, ''), k.id"
);

/// A page of that list, behind a name and a ticket: of those whose holder, buyer or buyer's address is like $5, of the order $6, or the
/// ticket $7.
pub(crate) const PAGE_DOOR_LIST: Sql = select_tickets!(
    "JOIN shop_customers c ON c.id = k.customer_id
     WHERE k.event_id = $1 AND k.status IN ('issued', 'checked_in')
       AND (COALESCE(k.holder, c.name, '') > $2 OR (COALESCE(k.holder, c.name, '') = $2 AND k.id > $3))
       AND (CAST($5 AS TEXT) IS NULL OR LOWER(k.holder) LIKE $5 OR LOWER(c.name) LIKE $5 OR LOWER(c.email) LIKE $5
            OR k.order_id = CAST($6 AS BIGINT) OR k.id = CAST($7 AS BIGINT))
     ORDER BY COALESCE(k.holder, c.name, ''), k.id LIMIT $4"
);

pub(crate) const COUNT_DOOR_LIST: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM event_tickets_tickets k JOIN shop_customers c ON c.id = k.customer_id
         WHERE k.event_id = $1 AND k.status IN ('issued', 'checked_in')
           AND (CAST($2 AS TEXT) IS NULL OR LOWER(k.holder) LIKE $2 OR LOWER(c.name) LIKE $2 OR LOWER(c.email) LIKE $2
                OR k.order_id = CAST($3 AS BIGINT) OR k.id = CAST($4 AS BIGINT))
         LIMIT $5) AS counted"
);

/// The tickets of an order.
pub(crate) const LIST_OF_ORDER: Sql =
    select_tickets!("WHERE k.order_id = $1 AND k.token IS NOT NULL ORDER BY k.id LIMIT 100");

/// Everything of a customer, for an export.
pub(crate) const LIST_ALL_OF_CUSTOMER: Sql = sql!(
    "SELECT k.id, k.status, k.holder, k.seat, t.name AS ticket_type, e.name AS event, e.venue, e.starts_at,
            k.order_id, k.issued_at, k.checked_in_at, k.voided_at
     FROM event_tickets_tickets k
     JOIN event_tickets_types t ON t.id = k.type_id
     JOIN event_tickets_events e ON e.id = k.event_id
     WHERE k.customer_id = $1 ORDER BY k.id"
);

pub(crate) const FORGET_HOLDERS: Sql =
    sql!("UPDATE event_tickets_tickets SET holder = NULL WHERE customer_id = $1 AND holder IS NOT NULL");

pub(crate) const LIST_REVOKED: Sql = sql!(
    "SELECT k.id, e.slug AS event_slug, k.voided_at
     FROM event_tickets_tickets k JOIN event_tickets_events e ON e.id = k.event_id
     WHERE k.status = 'void' AND k.token IS NOT NULL AND COALESCE(e.ends_at, e.starts_at) >= $1
       AND (CAST($2 AS BIGINT) IS NULL OR k.event_id = $2)
     ORDER BY k.id"
);

pub(crate) const COUNT_BY_EVENT: Sql = sql!(
    "SELECT e.slug AS event_slug,
            COUNT(k.id) FILTER (WHERE k.status IN ('issued', 'checked_in')) AS issued,
            COUNT(k.id) FILTER (WHERE k.status = 'checked_in') AS checked_in,
            COUNT(k.id) FILTER (WHERE k.status = 'reserved') AS reserved
     FROM event_tickets_events e LEFT JOIN event_tickets_tickets k ON k.event_id = e.id
     WHERE COALESCE(e.ends_at, e.starts_at) >= $1
     GROUP BY e.id, e.slug ORDER BY e.id"
);

/// Tickets for events that are still to come.
pub(crate) const COUNT_LEFT_ALONE: Sql = sql!(
    "SELECT COUNT(*) FROM event_tickets_tickets k JOIN event_tickets_events e ON e.id = k.event_id
     WHERE k.status IN ('reserved', 'issued') AND e.starts_at > $1"
);

/// Hands what a guest has bought over.
pub(crate) const CLAIM: Sql = sql!("UPDATE event_tickets_tickets SET customer_id = $2 WHERE customer_id = $1");

/// The tickets of an order, issued or about to be, by what they are for.
pub(crate) const LIST_SOLD: Sql = sql!(
    "SELECT k.id, e.name AS event, e.venue, e.starts_at, e.utc_offset_minutes
     FROM event_tickets_tickets k JOIN event_tickets_events e ON e.id = k.event_id
     WHERE k.order_id = $1 AND k.status <> 'void' ORDER BY e.starts_at, e.id, k.id"
);

pub(crate) const COUNT_KEPT: Sql = sql!("SELECT COUNT(*) FROM event_tickets_tickets WHERE id = $1");
