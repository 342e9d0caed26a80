//! Documents about the whole catalog, made once for each of its versions: a catalog of 50,000 products is not walked for each
//! program that looks.

use std::future::Future;

use stoa_core::from_shop::CatalogVersion;
use stoa_core::pages::answer::Html;
use stoa_core::prelude::*;
use tokio::sync::Mutex;

/// A document with the version of the catalog that it was made from.
#[derive(Default)]
pub(crate) struct KeptDocument(Mutex<Option<(i64, Html)>>);

impl KeptDocument {
    /// The document of this version of the catalog. Of many who ask, one makes it and all others wait.
    pub(crate) async fn of(
        &self,
        version: &CatalogVersion,
        make: impl Future<Output = ApiResult<String>>,
    ) -> ApiResult<Html> {
        let mut kept = self.0.lock().await;
        // What changes meanwhile has it made again: the version is that of before.
        let current = version.get();
        if let Some((made_from, document)) = &*kept
            && *made_from == current
        {
            return Ok(document.clone());
        }
        let document = Html::from(make.await?);
        *kept = Some((current, document.clone()));
        Ok(document)
    }
}
