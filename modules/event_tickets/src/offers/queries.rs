//! Statements about what products sell: events, types and shared capacities.

use stoa_core::prelude::*;

/// What a product sells now, and the settings that this was made of.
pub(crate) const FIND_OFFER: Sql = sql!(
    "SELECT t.id AS type_id, t.event_id, t.capacity, t.taken, t.quota_id, t.on_sale_from,
            t.on_sale_until, e.slug AS event_slug, e.starts_at, e.ends_at, q.capacity AS quota_capacity,
            q.taken AS quota_taken, b.applied
     FROM event_tickets_products b
     JOIN event_tickets_types t ON t.id = b.type_id
     JOIN event_tickets_events e ON e.id = t.event_id
     LEFT JOIN event_tickets_quotas q ON q.id = t.quota_id
     WHERE b.product_id = $1"
);

/// What products sell now, as customers are told.
pub(crate) const LIST_SHOWN: Sql = sql!(
    "SELECT b.product_id, e.name AS event, e.venue, e.starts_at, e.utc_offset_minutes,
            t.name AS ticket_type, t.capacity, t.taken,
            q.capacity AS quota_capacity, q.taken AS quota_taken, b.applied
     FROM json_each($1) wanted
     JOIN event_tickets_products b ON b.product_id = CAST(wanted.value ->> 'id' AS BIGINT)
     JOIN event_tickets_types t ON t.id = b.type_id
     JOIN event_tickets_events e ON e.id = t.event_id
     LEFT JOIN event_tickets_quotas q ON q.id = t.quota_id"
);

/// Makes or keeps the row of a product, and holds it until the transaction ends.
pub(crate) const LOCK_PRODUCT: Sql = sql!(
    "INSERT INTO event_tickets_products (product_id, applied) VALUES ($1, '')
     ON CONFLICT (product_id) DO UPDATE SET applied = event_tickets_products.applied
     RETURNING applied"
);

pub(crate) const SET_OFFER: Sql =
    sql!("UPDATE event_tickets_products SET type_id = $2, applied = $3 WHERE product_id = $1");

/// Products whose settings in the catalog may be other than what was applied.
pub(crate) const LIST_SETTINGS: Sql = sql!(
    "SELECT s.product_id, p.slug, s.settings, b.applied
     FROM shop_product_settings s JOIN shop_products p ON p.id = s.product_id
     LEFT JOIN event_tickets_products b ON b.product_id = s.product_id
     WHERE s.module = 'event_tickets' ORDER BY s.product_id"
);

/// Where what is sold takes place, as far as that is told.
pub(crate) const LIST_VENUES: Sql = sql!(
    "SELECT product_id, settings ->> 'venue' AS venue FROM shop_product_settings
     WHERE module = 'event_tickets' AND settings ->> 'venue' <> ''"
);

/// Settings of the other products that sell tickets of an event now.
pub(crate) const LIST_SETTINGS_OF_OTHERS: Sql = sql!(
    "SELECT s.settings
     FROM event_tickets_products b
     JOIN event_tickets_types t ON t.id = b.type_id
     JOIN shop_product_settings s ON s.product_id = b.product_id AND s.module = 'event_tickets'
     WHERE t.event_id = $1 AND b.product_id <> $2"
);

pub(crate) const FIND_EVENT: Sql = sql!(
    "SELECT id, slug, name, venue, starts_at, ends_at, utc_offset_minutes FROM event_tickets_events WHERE id = $1"
);

pub(crate) const FIND_EVENT_BY_SLUG: Sql = sql!(
    "SELECT id, slug, name, venue, starts_at, ends_at, utc_offset_minutes FROM event_tickets_events WHERE slug = $1"
);

/// Whoever changes the same event waits.
pub(crate) const LOCK_EVENT: Sql = sql!(
    "UPDATE event_tickets_events SET slug = slug WHERE slug = $1
     RETURNING id, slug, name, venue, starts_at, ends_at, utc_offset_minutes"
);

pub(crate) const FIND_SAME_EVENT: Sql =
    sql!("SELECT id FROM event_tickets_events WHERE name = $1 AND venue = $2 AND starts_at = $3");

pub(crate) const INSERT_EVENT: Sql = sql!(
    "INSERT INTO event_tickets_events (slug, name, venue, starts_at, ends_at, utc_offset_minutes, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (name, venue, starts_at) DO NOTHING RETURNING id"
);

