//! The statements of the module, once for both databases.

use stoa_core::prelude::*;

/// Grants with the newest version of their file.
macro_rules! grants {
    ($which:literal) => {
        sql!(concat!(
            "SELECT g.id, g.token, g.customer_id, g.order_id, g.order_line_id, g.unit, g.asset_id, p.slug AS product,
                    COALESCE(a.label, i.label) AS label, a.filename, v.number AS version, v.size, v.sha256, g.download_limit,
                    g.download_count, g.expires_at, g.counted_at, g.completed_at, g.suspended_at, g.revoked_at,
                    g.revoked_reason, g.granted_at,
                    EXISTS (SELECT 1 FROM shop_refunded_units r
                            WHERE r.order_line_id = g.order_line_id AND r.unit = g.unit) AS refunded
             FROM downloads_grants g
             JOIN shop_order_lines i ON i.id = g.order_line_id
             JOIN downloads_assets a ON a.id = g.asset_id
             JOIN shop_products p ON p.id = a.product_id
             JOIN downloads_versions v ON v.asset_id = a.id
              AND v.number = (SELECT MAX(newest.number) FROM downloads_versions newest WHERE newest.asset_id = a.id) ",
            $which
        ))
    };
}

// What customers see.

pub(crate) const COUNT_OWN: Sql =
    sql!("SELECT COUNT(*) FROM downloads_grants WHERE customer_id = $1 AND order_id = COALESCE($2, order_id)");

pub(crate) const LIST_OWN: Sql =
    grants!("WHERE g.customer_id = $1 AND g.order_id = COALESCE($2, g.order_id) ORDER BY g.id DESC LIMIT $3 OFFSET $4");

pub(crate) const FIND_OWN_FILE: Sql = sql!(
    "SELECT g.id AS grant_id, a.filename, v.number AS version, v.storage_key, v.size, v.sha256, g.download_limit,
            g.download_count, g.expires_at, g.counted_at, g.completed_at, g.suspended_at, g.revoked_at,
            EXISTS (SELECT 1 FROM shop_refunded_units r WHERE r.order_line_id = g.order_line_id AND r.unit = g.unit) AS refunded
     FROM downloads_grants g
     JOIN downloads_assets a ON a.id = g.asset_id
     JOIN downloads_versions v ON v.asset_id = a.id
      AND v.number = (SELECT MAX(newest.number) FROM downloads_versions newest WHERE newest.asset_id = a.id)
     WHERE g.customer_id = $1 AND g.order_id = COALESCE($2, g.order_id) AND g.token = $3"
);

// Transfers.

/// Keeps others from starting a transfer with the grant until the transaction ends.
pub(crate) const LOCK_GRANT: Sql = sql!(
    "UPDATE downloads_grants SET download_count = download_count WHERE id = $1
     RETURNING order_line_id, unit, download_limit, download_count, expires_at, counted_at, completed_at, suspended_at,
               revoked_at, open_bytes, repeated_bytes"
);

/// Transfers of a version since `$3` whose end was not sent.
pub(crate) const LIST_RUNNING: Sql = sql!(
    "SELECT id, first_byte, sent_to, stops_at FROM downloads_log
     WHERE grant_id = $1 AND version = $2 AND ended_at IS NULL AND started_at > $3 ORDER BY id DESC"
);

/// No row when all downloads are used up.
pub(crate) const COUNT_DOWNLOAD: Sql = sql!(
    "UPDATE downloads_grants
     SET download_count = download_count + 1, open_bytes = $2, repeated_bytes = $3, counted_at = $4, completed_at = NULL
     WHERE id = $1 AND (download_limit IS NULL OR download_count < download_limit)"
);

pub(crate) const GO_ON: Sql = sql!("UPDATE downloads_grants SET open_bytes = $2, repeated_bytes = $3 WHERE id = $1");

pub(crate) const LOG_TRANSFER: Sql = sql!(
    "INSERT INTO downloads_log (grant_id, version, first_byte, last_byte, counted, started_at, sent_to, stops_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id"
);

