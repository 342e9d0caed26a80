//! Documents as PDF answers.

use crate::http::error::{ApiError, ApiResult};
use crate::http::file::File;
use crate::pdf::{Document, render};

/// Writes a document as the file that a client has asked for.
pub(crate) async fn printed(document: Document) -> ApiResult<File> {
    let name = format!("{}.pdf", document.number);
    let rendered = tokio::task::spawn_blocking(move || render(&document)).await;
    let content = rendered.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    Ok(File { media_type: "application/pdf", name, content })
}
