//! The installation's key when a backup is restored: nothing that was encrypted may become unreadable.

use std::path::PathBuf;
use std::{fs, io};

use chrono::{DateTime, Utc};
use stoa_core::config::{EncryptionKey, SecretsConfig};
use stoa_core::encryption::{Cipher, KeyError, key_file};
use stoa_core::random::Random;

use super::BackupError;
use super::ownership::adopt;
use super::restore::journal::{RestoreStep, make_folder};

/// What is done about the key.
#[derive(Debug, PartialEq)]
pub(super) enum KeyRestore {
    /// The key that is configured, or in the file, is the backup's.
    Kept,
    /// The backup's key is written to the file. One that is there is put aside under another name, since it may be
    /// needed for another backup.
    Written { key: EncryptionKey, file: PathBuf, aside: Option<PathBuf> },
}

impl KeyRestore {
    /// Decides what is to be done. Fails when the restored shop could not be opened.
    pub(super) fn plan(
        config: &SecretsConfig,
        fingerprint: &str,
        backed_up: Option<EncryptionKey>,
        now: DateTime<Utc>,
    ) -> Result<Self, BackupError> {
        let matches = |key: &EncryptionKey| Cipher::new(key, Random::system()).fingerprint() == fingerprint;
        if let Some(key) = &config.key {
            return if matches(key) {
                Ok(Self::Kept)
            } else {
                Err(BackupError::new(
                    "the backup belongs to another key than the one in secrets.key (STOA_SECRETS__KEY), which could not \
                     read what is encrypted in it; set the key of the shop that was backed up, or unset it to use the \
                     key in the backup",
                ))
            };
        }
        let file = &config.key_file;
        let present = match key_file::read(file) {
            Ok(Some(key)) if matches(&key) => return Ok(Self::Kept),
            Ok(found) => found.is_some(),
            // There is no key in it that could be used.
            Err(KeyError::Malformed(_)) => true,
            Err(error) => return Err(BackupError(error.to_string())),
        };
        let Some(key) = backed_up else {
            let what = if present { "holds another key" } else { "is missing" };
            return Err(BackupError(format!(
                "the backup was made without its key, and the key file {} (secrets.key_file) {what}; put the key file of \
                 the shop that was backed up there",
                file.display()
            )));
        };
        if !matches(&key) {
            return Err(BackupError::new("the key in the backup is not the one of its database"));
        }
        let aside = present.then(|| {
            let mut name = file.clone().into_os_string();
            name.push(format!(".replaced-{}", now.format("%Y%m%dT%H%M%SZ")));
            PathBuf::from(name)
        });
        Ok(Self::Written { key, file: file.clone(), aside })
    }