pub(crate) const NAME_EVENT: Sql = sql!("UPDATE event_tickets_events SET slug = $2 WHERE id = $1");

pub(crate) const UPDATE_EVENT: Sql = sql!(
    "UPDATE event_tickets_events
     SET name = $2, venue = $3, starts_at = $4, ends_at = $5, utc_offset_minutes = $6 WHERE id = $1"
);

pub(crate) const SET_EVENT_END: Sql = sql!("UPDATE event_tickets_events SET ends_at = $2 WHERE id = $1");

pub(crate) const UPSERT_TYPE: Sql = sql!(
    "INSERT INTO event_tickets_types (event_id, product_id, name, capacity, on_sale_from, on_sale_until, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (event_id, product_id) DO UPDATE
     SET name = excluded.name, on_sale_from = excluded.on_sale_from, on_sale_until = excluded.on_sale_until
     RETURNING id"
);

/// Tickets beyond a lowered capacity stay valid; nothing is sold until they are fewer.
pub(crate) const SET_TYPE_CAPACITY: Sql = sql!(
    "UPDATE event_tickets_types
     SET capacity = $2, allowance = CASE WHEN taken > $2 THEN taken ELSE 0 END WHERE id = $1"
);

pub(crate) const FIND_QUOTA_OF_TYPE: Sql = sql!("SELECT quota_id, taken FROM event_tickets_types WHERE id = $1");

pub(crate) const SET_TYPE_QUOTA: Sql = sql!("UPDATE event_tickets_types SET quota_id = $2 WHERE id = $1");

pub(crate) const RENAME_TYPE: Sql = sql!("UPDATE event_tickets_types SET name = $2 WHERE id = $1");

pub(crate) const SET_SALE_START: Sql = sql!("UPDATE event_tickets_types SET on_sale_from = $2 WHERE id = $1");

pub(crate) const SET_SALE_END: Sql = sql!("UPDATE event_tickets_types SET on_sale_until = $2 WHERE id = $1");

pub(crate) const UPSERT_QUOTA: Sql = sql!(
    "INSERT INTO event_tickets_quotas (event_id, name, capacity) VALUES ($1, $2, $3)
     ON CONFLICT (event_id, name) DO UPDATE
     SET capacity = excluded.capacity,
         allowance = CASE WHEN event_tickets_quotas.taken > excluded.capacity THEN event_tickets_quotas.taken ELSE 0 END
     RETURNING id"
);

pub(crate) const FIND_QUOTA: Sql = sql!("SELECT id FROM event_tickets_quotas WHERE event_id = $1 AND name = $2");

/// Moves what is taken into or out of a shared capacity; it may be more than fits, and then nothing is sold.
pub(crate) const SHIFT_QUOTA: Sql = sql!(
    "UPDATE event_tickets_quotas
     SET taken = taken + $2, allowance = CASE WHEN taken + $2 > capacity THEN taken + $2 ELSE 0 END WHERE id = $1"
);

pub(crate) const LIST_EVENTS: Sql = sql!(
    "SELECT e.id, e.slug, e.name, e.venue, e.starts_at, e.ends_at, e.utc_offset_minutes,
            COUNT(k.id) FILTER (WHERE k.status = 'reserved') AS reserved,
            COUNT(k.id) FILTER (WHERE k.status IN ('issued', 'checked_in')) AS issued,
            COUNT(k.id) FILTER (WHERE k.status = 'checked_in') AS checked_in
     FROM event_tickets_events e LEFT JOIN event_tickets_tickets k ON k.event_id = e.id
     WHERE (CAST($1 AS BIGINT) IS NULL OR e.id = $1)
     GROUP BY e.id, e.slug, e.name, e.venue, e.starts_at, e.ends_at, e.utc_offset_minutes
     ORDER BY e.starts_at, e.id"
);

/// A page of events, the latest first.
pub(crate) const PAGE_EVENTS: Sql = sql!(
    "SELECT e.id, e.slug, e.name, e.venue, e.starts_at, e.ends_at, e.utc_offset_minutes,
            (SELECT COUNT(*) FROM event_tickets_tickets k
             WHERE k.event_id = e.id AND k.status IN ('issued', 'checked_in')) AS issued,
            (SELECT COUNT(*) FROM event_tickets_tickets k
             WHERE k.event_id = e.id AND k.status = 'checked_in') AS checked_in
     FROM event_tickets_events e
     WHERE (CAST($1 AS BIGINT) IS NULL OR e.id < $1) AND (CAST($2 AS TEXT) IS NULL OR LOWER(e.name) LIKE $2)
     ORDER BY e.id DESC LIMIT $3"
);

