//! Statements about comparing services with what their providers say.

use stoa_core::prelude::*;

/// Those that are to be compared with what their provider says, the longest ago first.
pub(super) const LIST_TO_COMPARE: Sql = sql!(
    "SELECT id FROM services_services
     WHERE status IN ('active', 'suspended') AND compared_at <= $1 AND remote_state IN ('active', 'suspended')
       AND provider IN (SELECT value ->> 'name' FROM json_each($2)) AND open_call IS NULL AND needs_attention = FALSE
     ORDER BY compared_at, id LIMIT $3"
);

/// Only if nothing has happened to the service meanwhile.
pub(super) const NOTE_COMPARISON: Sql = sql!(
    "UPDATE services_services SET drift = $3, compared_at = $4
     WHERE id = $1 AND remote_state = $2 AND calls = $5 AND open_call IS NULL"
);
