//! Statements about users and customers.

use crate::db::Sql;
use crate::sql;

pub(super) const INSERT_USER: Sql = sql!(
    "INSERT INTO users (email, password_hash, email_verified_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (email) DO NOTHING
     RETURNING id"
);

pub(super) const INSERT_CUSTOMER: Sql = sql!(
    "INSERT INTO customers (user_id, name, created_at, updated_at)
     VALUES ($1, $2, $3, $3)
     RETURNING id"
);

pub(super) const FIND_BY_EMAIL: Sql = sql!(
    "SELECT c.id, c.user_id, c.name, u.email, u.password_hash, u.email_verified_at, c.created_at
     FROM users u JOIN customers c ON c.user_id = u.id
     WHERE u.email = $1 AND u.anonymized_at IS NULL"
);
