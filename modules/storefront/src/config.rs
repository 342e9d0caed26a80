//! `[modules.storefront]`.

use std::path::{Path, PathBuf};

use stoa_core::prelude::*;

/// Settings of the module, besides `enabled`, which every module has.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// A folder with `templates/` and `assets/` in place of the shop's own.
    pub theme: Option<PathBuf>,
    /// The colour of buttons and links, such as `#1d4ed8`.
    pub accent: Option<String>,
    /// A picture in place of the shop's name at the top of each page.
    pub logo: Option<PathBuf>,
    /// A folder of Markdown files: the operator's own pages.
    pub pages: Option<PathBuf>,
}

impl ModuleConfig for Config {
    fn resolve_paths(&mut self, folder: &Path) {
        for path in [&mut self.theme, &mut self.logo, &mut self.pages].into_iter().flatten() {
            *path = folder.join(&*path);
        }
    }

    fn validate(&self) -> Result<(), (&'static str, String)> {
        let is_colour = |text: &str| {
            text.strip_prefix('#').is_some_and(|digits| {
                matches!(digits.len(), 3 | 6) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            })
        };
        match &self.accent {
            Some(accent) if !is_colour(accent) => {
                Err(("accent", format!("`{accent}` is no colour; write it like `#1d4ed8`")))
            }
            _ => Ok(()),
        }
    }
}
