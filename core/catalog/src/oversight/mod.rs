//! What customers cannot see or use of the catalog, though it looks as if they could.

mod queries;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use sqlx::types::Json;

use stoa_kernel::config::{Config, MediaConfig};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, counted, named};
use stoa_kernel::error_chain;
use stoa_kernel::from_shop::Capabilities;
use stoa_kernel::module::{ModuleContext, SellingRules};
use stoa_kernel::storage::MediaStore;

use crate::doubts::is_missing_image;
use crate::images::is_elsewhere;

/// Products whose images are looked for at once.
const SLICE: i64 = 1_000;

/// What `stoa doctor` looks at.
pub(super) fn register(cx: &mut ModuleContext<'_>) {
    cx.examine_database("catalog.categories", HiddenProducts);
    cx.examine_database("catalog.capabilities", UnavailableCapabilities);
    cx.examine_database("catalog.images", MissingImages);
}

#[derive(sqlx::FromRow)]
struct CategoryCount {
    slug: String,
    count: i64,
}

/// Active products below categories that are switched off.
struct HiddenProducts;

impl Examine for HiddenProducts {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "catalog.categories";
        let hidden = db.read(queries::HIDDEN_PRODUCTS).all::<CategoryCount>().await?;
        let Some(first) = hidden.first() else {
            return Ok(vec![Finding::ok(CHECK, "all active products can be seen")]);
        };
        let products =
            counted(hidden.iter().map(|found| found.count).sum::<i64>(), "active product", "active products");
        let categories = named(hidden.iter().map(|found| found.slug.as_str()));
        let message =
            format!("{products} cannot be seen, because their category is inactive, or one above it: {categories}");
        Ok(vec![Finding::warning(CHECK, message, format!("stoa category activate {}", first.slug))])
    }
}

#[derive(sqlx::FromRow)]
struct CapabilityCount {
    capabilities: Json<Vec<String>>,
    count: i64,
}

/// Visible products that need what no enabled module provides (S4.2 rule 6).
struct UnavailableCapabilities;

impl Examine for UnavailableCapabilities {
    type Uses = (Db, Capabilities, Arc<SellingRules>);

    async fn examine(&self, (db, available, selling): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        let found = db.read(queries::CAPABILITIES).all::<CapabilityCount>().await?;
        let mut missing = BTreeMap::<&str, i64>::new();
        for combination in &found {
            let unavailable = combination.capabilities.iter().filter(|key| !available.contains(&key.as_str()));
            for key in unavailable {
                *missing.entry(key).or_default() += combination.count;
            }
        }
        Ok(judge_capabilities(&missing, selling))
    }
}

fn judge_capabilities(missing: &BTreeMap<&str, i64>, selling: &SellingRules) -> Vec<Finding> {
    const CHECK: &str = "catalog.capabilities";
    if missing.is_empty() {
        return vec![Finding::ok(CHECK, "every capability that products need is available")];
    }
    let told = missing.iter().map(|(key, count)| {
        let fix = match selling.provider_of(key) {
            Some(module) => format!("set `modules.{module}.enabled = true`"),
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

/// What pictures there are.
enum Pictures {
    Folder(PathBuf),
    Listed(HashSet<String>),
}

impl Pictures {
    fn lack(&self, image: &str) -> bool {
        match self {
            Self::Folder(folder) => is_missing_image(folder, image),
            Self::Listed(keys) => !is_elsewhere(image) && !keys.contains(image.trim_start_matches('/')),
        }
    }

    fn mend(&self, config: &MediaConfig) -> String {
        match (self, config.bucket()) {
            (Self::Listed(_), Some(bucket)) => format!("put the files into {bucket} (`media.url`)"),
            _ => format!("put the files into {} (`media.folder`)", config.folder.display()),
        }
    }
}

/// Those of some products that are not there. Files are looked for where they hold up no request.
async fn missing_of(products: Vec<ProductImages>, there: &Arc<Pictures>) -> Vec<String> {
    let there = Arc::clone(there);
    let look = move || {
        let of_product = |product: &ProductImages| {
            let absent = product.images.iter().filter(|image| there.lack(image));
            absent.map(|image| format!("{image} of {}", product.slug)).collect::<Vec<_>>()
        };
        products.iter().flat_map(of_product).collect()
    };
    match tokio::task::spawn_blocking(look).await {
        Ok(missing) => missing,
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}

/// Images that should be in the media folder and are not.
struct MissingImages;

impl Examine for MissingImages {
    type Uses = (Db, Arc<Config>);

    async fn examine(&self, (db, config): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "catalog.images";
        let there = match MediaStore::of(&config.media) {
            MediaStore::Folder(folder) => Pictures::Folder(folder),
            MediaStore::Bucket(storage) => match storage.keys().await {
                Ok(keys) => Pictures::Listed(keys.into_iter().collect()),
                Err(error) => {
                    let message = format!("the bucket cannot be looked through: {}", error_chain(&error));
                    let mend = "check [media.s3] and the server behind it";
                    return Ok(vec![Finding::warning(CHECK, message, mend)]);
                }
            },
        };
        let there = Arc::new(there);
        let mut missing = Vec::new();
        for category in db.read(queries::CATEGORY_IMAGES).all::<CategoryImage>().await? {
            if there.lack(&category.image) {
                missing.push(format!("{} of the category {}", category.image, category.slug));
            }
        }
        let mut after = 0;
        loop {
            let slice = db.read(queries::PRODUCT_IMAGES).bind(after).bind(SLICE).all::<ProductImages>().await?;
            let Some(last) = slice.last() else { break };
            after = last.id;
            missing.extend(missing_of(slice, &there).await);
        }
        if missing.is_empty() {
            return Ok(vec![Finding::ok(CHECK, "no image is missing")]);
        }
        let count = counted(i64::try_from(missing.len()).unwrap_or(i64::MAX), "image is", "images are");
        let message = format!("{count} missing: {}", named(missing.iter().map(String::as_str)));
        Ok(vec![Finding::warning(CHECK, message, there.mend(&config.media))])
    }
}
