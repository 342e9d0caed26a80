//! Every statement of the module, once for both databases.
//!
//! Whoever changes several rows of `inventory_stock` in one transaction takes them sorted by SKU, and after the catalog's
//! lock if that is taken at all: so that no two wait for each other.

use stoa_core::prelude::*;

/// The rows of these SKUs, as far as there are any.
pub(crate) const FIND_STOCK: Sql = sql!(
    "SELECT sku, on_hand, reserved, backorder, tracked FROM inventory_stock
     WHERE sku IN (SELECT value ->> 'sku' FROM json_each($1))"
);

/// What the products said last about these SKUs.
pub(crate) const FIND_DECLARED: Sql = sql!(
    "SELECT sku, tracked, imported_quantity, imported_backorder FROM inventory_stock
     WHERE sku IN (SELECT value ->> 'sku' FROM json_each($1))"
);

/// The one statement that promises pieces: it changes no row when there are not enough.
pub(crate) const RESERVE: Sql = sql!(
    "UPDATE inventory_stock SET reserved = reserved + $2, updated_at = $3
     WHERE sku = $1 AND (backorder = TRUE OR on_hand - reserved >= $2)
     RETURNING sku, on_hand, reserved, backorder, tracked"
);

/// Changes nothing, but makes whoever changes the same stock wait, on both databases.
pub(crate) const LOCK_STOCK: Sql = sql!(
    "UPDATE inventory_stock SET updated_at = $2 WHERE sku = $1
     RETURNING sku, on_hand, reserved, backorder, tracked"
);

pub(crate) const MOVE_STOCK: Sql = sql!(
    "UPDATE inventory_stock SET on_hand = on_hand + $2, reserved = reserved + $3, updated_at = $4 WHERE sku = $1
     RETURNING sku, on_hand, reserved, backorder, tracked"
);

pub(crate) const SET_TRACKED: Sql = sql!(
    "UPDATE inventory_stock SET tracked = $2, updated_at = $3 WHERE sku = $1
     RETURNING sku, on_hand, reserved, backorder, tracked"
);

pub(crate) const SET_BACKORDER: Sql = sql!(
    "UPDATE inventory_stock SET backorder = $2, updated_at = $3 WHERE sku = $1
     RETURNING sku, on_hand, reserved, backorder, tracked"
);

/// Remembers what the product's settings say.
pub(crate) const SET_IMPORTED: Sql =
    sql!("UPDATE inventory_stock SET imported_quantity = $2, imported_backorder = $3 WHERE sku = $1");

/// New rows, sorted by SKU; those that are there already stay as they are.
pub(crate) const INSERT_STOCK: Sql = sql!(
    "INSERT INTO inventory_stock (sku, on_hand, reserved, backorder, tracked, imported_quantity, imported_backorder,
                                  created_at, updated_at)
     SELECT value ->> 'sku', CAST(value ->> 'on_hand' AS BIGINT), 0, CAST(value ->> 'backorder' AS BOOLEAN), TRUE,
            CAST(value ->> 'imported_quantity' AS BIGINT), CAST(value ->> 'imported_backorder' AS BOOLEAN), $2, $2
     FROM json_each($1) WHERE TRUE
     ON CONFLICT (sku) DO NOTHING
     RETURNING sku, on_hand, reserved, backorder, tracked"
);

pub(crate) const INSERT_MOVEMENTS: Sql = sql!(
    "INSERT INTO inventory_movements (sku, kind, on_hand_change, reserved_change, on_hand, reserved, backorder, reason,
                                      actor, order_id, created_at)
     SELECT value ->> 'sku', value ->> 'kind', CAST(value ->> 'on_hand_change' AS BIGINT),
            CAST(value ->> 'reserved_change' AS BIGINT), CAST(value ->> 'on_hand' AS BIGINT),
            CAST(value ->> 'reserved' AS BIGINT), CAST(value ->> 'backorder' AS BOOLEAN), value ->> 'reason',
            value ->> 'actor', CAST(value ->> 'order_id' AS BIGINT), $2
     FROM json_each($1)"
);

pub(crate) const INSERT_ALLOCATIONS: Sql = sql!(
    "INSERT INTO inventory_allocations (order_id, order_line_id, sku, per_unit, units, created_at, updated_at)
     SELECT $1, CAST(value ->> 'order_line_id' AS BIGINT), value ->> 'sku', CAST(value ->> 'per_unit' AS BIGINT),
            CAST(value ->> 'units' AS BIGINT), $3, $3
     FROM json_each($2)"
);

pub(crate) const SKUS_OF_ORDER: Sql =
    sql!("SELECT DISTINCT sku FROM inventory_allocations WHERE order_id = $1 ORDER BY sku");

