//! The environment variables that tests look at, read in this one place.

use std::path::PathBuf;

#[expect(clippy::disallowed_methods, reason = "these variables belong to the test run, not to a shop")]
fn variable(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Where PostgreSQL is, as a URL of a user that may create databases.
pub(super) fn postgres_url() -> Option<String> {
    variable("STOA_TEST_POSTGRES_URL").map(|url| url.to_string_lossy().into_owned())
}

/// Whether leaving out the tests on PostgreSQL is a failure.
pub(super) fn requires_postgres() -> bool {
    variable("STOA_REQUIRE_POSTGRES").is_some_and(|value| value == "1")
}

/// Whether leaving out the tests on several machines is a failure.
pub(super) fn requires_machines() -> bool {
    variable("STOA_REQUIRE_MACHINES").is_some_and(|value| value == "1")
}

/// Where Redis is.
pub(super) fn redis_url() -> Option<String> {
    variable("STOA_TEST_REDIS_URL").map(|url| url.to_string_lossy().into_owned())
}

/// Whether leaving out the tests on Redis is a failure.
pub(super) fn requires_redis() -> bool {
    variable("STOA_REQUIRE_REDIS").is_some_and(|value| value == "1")
}

/// Where programs are looked for.
pub(super) fn search_path() -> Vec<PathBuf> {
    variable("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}
