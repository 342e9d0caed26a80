//! Statements that find what is wrong with withdrawals, and what waits.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const WITHDRAWN_UNITS: Sql = sql!(
    "SELECT 'withdrawal ' || CAST(n.withdrawal_id AS TEXT),
            'it has other units of item ' || CAST(n.order_line_id AS TEXT) || ' than it is about'
     FROM withdrawal_items n
     JOIN withdrawals w ON w.id = n.withdrawal_id
     WHERE CASE WHEN w.status = 'refused' THEN 0 ELSE n.quantity END
           <> (SELECT COUNT(*) FROM withdrawal_units u
               WHERE u.withdrawal_id = n.withdrawal_id AND u.order_line_id = n.order_line_id)
     UNION ALL
     SELECT 'withdrawal ' || CAST(u.withdrawal_id AS TEXT),
            'unit ' || CAST(u.unit AS TEXT) || ' of item ' || CAST(u.order_line_id AS TEXT) || ' is none of its order'
     FROM withdrawal_units u
     JOIN withdrawals w ON w.id = u.withdrawal_id
     JOIN order_lines i ON i.id = u.order_line_id
     WHERE i.order_id <> w.order_id OR u.unit > i.quantity OR i.added_by IS NOT NULL
     LIMIT 100"
);

pub(super) const WITHDRAWAL_STATES: Sql = sql!(
    "SELECT 'withdrawal ' || CAST(w.id AS TEXT), 'its times and its reason do not fit its status ' || w.status
     FROM withdrawals w
     WHERE (w.status = 'declared') <> (w.decided_at IS NULL)
        OR (w.status = 'completed') <> (w.completed_at IS NOT NULL)
        OR (w.status = 'refused') <> (w.refusal_reason IS NOT NULL)
     UNION ALL
     SELECT 'withdrawal ' || CAST(w.id AS TEXT), 'its refund is that of another order, or came before it was accepted'
     FROM withdrawals w JOIN refunds r ON r.id = w.refund_id
     WHERE r.order_id <> w.order_id OR w.status NOT IN ('accepted', 'completed')
     UNION ALL
     SELECT 'withdrawal ' || CAST(w.id AS TEXT), 'it is about nothing'
     FROM withdrawals w WHERE NOT EXISTS (SELECT 1 FROM withdrawal_items n WHERE n.withdrawal_id = w.id)
     LIMIT 100"
);

pub(super) const HELD_UNITS: Sql = sql!(
    "SELECT 'order ' || CAST(i.order_id AS TEXT),
            'unit ' || CAST(d.unit AS TEXT) || ' of item ' || CAST(d.order_line_id AS TEXT) || ' was delivered while it was held'
     FROM unit_deliveries d JOIN order_lines i ON i.id = d.order_line_id JOIN orders o ON o.id = i.order_id
     WHERE i.withdrawal_rule = 'later' OR d.unit > i.quantity OR o.status <> 'paid'
     LIMIT 100"
);

/// How many wait for the shop, also with a refund that failed; declared ones before `$1` are late.
pub(super) const COUNT_OPEN: Sql = sql!(
    "SELECT COUNT(*) AS open,
            CAST(COALESCE(SUM(CASE WHEN status = 'declared' THEN 1 ELSE 0 END), 0) AS BIGINT) AS declared,
            CAST(COALESCE(SUM(CASE WHEN declared_at <= $1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS late
     FROM withdrawals
     WHERE status = 'declared'
        OR (status = 'accepted'
            AND NOT EXISTS (SELECT 1 FROM refunds r WHERE r.id = withdrawals.refund_id AND r.status <> 'failed'))"
);
