//! The mark of a demo database in the table of facts about the installation, and what older ones are known by.

use stoa_core::db::Sql;
use stoa_core::sql;

pub(super) const FIND_MARK: Sql = sql!("SELECT value FROM installation WHERE name = 'demo'");

pub(super) const INSERT_MARK: Sql =
    sql!("INSERT INTO installation (name, value) VALUES ('demo', $1) ON CONFLICT (name) DO NOTHING");

pub(super) const CHANGE_MARK: Sql = sql!("UPDATE installation SET value = $1 WHERE name = 'demo' AND value = $2");

/// Before there was a mark, a demo was what had the demo's customer and the demo's picture of a lamp.
pub(super) const COUNT_UNMARKED: Sql = sql!(
    "SELECT COUNT(*) FROM users u, products p
     WHERE u.email = $1 AND p.slug = 'evening-lamp' AND CAST(p.images AS TEXT) LIKE '%demo/evening-lamp.svg%'"
);
