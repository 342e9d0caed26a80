//! The key's fingerprint in the table of facts about the installation.

use crate::db::Sql;
use crate::sql;

pub(super) const FIND_FINGERPRINT: Sql = sql!("SELECT value FROM installation WHERE name = 'key_fingerprint'");

pub(super) const INSERT_FINGERPRINT: Sql =
    sql!("INSERT INTO installation (name, value) VALUES ('key_fingerprint', $1) ON CONFLICT (name) DO NOTHING");
