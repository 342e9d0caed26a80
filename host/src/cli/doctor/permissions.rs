//! Who else on this machine can read or change the shop's files.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use stoa_core::config::{Config, DatabaseUrl};

use super::finding::{Finding, argument};

const WRITABLE_BY_OTHERS: u32 = 0o002;
const READABLE_BY_OTHERS: u32 = 0o004;
const ENTERED_BY_OTHERS: u32 = 0o001;

/// The configuration file: nobody else may change it, nor read it when it holds secrets.
pub(super) fn config_file(file: &Path, config: &Config) -> Finding {
    const CHECK: &str = "files.configuration";
    let Ok(mode) = mode(file) else {
        return Finding::failure(
            CHECK,
            format!("{} cannot be looked at", file.display()),
            "check its owner and folder",
        );
    };
    if mode & WRITABLE_BY_OTHERS != 0 {
        let message = format!("every user of this machine can change {}", file.display());
        return Finding::failure(CHECK, message, format!("chmod o-rwx {}", argument(file)));
    }
    if mode & READABLE_BY_OTHERS != 0 && can_be_reached(file) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if let Some(key) = secrets(config).into_iter().find(|(_, secret)| text.contains(secret)).map(|(key, _)| key) {
            let message = format!("every user of this machine can read `{key}` in {}", file.display());
            return Finding::warning(CHECK, message, format!("chmod o-rwx {}", argument(file)));
        }
    }
    Finding::ok(CHECK, format!("{} is safe from others", file.display()))
}

/// The secrets of a configuration with their keys.
fn secrets(config: &Config) -> Vec<(&'static str, &str)> {
    let payments = &config.payments;
    let mut found = [
        ("payments.stripe.secret_key", &payments.stripe.secret_key),
        ("payments.stripe.webhook_secret", &payments.stripe.webhook_secret),
        ("payments.mollie.api_key", &payments.mollie.api_key),
        ("payments.paypal.client_secret", &payments.paypal.client_secret),
        ("mail.smtp.password", &config.mail.smtp.password),
    ]
    .into_iter()
    .filter_map(|(key, secret)| Some((key, secret.as_ref()?.expose())))
    .filter(|(_, secret)| !secret.is_empty())
    .collect::<Vec<_>>();
    if let DatabaseUrl::Postgres(url) = &config.database.url {
        // What is shown has stars where the password is; as a parameter it is not shown at all.
        let has_password = url.to_string().contains(":***@") || url.expose().contains("password=");
        found.extend(has_password.then(|| ("database.url", url.expose())));
    }
    found
}

/// The database file and its folder: what customers entrusted to the shop is in it.
pub(super) fn database_file(file: &Path) -> Finding {
    const CHECK: &str = "files.database";
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Ok(file_mode), Ok(folder_mode)) = (mode(file), mode(folder)) else {
        return Finding::failure(
            CHECK,
            format!("{} cannot be looked at", file.display()),
            "check its owner and folder",
        );
    };
    let is_sticky = folder_mode & 0o1000 != 0;
    let replaceable = folder_mode & WRITABLE_BY_OTHERS != 0 && !is_sticky;
    if file_mode & WRITABLE_BY_OTHERS != 0 || replaceable {
        let message = format!("every user of this machine can change {}", file.display());
        return Finding::failure(CHECK, message, format!("chmod o-rwx {} {}", argument(folder), argument(file)));
    }
    if file_mode & READABLE_BY_OTHERS != 0 && can_be_reached(file) {
        let message = format!("every user of this machine can read the customers' data in {}", file.display());
        return Finding::warning(CHECK, message, format!("chmod o-rwx {}", argument(folder)));
    }
    Finding::ok(CHECK, format!("{} is safe from others", file.display()))
}

fn mode(path: &Path) -> std::io::Result<u32> {
    std::fs::metadata(path).map(|metadata: Metadata| metadata.permissions().mode())
}

/// Whether other users can get to a file: they may enter all folders above it.
fn can_be_reached(file: &Path) -> bool {
    let Ok(file) = file.canonicalize() else { return false };
    file.ancestors().skip(1).all(|folder| mode(folder).is_ok_and(|mode| mode & ENTERED_BY_OTHERS != 0))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::path::PathBuf;

    use stoa_core::config::Sources;
    use tempfile::TempDir;

    use super::*;
    use crate::cli::doctor::finding::State;

    /// A folder that others may enter, with one file of these permissions.
    fn file(mode: u32, text: &str) -> (TempDir, PathBuf) {
        let folder = TempDir::new().expect("a temporary folder");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("it is ours");
        let file = folder.path().join("config.toml");
        fs::write(&file, text).expect("it is ours");
        fs::set_permissions(&file, Permissions::from_mode(mode)).expect("it is ours");
        (folder, file)
    }

    #[test]
    fn a_configuration_with_secrets_is_not_for_others() {
        let text = "[payments.mollie]\napi_key = 'live_abc'\n";
        for (mode, text, state) in [
            (0o600, text, State::Ok),
            (0o640, text, State::Ok),
            (0o644, text, State::Warning),
            (0o644, "[shop]\nname = 'Shop'\n", State::Ok),
            (0o646, "[shop]\nname = 'Shop'\n", State::Failure),
        ] {
            let (_folder, file) = file(mode, text);
            let config = Config::load(Sources::new("/nowhere").file(&file)).expect("valid").config;
            let finding = config_file(&file, &config);
            assert_eq!(finding.state, state, "{mode:o}: {}", finding.message);
            assert!(!finding.message.contains("live_abc"));
        }
    }

    #[test]
    fn a_secret_that_is_elsewhere_leaves_the_file_alone() {
        let (_folder, file) = file(0o644, "[shop]\nname = 'Shop'\n");
        let sources =
            Sources::new("/nowhere").file(&file).environment([("STOA_PAYMENTS__MOLLIE__API_KEY", "live_abc")]);
        let config = Config::load(sources).expect("valid").config;
        assert_eq!(config_file(&file, &config).state, State::Ok);
    }

    #[test]
    fn a_database_that_others_cannot_get_to_is_safe() {
        let (folder, file) = file(0o644, "");
        assert_eq!(database_file(&file).state, State::Warning);
        fs::set_permissions(folder.path(), Permissions::from_mode(0o750)).expect("it is ours");
        assert_eq!(database_file(&file).state, State::Ok);
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).expect("it is ours");
        assert_eq!(database_file(&file).state, State::Failure);
    }
}