    /// Does it.
    pub(super) fn apply(&self, note: &mut dyn FnMut(RestoreStep) -> io::Result<()>) -> Result<(), BackupError> {
        let Self::Written { key, file, aside } = self else { return Ok(()) };
        let parent = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = parent {
            make_folder(folder, note, |_| Ok(())).map_err(BackupError::at(folder))?;
        }
        let draft = key_file::draft_of(file);
        note(RestoreStep::MakeTemporary(draft.clone())).map_err(BackupError::at(file))?;
        note(RestoreStep::WriteFile { file: file.clone(), aside: aside.clone() }).map_err(BackupError::at(file))?;
        if let Some(aside) = aside {
            fs::hard_link(file, aside).map_err(BackupError::at(aside))?;
            fs::remove_file(file).map_err(BackupError::at(file))?;
        }
        let written = key_file::write_new_through(file, key, &draft)
            .and_then(|()| parent.map_or(Ok(()), |folder| adopt(file, folder)));
        written.map_err(BackupError::at(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backup::restore::journal::finish;

    const SHOPS: EncryptionKey = EncryptionKey::new([1; 32]);
    const OTHER: EncryptionKey = EncryptionKey::new([2; 32]);

    fn fingerprint() -> String {
        Cipher::new(&SHOPS, Random::system()).fingerprint()
    }

    fn plan(config: &SecretsConfig, backed_up: Option<EncryptionKey>) -> Result<KeyRestore, String> {
        let plan = KeyRestore::plan(config, &fingerprint(), backed_up, DateTime::UNIX_EPOCH);
        plan.map_err(|error| error.to_string())
    }

    fn file_config() -> (tempfile::TempDir, SecretsConfig) {
        let folder = tempfile::tempdir().unwrap();
        let key_file = folder.path().join("keys/stoa.key");
        (folder, SecretsConfig { key_file, key: None })
    }

    /// Does it, and gives the steps.
    fn apply(restore: &KeyRestore) -> Vec<RestoreStep> {
        let mut steps = Vec::new();
        let mut note = |step| {
            steps.push(step);
            Ok(())
        };
        restore.apply(&mut note).expect("it is written with its folder");
        steps
    }

    #[test]
    fn the_right_key_is_kept_wherever_it_is() {
        let (_folder, mut config) = file_config();
        key_file::write_new(&config.key_file, &SHOPS).unwrap();
        assert_eq!(plan(&config, None), Ok(KeyRestore::Kept));
        assert_eq!(plan(&config, Some(SHOPS)), Ok(KeyRestore::Kept));
        config.key = Some(SHOPS);
        assert_eq!(plan(&config, None), Ok(KeyRestore::Kept));
    }

    #[test]
    fn a_missing_key_file_is_made_from_the_backup() {
        let (_folder, config) = file_config();
        let steps = apply(&plan(&config, Some(SHOPS)).expect("it can be done"));
        assert_eq!(key_file::read(&config.key_file).unwrap(), Some(SHOPS));
        finish(&steps);
        assert!(!config.key_file.parent().expect("it has one").exists(), "its folder was missing too");
    }

    #[test]
    fn what_was_being_written_when_a_restore_was_killed_goes_with_it() {
        let (_folder, config) = file_config();
        let steps = apply(&plan(&config, Some(SHOPS)).expect("it can be done"));
        let draft = steps.iter().find_map(|step| match step {
            RestoreStep::MakeTemporary(draft) => Some(draft.clone()),
            _ => None,
        });
        let draft = draft.expect("it is noted before it is made");
        assert_eq!(draft.parent(), config.key_file.parent());
        // Killed before it got its name.
        fs::rename(&config.key_file, &draft).expect("the folder is ours");
        finish(&steps);
        assert!(!draft.exists(), "it holds the key");
    }

    #[test]
    fn another_key_is_put_aside_and_never_lost() {
        let (_folder, config) = file_config();
        key_file::write_new(&config.key_file, &OTHER).unwrap();
        let restore = plan(&config, Some(SHOPS)).expect("it can be done");
        let steps = apply(&restore);
        assert_eq!(key_file::read(&config.key_file).unwrap(), Some(SHOPS));
        let KeyRestore::Written { aside: Some(aside), .. } = &restore else { panic!("{restore:?}") };
        assert_eq!(key_file::read(aside).unwrap(), Some(OTHER));
        finish(&steps);
        assert_eq!(key_file::read(&config.key_file).unwrap(), Some(OTHER));
        assert!(!aside.exists());
    }

    #[test]
    fn a_backup_without_its_key_needs_the_shops_key_here() {
        let (_folder, config) = file_config();
        let refused = plan(&config, None).expect_err("there is no key");
        assert!(refused.contains("is missing") && refused.contains("keys/stoa.key"), "{refused}");
        key_file::write_new(&config.key_file, &OTHER).unwrap();
        let refused = plan(&config, None).expect_err("it is another key");
        assert!(refused.contains("holds another key"), "{refused}");
    }

    #[test]
    fn another_configured_key_is_refused_since_it_cannot_be_replaced() {
        let (_folder, mut config) = file_config();
        config.key = Some(OTHER);
        let refused = plan(&config, Some(SHOPS)).expect_err("nothing could be read");
        assert!(refused.contains("STOA_SECRETS__KEY"), "{refused}");
    }

    #[test]
    fn a_key_that_is_not_the_databases_is_refused() {
        let (_folder, config) = file_config();
        plan(&config, Some(OTHER)).expect_err("the backup contradicts itself");
    }
}
