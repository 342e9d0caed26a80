//! `stoa mail templates`.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use stoa_core::mail::WithPages;

use super::Context;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Write the templates of mails that come with the shop and its modules into a folder, so that you can change them.
#[derive(Debug, Args)]
#[command(
    after_help = "Set `templates` in `[mail]` to the folder, and delete what you do not change: what is not there stays as it
comes with the shop. The HTML of a mail is made of its text and put into layout.html. With `--html`, the HTML of each mail is written
too; where there is such a file, it is sent whatever the text says. Nothing is overwritten.

Examples:
  stoa mail templates mail
  stoa mail templates mail --html"
)]
pub(super) struct Templates {
    /// The folder, which is made if need be.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write the HTML of each mail, too.
    #[arg(long)]
    html: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Templates {
    pub(super) fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let pages = if self.html { WithPages::Yes } else { WithPages::No };
        let files = installation.program.registry.mail_templates.built_in(pages);
        let folder = self.folder.as_path();
        refuse_existing(folder, files.iter().map(|(name, _)| name.as_str()))?;
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        for (name, content) in &files {
            let path = folder.join(name);
            // Whoever has written one meanwhile keeps it.
            let opened = OpenOptions::new().write(true).create_new(true).open(&path);
            opened.and_then(|mut file| file.write_all(content.as_bytes())).map_err(|error| failed(&path, &error))?;
        }
        if self.json {
            let names = files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
            return print_json(&json!({ "folder": folder, "files": names }));
        }
        print_line(&format!("{} templates are in {}", files.len(), folder.display()))?;
        print_line("set `templates` in `[mail]` to this folder, and delete what you do not change")
    }
}

/// Nothing is written if something would be overwritten.
fn refuse_existing<'a>(folder: &Path, names: impl Iterator<Item = &'a str>) -> Result<(), Failure> {
    let existing = names.filter(|name| folder.join(name).symlink_metadata().is_ok()).collect::<Vec<_>>();
    match existing.as_slice() {
        [] => Ok(()),
        names => Err(Failure::operation(format!(
            "{} has {} already, and nothing is overwritten: choose another folder",
            folder.display(),
            names.join(", ")
        ))),
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::operation(format!("{} cannot be written: {error}", path.display()))
}