/// The allocations of an order beside what became of its items.
pub(crate) const ALLOCATIONS_OF_ORDER: Sql = sql!(
    "SELECT a.id, a.sku, a.per_unit, a.units, a.gone_units, a.freed_units, a.returned_units, a.refunded_units,
            o.status AS order_status, i.shippable, i.shipped_quantity, i.revoked_quantity,
            (SELECT COUNT(*) FROM shop_refunded_units r
             WHERE r.order_line_id = i.id AND r.revoked_at IS NOT NULL AND r.used = TRUE) AS used_quantity
     FROM inventory_allocations a JOIN shop_orders o ON o.id = a.order_id JOIN shop_order_lines i ON i.id = a.order_line_id
     WHERE a.order_id = $1 ORDER BY a.id"
);

/// Orders whose open allocations are behind what became of their items, in slices.
pub(crate) const BEHIND: Sql = sql!(
    "SELECT DISTINCT a.order_id
     FROM inventory_allocations a JOIN shop_orders o ON o.id = a.order_id JOIN shop_order_lines i ON i.id = a.order_line_id
     WHERE a.gone_units + a.freed_units < a.units AND a.order_id > $1
       AND (o.status = 'cancelled'
            OR (o.status = 'paid' AND (i.shippable = FALSE OR i.shipped_quantity > a.gone_units
                                       OR i.revoked_quantity > a.refunded_units)))
     ORDER BY a.order_id LIMIT $2"
);

pub(crate) const UPDATE_ALLOCATION: Sql = sql!(
    "UPDATE inventory_allocations
     SET gone_units = $2, freed_units = $3, returned_units = $4, refunded_units = $5, updated_at = $6
     WHERE id = $1"
);

/// Products whose parts are of these SKUs, with all parts of each.
pub(crate) const PARTS_OF_SKUS: Sql = sql!(
    "SELECT p.product_id, p.part, p.needed, s.on_hand, s.reserved, s.backorder
     FROM inventory_parts p LEFT JOIN inventory_stock s ON s.sku = p.sku AND s.tracked = TRUE
     WHERE p.product_id IN (SELECT product_id FROM inventory_parts
                            WHERE sku IN (SELECT value ->> 'sku' FROM json_each($1)))
     ORDER BY p.product_id"
);

/// The parts that products had so far.
pub(crate) const FORMER_PARTS: Sql = sql!(
    "SELECT product_id, part, sku, declared FROM inventory_parts
     WHERE product_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1)) ORDER BY product_id, sku"
);

pub(crate) const DELETE_PARTS: Sql =
    sql!("DELETE FROM inventory_parts WHERE product_id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))");

pub(crate) const INSERT_PARTS: Sql = sql!(
    "INSERT INTO inventory_parts (product_id, part, sku, needed, declared, taken_version)
     SELECT CAST(value ->> 'product_id' AS BIGINT), value ->> 'part', value ->> 'sku',
            CAST(value ->> 'needed' AS BOOLEAN), CAST(value ->> 'declared' AS BOOLEAN), $2
     FROM json_each($1)"
);

/// Those of the SKUs that some product still has counted.
pub(crate) const STILL_DECLARED: Sql = sql!(
    "SELECT DISTINCT sku FROM inventory_parts
     WHERE declared = TRUE AND sku IN (SELECT value ->> 'sku' FROM json_each($1)) ORDER BY sku"
);

/// The version at which products last changed, and the one up to which they were looked at.
pub(crate) const VERSIONS: Sql =
    sql!("SELECT c.listing_version, s.catalog_version FROM shop_catalog c CROSS JOIN inventory_state s WHERE s.id = 1");

pub(crate) const SEEN: Sql =
    sql!("UPDATE inventory_state SET catalog_version = $1 WHERE id = 1 AND catalog_version < $1");

/// Products that changed while nobody here looked, in slices by id.
pub(crate) const MISSED: Sql = sql!(
    "SELECT p.id, p.slug, p.sku, p.capabilities, p.options, p.changed_version, s.settings
     FROM shop_products p LEFT JOIN shop_product_settings s ON s.product_id = p.id AND s.module = 'inventory'
     WHERE p.changed_version > $1 AND p.id > $2
       AND ((s.settings IS NOT NULL OR CAST(p.capabilities AS TEXT) LIKE '%\"inventory\"%'
             OR EXISTS (SELECT 1 FROM inventory_parts f WHERE f.product_id = p.id))
            AND NOT EXISTS (SELECT 1 FROM inventory_parts t
                            WHERE t.product_id = p.id AND t.taken_version >= p.changed_version))
     ORDER BY p.id LIMIT $3"
);

