//! What must hold; each statement finds what breaks it.

use stoa_core::prelude::*;

pub(super) const UNPAID_GRANTS: Sql = sql!(
    "SELECT 'download ' || CAST(g.id AS TEXT), 'it was granted for a unit that was not paid'
     FROM downloads_grants g
     LEFT JOIN shop_order_lines i ON i.id = g.order_line_id
     LEFT JOIN shop_orders o ON o.id = g.order_id
     WHERE i.id IS NULL OR o.id IS NULL OR o.status <> 'paid' OR i.order_id <> o.id OR o.customer_id <> g.customer_id
        OR g.unit < 1 OR g.unit > i.quantity
     ORDER BY g.id LIMIT 100"
);

pub(super) const REFUNDED_GRANTS: Sql = sql!(
    "SELECT 'download ' || CAST(g.id AS TEXT), 'its unit was refunded or has ended, and it can still be used'
     FROM downloads_grants g
     JOIN downloads_units u ON u.order_line_id = g.order_line_id AND u.unit = g.unit
     WHERE u.revoked_at IS NOT NULL AND g.revoked_at IS NULL
     ORDER BY g.id LIMIT 100"
);

pub(super) const OVERUSED_GRANTS: Sql = sql!(
    "SELECT 'download ' || CAST(id AS TEXT), CAST(download_count AS TEXT) || ' downloads are counted of ' ||
            CAST(download_limit AS TEXT)
     FROM downloads_grants WHERE download_count > download_limit
     ORDER BY id LIMIT 100"
);

pub(super) const BROKEN_VERSIONS: Sql = sql!(
    "SELECT 'file ' || CAST(a.id AS TEXT), 'it has no content with size and SHA-256'
     FROM downloads_assets a
     WHERE NOT EXISTS (SELECT 1 FROM downloads_versions v WHERE v.asset_id = a.id)
        OR EXISTS (SELECT 1 FROM downloads_versions v
                   WHERE v.asset_id = a.id AND (v.size < 1 OR LENGTH(v.sha256) <> 64 OR LENGTH(v.storage_key) <> 64))
     ORDER BY a.id LIMIT 100"
);
