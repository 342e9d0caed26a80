//! Files that go along with mails and are made when the mail is sent: documents, tickets.

use std::future::Future;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::Language;

/// A file that goes along with a mail, to be made by what is registered under `kind` with
/// [`ModuleContext::mail_file`](crate::module::ModuleContext::mail_file). The mail is written down with its name alone; so nothing
/// is rendered before somebody wants to read it, and nothing large lies in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailFile {
    /// What makes it.
    pub kind: &'static str,
    /// Which one, for whoever makes it.
    pub id: i64,
    /// The file's name, in ASCII.
    pub name: String,
    /// What it is, such as `application/pdf`.
    pub media_type: &'static str,
}

/// Why a file does not go along.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailFileError {
    /// There is none, or none any more; the mail goes without it.
    #[error("there is no such file")]
    Gone,
    /// It will be there in a moment; the mail waits for some minutes and then goes without it.
    #[error("the file is not there yet")]
    NotYet,
    /// It could not be made; the mail is tried again later.
    #[error("{0}")]
    Failed(String),
}

/// Makes the files of one kind.
pub trait RenderMailFile: Send + Sync + 'static {
    /// What it works with.
    type Uses: FromShop;

    /// The content of the file with this id, for a mail in this language. What keeps a core busy goes to `spawn_blocking`.
    fn render(
        &self,
        id: i64,
        language: Language,
        uses: &Self::Uses,
    ) -> impl Future<Output = Result<Vec<u8>, MailFileError>> + Send;
}

/// The object-safe twin of [`RenderMailFile`].
pub(crate) trait ErasedMailFile: Send + Sync {
    fn render<'a>(
        &'a self,
        id: i64,
        language: Language,
        shop: &'a ShopParts,
    ) -> BoxFuture<'a, Result<Vec<u8>, MailFileError>>;
}

impl<R: RenderMailFile> ErasedMailFile for R {
    fn render<'a>(
        &'a self,
        id: i64,
        language: Language,
        shop: &'a ShopParts,
    ) -> BoxFuture<'a, Result<Vec<u8>, MailFileError>> {
        async move { RenderMailFile::render(self, id, language, &R::Uses::from_shop(shop)).await }.boxed()
    }
}

/// Makes the files of all kinds.
#[derive(Clone)]
pub struct MailFiles(ShopParts);

impl FromShop for MailFiles {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

impl MailFiles {
    /// The content of a file; none where nothing makes files of this kind, as while its module is off.
    pub async fn render(&self, kind: &str, id: i64, language: &str) -> Result<Vec<u8>, MailFileError> {
        let Some(file) = self.0.mail_templates.file(kind) else { return Err(MailFileError::Gone) };
        file.render(id, self.0.texts.language_of(language), &self.0).await
    }
}
