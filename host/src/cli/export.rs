//! `stoa export`: the whole catalog as a file that `stoa import` takes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use stoa_core::catalog::import::RecordWriter;
use stoa_core::catalog::{Record, export_categories, export_products};
use stoa_core::db::Db;

use super::Context;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Export all categories and products as JSON Lines.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa export catalog.jsonl\n  stoa export - | gzip > catalog.jsonl.gz")]
pub(super) struct Export {
    /// The file to write; `-` for standard output.
    file: PathBuf,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
}

impl Export {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        if self.file.as_os_str() == "-" {
            write(&db, std::io::stdout().lock()).await?;
            return Ok(());
        }
        let (categories, products) = self.write_file(&db).await?;
        if self.json {
            return print_json(&json!({"file": self.file, "categories": categories, "products": products}));
        }
        print_line(&format!("exported {categories} categories and {products} products to {}", self.file.display()))
    }

    /// Writes beside the file and moves it into place, so that a failure leaves no half of one.
    async fn write_file(&self, db: &Db) -> Result<(u64, u64), Failure> {
        let name = self.file.display();
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = tempfile::Builder::new()
            .prefix(".stoa-export-")
            .tempfile_in(folder)
            .map_err(|error| Failure::operation(format!("cannot write {name}: {error}")))?;
        let counts = write(db, BufWriter::new(File::create(beside.path())?)).await?;
        beside.persist(&self.file).map_err(|error| Failure::operation(format!("cannot write {name}: {error}")))?;
        Ok(counts)
    }
}

async fn write(db: &Db, out: impl Write) -> Result<(u64, u64), Failure> {
    let mut writer = RecordWriter::new(out);
    let mut counts = (0, 0);
    for category in export_categories(db).await? {
        writer.write(&Record::Category(category))?;
        counts.0 += 1;
    }
    let mut after = 0;
    loop {
        let slice = export_products(db, after).await?;
        for product in slice.products {
            writer.write(&Record::Product(Box::new(product)))?;
            counts.1 += 1;
        }
        match slice.after {
            Some(last) => after = last,
            None => break,
        }
    }
    writer.finish()?;
    Ok(counts)
}
