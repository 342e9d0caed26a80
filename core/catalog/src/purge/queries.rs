//! Statements about what caches are still to be told.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// The products of these slugs.
pub(super) const PRODUCTS: Sql =
    sql!("SELECT p.id FROM json_each($1) wanted JOIN products p ON p.slug = wanted.value ->> 'slug'");

/// The categories of the products `$1`, those of the slugs `$2`, and all above them: lists of these show the products.
pub(super) const CATEGORIES: Sql = sql!(
    "WITH RECURSIVE above (id, parent_id) AS (
         SELECT c.id, c.parent_id FROM categories c
         WHERE c.id IN (SELECT p.category_id FROM json_each($1) wanted JOIN products p ON p.slug = wanted.value ->> 'slug')
            OR c.slug IN (SELECT wanted.value ->> 'slug' FROM json_each($2) wanted)
         UNION
         SELECT c.id, c.parent_id FROM above a JOIN categories c ON c.id = a.parent_id)
     SELECT id FROM above"
);

pub(super) const NOTE: Sql = sql!(
    "INSERT INTO catalog_purges (target, key, created_at)
     SELECT CAST(value ->> 'target' AS BIGINT), value ->> 'key', $2 FROM json_each($1)"
);

pub(super) const OLDEST: Sql =
    sql!("SELECT id, key, created_at FROM catalog_purges WHERE target = $1 ORDER BY id LIMIT $2");

pub(super) const FORGET: Sql =
    sql!("DELETE FROM catalog_purges WHERE id IN (SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($1))");

pub(super) const FORGET_TARGET: Sql = sql!("DELETE FROM catalog_purges WHERE target = $1");

/// What has waited since `$1`, by address, with why it is not sent.
pub(super) const LATE: Sql = sql!(
    "SELECT p.target, COUNT(*) AS keys,
            (SELECT MAX(t.last_error) FROM tasks t WHERE t.kind = 'catalog.purge_keys' AND t.subject = p.target) AS error
     FROM catalog_purges p WHERE p.created_at < $1 GROUP BY p.target"
);
