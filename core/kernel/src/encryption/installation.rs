//! The key that a database was set up with, and the one that is at hand.

use std::fs;

use super::queries::{FIND_FINGERPRINT, INSERT_FINGERPRINT};
use super::{Cipher, KeyError, key_file};
use crate::config::SecretsConfig;
use crate::db::{Db, DbError};
use crate::random::Random;

/// What to do when neither the database nor the configuration knows a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingKey {
    /// Make one, and note its fingerprint: for commands that create a database.
    Create,
    /// Fail, and say which command makes one.
    Refuse,
}

impl Cipher {
    /// The cipher of the shop in this migrated database.
    ///
    /// A shop whose database knows a key is opened with that key only: a missing key file is never made anew then.
    pub async fn of_installation(
        db: &Db,
        config: &SecretsConfig,
        random: &Random,
        missing: MissingKey,
    ) -> Result<Self, KeyError> {
        let noted = Self::noted_fingerprint(db).await?;
        let found = match &config.key {
            Some(key) => Some(key.clone()),
            None => key_file::read(&config.key_file)?,
        };
        match (found, noted, missing) {
            (Some(key), Some(noted), _) => Self::new(&key, random.clone()).matching(&noted, config),
            (None, Some(_), _) => Err(KeyError::Lost(config.key_file.clone())),
            (_, None, MissingKey::Refuse) => Err(KeyError::Unsettled),
            (Some(key), None, MissingKey::Create) => {
                note_fingerprint(db, Self::new(&key, random.clone()), config).await
            }
            (None, None, MissingKey::Create) => {
                let key = key_file::create(&config.key_file, random)?;
                let settled = note_fingerprint(db, Self::new(&key, random.clone()), config).await;
                if let Err(KeyError::Another { .. }) = &settled {
                    // Another instance was first, with a key of its own. The one made here belongs to nothing, and
                    // lying around it would be taken for the shop's.
                    let _ = fs::remove_file(&config.key_file);
                    return Err(KeyError::Lost(config.key_file.clone()));
                }
                settled
            }
        }
    }

    /// The fingerprint of the key that a database was set up with.
    pub async fn noted_fingerprint(db: &Db) -> Result<Option<String>, DbError> {
        db.read(FIND_FINGERPRINT).optional_scalar().await
    }

    fn matching(self, noted: &str, config: &SecretsConfig) -> Result<Self, KeyError> {
        if self.fingerprint() == noted {
            return Ok(self);
        }
        let holder = match &config.key {
            Some(_) => String::from("secrets.key (STOA_SECRETS__KEY)"),
            None => format!("{} (secrets.key_file)", config.key_file.display()),
        };
        Err(KeyError::Another { holder })
    }
}

/// Notes the fingerprint, unless another instance was faster, and compares.
async fn note_fingerprint(db: &Db, cipher: Cipher, config: &SecretsConfig) -> Result<Cipher, KeyError> {
    let fingerprint = cipher.fingerprint();
    let noted = db.write(async |tx| -> Result<String, DbError> {
        tx.run(INSERT_FINGERPRINT).bind(fingerprint.as_str()).execute().await?;
        tx.run(FIND_FINGERPRINT).scalar().await
    });
    cipher.matching(&noted.await?, config)
}
