//! Putting answers together, with what caches outside are told of them.

use stoa_kernel::http::shared_cache::{LIST_KEY, SharedAnswer, SurrogateKeys, category_key, product_key};

use super::answers::{CachedAnswer, Tag};
use super::product_cache::ProductBody;
use super::state::Catalog;

/// Which products a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListOf {
    /// None: it is no list of products.
    Nothing,
    /// Those of a category, and of what is below it.
    Category(i64),
    /// Any.
    Everything,
}

impl Catalog {
    /// Puts an answer together: what comes before the products, the products, what comes after them.
    pub(super) fn assemble(&self, list: ListOf, before: &[u8], products: &[ProductBody], after: &[u8]) -> CachedAnswer {
        let products_size = products.iter().map(|product| product.json().len() + 1).sum::<usize>();
        let mut body = Vec::with_capacity(before.len() + products_size + after.len());
        body.extend_from_slice(before);
        for (index, product) in products.iter().enumerate() {
            if index > 0 {
                body.push(b',');
            }
            body.extend_from_slice(product.json());
        }
        body.extend_from_slice(after);
        // The products' own tags stand for their content, which is ten times as long.
        let tags = products.iter().map(ProductBody::tag).collect::<Vec<_>>();
        let tag = Tag::of([before].into_iter().chain(tags.iter().map(Tag::as_bytes)).chain([after]));
        let shared = self.shared_cache.map(|cache| {
            let keys = match list {
                ListOf::Nothing => SurrogateKeys::default(),
                ListOf::Category(id) => SurrogateKeys::default().with(category_key(id)),
                ListOf::Everything => SurrogateKeys::default().with(LIST_KEY),
            };
            let keys = products.iter().fold(keys, |keys, product| keys.with(product_key(product.id())));
            SharedAnswer::new(cache, keys)
        });
        CachedAnswer { body: body.into(), tag, is_live: products.iter().any(ProductBody::is_live), shared }
    }

    /// The answer for one product.
    pub(super) fn answer_of(&self, product: ProductBody) -> CachedAnswer {
        let shared = self
            .shared_cache
            .map(|cache| SharedAnswer::new(cache, SurrogateKeys::default().with(product_key(product.id()))));
        product.answer(shared)
    }
}
