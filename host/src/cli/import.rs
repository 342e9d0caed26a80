//! `stoa import`: laying a catalog file over the shop.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use stoa_core::catalog::file::{
    CatalogFile, ColumnLeftOut, LayOverError, Progress as ImportProgress, Remark, RemarkKind, Shop, Summary,
};
use stoa_core::catalog::images::ImageCopier;
use stoa_core::catalog::import::{Format, ReadSettings, TagUse};
use stoa_core::catalog::write::Mode;
use stoa_core::commands::Progress;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::{Failure, in_words};
use crate::output::{print_json, print_line};

/// How long running instances may take to notice a change of the catalog. The command waits for
/// it, so that what it has imported can be seen once it has returned.
pub(super) const NOTICED: Duration = Duration::from_millis(150);

pub(super) fn register(commands: &mut Commands) {
    commands.add("import", Group::Catalog, Import::run);
}

/// Import products and categories.
///
/// What is there already is updated by its slug: what a line leaves out stays as it is, null clears it, lists
/// replace lists. Lines that cannot be imported are named with their reason, the others are imported, and the
/// exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa import catalog.jsonl
  stoa import products_export.csv --format shopify --dry-run
  stoa import products_export.csv --tags-as-categories --fetch-images
  stoa import wc-product-export.csv --format woocommerce
  gunzip -c catalog.jsonl.gz | stoa import -")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line, which may be given or not")]
pub(super) struct Import {
    /// The file, `-` for standard input; its format is recognized when `--format` is left out.
    file: PathBuf,
    /// The file's format.
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Make a category of each of Shopify's tags; a product without a type stands in that of its first tag.
    #[arg(long)]
    tags_as_categories: bool,
    /// Copy images that lie on other servers into the media folder, as JPEG, PNG, GIF, WebP or AVIF of at most 20 MiB. Those
    /// that cannot be copied are named and keep their addresses. A dry run copies nothing.
    #[arg(long)]
    fetch_images: bool,
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
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let Input { name, source, bytes } = self.open().await?;
        let copier = self.fetch_images && !self.dry_run;
        let copier = copier.then(|| ImageCopier::new(&installation.config)).transpose().map_err(Failure::operation)?;
        let tags = if self.tags_as_categories { TagUse::Categories } else { TagUse::LeftOut };
        let (db, mode) = if self.dry_run {
            (installation.open_for_trial().await?, Mode::DryRun)
        } else {
            (installation.open_migrated().await?, Mode::Write)
        };
        let mut told = Told::new(&name, bytes);
        let file = CatalogFile {
            source: BufReader::with_capacity(256 * 1024, source),
            name,
            format: self.format.map(Format::from),
            settings: ReadSettings { tags, ..installation.read_settings() },
            images: copier,
        };
        let shop = Shop { db: &db, modules: &installation.program.registry.products, config: &installation.config };
        let laid = file.lay_over(&shop, mode, &mut told).await;
        drop(told);
        let summary = laid.map_err(|error| match error {
            LayOverError::Unreadable { .. } => Failure::operation(error.to_string()),
            error => error.into(),
        })?;
        if !self.dry_run && summary.created + summary.updated > 0 {
            tokio::time::sleep(NOTICED).await;
        }
        db.close().await;
        self.print(&summary)?;
        if summary.refused > 0 { Err(Failure::Said) } else { Ok(()) }
    }

    async fn open(&self) -> Result<Input, Failure> {
        if self.file.as_os_str() == "-" {
            return Input::of_stream(String::from("standard input"), io::stdin()).await;
        }
        let name = self.file.display().to_string();
        let file =
            File::open(&self.file).map_err(|error| Failure::operation(format!("{name}: {}", in_words(&error))))?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(Failure::operation(format!("{name} is a directory; give the file in it")));
        }
        if !metadata.is_file() {
            return Input::of_stream(name, file).await;
        }
        Ok(Input { name, source: file, bytes: Some(metadata.len()) })
    }

    fn print(&self, summary: &Summary) -> Result<(), Failure> {
        if self.json {
            return print_json(summary);
        }
        let would = if self.dry_run { "would be " } else { "" };
        let Summary { products, categories, refused, notices, .. } = summary;
        let noticed = if notices.is_empty() { String::new() } else { format!(", notices {}", notices.len()) };
        print_line(&format!(
            "{would}created {}, updated {}, unchanged {}, refused {refused}{noticed}",
            records(products.created, categories.created),
            records(products.updated, categories.updated),
            records(products.unchanged, categories.unchanged),
        ))?;
        self.print_left_out(&summary.columns_left_out)?;
        self.print_images(summary)
    }

    /// One line for the columns that are filled and not taken over.
    fn print_left_out(&self, columns: &[ColumnLeftOut]) -> Result<(), Failure> {
        const NAMED: usize = 20;
        if columns.is_empty() {
            return Ok(());
        }
        let mut names = columns.iter().take(NAMED).map(|column| format!("`{}` ({})", column.column, rows(column.rows)));
        let mut names = names.by_ref().collect::<Vec<_>>();
        if columns.len() > NAMED {
            names.push(format!("{} more columns", columns.len() - NAMED));
        }
        let has_tags = columns.iter().any(|column| column.column.eq_ignore_ascii_case("tags"));
        let hint =
            if has_tags && !self.tags_as_categories { "; --tags-as-categories makes categories of tags" } else { "" };
        print_line(&format!("not taken over: {}{hint}", names.join(", ")))
    }

    /// A line for the images that were copied, and one for those that lie elsewhere. In the shop's own format, an address
    /// is where the operator wants an image to lie.
    fn print_images(&self, summary: &Summary) -> Result<(), Failure> {
        const NAMED: usize = 3;
        let images = &summary.pictures;
        if self.fetch_images && !self.dry_run {
            print_line(&format!("{} in the media folder", plural(images.copied, "image")))?;
        }
        if images.elsewhere == 0 || (summary.format == Some(Format::Stoa) && !self.fetch_images) {
            return Ok(());
        }
        let mut servers = images.servers.iter().take(NAMED).cloned().collect::<Vec<_>>();
        if images.servers.len() > NAMED {
            servers.push(format!("{} more", images.servers.len() - NAMED));
        }
        let (verb, hint) = match (images.elsewhere, self.fetch_images) {
            (1, false) => ("lies", "; --fetch-images copies it into the media folder"),
            (_, false) => ("lie", "; --fetch-images copies them into the media folder"),
            (1, true) => ("lies", ""),
            (_, true) => ("lie", ""),
        };
        let count = plural(images.elsewhere, "image");
        print_line(&format!(
            "{count} {verb} on other servers ({}) and will be gone with them{hint}",
            servers.join(", ")
        ))
    }
}

