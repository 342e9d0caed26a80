//! Statements about mails that wait.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const FIND_ATTACHMENT: Sql =
    sql!("SELECT name, media_type, content FROM mail_attachments WHERE mail_message_id = $1");

/// What is due at `$1`: what was never tried, whatever the clock says (a job that runs as of another time writes at that time);
/// what was, unless it lies between now and `$2`. A lease ends, and is none that lies beyond `$3`.
pub(super) const COUNT_DUE: Sql = sql!(
    "SELECT COUNT(*) FROM mail_messages
     WHERE state = 'pending' AND (attempts = 0 OR next_attempt_at <= $1 OR next_attempt_at > $2)
       AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $3)"
);

/// Takes due messages, with times as above, the oldest first.
pub(super) const CLAIM: Sql = sql!(
    "UPDATE mail_messages SET leased_until = $4, attempts = attempts + 1
     WHERE id IN (
         SELECT id FROM mail_messages
         WHERE state = 'pending' AND (attempts = 0 OR next_attempt_at <= $1 OR next_attempt_at > $2)
           AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $3)
         ORDER BY id LIMIT $5
     ) AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $3)
     RETURNING id, recipient, subject, body, language, message_id, attempts, expires_at, created_at"
);

pub(super) const DELETE: Sql = sql!("DELETE FROM mail_messages WHERE id = $1");

pub(super) const POSTPONE: Sql = sql!(
    "UPDATE mail_messages SET state = $2, next_attempt_at = $3, leased_until = NULL, last_error = $4 WHERE id = $1"
);

/// Messages that nobody will send any more.
pub(super) const PRUNE: Sql = sql!(
    "DELETE FROM mail_messages
     WHERE id IN (SELECT id FROM mail_messages WHERE state = 'failed' AND created_at <= $1 ORDER BY id LIMIT $2)"
);