/// Products that are sold by a SKU: their own, that of a choice, or their slug where they have none.
pub(crate) const SOLD_BY: Sql = sql!(
    "SELECT p.id, p.slug, p.sku, p.capabilities, p.options, p.changed_version, s.settings
     FROM shop_products p LEFT JOIN shop_product_settings s ON s.product_id = p.id AND s.module = 'inventory'
     WHERE p.sku = $1 OR (p.slug = $1 AND p.sku IS NULL)
        OR (CAST(p.options AS TEXT) LIKE '%\"sku\"%'
            AND EXISTS (SELECT 1 FROM json_each(CAST(p.options AS TEXT)) o, json_each(o.value ->> 'choices') c
                        WHERE c.value ->> 'sku' = $1))
     ORDER BY p.id LIMIT 100"
);

/// Slugs of the products that a SKU is a part of.
pub(crate) const SLUGS_OF_SKU: Sql = sql!(
    "SELECT DISTINCT p.slug FROM inventory_parts i JOIN shop_products p ON p.id = i.product_id
     WHERE i.sku = $1 ORDER BY p.slug"
);

/// What is counted or was.
pub(crate) const SKUS: Sql = sql!("SELECT sku FROM inventory_stock ORDER BY sku");

pub(crate) const FIND: Sql =
    sql!("SELECT sku, on_hand, reserved, backorder, tracked FROM inventory_stock WHERE sku = $1");

/// What is counted, in slices by SKU.
pub(crate) const LIST: Sql = sql!(
    "SELECT sku, on_hand, reserved, backorder, tracked FROM inventory_stock
     WHERE tracked = TRUE AND sku > $1 ORDER BY sku LIMIT $2"
);

/// A page of what is counted: `$3` narrows it to what is `low` or `out`, `$4` to SKUs that begin so.
pub(crate) const PAGE: Sql = sql!(
    "SELECT sku, on_hand, reserved, backorder, tracked FROM inventory_stock
     WHERE tracked = TRUE AND sku > $1
       AND (CAST($3 AS BIGINT) IS NULL OR on_hand - reserved <= $3)
       AND (CAST($4 AS TEXT) IS NULL OR SUBSTR(sku, 1, LENGTH($4)) = $4)
     ORDER BY sku LIMIT $2"
);

pub(crate) const COUNT_PAGE: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM inventory_stock
         WHERE tracked = TRUE AND (CAST($2 AS BIGINT) IS NULL OR on_hand - reserved <= $2)
           AND (CAST($3 AS TEXT) IS NULL OR SUBSTR(sku, 1, LENGTH($3)) = $3)
         LIMIT $1) AS counted"
);

/// What is counted of the parts of a product.
pub(crate) const STOCK_OF_PRODUCT: Sql = sql!(
    "SELECT sku, on_hand, reserved, backorder, tracked FROM inventory_stock
     WHERE tracked = TRUE AND sku IN (SELECT sku FROM inventory_parts WHERE product_id = $1) ORDER BY sku LIMIT 100"
);

pub(crate) const LIST_LOW: Sql = sql!(
    "SELECT sku, on_hand, reserved, backorder, tracked FROM inventory_stock
     WHERE tracked = TRUE AND on_hand - reserved <= $1 ORDER BY on_hand - reserved, sku"
);

/// The newest movements, in the order in which they happened.
pub(crate) const HISTORY: Sql = sql!(
    "SELECT id, kind, on_hand_change, reserved_change, on_hand, reserved, reason, actor, order_id, created_at
     FROM (SELECT * FROM inventory_movements WHERE sku = $1 ORDER BY id DESC LIMIT $2) newest ORDER BY id"
);

/// A page of it, the newest first.
pub(crate) const PAGE_HISTORY: Sql = sql!(
    "SELECT id, kind, on_hand_change, reserved_change, on_hand, reserved, reason, actor, order_id, created_at
     FROM inventory_movements
     WHERE sku = $1 AND (CAST($2 AS BIGINT) IS NULL OR id < $2) ORDER BY id DESC LIMIT $3"
);

pub(crate) const COUNT_HISTORY: Sql =
    sql!("SELECT COUNT(*) FROM (SELECT 1 FROM inventory_movements WHERE sku = $1 LIMIT $2) AS counted");

pub(crate) const NEWLY_LOW: Sql = sql!(
    "SELECT sku FROM inventory_stock
     WHERE tracked = TRUE AND low_since IS NULL AND on_hand - reserved <= $1 ORDER BY sku LIMIT $2"
);

/// One row at a time, so that nobody who sells several waits for this.
pub(crate) const MARK_LOW: Sql = sql!(
    "UPDATE inventory_stock SET low_since = $3
     WHERE sku = $1 AND tracked = TRUE AND low_since IS NULL AND on_hand - reserved <= $2
     RETURNING on_hand - reserved"
);

