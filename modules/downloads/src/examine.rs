//! The module's part of `stoa doctor` and of the metrics.

use std::path::Path;
use std::sync::Arc;

use stoa_core::config::Config;
use stoa_core::doctor::{Examine, Finding};
use stoa_core::error_chain;
use stoa_core::metrics::{Measure, Sample};
use stoa_core::prelude::*;

use crate::private_files::is_open_to_others;
use crate::queries;
use crate::routes::DownloadsState;
use crate::storage::StorageLocation;

const STORAGE: &str = "downloads.storage";
const FILES: &str = "downloads.files";
const PRODUCTS: &str = "downloads.products";

/// Looks at the storage, the files in it, and the products that come with files.
pub(crate) struct ExamineDownloads(pub(crate) DownloadsState);

impl Examine for ExamineDownloads {
    type Uses = (Db, Arc<Config>);

    async fn examine(&self, (db, config): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        let storage = match self.0.storage.location() {
            StorageLocation::Folder(folder) => examine_folder(folder, &config.media.folder),
            StorageLocation::Bucket(bucket) => match self.0.storage.probe().await {
                Ok(()) => Finding::ok(STORAGE, format!("{bucket} can be read, written and deleted from")),
                Err((act, error)) => Finding::failure(
                    STORAGE,
                    format!("{bucket} cannot be {act}: {}", error_chain(&error)),
                    "check [modules.downloads.s3], or [media.s3] without it, and the server behind it",
                ),
            },
        };
        Ok(vec![storage, damaged(db).await?, without_files(db).await?])
    }
}

fn examine_folder(folder: &Path, media: &Path) -> Finding {
    let shown = folder.display();
    if is_below(folder, media) {
        return Finding::failure(
            STORAGE,
            format!("{shown} lies in the media folder, which is open to everybody"),
            "set modules.downloads.folder to another folder, and move the files there",
        );
    }
    match is_open_to_others(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Finding::ok(STORAGE, format!("{shown} is made when the first file is attached"))
        }
        Err(error) => {
            Finding::failure(STORAGE, format!("{shown} cannot be used: {error}"), "check its owner and rights")
        }
        Ok(true) => Finding::warning(
            STORAGE,
            format!("{shown} can be looked into by other users of this machine"),
            format!("chmod 700 {shown}"),
        ),
        // A file that is made and gone again tells more than rights do: a full disk, one that can only be read.
        Ok(false) => match probe(folder) {
            Ok(()) => Finding::ok(STORAGE, format!("{shown} can be written")),
            Err(error) => Finding::failure(
                STORAGE,
                format!("{shown} cannot be written: {error}"),
                "check its owner and rights, and the room on the disk",
            ),
        },
    }
}

fn probe(folder: &Path) -> std::io::Result<()> {
    let file = folder.join(format!(".stoa-probe-{}", std::process::id()));
    std::fs::File::create_new(&file)?;
    std::fs::remove_file(&file)
}

/// Whether a folder is another one or lies in it. What is not there yet is compared as it is written.
pub(crate) fn is_below(folder: &Path, other: &Path) -> bool {
    let true_path = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    true_path(folder).starts_with(true_path(other))
}

async fn damaged(db: &Db) -> Result<Finding, DbError> {
    let damaged = db.read(queries::DAMAGED).all::<(String, String, String)>().await?;
    if damaged.is_empty() {
        return Ok(Finding::ok(FILES, "no file was found damaged"));
    }
    let named = damaged.iter().map(|(product, filename, problem)| format!("{filename} of {product}: {problem}"));
    Ok(Finding::failure(
        FILES,
        named.collect::<Vec<_>>().join("; "),
        "put the folder back from a backup, or attach the files again; then run `stoa downloads check`",
    ))
}

async fn without_files(db: &Db) -> Result<Finding, DbError> {
    let products = db.read(queries::PRODUCTS_WITHOUT_FILES).scalars::<String>().await?;
    if products.is_empty() {
        return Ok(Finding::ok(PRODUCTS, "every active digital product has a file"));
    }
    Ok(Finding::warning(
        PRODUCTS,
        format!("these products are digital and have no file: {}", products.join(", ")),
        "stoa downloads attach PRODUCT_SLUG FILE",
    ))
}

/// Measures what is stored, and what this instance has sent.
pub(crate) struct MeasureDownloads(pub(crate) DownloadsState);

impl Measure for MeasureDownloads {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let (versions, bytes, damaged) = db.read(queries::SUM_VERSIONS).one::<(i64, i64, i64)>().await?;
        let (started, failed, sent) = self.0.counters.values();
        Ok(vec![
            Sample::gauge("stoa_downloads_stored_files", "Versions of files in the storage.", versions),
            Sample::gauge("stoa_downloads_stored_bytes", "Bytes of all versions in the storage.", bytes),
            Sample::gauge("stoa_downloads_damaged_files", "Versions that were found missing or damaged.", damaged),
            Sample::counter("stoa_downloads_transfers_total", "Transfers that this instance has begun.", started),
            Sample::counter("stoa_downloads_failures_total", "Files that this instance could not read.", failed),
            Sample::counter("stoa_downloads_sent_bytes_total", "Bytes that this instance has sent.", sent),
        ])
    }
}
