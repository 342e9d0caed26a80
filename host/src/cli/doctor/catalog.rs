//! What customers cannot see or use of the catalog, though it looks as if they could.

use std::collections::BTreeMap;
use std::path::Path;

use sqlx::types::Json;
use stoa_core::catalog::is_missing_picture;
use stoa_core::db::{Db, DbError};
use stoa_core::module::Registry;

use super::finding::{Finding, counted};
use super::queries;

/// Products whose pictures are looked for at once.
const SLICE: i64 = 1_000;

/// How many of a kind are named.
const NAMED: usize = 5;

#[derive(sqlx::FromRow)]
struct CategoryCount {
    slug: String,
    count: i64,
}

/// Active products below categories that are switched off.
pub(super) async fn hidden_products(db: &Db) -> Result<Vec<Finding>, DbError> {
    const CHECK: &str = "catalog.categories";
    let hidden = db.read(queries::HIDDEN_PRODUCTS).all::<CategoryCount>().await?;
    let Some(first) = hidden.first() else {
        return Ok(vec![Finding::ok(CHECK, "all active products can be seen")]);
    };
    let products = counted(hidden.iter().map(|found| found.count).sum::<i64>(), "active product", "active products");
    let categories = named(hidden.iter().map(|found| found.slug.as_str()));
    let message =
        format!("{products} cannot be seen, because their category is inactive, or one above it: {categories}");
    Ok(vec![Finding::warning(CHECK, message, format!("stoa category activate {}", first.slug))])
}

#[derive(sqlx::FromRow)]
struct CapabilityCount {
    capabilities: Json<Vec<String>>,
    count: i64,
}

/// Visible products that need what no enabled module provides (S4.2 rule 6).
pub(super) async fn unavailable_capabilities(db: &Db, registry: &Registry) -> Result<Vec<Finding>, DbError> {
    let found = db.read(queries::CAPABILITIES).all::<CapabilityCount>().await?;
    let mut missing = BTreeMap::<&str, i64>::new();
    for combination in &found {
        let unavailable = combination.capabilities.iter().filter(|key| !registry.capabilities.contains(&key.as_str()));
        for key in unavailable {
            *missing.entry(key).or_default() += combination.count;
        }
    }
    Ok(judge_capabilities(&missing, registry))
}

fn judge_capabilities(missing: &BTreeMap<&str, i64>, registry: &Registry) -> Vec<Finding> {
    const CHECK: &str = "catalog.capabilities";
    if missing.is_empty() {
        return vec![Finding::ok(CHECK, "every capability that products need is available")];
    }
    let told = missing.iter().map(|(key, count)| {
        let provider = registry.modules.iter().find(|module| module.entry.capabilities.contains(key));
        let fix = match provider {
            Some(module) => format!("set `modules.{}.enabled = true`", module.entry.name),
            None => format!("use a program with a module that provides `{key}`, or import the products without it"),
        };
        let message = format!(
            "{} the capability `{key}`, which is not available",
            counted(*count, "product needs", "products need")
        );
        Finding::warning(CHECK, message, fix)
    });
    told.collect()
}

#[derive(sqlx::FromRow)]
struct ProductImages {
    id: i64,
    slug: String,
    images: Json<Vec<String>>,
}

#[derive(sqlx::FromRow)]
struct CategoryImage {
    slug: String,
    image: String,
}

/// Pictures that should be in the media folder and are not.
pub(super) async fn missing_images(db: &Db, folder: &Path) -> Result<Vec<Finding>, DbError> {
    const CHECK: &str = "catalog.images";
    let mut missing = Vec::new();
    for category in db.read(queries::CATEGORY_IMAGES).all::<CategoryImage>().await? {
        if is_missing_picture(folder, &category.image) {
            missing.push(format!("{} of the category {}", category.image, category.slug));
        }
    }
    let mut after = 0;
    loop {
        let slice = db.read(queries::PRODUCT_IMAGES).bind(after).bind(SLICE).all::<ProductImages>().await?;
        let Some(last) = slice.last() else { break };
        after = last.id;
        for product in &slice {
            let absent = product.images.iter().filter(|image| is_missing_picture(folder, image));
            missing.extend(absent.map(|image| format!("{image} of {}", product.slug)));
        }
    }
    if missing.is_empty() {
        return Ok(vec![Finding::ok(CHECK, "no picture is missing")]);
    }
    let count = counted(i64::try_from(missing.len()).unwrap_or(i64::MAX), "picture is", "pictures are");
    let message = format!("{count} missing: {}", named(missing.iter().map(String::as_str)));
    Ok(vec![Finding::warning(CHECK, message, format!("put the files into {} (`media.folder`)", folder.display()))])
}

/// The first few, and how many more there are.
pub(super) fn named<'a>(all: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = all.len().saturating_sub(NAMED);
    let first = all.take(NAMED).collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut() {
        assert_eq!(named(["a", "b"].into_iter()), "a, b");
        assert_eq!(named(["a", "b", "c", "d", "e", "f", "g"].into_iter()), "a, b, c, d, e and 2 more");
    }
}
