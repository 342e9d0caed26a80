//! Who reads a mail.

use std::future::Future;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::templates::Values;
use crate::db::{DbError, Tx};
use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::Language;

/// Who reads a mail, and what is said to them by itself.
#[derive(Debug, Clone)]
pub struct MailReader {
    /// The address that they have now.
    pub recipient: String,
    /// The language in which they are written to.
    pub language: Language,
    /// The currency of amounts: that of the order which the mail is about, else the shop's.
    pub currency: String,
    /// The customer whom the mail is about: what is kept of it is erased with them.
    pub customer_id: Option<i64>,
    /// What the placeholders stand for that need not be given by whoever writes the mail.
    pub values: Values,
}

/// Finds who reads the mails about something that a feature keeps.
pub trait MailReaders: Send + Sync + 'static {
    /// What it works with.
    type Uses: FromShop;

    /// The reader of a mail about what has this id; none who was anonymized. Whoever is anonymized at this moment waits until
    /// the mail is written, and then deletes it too.
    fn find(
        &self,
        tx: &mut Tx,
        uses: &Self::Uses,
        id: i64,
    ) -> impl Future<Output = Result<Option<MailReader>, DbError>> + Send;
}

/// The object-safe twin of [`MailReaders`].
pub(super) trait ErasedMailReaders: Send + Sync {
    fn find<'a>(
        &'a self,
        tx: &'a mut Tx,
        shop: &'a ShopParts,
        id: i64,
    ) -> BoxFuture<'a, Result<Option<MailReader>, DbError>>;
}

impl<R: MailReaders> ErasedMailReaders for R {
    fn find<'a>(
        &'a self,
        tx: &'a mut Tx,
        shop: &'a ShopParts,
        id: i64,
    ) -> BoxFuture<'a, Result<Option<MailReader>, DbError>> {
        async move { MailReaders::find(self, tx, &R::Uses::from_shop(shop), id).await }.boxed()
    }
}
