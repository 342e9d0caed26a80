//! Statements about services that are about to be terminated.

use stoa_core::prelude::*;

/// Those that end between `$1` and `$2` and whose customers have not been told since it was decided; what never was at a
/// provider is not missed.
pub(super) const LIST_ENDING: Sql = sql!(
    "SELECT id FROM services_services
     WHERE terminate_at > $1 AND terminate_at <= $2 AND over_at IS NOT NULL AND status IN ('active', 'suspended')
       AND remote_state <> 'absent' AND (termination_noticed_at IS NULL OR termination_noticed_at < over_at) AND id > $3
     ORDER BY id LIMIT $4"
);

/// Takes the notice of one of them, if it is still so.
pub(super) const TAKE_NOTICE: Sql = sql!(
    "UPDATE services_services SET termination_noticed_at = $3
     WHERE id = $1 AND terminate_at > $3 AND terminate_at <= $2 AND over_at IS NOT NULL
       AND status IN ('active', 'suspended') AND remote_state <> 'absent'
       AND (termination_noticed_at IS NULL OR termination_noticed_at < over_at)
     RETURNING order_id, product_name, terminate_at"
);
