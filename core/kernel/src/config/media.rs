//! `[media]`: pictures of products and categories.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::check::Section;
use super::value;

/// Settings of the media folder.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MediaConfig {
    /// Folder whose files are served below `/media`.
    #[serde(deserialize_with = "value::path")]
    pub folder: PathBuf,
}

impl Default for MediaConfig {
    fn default() -> Self {
        Self { folder: "data/media".into() }
    }
}

impl Section for MediaConfig {
    const KEY: &'static str = "media";

    fn resolve_paths(&mut self, folder: &Path) {
        self.folder = folder.join(&self.folder);
    }
}
