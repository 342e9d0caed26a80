//! How the passwords of a shop are hashed.

use stoa_kernel::auth::{PasswordHasher, PasswordParameters};
use stoa_kernel::config::Config;
use stoa_kernel::random::Random;

/// Hashes that run at once: the machine keeps cores for everything else.
fn concurrent_hashes() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1))
}

/// What hashes passwords at the configured cost; else why that is none.
pub(crate) fn password_hasher(config: &Config, random: &Random) -> Result<PasswordHasher, String> {
    let cost = &config.accounts.password_hash;
    let parameters =
        PasswordParameters { memory_kib: cost.memory_kib, iterations: cost.iterations, parallelism: cost.parallelism };
    PasswordHasher::new(parameters, concurrent_hashes(), random.clone())
        .map_err(|error| format!("accounts.password_hash: {error}"))
}
