//! How many files and connections the process may have open.

use rustix::process::{Resource, getrlimit};
use stoa_core::config::Config;

use super::finding::Finding;

/// Files that are open besides connections: the database with its log, the media, the program.
const BESIDES: u64 = 64;

/// Whether the limit of this user suffices for the connections that are configured.
pub(super) fn limit(config: &Config) -> Finding {
    judge(config, getrlimit(Resource::Nofile).current)
}

fn judge(config: &Config, limit: Option<u64>) -> Finding {
    const CHECK: &str = "limits.open_files";
    let connections = u64::try_from(config.server.max_connections).unwrap_or(u64::MAX);
    let needed = connections.saturating_add(u64::from(config.database.max_connections)).saturating_add(BESIDES);
    match limit {
        Some(limit) if limit < needed => {
            let message = format!(
                "{limit} files may be open at once here, and {needed} are needed for `server.max_connections = {connections}`"
            );
            let fix = format!(
                "set LimitNOFILE={} in the service's unit, or lower `server.max_connections`",
                needed.next_power_of_two()
            );
            Finding::warning(CHECK, message, fix)
        }
        Some(limit) => Finding::ok(CHECK, format!("{limit} files may be open at once here; {needed} are needed")),
        None => Finding::ok(CHECK, "any number of files may be open at once here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn the_defaults_fit_into_the_usual_limit() {
        let config = Config::default();
        assert_eq!(judge(&config, Some(1024)).state, State::Ok);
        assert_eq!(judge(&config, Some(512)).state, State::Warning);
        assert_eq!(judge(&config, None).state, State::Ok);
    }
}