/// Makes a transfer stop earlier; one that has sent everything before that is over.
pub(crate) const STOP_TRANSFER: Sql = sql!(
    "UPDATE downloads_log SET stops_at = $2, ended_at = CASE WHEN sent_to >= $2 THEN $3 ELSE ended_at END
     WHERE id = $1"
);

/// No row when the transfer is over.
pub(crate) const LET_OUT: Sql = sql!(
    "UPDATE downloads_log SET sent_to = CASE WHEN stops_at < $2 THEN stops_at ELSE $2 END
     WHERE id = $1 AND ended_at IS NULL RETURNING sent_to"
);

/// No row when the transfer has to stop before its end.
pub(crate) const END_TRANSFER: Sql =
    sql!("UPDATE downloads_log SET sent_to = $2, ended_at = $3 WHERE id = $1 AND ended_at IS NULL AND stops_at >= $2");

pub(crate) const COMPLETE: Sql =
    sql!("UPDATE downloads_grants SET completed_at = $2 WHERE id = $1 AND completed_at IS NULL");

// Granting and taking back.

/// Locks a product until the end of the transaction.
pub(crate) const LOCK_PRODUCT: Sql = sql!(
    "INSERT INTO downloads_products (product_id, revision) VALUES ($1, 1)
     ON CONFLICT (product_id) DO UPDATE SET revision = downloads_products.revision + 1"
);

pub(crate) const ADD_UNIT: Sql = sql!(
    "INSERT INTO downloads_units (order_line_id, unit, customer_id, order_id, product_id, download_limit, valid_days,
                                  paid_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     ON CONFLICT (order_line_id, unit) DO UPDATE SET
         download_limit = excluded.download_limit, valid_days = excluded.valid_days,
         paid_at = COALESCE(downloads_units.paid_at, excluded.paid_at)"
);

pub(crate) const REVOKE_UNIT: Sql = sql!(
    "INSERT INTO downloads_units (order_line_id, unit, customer_id, order_id, product_id, revoked_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (order_line_id, unit) DO UPDATE SET revoked_at = COALESCE(downloads_units.revoked_at, excluded.revoked_at)"
);

pub(crate) const REVOKE_GRANTS_OF_UNIT: Sql = sql!(
    "UPDATE downloads_grants SET revoked_at = $3, revoked_reason = $4
     WHERE order_line_id = $1 AND unit = $2 AND revoked_at IS NULL"
);

/// Says since when a unit must not be used, or with null that it may be used again.
pub(crate) const SUSPEND_UNIT: Sql = sql!(
    "INSERT INTO downloads_units (order_line_id, unit, customer_id, order_id, product_id, suspended_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (order_line_id, unit) DO UPDATE SET suspended_at = excluded.suspended_at"
);

pub(crate) const SUSPEND_GRANTS_OF_UNIT: Sql =
    sql!("UPDATE downloads_grants SET suspended_at = $3 WHERE order_line_id = $1 AND unit = $2");

/// Units of those chosen that lack a file of their product.
macro_rules! missing_of {
    ($chosen:literal) => {
        sql!(concat!(
            "SELECT u.order_line_id, u.unit, u.customer_id, u.order_id, a.id AS asset_id,
                    COALESCE(a.download_limit, u.download_limit) AS download_limit,
                    COALESCE(a.valid_days, u.valid_days) AS valid_days, u.suspended_at
             FROM downloads_units u
             JOIN downloads_assets a ON a.product_id = u.product_id AND a.detached_at IS NULL
             WHERE ",
            $chosen,
            " AND u.paid_at IS NOT NULL AND u.revoked_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM downloads_grants g
                               WHERE g.order_line_id = u.order_line_id AND g.unit = u.unit AND g.asset_id = a.id)
             ORDER BY u.order_line_id, u.unit, a.id LIMIT $2"
        ))
    };
}

pub(crate) const MISSING_OF_ORDER: Sql = missing_of!("u.order_id = $1");

pub(crate) const MISSING_OF_PRODUCT: Sql = missing_of!("u.product_id = $1");

