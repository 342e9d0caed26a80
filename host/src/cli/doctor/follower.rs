//! Litestream, which copies SQLite's file and clears its log in the shop's place.

use std::path::{Path, PathBuf};

use stoa_core::config::{DatabaseConfig, DatabaseUrl};

use super::finding::Finding;

const CHECK: &str = "database.followed";

const MEBIBYTE: u64 = 1024 * 1024;

/// Litestream clears the log when it has 500 MB.
const TOO_LONG: u64 = 1024 * MEBIBYTE;

/// Whether shop and follower know of one another, if there is or was one, and whether it keeps up.
pub(super) fn follower(config: &DatabaseConfig, was_there: bool) -> Option<Finding> {
    let DatabaseUrl::SqliteFile(file) = &config.url else { return None };
    let log = log_of(file);
    let waiting = std::fs::metadata(&log).map_or(0, |metadata| metadata.len()) / MEBIBYTE;
    Some(match (config.followed, was_there) {
        (false, false) => return None,
        (false, true) => Finding::warning(
            CHECK,
            "Litestream follows the database, and the shop clears the log before it: its copies may be wrong",
            "set `database.followed = true`, restart the shop, then Litestream; if you gave it up, drop the tables \
             _litestream_lock and _litestream_seq",
        ),
        (true, false) => Finding::warning(
            CHECK,
            format!("nobody has followed the database yet, and {} grows until somebody does", log.display()),
            "start Litestream, or set `database.followed = false` and restart the shop",
        ),
        (true, true) if waiting * MEBIBYTE > TOO_LONG => Finding::warning(
            CHECK,
            format!("Litestream has not cleared {} for long: {waiting} MiB wait in it", log.display()),
            "start Litestream and look at its log; if you gave it up, set `database.followed = false` and restart the shop",
        ),
        (true, true) => Finding::ok(CHECK, format!("Litestream clears the log, which has {waiting} MiB")),
    })
}

/// SQLite's log beside a file.
fn log_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}
