//! Documents as files: as people read them, and as machines do.

use stoa_documents::electronic::{Syntax, electronic_invoice};
use stoa_documents::pdf::{Document, render};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::file::{File, PDF, XML};
use stoa_kernel::i18n::Texts;
use stoa_kernel::text;

/// Writes a document as the file that a client has asked for by its media type: a PDF, or an electronic invoice (C10.5).
pub(crate) async fn printed(document: Document, texts: Texts, media_type: &str) -> ApiResult<File> {
    let write = if media_type == XML { electronic } else { paper };
    tokio::task::spawn_blocking(move || write(&document, &texts)).await.map_err(ApiError::internal)?
}

fn paper(document: &Document, texts: &Texts) -> ApiResult<File> {
    let content = render(document, texts).map_err(ApiError::internal)?;
    Ok(File { media_type: PDF, name: format!("{}.pdf", document.number), content })
}

/// Who reads it knows no settings of the shop, so what is missing is told in the log.
fn electronic(document: &Document, texts: &Texts) -> ApiResult<File> {
    let written = electronic_invoice(document, texts, Syntax::Ubl).map_err(|error| {
        tracing::warn!(number = document.number, reason = %error, "a document has no electronic form");
        ApiError::conflict(text!("invoice-not-electronic"), "not_electronic")
    })?;
    Ok(File { media_type: XML, name: format!("{}.xml", document.number), content: written.into_bytes() })
}
