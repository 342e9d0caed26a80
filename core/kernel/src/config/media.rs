//! `[media]`: images of products and categories.

use std::path::PathBuf;

use serde::Deserialize;

use super::value::{self, within};

/// Settings of the media folder.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MediaConfig {
    /// Folder whose files are served below `/media`.
    #[serde(deserialize_with = "value::path")]
    pub folder: PathBuf,
    /// Folder of scaled copies, which are made again when they are gone.
    #[serde(deserialize_with = "value::path")]
    pub scaled_folder: PathBuf,
    /// Most room for these copies, in MiB; 0 makes none.
    #[serde(deserialize_with = "within::<_, _, 0, 1_048_576>")]
    pub scaled_megabytes: u64,
}
