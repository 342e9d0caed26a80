//! What is the same on every page or walks the whole catalog, made once for each version of the catalog: a catalog of 50,000 products is
//! not walked for each program that looks.

use std::future::Future;

use stoa_core::from_shop::CatalogVersion;
use stoa_core::prelude::*;
use tokio::sync::Mutex;

/// Something with the version of the catalog that it was made from, and when.
pub(crate) struct KeptByVersion<T>(Mutex<Option<(Made, T)>>);

/// From which version of the catalog something was made, and in which hour, where that matters.
type Made = (i64, Option<i64>);

impl<T> Default for KeptByVersion<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> KeptByVersion<T> {
    /// What belongs to this version of the catalog. Of many who ask, one makes it and all others wait.
    pub(crate) async fn of(&self, version: &CatalogVersion, make: impl Future<Output = ApiResult<T>>) -> ApiResult<T> {
        self.of_hour(version, None, make).await
    }

    /// The same, made anew in each hour, if there is one: modules may have prices change with the time.
    pub(crate) async fn of_hour(
        &self,
        version: &CatalogVersion,
        hour: Option<i64>,
        make: impl Future<Output = ApiResult<T>>,
    ) -> ApiResult<T> {
        let mut kept = self.0.lock().await;
        // What changes meanwhile has it made again: the version is that of before.
        let current = (version.get(), hour);
        if let Some((made_from, made)) = &*kept
            && *made_from == current
        {
            return Ok(made.clone());
        }
        let made = make.await?;
        *kept = Some((current, made.clone()));
        Ok(made)
    }
}
