//! Statements about the keys that values are sealed with.

use stoa_core::prelude::*;

/// The newest key is the one in use, also in the moment in which two were made at once.
pub(super) const FIND_ACTIVE: Sql =
    sql!("SELECT id, sealed_key FROM digital_secrets_keys WHERE retired_at IS NULL ORDER BY id DESC LIMIT 1");

pub(super) const INSERT: Sql =
    sql!("INSERT INTO digital_secrets_keys (sealed_key, created_at) VALUES ($1, $2) RETURNING id");

pub(super) const SET_KEY: Sql = sql!("UPDATE digital_secrets_keys SET sealed_key = $2 WHERE id = $1");

pub(super) const RETIRE_OTHERS: Sql =
    sql!("UPDATE digital_secrets_keys SET retired_at = $2 WHERE id < $1 AND retired_at IS NULL");

/// Values under a key that is not in use any more.
pub(super) const LIST_OUTDATED: Sql = sql!(
    "SELECT v.id, v.sealed_value, k.id AS key_id, k.sealed_key
     FROM digital_secrets_values v JOIN digital_secrets_keys k ON k.id = v.key_id
     WHERE k.id <> $1 AND v.pool_id = $4 AND v.id > $2 ORDER BY v.id LIMIT $3"
);

pub(super) const LIST_POOLS: Sql = sql!("SELECT id, name FROM digital_secrets_pools ORDER BY id");

/// Whoever has erased a value, or sealed it anew, meanwhile was right.
pub(super) const RESEAL: Sql = sql!(
    "UPDATE digital_secrets_values SET key_id = $2, sealed_value = e.sealed
     FROM (SELECT CAST(value ->> 'id' AS BIGINT) AS value_id, CAST(value ->> 'key_id' AS BIGINT) AS old_key_id,
                  value ->> 'sealed' AS sealed FROM json_each($1)) e
     WHERE digital_secrets_values.id = e.value_id AND digital_secrets_values.key_id = e.old_key_id"
);

pub(super) const LIST_RETIRED: Sql = sql!("SELECT id FROM digital_secrets_keys WHERE id <> $1 ORDER BY id");

pub(super) const DELETE_UNUSED: Sql = sql!(
    "DELETE FROM digital_secrets_keys WHERE id = $1 AND retired_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM digital_secrets_values v WHERE v.key_id = digital_secrets_keys.id)"
);

pub(super) const LIST_KEYS: Sql = sql!("SELECT id, sealed_key FROM digital_secrets_keys ORDER BY id");

pub(super) const COUNT_OUTDATED: Sql = sql!(
    "SELECT COUNT(*) FROM digital_secrets_values v JOIN digital_secrets_keys k ON k.id = v.key_id
     WHERE k.retired_at IS NOT NULL"
);
