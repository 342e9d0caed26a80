//! What customers are told of files before they buy them: names and sizes, and nothing that leads to them.

use std::collections::HashMap;

use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::model::CAPABILITY;
use crate::queries;

/// The files that buyers can download.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DownloadDetails")]
pub(crate) struct FilesDetails {
    /// The files in the order of their labels.
    files: Vec<FileDetails>,
}

/// A file that comes with a product.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DownloadFileDetails")]
struct FileDetails {
    /// What it is called.
    label: String,
    /// Bytes.
    size: i64,
}

/// Tells which files come with products.
pub(crate) struct TellFiles;

impl TellDetails for TellFiles {
    type Uses = Db;
    type Details = FilesDetails;

    async fn details(&self, products: &[ShownProduct<'_>], db: &Db) -> Result<Vec<Option<FilesDetails>>, DbError> {
        let ours = products.iter().filter(|product| product.has(CAPABILITY));
        let ids = ours.map(|product| json!({"id": product.product_id})).collect::<Vec<_>>();
        if ids.is_empty() {
            return Ok(products.iter().map(|_| None).collect());
        }
        let mut files = HashMap::<i64, Vec<(String, i64)>>::new();
        let attached = db.read(queries::FILES_OF_PRODUCTS).bind(Value::Array(ids).to_string());
        for (product_id, label, size) in attached.all::<(i64, String, i64)>().await? {
            files.entry(product_id).or_default().push((label, size));
        }
        let details = |product: &ShownProduct<'_>| {
            let files = files.get(&product.product_id).filter(|_| product.has(CAPABILITY))?;
            let files = files.iter().map(|(label, size)| FileDetails { label: label.clone(), size: *size });
            Some(FilesDetails { files: files.collect() })
        };
        Ok(products.iter().map(details).collect())
    }
}