pub(crate) const EVENT_SLUGS: Sql = sql!("SELECT slug FROM event_tickets_events ORDER BY id");

/// Events to choose from, the latest first.
pub(crate) const LIST_CHOICES: Sql =
    sql!("SELECT slug, name, starts_at, utc_offset_minutes FROM event_tickets_events ORDER BY id DESC LIMIT $1");

pub(crate) const COUNT_EVENTS: Sql = sql!(
    "SELECT COUNT(*) FROM (SELECT 1 FROM event_tickets_events e
                           WHERE CAST($1 AS TEXT) IS NULL OR LOWER(e.name) LIKE $1 LIMIT $2) AS counted"
);

pub(crate) const LIST_TYPES: Sql = sql!(
    "SELECT t.id, e.slug AS event_slug, t.name, t.product_id, p.slug AS product, t.capacity, t.taken,
            q.name AS quota, q.capacity AS quota_capacity, q.taken AS quota_taken, t.on_sale_from, t.on_sale_until,
            (b.product_id IS NOT NULL) AS offered
     FROM event_tickets_types t
     JOIN event_tickets_events e ON e.id = t.event_id
     LEFT JOIN event_tickets_quotas q ON q.id = t.quota_id
     LEFT JOIN shop_products p ON p.id = t.product_id
     LEFT JOIN event_tickets_products b ON b.type_id = t.id
     WHERE (CAST($1 AS BIGINT) IS NULL OR t.event_id = $1) AND (CAST($2 AS BIGINT) IS NULL OR t.id = $2)
     ORDER BY e.starts_at, e.id, t.id"
);

pub(crate) const LIST_QUOTAS: Sql = sql!(
    "SELECT e.slug AS event_slug, q.name, q.capacity, q.taken
     FROM event_tickets_quotas q JOIN event_tickets_events e ON e.id = q.event_id
     WHERE (CAST($1 AS BIGINT) IS NULL OR q.event_id = $1) ORDER BY q.event_id, q.id"
);

/// Types and shared capacities with more tickets than they may have, of events to come.
pub(crate) const LIST_OVERBOOKED: Sql = sql!(
    "SELECT e.slug AS event_slug, t.name, t.capacity, t.taken
     FROM event_tickets_types t JOIN event_tickets_events e ON e.id = t.event_id
     WHERE t.taken > t.capacity AND COALESCE(e.ends_at, e.starts_at) > $1
     UNION ALL
     SELECT e.slug, q.name, q.capacity, q.taken
     FROM event_tickets_quotas q JOIN event_tickets_events e ON e.id = q.event_id
     WHERE q.taken > q.capacity AND COALESCE(e.ends_at, e.starts_at) > $1
     ORDER BY 1, 2"
);

/// Events to come with tickets that no product sells any more.
pub(crate) const LIST_LEFT_EVENTS: Sql = sql!(
    "SELECT e.slug, COUNT(*) AS tickets
     FROM event_tickets_events e JOIN event_tickets_tickets k ON k.event_id = e.id
     WHERE k.status IN ('issued', 'checked_in') AND COALESCE(e.ends_at, e.starts_at) > $1
       AND NOT EXISTS (SELECT 1 FROM event_tickets_products b JOIN event_tickets_types t ON t.id = b.type_id
                       WHERE t.event_id = e.id)
     GROUP BY e.id, e.slug ORDER BY e.id"
);

/// Products that promise tickets and say of no event.
pub(crate) const LIST_WITHOUT_EVENT: Sql = sql!(
    "SELECT p.slug FROM shop_products p
     WHERE p.active = TRUE AND CAST(p.capabilities AS TEXT) LIKE '%\"event_ticket\"%'
       AND NOT EXISTS (SELECT 1 FROM shop_product_settings s WHERE s.product_id = p.id AND s.module = 'event_tickets')
     ORDER BY p.id LIMIT 20"
);

pub(super) const DELETE_OFFER: Sql = sql!("DELETE FROM event_tickets_products WHERE product_id = $1");

/// Types of a product that no order has: there are no tickets of them.
pub(super) const DELETE_TYPES: Sql = sql!("DELETE FROM event_tickets_types WHERE product_id = $1");
