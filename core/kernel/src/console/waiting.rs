//! What modules have waiting for somebody, on the first page of the console.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};

type Counting = Pin<Box<dyn Future<Output = Result<i64, DbError>> + Send>>;

/// Something that may wait, whose it is, and to whom it is told.
#[derive(Clone)]
pub struct OwnedWaiting {
    pub(crate) owner: &'static str,
    pub(crate) ability: &'static str,
    pub(crate) label: &'static str,
    pub(crate) path: &'static str,
    pub(crate) count: Arc<dyn Fn(&ShopParts) -> Counting + Send + Sync>,
}

impl OwnedWaiting {
    pub(crate) fn new<U, F, Fut>(
        owner: &'static str,
        ability: &'static str,
        label: &'static str,
        path: &'static str,
        count: F,
    ) -> Self
    where
        U: FromShop,
        F: Fn(U) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<i64, DbError>> + Send + 'static,
    {
        let count = move |shop: &ShopParts| -> Counting { Box::pin(count(U::from_shop(shop))) };
        Self { owner, ability, label, path, count: Arc::new(count) }
    }
}

/// How much of something waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waits {
    /// How many.
    pub number: i64,
    /// Of what, such as `products low in stock`.
    pub label: &'static str,
    /// Where it is done, below the console's path.
    pub path: &'static str,
}
