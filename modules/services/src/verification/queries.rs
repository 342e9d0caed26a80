//! Statements that find what breaks an invariant: what it is about, and what is wrong.

use stoa_core::prelude::*;

pub(super) const UNITS: Sql = sql!(
    "SELECT 'service ' || CAST(s.id AS TEXT), 'its unit was not sold to its customer in a paid order'
     FROM services_services s
     LEFT JOIN shop_order_lines i ON i.id = s.order_line_id AND i.order_id = s.order_id
     LEFT JOIN shop_orders o ON o.id = s.order_id
     WHERE i.id IS NULL OR o.id IS NULL OR s.unit > i.quantity OR o.customer_id <> s.customer_id OR o.status <> 'paid'
     ORDER BY s.id LIMIT 100"
);

/// While the news of a payment waits for its listener, nothing can be missing.
pub(super) const GRANTED: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' has fewer services than units'
     FROM shop_order_lines i
     JOIN shop_orders o ON o.id = i.order_id AND o.status = 'paid'
     WHERE CAST(i.capabilities AS TEXT) LIKE '%\"provisionable\"%'
       AND (SELECT COUNT(*) FROM services_services s WHERE s.order_line_id = i.id) < i.quantity
       AND NOT EXISTS (SELECT 1 FROM shop_tasks d WHERE d.kind = 'services.plan')
     ORDER BY i.id LIMIT 100"
);

pub(super) const REFUNDED: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT), 'item ' || CAST(i.id AS TEXT) || ' lost more services than units were refunded'
     FROM shop_order_lines i
     WHERE i.revoked_quantity < (SELECT COUNT(*) FROM services_services s
                                 WHERE s.order_line_id = i.id AND s.over_reason = 'refunded')
     ORDER BY i.id LIMIT 100"
);

pub(super) const STATES: Sql = sql!(
    "SELECT 'service ' || CAST(id AS TEXT), 'it is ' || status || ', and at its provider ' || remote_state
     FROM services_services s
     WHERE (status = 'active' AND (remote_state <> 'active' OR activated_at IS NULL))
        OR (status = 'suspended' AND (suspended_at IS NULL OR NOT (remote_state = 'suspended'
                                      OR (remote_state = 'absent' AND over_at IS NOT NULL))))
        OR (status = 'terminated' AND (remote_state <> 'terminated' OR credentials IS NOT NULL))
        OR (status = 'pending' AND remote_state <> 'absent')
        OR ((open_call IS NOT NULL OR (terminate_at IS NOT NULL AND status <> 'terminated')) AND needs_attention = FALSE
            AND NOT EXISTS (SELECT 1 FROM shop_tasks t WHERE t.kind = 'services.work' AND t.subject = s.id))
     ORDER BY id LIMIT 100"
);

pub(super) const CAPACITY: Sql = sql!(
    "SELECT 'plan ' || p.plan || ' of ' || p.provider, 'it counts ' || CAST(p.used AS TEXT) || ' units'
     FROM services_plans p
     WHERE p.used <> (SELECT CAST(COALESCE(SUM(r.quantity), 0) AS BIGINT) FROM services_reservations r
                      WHERE r.provider = p.provider AND r.plan = p.plan)
                   + (SELECT COUNT(*) FROM services_services s
                      WHERE s.provider = p.provider AND s.plan = p.plan AND s.holds_capacity = TRUE)
     ORDER BY p.provider, p.plan LIMIT 100"
);

/// The news of a payment turns a reservation into services.
pub(super) const RESERVATIONS: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'it is ' || o.status || ' and keeps room reserved'
     FROM services_reservations r JOIN shop_orders o ON o.id = r.order_id
     WHERE o.status = 'cancelled'
        OR (o.status = 'paid' AND NOT EXISTS (SELECT 1 FROM shop_tasks d WHERE d.kind = 'services.plan'))
     ORDER BY r.order_line_id LIMIT 100"
);