/// So many products and categories.
fn records(products: u64, categories: u64) -> String {
    let category = match categories {
        1 => String::from("1 category"),
        several => format!("{several} categories"),
    };
    match (products, categories) {
        (0, 0) => String::from("0"),
        (0, _) => category,
        (_, 0) => plural(products, "product"),
        (_, _) => format!("{} and {category}", plural(products, "product")),
    }
}

fn rows(count: u64) -> String {
    plural(count, "row")
}

fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// What is read.
struct Input {
    name: String,
    source: File,
    /// Its size, if that is known.
    bytes: Option<u64>,
}

impl Input {
    /// What can be read but once is kept in a temporary file, for formats that are read twice.
    async fn of_stream(name: String, mut stream: impl Read + Send + 'static) -> Result<Self, Failure> {
        let kept = tokio::task::spawn_blocking(move || -> io::Result<File> {
            let mut kept = tempfile::tempfile()?;
            io::copy(&mut stream, &mut kept)?;
            kept.rewind()?;
            Ok(kept)
        });
        let cannot = |error| {
            Failure::operation(format!(
                "{name} cannot be kept in a temporary file: {error}; TMPDIR names another folder for it"
            ))
        };
        Ok(Self { source: kept.await?.map_err(cannot)?, name, bytes: None })
    }
}

/// Tells how far an import is, and what is told about its lines.
struct Told {
    name: String,
    progress: Progress,
}

impl Told {
    fn new(name: &str, bytes: Option<u64>) -> Self {
        let progress = Progress::begin("importing");
        progress.step("importing", bytes.map(kilobytes));
        Self { name: name.to_owned(), progress }
    }
}

impl ImportProgress for Told {
    fn bytes(&mut self, read: u64) {
        self.progress.reach(kilobytes(read));
    }

    fn remark(&mut self, kind: RemarkKind, remark: &Remark) {
        let column = remark.column.as_deref().map(|column| format!(", {column}")).unwrap_or_default();
        let kind = match kind {
            RemarkKind::Refused => "refused",
            RemarkKind::Notice => "notice",
        };
        self.progress.remark(&format!("{}: line {}{column}: {kind}: {}", self.name, remark.line, remark.reason));
    }
}

fn kilobytes(bytes: u64) -> u64 {
    bytes.div_ceil(1000)
}
