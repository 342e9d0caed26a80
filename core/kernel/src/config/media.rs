//! `[media]`: images of products and categories.

use std::path::PathBuf;

use serde::Deserialize;

use super::value;

/// Settings of the media folder.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MediaConfig {
    /// Folder whose files are served below `/media`.
    #[serde(deserialize_with = "value::path")]
    pub folder: PathBuf,
}
