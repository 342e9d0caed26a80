//! Backups: a whole shop in one file.
//!
//! A backup is a tar archive compressed with gzip, so that anybody can look into it with `tar -tzf`:
//!
//! ```text
//! config.toml          the configuration file, if there is one; without its secrets if the key is left out
//! database.sqlite      the database: a SQLite file, or database.pgdump, a custom-format dump of PostgreSQL
//! media/…              the files of the media folder
//! <module>/…           the files of a folder that a module keeps
//! secrets.key          the installation's key, unless it was left out
//! manifest.json        what is in it: version, time, migrations, rows per table, size and SHA-256 of each member
//! ```
//!
//! Behind the archive stands the [`seal`], the SHA-256 of everything before it, dressed up as one more, empty part of
//! the gzip file. With it a flipped bit is found wherever it is: gzip itself does not protect its headers and padding.

mod archive;
mod configuration;
mod create;
mod files;
mod folder;
mod key;
mod manifest;
mod ownership;
mod postgres;
mod problem;
mod restore;
mod seal;
mod verify;

pub(crate) use configuration::{BroughtConfiguration, brought};
pub(crate) use create::{BackupOptions, CreatedBackup, create};
pub(crate) use files::TEMPORARY;
pub(crate) use ownership::adopt;
pub(crate) use problem::BackupError;
pub(crate) use restore::{
    ARGUMENT, Guard, Overwrite, RestoreOptions, RestoreStep, RestoredBackup, Stop, restore, watch,
};