/// Products with units that lack a file.
pub(crate) const PRODUCTS_MISSING: Sql = sql!(
    "SELECT DISTINCT u.product_id
     FROM downloads_units u
     JOIN downloads_assets a ON a.product_id = u.product_id AND a.detached_at IS NULL
     WHERE u.paid_at IS NOT NULL AND u.revoked_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM downloads_grants g
                       WHERE g.order_line_id = u.order_line_id AND g.unit = u.unit AND g.asset_id = a.id)
     ORDER BY u.product_id LIMIT 100"
);

pub(crate) const INSERT_GRANT: Sql = sql!(
    "INSERT INTO downloads_grants (token, customer_id, order_id, order_line_id, unit, asset_id, download_limit, expires_at,
                                   download_count, suspended_at, granted_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10)
     ON CONFLICT (order_line_id, unit, asset_id) DO NOTHING"
);

// Files.

pub(crate) const FIND_PRODUCT: Sql = sql!("SELECT id, capabilities FROM shop_products WHERE slug = $1");

pub(crate) const BEGIN_UPLOAD: Sql = sql!("INSERT INTO downloads_uploads (storage_key, started_at) VALUES ($1, $2)");

pub(crate) const END_UPLOAD: Sql = sql!("DELETE FROM downloads_uploads WHERE storage_key = $1");

pub(crate) const SAVE_ASSET: Sql = sql!(
    "INSERT INTO downloads_assets (product_id, filename, label, download_limit, valid_days, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (product_id, filename) DO UPDATE SET
         label = COALESCE(excluded.label, downloads_assets.label),
         download_limit = COALESCE(excluded.download_limit, downloads_assets.download_limit),
         valid_days = COALESCE(excluded.valid_days, downloads_assets.valid_days),
         detached_at = NULL
     RETURNING id"
);

pub(crate) const NEWEST_VERSION: Sql =
    sql!("SELECT number, size, sha256 FROM downloads_versions WHERE asset_id = $1 ORDER BY number DESC LIMIT 1");

pub(crate) const INSERT_VERSION: Sql = sql!(
    "INSERT INTO downloads_versions (asset_id, number, storage_key, size, sha256, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)"
);

/// Buyers have all their downloads again for a new version.
pub(crate) const RESET_COUNTS: Sql = sql!(
    "UPDATE downloads_grants
     SET download_count = 0, counted_at = NULL, completed_at = NULL, open_bytes = 0, repeated_bytes = 0
     WHERE asset_id = $1 AND revoked_at IS NULL"
);

/// What is left of one version is of no use for the next.
pub(crate) const CLOSE_DOWNLOADS: Sql =
    sql!("UPDATE downloads_grants SET open_bytes = 0 WHERE asset_id = $1 AND open_bytes > 0");

pub(crate) const DETACH: Sql = sql!(
    "UPDATE downloads_assets SET detached_at = $3
     WHERE filename = $2 AND detached_at IS NULL AND product_id = (SELECT id FROM shop_products WHERE slug = $1)
     RETURNING id"
);

/// All files, or those of one product.
pub(crate) const LIST_ASSETS: Sql = sql!(
    "SELECT a.id, p.slug AS product, a.filename, a.label, v.number AS version, v.size, v.sha256, a.download_limit,
            a.valid_days, a.detached_at, v.created_at AS attached_at, v.checked_at, v.problem,
            (SELECT COUNT(*) FROM downloads_grants g WHERE g.asset_id = a.id) AS grants
     FROM downloads_assets a
     JOIN shop_products p ON p.id = a.product_id
     JOIN downloads_versions v ON v.asset_id = a.id
      AND v.number = (SELECT MAX(newest.number) FROM downloads_versions newest WHERE newest.asset_id = a.id)
     WHERE CAST($1 AS TEXT) IS NULL OR p.slug = $1
     ORDER BY p.slug, a.filename"
);

/// What comes with products, for customers: the label and size of each file.
pub(crate) const FILES_OF_PRODUCTS: Sql = sql!(
    "SELECT a.product_id, COALESCE(a.label, p.name) AS label, v.size
     FROM json_each($1) wanted
     JOIN shop_products p ON p.id = CAST(wanted.value ->> 'id' AS BIGINT)
     JOIN downloads_assets a ON a.product_id = p.id AND a.detached_at IS NULL
     JOIN downloads_versions v ON v.asset_id = a.id
      AND v.number = (SELECT MAX(newest.number) FROM downloads_versions newest WHERE newest.asset_id = a.id)
     ORDER BY a.product_id, label, a.id"
);

