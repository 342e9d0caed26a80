//! Statements about keys.

use stoa_core::prelude::*;

pub(crate) const FIND_ACTIVE: Sql = sql!("SELECT id, key_id, private_key FROM event_tickets_keys WHERE active = TRUE");

pub(crate) const NEXT_ID: Sql = sql!("SELECT COALESCE(MAX(id), 0) + 1 FROM event_tickets_keys");

pub(crate) const INSERT: Sql = sql!(
    "INSERT INTO event_tickets_keys (id, key_id, public_key, private_key, active, created_at)
     VALUES ($1, $2, $3, $4, TRUE, $5) ON CONFLICT DO NOTHING"
);

pub(crate) const RETIRE: Sql =
    sql!("UPDATE event_tickets_keys SET active = FALSE, retired_at = $1 WHERE active = TRUE");

pub(crate) const LIST: Sql =
    sql!("SELECT key_id, public_key, active, created_at, retired_at FROM event_tickets_keys ORDER BY id DESC");

pub(crate) const LIST_PUBLIC: Sql = sql!("SELECT key_id, public_key FROM event_tickets_keys");

pub(crate) const LIST_MISSING: Sql = sql!(
    "SELECT DISTINCT t.key_id FROM event_tickets_tickets t
     WHERE t.key_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM event_tickets_keys k WHERE k.key_id = t.key_id)"
);
