//! Why an installation's key cannot be used.

use std::io;
use std::path::PathBuf;

use crate::db::DbError;

/// Why an installation's key cannot be used; the text is for operators and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file is there and cannot be read.
    #[error("cannot read the key file {file} (secrets.key_file): {reason}", file = .0.display(), reason = .1)]
    Read(PathBuf, io::Error),
    /// The file holds something else.
    #[error(
        "the key file {file} (secrets.key_file) does not hold a key, which is 32 bytes in base64; \
         put the shop's own key there, a backup holds it",
        file = .0.display()
    )]
    Malformed(PathBuf),
    /// Other users of the machine may read or change the file.
    #[error(
        "the key file {file} (secrets.key_file) is open to other users of this machine (rights {rights:o}); \
         close it with `chmod 600 {file}`",
        file = .file.display()
    )]
    Exposed {
        /// The file.
        file: PathBuf,
        /// Its rights.
        rights: u32,
    },
    /// The file is missing and cannot be made.
    #[error("cannot make the key file {file} (secrets.key_file): {reason}", file = .0.display(), reason = .1)]
    Create(PathBuf, io::Error),
    /// The file is missing although the shop has a key.
    #[error(
        "the key file {file} (secrets.key_file) is missing, and only its key can read what is encrypted in the \
         database; put the file back, a backup holds it, or set the key as STOA_SECRETS__KEY",
        file = .0.display()
    )]
    Lost(PathBuf),
    /// The shop was set up with another key.
    #[error(
        "the key in {holder} is not this shop's: it cannot read what is encrypted in the database; \
         use the key that the shop was set up with, a backup holds it"
    )]
    Another {
        /// Where the wrong key is.
        holder: String,
    },
    /// The database was made without a key being noted.
    #[error("the database does not know its key yet; `stoa migrate` settles it")]
    Unsettled,
    /// The fingerprint cannot be read or written.
    #[error("cannot compare the key with the database")]
    Database(#[from] DbError),
}
