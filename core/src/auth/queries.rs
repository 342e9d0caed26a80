//! Statements about access tokens and credentials.

use crate::db::Sql;
use crate::sql;

pub(super) const FIND_TOKEN: Sql = sql!(
    "SELECT t.id, t.customer_id, c.user_id, t.secret_hash, t.abilities, t.networks, t.expires_at
     FROM access_tokens t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE t.id = $1 AND u.anonymized_at IS NULL"
);

pub(super) const INSERT_TOKEN: Sql = sql!(
    "INSERT INTO access_tokens (customer_id, name, secret_hash, abilities, networks, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     RETURNING id"
);

pub(super) const DELETE_TOKEN: Sql = sql!("DELETE FROM access_tokens WHERE id = $1");
