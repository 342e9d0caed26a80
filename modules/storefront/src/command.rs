//! `stoa storefront`: the operator's commands.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use crate::theme::OwnTheme;

/// Make a theme of your own.
#[derive(Debug, Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Examples:
  stoa storefront theme my-theme"
)]
pub(crate) struct StorefrontCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Theme(WriteTheme),
}

/// Write the templates and assets that come with the shop into a folder, to be changed there.
///
/// Then set `theme` in `[modules.storefront]` to the folder. Files that you delete are those of the shop again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa storefront theme my-theme")]
struct WriteTheme {
    /// The folder. Files that it has already are left as they are.
    folder: PathBuf,
}

impl ModuleTool for StorefrontCommand {
    const NAME: &'static str = "storefront";

    fn run(self, bench: &Bench) -> Result<(), Failure> {
        let Action::Theme(theme) = self.action;
        let into = bench.folder.join(&theme.folder);
        let mut written = 0_usize;
        let mut kept = 0_usize;
        for name in OwnTheme::iter() {
            let path = into.join(&*name);
            if path.exists() {
                kept += 1;
                continue;
            }
            let failed = |error: std::io::Error| Failure::operation(format!("{}: {error}", path.display()));
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            fs::write(&path, OwnTheme::get(&name).expect("it is listed").data).map_err(failed)?;
            written += 1;
        }
        let folder = theme.folder.display();
        bench.output.line(&format!("{written} files written to {folder}, {kept} left as they were"))?;
        bench.output.line(&format!("next: set `theme = \"{folder}\"` in [modules.storefront] and restart the shop"))
    }
}
