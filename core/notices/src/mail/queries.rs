//! Statements about mails that wait.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// A message that was not sent yet.
pub(super) const FIND: Sql = sql!(
    "SELECT id, recipient, subject, body, html, language, message_id, expires_at, created_at
     FROM mail_messages WHERE id = $1 AND sent_at IS NULL"
);

pub(super) const FIND_ATTACHMENTS: Sql = sql!(
    "SELECT id, name, media_type, content, file_kind, file_id FROM mail_attachments WHERE mail_message_id = $1 ORDER BY id"
);

/// A message that was sent: what only sending needs goes, and a text that opens something.
pub(super) const SET_SENT: Sql = sql!(
    "UPDATE mail_messages SET sent_at = $2, answer = $3, html = CASE WHEN is_secret THEN NULL ELSE html END,
                              body = CASE WHEN is_secret THEN $4 ELSE body END
     WHERE id = $1"
);

pub(super) const EMPTY_ATTACHMENTS: Sql =
    sql!("UPDATE mail_attachments SET content = NULL WHERE mail_message_id = $1 AND content IS NOT NULL");

pub(super) const DELETE: Sql = sql!("DELETE FROM mail_messages WHERE id = $1");

/// Messages that nobody will send any more, since their tasks were given up.
pub(super) const PRUNE_MESSAGES: Sql = sql!(
    "DELETE FROM mail_messages
     WHERE id IN (SELECT CAST(payload ->> 'mail_message_id' AS BIGINT) FROM tasks
                  WHERE lane = 'mail' AND state = 'failed' AND created_at <= $1 ORDER BY id LIMIT $2)"
);

/// Messages that were sent long ago.
pub(super) const PRUNE_SENT: Sql = sql!(
    "DELETE FROM mail_messages
     WHERE id IN (SELECT id FROM mail_messages WHERE sent_at <= $1 ORDER BY sent_at LIMIT $2)"
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

/// How many are tried again, and why the latest of them was not taken.
pub(super) const RETRIED_MAILS: Sql = sql!(
    "SELECT COUNT(*), (SELECT l.last_error FROM tasks l
                       WHERE l.lane = 'mail' AND l.state = 'pending' AND l.last_error IS NOT NULL
                       ORDER BY l.attempted_at DESC, l.id DESC LIMIT 1)
     FROM tasks WHERE lane = 'mail' AND state = 'pending' AND last_error IS NOT NULL"
);

/// Mails that were due before `$1`.
pub(super) const COUNT_OVERDUE_MAILS: Sql =
    sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'mail' AND state = 'pending' AND due_at < $1 AND created_at < $1");

/// The newest first. While it is being sent, a message is due at no time.
macro_rules! select_mails {
    ($rest:literal) => {
        sql!(concat!(
            "SELECT m.id, m.kind, m.recipient, m.subject, m.language, m.message_id, m.is_secret, m.body, m.created_at,
                    m.expires_at, m.sent_at, m.answer,
                    CASE WHEN m.sent_at IS NOT NULL THEN 'sent' WHEN t.state = 'failed' THEN 'failed' ELSE 'pending' END AS state,
                    COALESCE(t.attempts, 0) AS attempts, t.last_error,
                    CASE WHEN t.state = 'pending' AND t.lease IS NULL
                         THEN CASE WHEN t.due_at < m.created_at THEN m.created_at ELSE t.due_at END END AS next_attempt_at
             FROM mail_messages m LEFT JOIN tasks t ON t.kind = 'mail.send' AND t.subject = m.id ",
            $rest
        ))
    };
}

pub(super) const LIST: Sql = select_mails!(
    "WHERE CAST($1 AS TEXT) IS NULL
        OR $1 = CASE WHEN m.sent_at IS NOT NULL THEN 'sent' WHEN t.state = 'failed' THEN 'failed' ELSE 'pending' END
     ORDER BY m.id DESC LIMIT $2"
);

/// A page of them.
pub(super) const PAGE: Sql = select_mails!(
    "WHERE (CAST($1 AS TEXT) IS NULL
            OR $1 = CASE WHEN m.sent_at IS NOT NULL THEN 'sent' WHEN t.state = 'failed' THEN 'failed' ELSE 'pending' END)
       AND (CAST($2 AS BIGINT) IS NULL OR m.id < $2)
     ORDER BY m.id DESC LIMIT $3"
);

/// The newest mails about an order.
pub(super) const OF_ORDER: Sql = select_mails!("WHERE m.order_id = $1 ORDER BY m.id DESC LIMIT $2");

pub(super) const COUNT: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM mail_messages m LEFT JOIN tasks t ON t.kind = 'mail.send' AND t.subject = m.id
         WHERE CAST($1 AS TEXT) IS NULL
            OR $1 = CASE WHEN m.sent_at IS NOT NULL THEN 'sent' WHEN t.state = 'failed' THEN 'failed' ELSE 'pending' END
         LIMIT $2) AS counted"
);

pub(super) const FILE_NAMES: Sql = sql!("SELECT name FROM mail_attachments WHERE mail_message_id = $1 ORDER BY id");

pub(super) const SHOW: Sql = select_mails!("WHERE m.id = $1");

/// What is tried again may take its time anew.
pub(super) const EXTEND: Sql =
    sql!("UPDATE mail_messages SET expires_at = $2 WHERE id = $1 AND is_secret = FALSE AND expires_at < $2");
