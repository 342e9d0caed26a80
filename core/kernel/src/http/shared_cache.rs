//! What caches that many share, such as CDNs, are told of an answer that is the same for everybody: how long they may keep it, and
//! the keys by which they are told to forget it.

use std::collections::BTreeSet;

use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::config::SharedCacheConfig;

/// Keys as Fastly and Varnish read them, with blanks between.
const SURROGATE_KEY: HeaderName = HeaderName::from_static("surrogate-key");

/// The same for Cloudflare, with commas between.
const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");

/// Headers that say who asks. What is answered to such a request is kept by nobody.
const PERSONAL: [&str; 3] = ["authorization", "cookie", "x-cart-token"];

/// Everything that is kept of the catalog has this key.
pub const CATALOG_KEY: &str = "catalog";

/// What lists products of more than one category.
pub const LIST_KEY: &str = "list";

/// What shows so many products that they are not named one by one.
pub const PRODUCTS_KEY: &str = "products";

/// Most products that an answer names: proxies refuse heads that are too large.
const MOST_PRODUCTS: usize = 64;

/// What shows this product.
pub fn product_key(id: i64) -> String {
    format!("product-{id}")
}

/// What shows this category and its products.
pub fn category_key(id: i64) -> String {
    format!("category-{id}")
}

/// The keys of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurrogateKeys(BTreeSet<String>);

impl Default for SurrogateKeys {
    /// Those of what shows nothing in particular.
    fn default() -> Self {
        Self(BTreeSet::from([CATALOG_KEY.to_owned()]))
    }
}

impl SurrogateKeys {
    /// Adds one.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>) -> Self {
        self.0.insert(key.into());
        self
    }

    /// Adds those of an answer that is a part of this one; false if nobody may keep that.
    pub fn add_those_of(&mut self, answer: &HeaderMap) -> bool {
        let keys = answer.get(SURROGATE_KEY).and_then(|keys| keys.to_str().ok());
        self.0.extend(keys.into_iter().flat_map(str::split_ascii_whitespace).map(str::to_owned));
        keys.is_some()
    }
}

/// The headers of an answer that many may share. Cloning copies no text.
#[derive(Debug, Clone)]
pub struct SharedAnswer {
    control: HeaderValue,
    surrogate_key: HeaderValue,
    cache_tag: HeaderValue,
}

impl SharedAnswer {
    /// Those of an answer with these keys.
    pub fn new(cache: SharedCacheConfig, keys: SurrogateKeys) -> Self {
        let SharedCacheConfig { shared_seconds, stale_seconds } = cache;
        let mut keys = keys.0;
        let is_product = |key: &String| key.starts_with("product-");
        if keys.iter().filter(|key| is_product(key)).count() > MOST_PRODUCTS {
            keys.retain(|key| !is_product(key));
            keys.insert(PRODUCTS_KEY.to_owned());
        }
        let joined = |between: &str| keys.iter().map(String::as_str).collect::<Vec<_>>().join(between);
        let stale = if stale_seconds > 0 { format!(", stale-while-revalidate={stale_seconds}") } else { String::new() };
        Self {
            control: value(&format!("public, max-age=0, s-maxage={shared_seconds}{stale}")),
            surrogate_key: value(&joined(" ")),
            cache_tag: value(&joined(",")),
        }
    }

    /// Puts them into an answer.
    pub fn write(self, headers: &mut HeaderMap) {
        headers.insert(header::CACHE_CONTROL, self.control);
        headers.insert(SURROGATE_KEY, self.surrogate_key);
        headers.insert(CACHE_TAG, self.cache_tag);
    }
}

/// Has nobody keep an answer that turned out to be somebody's own.
pub fn keep_from_sharing(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.remove(SURROGATE_KEY);
    headers.remove(CACHE_TAG);
}

/// Whether an answer is shared.
pub(super) fn is_shared(headers: &HeaderMap) -> bool {
    headers.contains_key(SURROGATE_KEY)
}

/// Whether a request says who makes it.
pub fn is_personal(request: &HeaderMap) -> bool {
    PERSONAL.iter().any(|name| request.contains_key(*name))
}

fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("keys are letters, digits and dashes")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CACHE: SharedCacheConfig = SharedCacheConfig { shared_seconds: 60, stale_seconds: 0 };

    fn keys_of(keys: SurrogateKeys) -> String {
        let mut headers = HeaderMap::new();
        SharedAnswer::new(CACHE, keys).write(&mut headers);
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=0, s-maxage=60");
        headers[SURROGATE_KEY].to_str().expect("it is text").to_owned()
    }

    #[test]
    fn many_products_are_not_named_one_by_one() {
        let products = |count: i64| (1..=count).fold(SurrogateKeys::default(), |keys, id| keys.with(product_key(id)));
        assert_eq!(keys_of(products(2)), "catalog product-1 product-2");
        assert_eq!(keys_of(products(64)).split(' ').count(), 65);
        assert_eq!(keys_of(products(65).with(LIST_KEY)), "catalog list products");
    }

    #[test]
    fn an_answer_has_the_keys_of_its_parts_unless_one_is_kept_by_nobody() {
        let mut part = HeaderMap::new();
        let mut keys = SurrogateKeys::default();
        assert!(!keys.add_those_of(&part));
        SharedAnswer::new(CACHE, SurrogateKeys::default().with(category_key(3))).write(&mut part);
        assert!(keys.add_those_of(&part));
        assert_eq!(keys_of(keys), "catalog category-3");
    }
}
