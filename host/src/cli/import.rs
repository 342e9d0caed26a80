//! `stoa import`: laying a catalog file over the shop.

use std::fs::File;
use std::io::{BufReader, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use stoa_core::catalog::import::Format;
use stoa_core::catalog::write::Mode;

use super::Context;
use crate::catalog_file::{CatalogFile, Progress, Remark, RemarkKind, Summary};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// How long running instances may take to notice a change of the catalog. The command waits for
/// it, so that what it has imported can be seen once it has returned.
pub(super) const NOTICED: Duration = Duration::from_millis(150);

/// Import products and categories.
///
/// What is there already is updated by its slug: what a line leaves out stays as it is, null clears it, lists
/// replace lists. Lines that cannot be imported are named with their reason, the others are imported, and the
/// exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa import catalog.jsonl
  stoa import products_export.csv --format shopify --dry-run
  stoa import wc-product-export.csv --format woocommerce
  gunzip -c catalog.jsonl.gz | stoa import -")]
pub(super) struct Import {
    /// The file, `-` for standard input; its format is recognized when `--format` is left out.
    file: PathBuf,
    /// The file's format.
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Check everything and write nothing: where there is no shop yet, none is made, and the file is judged as for an
    /// empty one. Pending migrations are not applied but refused.
    #[arg(long)]
    dry_run: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormatName {
    /// One JSON object a line, as `stoa export` writes it.
    Stoa,
    /// Shopify's product CSV.
    Shopify,
    /// WooCommerce's product CSV.
    Woocommerce,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Stoa => Self::Stoa,
            FormatName::Shopify => Self::Shopify,
            FormatName::Woocommerce => Self::Woocommerce,
        }
    }
}

impl Import {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let Input { name, source, bytes } = self.open()?;
        let (db, mode) = if self.dry_run {
            (installation.open_for_trial().await?, Mode::DryRun)
        } else {
            (installation.open_migrated().await?, Mode::Write)
        };
        let mut progress = Terminal::new(&name, bytes);
        let file = CatalogFile {
            source: BufReader::with_capacity(256 * 1024, source),
            name,
            format: self.format.map(Format::from),
            settings: installation.read_settings(),
        };
        let laid = file.lay_over(&db, &installation.program.registry, mode, &mut progress).await;
        progress.bar.finish_and_clear();
        let summary = laid?;
        if !self.dry_run && summary.created + summary.updated > 0 {
            tokio::time::sleep(NOTICED).await;
        }
        db.close().await;
        self.print(&summary)?;
        if summary.refused > 0 { Err(Failure::Said) } else { Ok(()) }
    }

    fn open(&self) -> Result<Input, Failure> {
        if self.file.as_os_str() == "-" {
            let name = String::from("standard input");
            return Ok(Input { name, source: Box::new(std::io::stdin()), bytes: None });
        }
        let name = self.file.display().to_string();
        let file = File::open(&self.file).map_err(|error| Failure::operation(format!("{name}: {error}")))?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(Failure::operation(format!("{name} is a directory; give the file in it")));
        }
        Ok(Input { name, source: Box::new(file), bytes: Some(metadata.len()) })
    }

    fn print(&self, summary: &Summary) -> Result<(), Failure> {
        if self.json {
            return print_json(summary);
        }
        let would = if self.dry_run { "would be " } else { "" };
        let Summary { created, updated, unchanged, refused, notices, .. } = summary;
        let noticed = if notices.is_empty() { String::new() } else { format!(", notices {}", notices.len()) };
        print_line(&format!(
            "{would}created {created}, updated {updated}, unchanged {unchanged}, refused {refused}{noticed}"
        ))
    }
}

/// What is read.
struct Input {
    name: String,
    source: Box<dyn Read + Send>,
    /// Its size, if that is known.
    bytes: Option<u64>,
}

/// A progress bar on a terminal, and remarks on standard error.
pub(super) struct Terminal {
    name: String,
    bar: ProgressBar,
}

impl Terminal {
    fn new(name: &str, bytes: Option<u64>) -> Self {
        let shown = bytes.filter(|_| std::io::stderr().is_terminal());
        let bar = shown.map_or_else(ProgressBar::hidden, ProgressBar::new);
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {bytes_per_sec}  {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { name: name.to_owned(), bar }
    }
}

impl Progress for Terminal {
    fn bytes(&mut self, read: u64) {
        self.bar.set_position(read);
    }

    fn remark(&mut self, kind: RemarkKind, remark: &Remark) {
        let column = remark.column.as_deref().map(|column| format!(", {column}")).unwrap_or_default();
        let kind = match kind {
            RemarkKind::Refused => "refused",
            RemarkKind::Notice => "notice",
        };
        let text = format!("{}: line {}{column}: {kind}: {}", self.name, remark.line, remark.reason);
        self.bar.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{text}");
        });
    }
}
