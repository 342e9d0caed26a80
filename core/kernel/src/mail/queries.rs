//! Statements that write mails down.

use crate::db::Sql;
use crate::sql;

/// The body follows when the row has an id, to which it is sealed.
pub(super) const INSERT: Sql = sql!(
    "INSERT INTO mail_messages
         (recipient, subject, body, language, message_id, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $7, $6)
     RETURNING id"
);

pub(super) const SET_BODY: Sql = sql!("UPDATE mail_messages SET body = $2 WHERE id = $1");

pub(super) const INSERT_ATTACHMENT: Sql =
    sql!("INSERT INTO mail_attachments (mail_message_id, name, media_type, content) VALUES ($1, $2, $3, $4)");

/// Changes no row when it was taken before.
pub(super) const TAKE_KEY: Sql =
    sql!("INSERT INTO mail_keys (mail_key, created_at) VALUES ($1, $2) ON CONFLICT (mail_key) DO NOTHING");

pub(super) const PRUNE_KEYS: Sql = sql!(
    "DELETE FROM mail_keys
     WHERE mail_key IN (SELECT mail_key FROM mail_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2)"
);

/// What the mail server has said about messages to an address may hold it.
pub(super) const DELETE_TASKS_TO: Sql = sql!(
    "DELETE FROM tasks WHERE lane = 'mail' AND CAST(payload ->> 'mail_message_id' AS BIGINT) IN
         (SELECT id FROM mail_messages WHERE recipient = $1)"
);

pub(super) const DELETE_TO: Sql = sql!("DELETE FROM mail_messages WHERE recipient = $1");