// Grants, for the operator.

pub(crate) const LIST_GRANTS: Sql = grants!(
    "JOIN shop_customers c ON c.id = g.customer_id
     WHERE (CAST($1 AS BIGINT) IS NULL OR g.order_id = $1)
       AND (CAST($2 AS TEXT) IS NULL OR c.email = $2)
       AND (CAST($3 AS TEXT) IS NULL OR p.slug = $3)
       AND (CAST($4 AS BIGINT) IS NULL OR g.id = $4)
       AND (CAST($5 AS TEXT) IS NULL OR g.token = $5)
       AND (CAST($7 AS BIGINT) IS NULL OR g.id < $7)
     ORDER BY g.id DESC LIMIT $6"
);

/// Sets how many downloads a grant has, at least as many as were counted.
pub(crate) const SET_LIMIT: Sql = sql!(
    "UPDATE downloads_grants SET download_limit = $2
     WHERE id = $1 AND (CAST($2 AS BIGINT) IS NULL OR download_count <= $2)"
);

pub(crate) const FIND_BOUNDS: Sql = sql!("SELECT download_limit, expires_at FROM downloads_grants WHERE id = $1");

pub(crate) const ADD_DOWNLOAD: Sql = sql!(
    "UPDATE downloads_grants SET download_limit = download_limit + $2 WHERE id = $1 AND download_limit IS NOT NULL"
);

pub(crate) const SET_EXPIRY: Sql = sql!("UPDATE downloads_grants SET expires_at = $2 WHERE id = $1");

pub(crate) const REVOKE: Sql =
    sql!("UPDATE downloads_grants SET revoked_at = $2, revoked_reason = $3 WHERE id = $1 AND revoked_at IS NULL");

/// Gives a grant back, unless its unit was refunded.
pub(crate) const UNDO_REVOKE: Sql = sql!(
    "UPDATE downloads_grants SET revoked_at = NULL, revoked_reason = NULL
     WHERE id = $1 AND revoked_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM downloads_units u
                       WHERE u.order_line_id = downloads_grants.order_line_id AND u.unit = downloads_grants.unit
                         AND u.revoked_at IS NOT NULL)"
);

pub(crate) const LIST_LOG: Sql = sql!(
    "SELECT version, first_byte, last_byte, counted, started_at
     FROM downloads_log WHERE grant_id = $1 ORDER BY id DESC LIMIT $2"
);

// Looking after what is stored.

pub(crate) const COUNT_VERSIONS: Sql = sql!("SELECT COUNT(*) FROM downloads_versions");

pub(crate) const VERSIONS_TO_CHECK: Sql = sql!(
    "SELECT v.id, v.storage_key, v.size, v.sha256, p.slug AS product, a.filename, v.number AS version
     FROM downloads_versions v
     JOIN downloads_assets a ON a.id = v.asset_id
     JOIN shop_products p ON p.id = a.product_id
     WHERE v.id > $1 ORDER BY v.id LIMIT $2"
);

pub(crate) const NOTE_CHECK: Sql = sql!("UPDATE downloads_versions SET checked_at = $2, problem = $3 WHERE id = $1");

pub(crate) const DAMAGED: Sql = sql!(
    "SELECT p.slug AS product, a.filename, v.problem
     FROM downloads_versions v
     JOIN downloads_assets a ON a.id = v.asset_id
     JOIN shop_products p ON p.id = a.product_id
     WHERE v.problem IS NOT NULL ORDER BY v.id LIMIT 20"
);

pub(crate) const KNOWN_KEYS: Sql =
    sql!("SELECT storage_key FROM downloads_versions UNION SELECT storage_key FROM downloads_uploads");

pub(crate) const ABANDONED_UPLOADS: Sql =
    sql!("SELECT storage_key FROM downloads_uploads WHERE started_at < $1 ORDER BY started_at LIMIT $2");

