//! Statements that hand services to workers.

use stoa_core::prelude::*;

/// Whether something is due at `$1` that nobody has in hand. Beyond `$2` only a change can lie that is planned for then; a lease
/// beyond `$3` is none.
pub(super) const IS_DUE: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT id FROM services_services
         WHERE (due_at <= $1 OR (due_at > $2 AND due_at IS DISTINCT FROM terminate_at AND due_at IS DISTINCT FROM hold_until))
           AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $3) LIMIT 1
     ) due"
);

/// Takes what is due, with times as above, unless another worker has it in hand.
pub(super) const CLAIM: Sql = sql!(
    "UPDATE services_services SET lease = $4, leased_until = $5
     WHERE id IN (
         SELECT id FROM services_services
         WHERE (due_at <= $1 OR (due_at > $2 AND due_at IS DISTINCT FROM terminate_at AND due_at IS DISTINCT FROM hold_until))
           AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $3)
         ORDER BY due_at, id LIMIT $6
     ) AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $3)
     RETURNING id"
);

/// Takes one service, due or not.
pub(super) const CLAIM_ONE: Sql = sql!(
    "UPDATE services_services SET lease = $3, leased_until = $4
     WHERE id = $1 AND (leased_until IS NULL OR leased_until <= $2 OR leased_until > $5)"
);

/// Those that are to be compared with what their provider says, the longest ago first.
pub(super) const LIST_TO_COMPARE: Sql = sql!(
    "SELECT id FROM services_services
     WHERE status IN ('active', 'suspended') AND compared_at <= $1 AND remote_state IN ('active', 'suspended')
       AND provider IN (SELECT value ->> 'name' FROM json_each($2)) AND lease IS NULL AND needs_attention = FALSE
     ORDER BY compared_at, id LIMIT $3"
);

/// Only if nothing has happened to the service meanwhile.
pub(super) const NOTE_COMPARISON: Sql = sql!(
    "UPDATE services_services SET drift = $3, compared_at = $4
     WHERE id = $1 AND remote_state = $2 AND lease IS NULL AND open_call IS NULL"
);
