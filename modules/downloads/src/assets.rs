//! Files of products: attaching them, in new versions, and detaching them.

use std::path::Path;

use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_core::catalog::{details_changed, no_such_product};
use stoa_core::config::Config as ShopConfig;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::examine::is_below;
use crate::grants::{Scope, grant_missing};
use crate::model::CAPABILITY;
use crate::queries;
use crate::routes::DownloadsState;
use crate::storage::StorageLocation;
use crate::upload::{self, ReadContent, Stored, UploadError};

/// Whether the downloads that buyers have made still count after a new version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// They have all their downloads again.
    Reset,
    /// They do.
    Kept,
}

/// What is attached.
#[derive(Debug, Clone)]
pub(crate) struct NewFile<'a> {
    /// The product's name in URLs.
    pub(crate) product: &'a str,
    /// What the file is called, which was checked.
    pub(crate) filename: &'a str,
    /// What it is called in lists; as before, or the product's name.
    pub(crate) label: Option<&'a str>,
    /// Its own limit; as before, or the product's.
    pub(crate) limit: Option<i64>,
    /// Its own days; as before, or the product's.
    pub(crate) days: Option<i64>,
    pub(crate) counts: Counts,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Attached {
    pub(crate) asset_id: i64,
    pub(crate) version: i64,
    pub(crate) size: i64,
    pub(crate) sha256: String,
    /// Whether the newest version had this content already.
    pub(crate) unchanged: bool,
    /// Buyers' grants that were made now.
    pub(crate) granted: u64,
}

/// Why nothing was attached.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AttachError {
    /// There is no such product.
    #[error("{0}")]
    UnknownProduct(String),
    /// Its buyers would not get the file.
    #[error(
        "the product `{0}` has not the capability `{CAPABILITY}`, so nobody who buys it would get the file; import it with \
         \"capabilities\": [\"{CAPABILITY}\"] first"
    )]
    NotDigital(String),
    /// The file did not get into the storage.
    #[error(transparent)]
    Upload(#[from] UploadError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Longest label, in characters.
pub(crate) const LONGEST_LABEL: usize = 255;

/// The folder of the files, where it lies in the media folder, which is open to everybody.
pub(crate) fn public_folder<'a>(state: &'a DownloadsState, config: &ShopConfig) -> Option<&'a Path> {
    match state.storage.location() {
        StorageLocation::Folder(folder) if is_below(folder, &config.media.folder) => Some(folder),
        StorageLocation::Folder(_) | StorageLocation::Bucket(_) => None,
    }
}

/// Stores a file and gives it to all buyers of the product, those of the past included.
pub(crate) async fn attach(
    db: &Db,
    random: &Random,
    state: &DownloadsState,
    new: &NewFile<'_>,
    content: impl ReadContent,
) -> Result<Attached, AttachError> {
    let product_id = find_product(db, new.product).await?;
    let stored = upload::store(db, random, &state.storage, content).await?;
    let saved = save(db, product_id, new, &stored).await;
    let (asset_id, version, unchanged) = match saved {
        Ok(saved) => saved,
        Err(error) => {
            upload::discard(db, &state.storage, &stored.key).await;
            return Err(error.into());
        }
    };
    if unchanged {
        upload::discard(db, &state.storage, &stored.key).await;
    }
    let granted = grant_missing(db, random, &state.config, Scope::Product(product_id)).await?;
    Ok(Attached { asset_id, version, size: stored.size, sha256: stored.sha256, unchanged, granted })
}

async fn find_product(db: &Db, slug: &str) -> Result<i64, AttachError> {
    type Row = (i64, Json<Vec<String>>);
    let found = db.read(queries::FIND_PRODUCT).bind(slug).optional::<Row>().await?;
    let Some((id, capabilities)) = found else {
        return Err(AttachError::UnknownProduct(no_such_product(db, slug).await?));
    };
    if !capabilities.0.iter().any(|capability| capability == CAPABILITY) {
        return Err(AttachError::NotDigital(slug.to_owned()));
    }
    Ok(id)
}

/// Writes the file's rows; gives its id, its newest version, and whether that was there already.
async fn save(db: &Db, product_id: i64, new: &NewFile<'_>, stored: &Stored) -> Result<(i64, i64, bool), DbError> {
    db.write(async |tx| -> Result<(i64, i64, bool), DbError> {
        details_changed(tx).await?;
        let now = tx.now();
        tx.run(queries::LOCK_PRODUCT).bind(product_id).execute().await?;
        let asset = tx.run(queries::SAVE_ASSET).bind(product_id).bind(new.filename).bind(new.label);
        let asset_id = asset.bind(new.limit).bind(new.days).bind(now).scalar::<i64>().await?;
        let newest = tx.run(queries::NEWEST_VERSION).bind(asset_id).optional::<(i64, i64, String)>().await?;
        let version = match newest {
            Some((number, size, sha256)) if size == stored.size && sha256 == stored.sha256 => {
                let after = json!({"product": new.product, "filename": new.filename, "version": number});
                tx.audit_operator("downloads.attach", subject(asset_id), Value::Null, after).await?;
                return Ok((asset_id, number, true));
            }
            Some((number, ..)) => number + 1,
            None => 1,
        };
        let insert = tx.run(queries::INSERT_VERSION).bind(asset_id).bind(version).bind(stored.key.as_str());
        insert.bind(stored.size).bind(&stored.sha256).bind(now).execute().await?;
        tx.run(queries::END_UPLOAD).bind(stored.key.as_str()).execute().await?;
        let counts = match new.counts {
            Counts::Reset => queries::RESET_COUNTS,
            Counts::Kept => queries::CLOSE_DOWNLOADS,
        };
        tx.run(counts).bind(asset_id).execute().await?;
        let after =
            json!({"product": new.product, "filename": new.filename, "version": version, "sha256": stored.sha256});
        tx.audit_operator("downloads.attach", subject(asset_id), Value::Null, after).await?;
        Ok((asset_id, version, false))
    })
    .await
}

/// Gives a file to no further buyers; whether there was one to detach. Those who have it keep it.
pub(crate) async fn detach(db: &Db, product: &str, filename: &str) -> Result<bool, DbError> {
    db.write(async |tx| {
        details_changed(tx).await?;
        let now = tx.now();
        let detached = tx.run(queries::DETACH).bind(product).bind(filename).bind(now).optional_scalar::<i64>().await?;
        if let Some(id) = detached {
            let before = json!({"product": product, "filename": filename});
            tx.audit_operator("downloads.detach", subject(id), before, Value::Null).await?;
        }
        Ok(detached.is_some())
    })
    .await
}

fn subject(asset_id: i64) -> Subject {
    Subject::new("download-file", asset_id)
}
