//! Statements that write mails down.

use crate::db::Sql;
use crate::sql;

/// What it says follows when the row has an id, to which it is sealed.
pub(super) const INSERT: Sql = sql!(
    "INSERT INTO mail_messages
         (recipient, subject, body, language, message_id, expires_at, created_at, kind, customer_id, is_secret, order_id)
     VALUES ($1, $2, $3, $4, $5, $7, $6, $8, $9, $10, $11)
     RETURNING id"
);

pub(super) const SET_WORDS: Sql = sql!("UPDATE mail_messages SET body = $2, html = $3 WHERE id = $1");

pub(super) const INSERT_ATTACHMENT: Sql =
    sql!("INSERT INTO mail_attachments (mail_message_id, name, media_type, content) VALUES ($1, $2, $3, $4)");

/// Files that are made when the message is sent.
pub(super) const INSERT_FILES: Sql = sql!(
    "INSERT INTO mail_attachments (mail_message_id, name, media_type, file_kind, file_id)
     SELECT $1, value ->> 'name', value ->> 'media_type', value ->> 'kind', CAST(value ->> 'id' AS BIGINT)
     FROM json_each($2)"
);

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
         (SELECT id FROM mail_messages WHERE recipient = $1 OR customer_id = $2)"
);

pub(super) const DELETE_TO: Sql = sql!("DELETE FROM mail_messages WHERE recipient = $1 OR customer_id = $2");

/// What was written about what a guest has bought.
pub(super) const CLAIM: Sql = sql!("UPDATE mail_messages SET customer_id = $2 WHERE customer_id = $1");

/// What a customer was written, the oldest first, at former addresses too; not what the owner was written about them.
pub(super) const ALL_OF_CUSTOMER: Sql = sql!(
    "SELECT kind, subject, language, created_at, sent_at
     FROM mail_messages
     WHERE customer_id = $1 AND COALESCE(kind, '') NOT LIKE 'owner_%'
     ORDER BY id"
);

/// A message that is written once more.
pub(super) const FIND_WRITTEN: Sql = sql!(
    "SELECT recipient, subject, body, html, language, kind, customer_id, order_id, is_secret, sent_at
     FROM mail_messages WHERE id = $1"
);

/// Files of a message that nothing can make once more: their content goes when it is sent.
pub(super) const COUNT_OWN_FILES: Sql =
    sql!("SELECT COUNT(*) FROM mail_attachments WHERE mail_message_id = $1 AND file_kind IS NULL");

pub(super) const COPY_FILES: Sql = sql!(
    "INSERT INTO mail_attachments (mail_message_id, name, media_type, file_kind, file_id)
     SELECT $1, name, media_type, file_kind, file_id FROM mail_attachments WHERE mail_message_id = $2 ORDER BY id"
);
