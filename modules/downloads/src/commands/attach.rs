//! `stoa downloads attach` and `detach`.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use clap::{Args, value_parser};
use serde_json::json;
use stoa_core::commands::Progress;
use stoa_core::prelude::*;

use crate::assets::{Attached, Counts, LONGEST_LABEL, NewFile, attach, detach, public_folder};
use crate::config::MOST;
use crate::file_name;
use crate::routes::DownloadsState;

/// Attach a file to a product: its buyers can download it, those of the past included.
///
/// The file is copied into the storage. A file of the same name becomes a new version: all buyers get the newest, and have
/// all their downloads again unless --keep-counts says otherwise. The same content once more changes nothing but limits.
#[derive(Debug, Args)]
#[command(
    after_help = "What --limit and --days do not say, the product's settings do (`downloads` of the import format), \
else [modules.downloads]. They hold for buyers from now on; `stoa downloads extend` changes what was granted.

Examples:
  stoa downloads attach songs songs.zip
  stoa downloads attach songs songs.zip --limit 3 --days 30
  stoa downloads attach songs /tmp/new.zip --name songs.zip --keep-counts
  stoa downloads attach songs booklet.pdf --label 'The booklet' --json"
)]
pub(crate) struct Attach {
    /// The product's slug.
    product: String,
    /// The file.
    file: PathBuf,
    /// How often a buyer can download it; 0 for any number.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(i64).range(0..=MOST))]
    limit: Option<i64>,
    /// For how many days a buyer can download it; 0 for ever.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(i64).range(0..=MOST))]
    days: Option<i64>,
    /// What the file is called for customers. Default: as it is called here.
    #[arg(long)]
    name: Option<String>,
    /// What it is called in lists. Default: as the product.
    #[arg(long)]
    label: Option<String>,
    /// Let the downloads that buyers have made of earlier versions count.
    #[arg(long)]
    keep_counts: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Attach {
    pub(super) async fn run(&self, state: &DownloadsState, cx: &CommandContext) -> Result<(), Failure> {
        let path = cx.folder.join(&self.file);
        let filename = self.filename(&path)?;
        let label = self.label.as_deref().map(checked_label).transpose()?;
        refuse_public(state, cx)?;
        let content = Told::new(open(&path)?, &filename)?;
        let new = NewFile {
            product: &self.product,
            filename: &filename,
            label,
            limit: self.limit,
            days: self.days,
            counts: if self.keep_counts { Counts::Kept } else { Counts::Reset },
        };
        let attached = attach(&cx.parts.db, &cx.parts.random, state, &new, content).await?;
        self.print(&filename, &attached, cx)
    }

    /// The name for customers.
    fn filename(&self, path: &std::path::Path) -> Result<String, Failure> {
        let own = || path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        let name = self.name.clone().or_else(own);
        let name = name.ok_or_else(|| Failure::usage("the file's name is no text; give another one with --name"))?;
        let option = if self.name.is_some() { "--name" } else { "the file's name" };
        match file_name::problem(&name) {
            None => Ok(name),
            Some(problem) => Err(Failure::usage(format!("{option}: {problem}, and it is `{}`", name.escape_debug()))),
        }
    }

    fn print(&self, filename: &str, attached: &Attached, cx: &CommandContext) -> Result<(), Failure> {
        let Attached { asset_id, version, size, sha256, unchanged, granted } = attached;
        if self.json {
            return cx.output.json(&json!({
                "id": asset_id, "product": self.product, "filename": filename, "version": version, "size": size,
                "sha256": sha256, "unchanged": unchanged, "granted": granted,
            }));
        }
        let what = if *unchanged { "is attached already" } else { "is attached" };
        cx.output.line(&format!("{filename} {what} to {} as version {version} ({size} bytes)", self.product))?;
        if *granted > 0 {
            cx.output.line(&format!("{granted} downloads were granted to buyers of the past"))?;
        }
        Ok(())
    }
}

fn checked_label(label: &str) -> Result<&str, Failure> {
    let label = label.trim();
    let is_line = !label.is_empty() && label.chars().count() <= LONGEST_LABEL && !label.contains(char::is_control);
    is_line.then_some(label).ok_or_else(|| Failure::usage("--label: a line of 1 to 255 characters is expected"))
}

fn refuse_public(state: &DownloadsState, cx: &CommandContext) -> Result<(), Failure> {
    match public_folder(state, &cx.parts.config) {
        Some(folder) => Err(Failure::usage(format!(
            "modules.downloads.folder: {} lies in the media folder, which is open to everybody; choose another one",
            folder.display()
        ))),
        None => Ok(()),
    }
}

fn open(path: &std::path::Path) -> Result<File, Failure> {
    let shown = path.display();
    let unreadable = |error| Failure::operation(format!("{shown} cannot be read: {error}"));
    // Looked at before it is opened, which would wait at a pipe.
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(Failure::operation(format!("{shown} is no file; pack a folder into an archive first")));
    }
    if metadata.len() == 0 {
        return Err(Failure::operation(format!("{shown} is empty")));
    }
    File::open(path).map_err(unreadable)
}

/// A file that tells how far it is read.
struct Told {
    file: File,
    progress: Progress,
    read: u64,
}

impl Told {
    fn new(file: File, name: &str) -> io::Result<Self> {
        let progress = Progress::begin("copying");
        progress.step(format!("copying {name}"), Some(kilobytes(file.metadata()?.len())));
        Ok(Self { file, progress, read: 0 })
    }
}

impl Read for Told {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        self.progress.reach(kilobytes(self.read));
        Ok(read)
    }
}

fn kilobytes(bytes: u64) -> u64 {
    bytes.div_ceil(1000)
}

/// Give a file to no further buyers. Those who have it keep it; `stoa downloads revoke` takes it back.
#[derive(Debug, Args)]
#[command(after_help = "Attaching the file again undoes it, also for those who bought meanwhile.

Examples:
  stoa downloads detach songs songs.zip")]
pub(crate) struct Detach {
    /// The product's slug.
    product: String,
    /// What the file is called.
    name: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Detach {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        if !detach(&cx.parts.db, &self.product, &self.name).await? {
            return Err(Failure::operation(format!(
                "no file `{}` is attached to a product `{}`; `stoa downloads list` shows what is",
                self.name, self.product
            )));
        }
        if self.json {
            return cx.output.json(&json!({"product": self.product, "filename": self.name, "detached": true}));
        }
        cx.output.line(&format!("{} is detached from {}", self.name, self.product))
    }
}
