//! Statements about callbacks of payment providers.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// Keeps a message once. Whoever brings the same at the same time waits for the first, and then changes no row.
pub(super) const INSERT: Sql = sql!(
    "INSERT INTO payment_callbacks (gateway, event_id, event_type, state, notification, received_at)
     VALUES ($1, $2, $3, 'pending', $4, $5)
     ON CONFLICT (gateway, event_id) DO NOTHING
     RETURNING id"
);

pub(super) const FIND_ID: Sql = sql!("SELECT id FROM payment_callbacks WHERE gateway = $1 AND event_id = $2");

pub(super) const SETTLE: Sql = sql!(
    "UPDATE payment_callbacks
     SET state = $2, attempt_id = $3, order_id = $4, reason = $5, processed_at = $6
     WHERE id = $1"
);

/// What we stored when the attempt was started decides; an order is never named.
pub(super) const MATCH_ATTEMPT: Sql = sql!(
    "SELECT id, order_id, status FROM payment_attempts
     WHERE gateway = $1 AND (reference = $2 OR gateway_attempt_id = $3 OR gateway_payment_id = $4)
     ORDER BY id LIMIT 2"
);

/// Whether an attempt has this name at the provider, or may have: the answer to its start is not written down yet.
pub(super) const COUNT_NAMED: Sql = sql!(
    "SELECT COUNT(*) FROM payment_attempts
     WHERE gateway = $1 AND (gateway_attempt_id = $2 OR (gateway_attempt_id IS NULL AND status IN ('pending', 'processing')))"
);

/// What the provider calls an attempt whose start was never answered; refunds need it.
pub(super) const KEEP_GATEWAY_ATTEMPT_ID: Sql =
    sql!("UPDATE payment_attempts SET gateway_attempt_id = $2 WHERE id = $1 AND gateway_attempt_id IS NULL");

/// Counts a look at one that has to be looked at again.
pub(super) const TAKE: Sql = sql!(
    "UPDATE payment_callbacks SET tries = tries + 1 WHERE id = $1 AND processed_at IS NULL
     RETURNING id, gateway, notification, received_at, tries"
);

/// The same for the operator, whatever its time.
pub(super) const TAKE_NOW: Sql = sql!(
    "UPDATE payment_callbacks SET tries = tries + 1 WHERE id = $1 AND state IN ('pending', 'unmatched', 'flagged')
     RETURNING id, gateway, notification, received_at, tries"
);

macro_rules! callbacks {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT id, gateway, event_id, event_type, state, attempt_id, order_id, reason, tries, received_at, processed_at,
                    (SELECT CASE WHEN t.due_at < t.created_at THEN t.created_at ELSE t.due_at END FROM tasks t
                     WHERE t.kind = 'payments.callback' AND t.subject = payment_callbacks.id) AS next_try_at
             FROM payment_callbacks ",
            $rest
        ))
    };
}

pub(super) const LIST: Sql = callbacks!(
    "WHERE (CAST($1 AS TEXT) IS NULL OR state = $1) AND (CAST($2 AS TEXT) IS NULL OR gateway = $2)
     ORDER BY id DESC LIMIT $3"
);

pub(super) const SEARCH: Sql = callbacks!(
    "WHERE (CAST($1 AS TEXT) IS NULL OR state = $1) AND (CAST($2 AS TEXT) IS NULL OR gateway = $2) AND id < $3
     ORDER BY id DESC LIMIT $4"
);

pub(super) const COUNT_SEARCHED: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM payment_callbacks
         WHERE (CAST($1 AS TEXT) IS NULL OR state = $1) AND (CAST($2 AS TEXT) IS NULL OR gateway = $2)
         LIMIT $3) AS counted"
);

pub(super) const FIND: Sql = callbacks!("WHERE id = $1");

/// What a message said, in our words.
pub(super) const NOTIFICATION: Sql = sql!("SELECT notification FROM payment_callbacks WHERE id = $1");

/// Those that concern an order.
pub(super) const LIST_OF_ORDER: Sql = callbacks!(
    "WHERE order_id = $1 OR attempt_id IN (SELECT id FROM payment_attempts WHERE order_id = $1)
     ORDER BY id"
);

pub(super) const PRUNE: Sql = sql!(
    "DELETE FROM payment_callbacks
     WHERE id IN (SELECT id FROM payment_callbacks WHERE received_at <= $1 ORDER BY id LIMIT $2)"
);
