//! Statements about the delivery and the use of what was sold.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Keeps refunds of these items waiting until the transaction ends; other uses go on.
pub(super) const HOLD_ITEMS: Sql = sql!(
    sqlite: "SELECT id FROM order_lines
             WHERE id IN (SELECT CAST(value ->> 'order_line_id' AS BIGINT) FROM json_each($1)) ORDER BY id",
    postgres: "SELECT id FROM order_lines
               WHERE id IN (SELECT CAST(value ->> 'order_line_id' AS BIGINT) FROM json_each($1)) ORDER BY id FOR SHARE",
);

/// Leaves out what was refunded, and changes nothing of what was noted before.
pub(super) const NOTE_USES: Sql = sql!(
    "INSERT INTO unit_uses (order_line_id, unit, module)
     SELECT used.item, used.unit, $2
     FROM (SELECT CAST(value ->> 'order_line_id' AS BIGINT) AS item, CAST(value ->> 'unit' AS BIGINT) AS unit
           FROM json_each($1)) used
     WHERE NOT EXISTS (SELECT 1 FROM refund_units r WHERE r.order_line_id = used.item AND r.unit = used.unit)
     ON CONFLICT (order_line_id, unit, module) DO NOTHING"
);

pub(super) const LIST_REFUNDED: Sql = sql!(
    "SELECT r.order_line_id, r.unit
     FROM json_each($1) asked
     JOIN refund_units r ON r.order_line_id = CAST(asked.value ->> 'order_line_id' AS BIGINT)
                        AND r.unit = CAST(asked.value ->> 'unit' AS BIGINT)"
);

pub(super) const FORGET_USE: Sql = sql!("DELETE FROM unit_uses WHERE order_line_id = $1 AND unit = $2 AND module = $3");

/// The rule of the line that is asked about. As a value of its own it is looked up by the key, where PostgreSQL would read all lines for a
/// join that it has planned while they were few.
macro_rules! rule {
    () => {
        "(SELECT i.withdrawal_rule FROM order_lines i WHERE i.id = CAST(asked.value ->> 'order_line_id' AS BIGINT))"
    };
}

pub(super) const LIST_HELD: Sql = sql!(concat!(
    "SELECT CAST(asked.value ->> 'order_line_id' AS BIGINT) AS order_line_id, CAST(asked.value ->> 'unit' AS BIGINT) AS unit
     FROM json_each($1) asked
     WHERE ",
    rule!(),
    " = 'later'
        OR EXISTS (SELECT 1 FROM withdrawal_units w
                   WHERE w.order_line_id = CAST(asked.value ->> 'order_line_id' AS BIGINT)
                     AND w.unit = CAST(asked.value ->> 'unit' AS BIGINT))"
));

/// Of what the law says nothing special about, nothing is noted.
pub(super) const NOTE_DELIVERIES: Sql = sql!(concat!(
    "INSERT INTO unit_deliveries (order_line_id, unit, delivered_at)
     SELECT CAST(asked.value ->> 'order_line_id' AS BIGINT), CAST(asked.value ->> 'unit' AS BIGINT), $2
     FROM json_each($1) asked
     WHERE ",
    rule!(),
    " IN ('waived', 'due')
     ON CONFLICT (order_line_id, unit) DO NOTHING"
));
