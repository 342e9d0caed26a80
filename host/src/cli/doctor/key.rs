//! The key for what is encrypted at rest.

use stoa_core::config::SecretsConfig;
use stoa_core::db::Db;
use stoa_core::encryption::{Cipher, KeyError, MissingKey, key_file};
use stoa_core::error_chain;
use stoa_core::random::Random;

use super::finding::{Finding, argument};

const CHECK: &str = "key";

/// Whether the key is the one that a migrated database was set up with.
pub(in crate::cli) async fn belongs(db: &Db, secrets: &SecretsConfig) -> Finding {
    match Cipher::of_installation(db, secrets, &Random::system(), MissingKey::Refuse).await {
        Ok(_) => Finding::ok(CHECK, format!("{} is this shop's; keep a copy in a safe place", describe_key(secrets))),
        Err(error) => refused(&error, secrets),
    }
}

/// Whether the file can be used, where no database can be asked.
pub(super) fn file(secrets: &SecretsConfig) -> Finding {
    if secrets.key.is_some() {
        return Finding::ok(CHECK, describe_key(secrets));
    }
    match key_file::read(&secrets.key_file) {
        Ok(Some(_)) => Finding::ok(CHECK, format!("{} holds a key for its owner only", describe_key(secrets))),
        Ok(None) => Finding::ok(CHECK, format!("{} is made with the database", describe_key(secrets))),
        Err(error) => refused(&error, secrets),
    }
}

fn describe_key(secrets: &SecretsConfig) -> String {
    match secrets.key {
        Some(_) => String::from("the key in the configuration (`secrets.key`)"),
        None => secrets.key_file.display().to_string(),
    }
}

fn refused(error: &KeyError, secrets: &SecretsConfig) -> Finding {
    let file = &secrets.key_file;
    let fix = match error {
        KeyError::Exposed { .. } => format!("chmod 600 {}", argument(file)),
        KeyError::Unsettled => String::from("stoa migrate"),
        KeyError::Read(..) | KeyError::Create(..) => format!("check owner and rights: ls -l {}", argument(file)),
        KeyError::Malformed(_) | KeyError::Lost(_) | KeyError::Another { .. } => {
            format!("put the key of your backup into {}, or set it as STOA_SECRETS__KEY", argument(file))
        }
        KeyError::Database(_) => String::from("look at the log of the database"),
    };
    Finding::failure(CHECK, error_chain(error), fix)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn a_key_file_must_hold_a_key_for_its_owner() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let secrets = SecretsConfig { key_file: folder.path().join("stoa.key"), key: None };
        assert_eq!(file(&secrets).state, State::Ok);
        let key = key_file::create(&secrets.key_file, &Random::seeded(1)).expect("the folder is ours");
        assert_eq!(file(&secrets).state, State::Ok);
        fs::set_permissions(&secrets.key_file, Permissions::from_mode(0o604)).expect("it is ours");
        let exposed = file(&secrets);
        assert_eq!(exposed.state, State::Failure);
        assert!(exposed.fix.is_some_and(|fix| fix.starts_with("chmod 600 ")));
        fs::set_permissions(&secrets.key_file, Permissions::from_mode(0o600)).expect("it is ours");
        fs::write(&secrets.key_file, "no key").expect("it is ours");
        assert_eq!(file(&secrets).state, State::Failure);
        assert_eq!(file(&SecretsConfig { key: Some(key), ..secrets }).state, State::Ok);
    }
}
