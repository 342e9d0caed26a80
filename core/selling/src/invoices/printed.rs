//! Documents as PDF answers.

use stoa_documents::pdf::{Document, render};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::file::File;
use stoa_kernel::i18n::Texts;

/// Writes a document as the file that a client has asked for.
pub(crate) async fn printed(document: Document, texts: Texts) -> ApiResult<File> {
    let name = format!("{}.pdf", document.number);
    let rendered = tokio::task::spawn_blocking(move || render(&document, &texts)).await;
    let content = rendered.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    Ok(File { media_type: "application/pdf", name, content })
}
