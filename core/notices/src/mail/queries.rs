//! Statements about mails that wait.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const FIND: Sql = sql!(
    "SELECT id, recipient, subject, body, language, message_id, expires_at, created_at FROM mail_messages WHERE id = $1"
);

pub(super) const FIND_ATTACHMENT: Sql =
    sql!("SELECT name, media_type, content FROM mail_attachments WHERE mail_message_id = $1");

pub(super) const DELETE: Sql = sql!("DELETE FROM mail_messages WHERE id = $1");

/// Messages that nobody will send any more, since their tasks were given up.
pub(super) const PRUNE_MESSAGES: Sql = sql!(
    "DELETE FROM mail_messages
     WHERE id IN (SELECT CAST(payload ->> 'mail_message_id' AS BIGINT) FROM tasks
                  WHERE lane = 'mail' AND state = 'failed' AND created_at <= $1 ORDER BY id LIMIT $2)"
);

/// What became of them, once they are gone.
pub(super) const PRUNE_TASKS: Sql = sql!(
    "DELETE FROM tasks
     WHERE id IN (SELECT id FROM tasks WHERE lane = 'mail' AND state = 'failed' AND created_at <= $1
                  ORDER BY id LIMIT $2)"
);

/// Mails that were given up.
pub(super) const COUNT_FAILED_MAILS: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'mail' AND state = 'failed'");

/// Why the latest of them was given up.
pub(super) const LATEST_MAIL_ERROR: Sql =
    sql!("SELECT last_error FROM tasks WHERE lane = 'mail' AND state = 'failed' ORDER BY id DESC LIMIT 1");

/// Mails that were due before `$1`.
pub(super) const COUNT_OVERDUE_MAILS: Sql =
    sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'mail' AND state = 'pending' AND due_at < $1 AND created_at < $1");