pub(crate) const LOW_NO_MORE: Sql = sql!(
    "SELECT sku FROM inventory_stock
     WHERE low_since IS NOT NULL AND (tracked = FALSE OR on_hand - reserved > $1) ORDER BY sku LIMIT $2"
);

pub(crate) const UNMARK_LOW: Sql = sql!(
    "UPDATE inventory_stock SET low_since = NULL
     WHERE sku = $1 AND (tracked = FALSE OR on_hand - reserved > $2)"
);

/// How many SKUs there are, are low, are sold out, and are promised beyond what is there without that being allowed.
pub(crate) const COUNTS: Sql = sql!(
    "SELECT COUNT(*), COUNT(*) FILTER (WHERE on_hand - reserved <= $1),
            COUNT(*) FILTER (WHERE on_hand - reserved <= 0 AND backorder = FALSE),
            COUNT(*) FILTER (WHERE on_hand < reserved AND backorder = FALSE),
            CAST(COALESCE(SUM(reserved), 0) AS BIGINT)
     FROM inventory_stock WHERE tracked = TRUE"
);

pub(crate) const LIST_SHORT: Sql = sql!(
    "SELECT sku FROM inventory_stock
     WHERE tracked = TRUE AND backorder = FALSE AND on_hand < reserved ORDER BY sku LIMIT 10"
);

pub(crate) const RESERVED_IS_HELD: Sql = sql!(
    "SELECT s.sku, 'reserved is ' || s.reserved || ', but open allocations come to ' || COALESCE(a.held, 0)
     FROM inventory_stock s
     LEFT JOIN (SELECT sku, SUM((units - gone_units - freed_units) * per_unit) AS held
                FROM inventory_allocations GROUP BY sku) a ON a.sku = s.sku
     WHERE s.reserved <> COALESCE(a.held, 0) ORDER BY s.sku LIMIT 100"
);

pub(crate) const LEDGER_SUMS: Sql = sql!(
    "SELECT s.sku, 'on hand is ' || s.on_hand || ' and reserved ' || s.reserved || ', but the movements come to '
                   || COALESCE(m.on_hand, 0) || ' and ' || COALESCE(m.reserved, 0)
     FROM inventory_stock s
     LEFT JOIN (SELECT sku, SUM(on_hand_change) AS on_hand, SUM(reserved_change) AS reserved
                FROM inventory_movements GROUP BY sku) m ON m.sku = s.sku
     WHERE s.on_hand <> COALESCE(m.on_hand, 0) OR s.reserved <> COALESCE(m.reserved, 0) ORDER BY s.sku LIMIT 100"
);

pub(crate) const OVERSOLD: Sql = sql!(
    "SELECT m.sku, 'movement ' || m.id || ' promised more than there was: on hand ' || m.on_hand || ', reserved '
                   || m.reserved
     FROM inventory_movements m
     WHERE m.kind = 'reserve' AND m.backorder = FALSE AND m.reserved > m.on_hand ORDER BY m.id LIMIT 100"
);

pub(crate) const HELD_FOR_NOTHING: Sql = sql!(
    "SELECT a.sku, 'order ' || a.order_id || ' is cancelled and still has '
                   || (a.units - a.gone_units - a.freed_units) * a.per_unit
     FROM inventory_allocations a JOIN shop_orders o ON o.id = a.order_id
     WHERE o.status = 'cancelled' AND a.gone_units + a.freed_units < a.units ORDER BY a.id LIMIT 100"
);

pub(crate) const GONE_UNSENT: Sql = sql!(
    "SELECT a.sku, 'order ' || a.order_id || ' has taken out ' || a.gone_units || ' units of item ' || a.order_line_id
                   || ', but shipped ' || i.shipped_quantity
     FROM inventory_allocations a JOIN shop_order_lines i ON i.id = a.order_line_id JOIN shop_orders o ON o.id = a.order_id
     WHERE (i.shippable = TRUE AND a.gone_units > i.shipped_quantity) OR (a.gone_units > 0 AND o.status <> 'paid')
     ORDER BY a.id LIMIT 100"
);

/// What is counted.
pub(crate) const COUNT_LEFT_ALONE: Sql =
    sql!("SELECT COUNT(*) FROM inventory_stock WHERE tracked = TRUE AND created_at <= $1");

/// The items of an order that are allocated more than there is in the house.
pub(crate) const LIST_AWAITED_ITEMS: Sql = sql!(
    "SELECT DISTINCT h.order_line_id FROM inventory_allocations h JOIN inventory_stock s ON s.sku = h.sku
     WHERE h.order_id = $1 AND s.tracked = TRUE AND s.on_hand < s.reserved AND h.gone_units + h.freed_units < h.units"
);
