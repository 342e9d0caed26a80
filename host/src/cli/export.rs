//! `stoa export`: the whole catalog as a file that `stoa import` takes.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use stoa_core::catalog::import::RecordWriter;
use stoa_core::catalog::{Record, export_categories, export_products};
use stoa_core::commands::Progress;
use stoa_core::db::{Db, DbError};

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::written_file::{Over, WrittenFile};

pub(super) fn register(commands: &mut Commands) {
    commands.add("export", Group::Catalog, Export::run);
}

/// Export all categories and products as JSON Lines.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa export catalog.jsonl\n  stoa export catalog.jsonl --force\n  stoa export - | gzip > catalog.jsonl.gz"
)]
pub(super) struct Export {
    /// The file to write, which must not exist; `-` for standard output.
    file: PathBuf,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
}

impl Export {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        if self.file.as_os_str() == "-" {
            return match write(&db, &mut BufWriter::new(io::stdout().lock())).await {
                // Nobody reads any longer, as in `stoa export - | head`.
                Err(BrokenOff::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => Ok(written.map(drop)?),
            };
        }
        let mut file = WrittenFile::begin_over(&self.file, if self.force { Over::Replace } else { Over::Keep })?;
        let Counts { categories, products } = match write(&db, &mut file).await {
            Ok(counts) => counts,
            Err(BrokenOff::Output(error)) => return Err(file.failed(&error)),
            Err(BrokenOff::Catalog(error)) => return Err(error.into()),
        };
        file.persist()?;
        if self.json {
            return print_json(&json!({"file": self.file, "categories": categories, "products": products}));
        }
        print_line(&format!("exported {categories} categories and {products} products to {}", self.file.display()))
    }
}

/// What was written.
#[derive(Default)]
struct Counts {
    categories: u64,
    products: u64,
}

/// Why not everything was written.
#[derive(Debug, thiserror::Error)]
enum BrokenOff {
    #[error(transparent)]
    Catalog(#[from] DbError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

async fn write(db: &Db, out: &mut impl Write) -> Result<Counts, BrokenOff> {
    let progress = Progress::begin("exporting");
    let mut writer = RecordWriter::new(out);
    let mut counts = Counts::default();
    for category in export_categories(db).await? {
        writer.write(&Record::Category(category))?;
        counts.categories += 1;
    }
    let mut after = 0;
    loop {
        let slice = export_products(db, after).await?;
        progress.step(format!("exporting, {} products so far", counts.products), None);
        for product in slice.products {
            writer.write(&Record::Product(Box::new(product)))?;
            counts.products += 1;
        }
        match slice.after {
            Some(last) => after = last,
            None => break,
        }
    }
    writer.finish()?;
    Ok(counts)
}
