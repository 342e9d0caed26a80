//! Statements about what is kept of a person.

use stoa_core::prelude::*;

/// In the order in which pools are locked.
pub(super) const POOLS_OF_CUSTOMER: Sql = sql!(
    "SELECT p.name FROM digital_secrets_pools p
     WHERE p.id IN (SELECT u.pool_id FROM digital_secrets_units u WHERE u.customer_id = $1) ORDER BY p.name"
);

/// The fingerprint stays, so that nobody can be sold the same value.
pub(super) const ERASE_VALUES_OF_CUSTOMER: Sql = sql!(
    "UPDATE digital_secrets_values SET key_id = NULL, sealed_value = '', hint = ''
     WHERE state IN ('delivered', 'revoked', 'voided')
       AND unit_id IN (SELECT u.id FROM digital_secrets_units u WHERE u.customer_id = $1)"
);

pub(super) const DELETE_REVEALS_OF_CUSTOMER: Sql = sql!(
    "DELETE FROM digital_secrets_reveals
     WHERE unit_id IN (SELECT u.id FROM digital_secrets_units u WHERE u.customer_id = $1)"
);

/// What an operator wrote may be about the customer.
pub(super) const DELETE_REASONS_OF_CUSTOMER: Sql = sql!(
    "UPDATE digital_secrets_changes SET reason = NULL
     WHERE unit_id IN (SELECT u.id FROM digital_secrets_units u WHERE u.customer_id = $1)"
);

pub(super) const EXPORT_UNITS: Sql = sql!(
    "SELECT u.id, u.order_id, i.label AS product, u.state AS status,
            CASE WHEN u.granted_at IS NOT NULL THEN v.hint END AS value_hint,
            u.created_at AS ordered_at, u.granted_at, u.ended_at
     FROM digital_secrets_units u
     JOIN shop_order_lines i ON i.id = u.order_line_id
     LEFT JOIN digital_secrets_values v ON v.unit_id = u.id AND v.state IN ('delivered', 'revoked')
     WHERE u.customer_id = $1 ORDER BY u.id"
);

pub(super) const EXPORT_REVEALS: Sql = sql!(
    "SELECT r.unit_id AS digital_secret_id, r.actor AS read_by, r.token_id, r.route, r.revealed_at AS read_at
     FROM digital_secrets_reveals r JOIN digital_secrets_units u ON u.id = r.unit_id
     WHERE u.customer_id = $1 ORDER BY r.id"
);