/// Versions that a newer one took the place of before `$1`.
pub(crate) const SUPERSEDED: Sql = sql!(
    "SELECT v.id, v.storage_key FROM downloads_versions v
     WHERE EXISTS (SELECT 1 FROM downloads_versions n
                   WHERE n.asset_id = v.asset_id AND n.number > v.number AND n.created_at < $1)
     ORDER BY v.id LIMIT $2"
);

pub(crate) const DELETE_VERSION: Sql = sql!("DELETE FROM downloads_versions WHERE id = $1");

pub(crate) const PRUNE_LOG: Sql = sql!(
    "DELETE FROM downloads_log WHERE id IN (SELECT id FROM downloads_log WHERE started_at < $1 ORDER BY id LIMIT $2)"
);

/// Products that are `digital` and have no file.
pub(crate) const PRODUCTS_WITHOUT_FILES: Sql = sql!(
    r#"SELECT p.slug FROM shop_products p
     WHERE p.active = TRUE AND CAST(p.capabilities AS TEXT) LIKE '%"digital"%'
       AND NOT EXISTS (SELECT 1 FROM downloads_assets a WHERE a.product_id = p.id AND a.detached_at IS NULL)
     ORDER BY p.slug LIMIT 20"#
);

pub(crate) const SUM_VERSIONS: Sql = sql!(
    "SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT),
            CAST(COALESCE(SUM(CASE WHEN problem IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT)
     FROM downloads_versions"
);

// What is kept about a person.

pub(crate) const EXPORT_GRANTS: Sql = sql!(
    "SELECT g.id, p.slug AS product, a.filename, g.order_id, g.download_count, g.download_limit, g.expires_at, g.revoked_at,
            g.granted_at
     FROM downloads_grants g
     JOIN downloads_assets a ON a.id = g.asset_id
     JOIN shop_products p ON p.id = a.product_id
     WHERE g.customer_id = $1 ORDER BY g.id"
);

pub(crate) const EXPORT_LOG: Sql = sql!(
    "SELECT l.grant_id, l.version, l.first_byte, l.last_byte, l.counted, l.started_at
     FROM downloads_log l JOIN downloads_grants g ON g.id = l.grant_id
     WHERE g.customer_id = $1 ORDER BY l.id"
);

pub(crate) const FORGET_LOG: Sql =
    sql!("DELETE FROM downloads_log WHERE grant_id IN (SELECT id FROM downloads_grants WHERE customer_id = $1)");

pub(crate) const REVOKE_ALL: Sql = sql!(
    "UPDATE downloads_grants SET revoked_at = $2, revoked_reason = 'anonymized'
     WHERE customer_id = $1 AND revoked_at IS NULL"
);

/// Files that their buyers may fetch.
pub(crate) const COUNT_LEFT_ALONE: Sql = sql!(
    "SELECT COUNT(*) FROM downloads_grants
     WHERE revoked_at IS NULL AND suspended_at IS NULL AND (expires_at IS NULL OR expires_at > $1)"
);

/// What is stored for a product that is deleted, as uploads that nobody ends.
pub(crate) const ABANDON_VERSIONS: Sql = sql!(
    "INSERT INTO downloads_uploads (storage_key, started_at)
     SELECT v.storage_key, $2 FROM downloads_versions v JOIN downloads_assets a ON a.id = v.asset_id
     WHERE a.product_id = $1"
);

pub(crate) const DELETE_VERSIONS_OF_PRODUCT: Sql =
    sql!("DELETE FROM downloads_versions WHERE asset_id IN (SELECT id FROM downloads_assets WHERE product_id = $1)");

pub(crate) const DELETE_ASSETS_OF_PRODUCT: Sql = sql!("DELETE FROM downloads_assets WHERE product_id = $1");

pub(crate) const DELETE_PRODUCT: Sql = sql!("DELETE FROM downloads_products WHERE product_id = $1");

/// Hands what a guest has bought over: units first, by which files are granted.
pub(crate) const CLAIM_UNITS: Sql = sql!("UPDATE downloads_units SET customer_id = $2 WHERE customer_id = $1");

pub(crate) const CLAIM_GRANTS: Sql = sql!("UPDATE downloads_grants SET customer_id = $2 WHERE customer_id = $1");
