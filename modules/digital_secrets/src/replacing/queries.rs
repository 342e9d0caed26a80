//! Statements about taking values out.

use stoa_core::prelude::*;

pub(super) const FIND_UNIT_POOL: Sql = sql!(
    "SELECT p.name, u.pattern, u.state FROM digital_secrets_units u JOIN digital_secrets_pools p ON p.id = u.pool_id
     WHERE u.id = $1"
);

/// The value of a unit that can be replaced.
pub(super) const FIND_LIVE: Sql = sql!(
    "SELECT v.id AS value_id, v.state AS value_state, v.delivered_at
     FROM digital_secrets_values v JOIN digital_secrets_units u ON u.id = v.unit_id
     WHERE u.id = $1 AND u.state IN ('promised', 'delivered') AND v.state IN ('reserved', 'delivered')"
);

pub(super) const VOID_LIVE: Sql = sql!("UPDATE digital_secrets_values SET state = 'voided' WHERE id = $1");

/// The oldest value of a pool that nobody has.
pub(super) const TAKE_NEXT: Sql = sql!(
    "UPDATE digital_secrets_values SET unit_id = $2, state = $3, delivered_at = $4
     WHERE id = (SELECT MIN(v.id) FROM digital_secrets_values v WHERE v.pool_id = $1 AND v.state = 'available')
       AND state = 'available'
     RETURNING id"
);

pub(super) const FIND_VALUE_POOL: Sql = sql!(
    "SELECT p.name, v.state FROM digital_secrets_values v JOIN digital_secrets_pools p ON p.id = v.pool_id
     WHERE v.id = $1"
);

pub(super) const VOID_AVAILABLE: Sql =
    sql!("UPDATE digital_secrets_values SET state = 'voided' WHERE id = $1 AND state = 'available'");

pub(super) const INSERT_CHANGE: Sql = sql!(
    "INSERT INTO digital_secrets_changes (unit_id, value_id, replacement_id, action, reason, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)"
);
