//! Statements about outgoing mail.

use crate::db::Sql;
use crate::sql;

/// The body follows when the row has an id, to which it is sealed.
pub(super) const INSERT: Sql = sql!(
    "INSERT INTO mail_messages
         (recipient, subject, body, language, message_id, state, attempts, next_attempt_at, expires_at, created_at)
     VALUES ($1, $2, $3, $4, $5, 'pending', 0, $6, $7, $6)
     RETURNING id"
);

pub(super) const SET_BODY: Sql = sql!("UPDATE mail_messages SET body = $2 WHERE id = $1");

pub(super) const INSERT_ATTACHMENT: Sql =
    sql!("INSERT INTO mail_attachments (mail_message_id, name, media_type, content) VALUES ($1, $2, $3, $4)");

pub(super) const FIND_ATTACHMENT: Sql =
    sql!("SELECT name, media_type, content FROM mail_attachments WHERE mail_message_id = $1");

/// Changes no row when it was taken before.
pub(super) const TAKE_KEY: Sql =
    sql!("INSERT INTO mail_keys (mail_key, created_at) VALUES ($1, $2) ON CONFLICT (mail_key) DO NOTHING");

pub(super) const PRUNE_KEYS: Sql = sql!(
    "DELETE FROM mail_keys
     WHERE mail_key IN (SELECT mail_key FROM mail_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2)"
);

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

pub(super) const DELETE_TO: Sql = sql!("DELETE FROM mail_messages WHERE recipient = $1");

/// Who reads what is written about an order: the address is that of now. None of an anonymized customer. Whoever is anonymized at
/// this moment waits until the mail is written, and then deletes it too.
pub(super) const READER_OF_ORDER: Sql = sql!(
    sqlite: "SELECT u.email, o.language, o.billing_address, o.status, o.currency, o.total_amount, o.payment_method,
                    o.created_at
             FROM orders o
             JOIN customers c ON c.id = o.customer_id
             JOIN users u ON u.id = c.user_id
             WHERE o.id = $1 AND u.anonymized_at IS NULL",
    postgres: "SELECT u.email, o.language, o.billing_address, o.status, o.currency, o.total_amount, o.payment_method,
                    o.created_at
               FROM orders o
               JOIN customers c ON c.id = o.customer_id
               JOIN users u ON u.id = c.user_id
               WHERE o.id = $1 AND u.anonymized_at IS NULL
               FOR SHARE OF u",
);

/// The same of a customer.
pub(super) const READER: Sql = sql!(
    sqlite: "SELECT u.email, c.name FROM customers c JOIN users u ON u.id = c.user_id
             WHERE c.id = $1 AND u.anonymized_at IS NULL",
    postgres: "SELECT u.email, c.name FROM customers c JOIN users u ON u.id = c.user_id
               WHERE c.id = $1 AND u.anonymized_at IS NULL
               FOR SHARE OF u",
);
