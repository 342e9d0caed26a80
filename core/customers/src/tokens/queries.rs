//! Statements about tokens as the operator and their owners see them.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const FIND: Sql = sql!(
    "SELECT t.id, t.customer_id, u.email, t.name, t.abilities, t.networks, t.created_at, t.last_used_at, t.expires_at
     FROM access_tokens t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE t.id = $1"
);

pub(super) const LIST: Sql = sql!(
    "SELECT t.id, t.customer_id, u.email, t.name, t.abilities, t.networks, t.created_at, t.last_used_at, t.expires_at
     FROM access_tokens t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     ORDER BY t.id"
);

pub(super) const LIST_OF_CUSTOMER: Sql = sql!(
    "SELECT t.id, t.customer_id, u.email, t.name, t.abilities, t.networks, t.created_at, t.last_used_at, t.expires_at
     FROM access_tokens t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE t.customer_id = $1
     ORDER BY t.id"
);

pub(super) const COUNT_OF_CUSTOMER: Sql = sql!("SELECT COUNT(*) FROM access_tokens WHERE customer_id = $1");

pub(super) const PAGE_OF_CUSTOMER: Sql = sql!(
    "SELECT t.id, t.customer_id, u.email, t.name, t.abilities, t.networks, t.created_at, t.last_used_at, t.expires_at
     FROM access_tokens t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE t.customer_id = $1
     ORDER BY t.id DESC LIMIT $2 OFFSET $3"
);

pub(super) const DELETE_OWN: Sql = sql!("DELETE FROM access_tokens WHERE id = $1 AND customer_id = $2");

pub(super) const DELETE_OF_CUSTOMER: Sql = sql!("DELETE FROM access_tokens WHERE customer_id = $1");

pub(super) const PRUNE_EXPIRED: Sql = sql!(
    "DELETE FROM access_tokens
     WHERE id IN (SELECT id FROM access_tokens WHERE expires_at <= $1 ORDER BY id LIMIT $2)"
);

/// Those that were being created while their user was anonymized.
pub(super) const PRUNE_ANONYMIZED: Sql = sql!(
    "DELETE FROM access_tokens
     WHERE id IN (
         SELECT t.id FROM users u
         JOIN customers c ON c.user_id = u.id
         JOIN access_tokens t ON t.customer_id = c.id
         WHERE u.anonymized_at <= $1 ORDER BY t.id LIMIT $2
     )"
);
