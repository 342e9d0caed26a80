//! The writer: one batch of records, one transaction.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::fold::fold;
use stoa_kernel::module::ProductModules;

use super::audit::Before;
use super::categories::{Categories, CategoryState, stored_categories};
use super::changed::{CatalogChanged, announce_changed};
use super::events::{WriteCatalogError, announce_saving};
use super::products::{ProductState, merge};
use super::queries;
use super::stored::{Source, stored_products, wanted};
use crate::record::{CategoryRecord, ProductRecord, Record};

/// Whether records are written or only tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Written.
    Write,
    /// Checked against what is stored and what came before, without writing.
    DryRun,
}

/// What has to be there already for a record to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Something or nothing: a record makes what is not there and changes what is.
    Anything,
    /// Nothing of that slug: a record only makes something new.
    Nothing,
    /// What has that slug: a record only changes it.
    Stored,
    /// What has that slug, as it was seen: with this [`ProductRecord::fingerprint`] or [`CategoryRecord::fingerprint`].
    Seen(u64),
}

/// What a record did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It made something new.
    Created,
    /// It changed what was stored.
    Updated,
    /// It said what was stored already.
    Unchanged,
}

/// Why a record cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordProblem {
    /// The member that the problem is in.
    pub member: String,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl RecordProblem {
    /// The member that a problem is in whose record was made from something that is another by now.
    pub const SEEN: &'static str = "seen";

    pub(super) fn new(member: &str, reason: impl Into<String>) -> Self {
        Self { member: member.to_owned(), reason: reason.into() }
    }
}

type Outcome = Result<Change, Vec<RecordProblem>>;

/// Ends a transaction whose batch has changed nothing, so that the version is not raised for it.
enum Abandoned {
    Unchanged(Vec<Outcome>),
    Failed(WriteCatalogError),
}

impl<E: Into<WriteCatalogError>> From<E> for Abandoned {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Lays records over the stored catalog.
pub struct CatalogWriter<'a> {
    db: &'a Db,
    modules: &'a ProductModules,
    mode: Mode,
    expected: Expected,
    /// In a dry run: categories and products as the records so far would have made them.
    planned_categories: Option<Categories>,
    planned_products: HashMap<String, ProductState>,
}

/// The changes of one batch.
#[derive(Default)]
struct Plan {
    categories: Categories,
    written_categories: Vec<CategoryState>,
    products: BTreeMap<String, ProductState>,
    written_products: Vec<String>,
    /// Categories that a product stood in before.
    left_categories: Vec<String>,
}

impl<'a> CatalogWriter<'a> {
    /// A writer on a database, checking what is said for modules against those that are linked.
    pub fn new(db: &'a Db, modules: &'a impl AsRef<ProductModules>, mode: Mode) -> Self {
        let expected = Expected::Anything;
        let modules = modules.as_ref();
        Self { db, modules, mode, expected, planned_categories: None, planned_products: HashMap::new() }
    }

    /// The same, refusing records of whose slug there is something else than expected, as a problem of the member `slug`.
    #[must_use]
    pub fn expecting(self, expected: Expected) -> Self {
        Self { expected, ..self }
    }

    /// Writes one batch; the answer has an outcome for each record, in order. Records that cannot
    /// be stored do not keep the others from being.
    pub async fn write(&mut self, records: &[Record]) -> Result<Vec<Outcome>, WriteCatalogError> {
        match self.mode {
            Mode::Write => self.write_batch(records).await,
            Mode::DryRun => Ok(self.try_batch(records).await?),
        }
    }

    async fn write_batch(&self, records: &[Record]) -> Result<Vec<Outcome>, WriteCatalogError> {
        let modules = self.modules;
        let written = self.db.write(async |tx| -> Result<Vec<Outcome>, Abandoned> {
            let version = tx.run(queries::RAISE_VERSION).scalar::<i64>().await?;
            let mut plan = Plan {
                categories: Categories::new(tx.run(queries::ALL_CATEGORIES).all().await?),
                products: stored_products(Source::Tx(tx), records).await?,
                ..Plan::default()
            };
            let before = Before::of(tx, &plan.categories, &plan.products);
            let outcomes = plan.lay_over(records, modules, self.expected);
            if plan.written_categories.is_empty() && plan.written_products.is_empty() {
                return Err(Abandoned::Unchanged(outcomes));
            }
            if let Some(before) = before {
                before.audit(tx, &plan.written_categories, &plan.written_products, &plan.products).await?;
            }
            plan.store(tx, version).await?;
            Ok(outcomes)
        });
        match written.await {
            Ok(outcomes) | Err(Abandoned::Unchanged(outcomes)) => Ok(outcomes),
            Err(Abandoned::Failed(error)) => Err(error),
        }
    }

    async fn try_batch(&mut self, records: &[Record]) -> Result<Vec<Outcome>, DbError> {
        let categories = match self.planned_categories.take() {
            Some(planned) => planned,
            None => Categories::new(stored_categories(self.db).await?),
        };
        let mut products = stored_products(Source::Db(self.db), records).await?;
        for record in records {
            if let Some(planned) = self.planned_products.get(record.slug()) {
                products.insert(planned.slug.clone(), planned.clone());
            }
        }
        let mut plan = Plan { categories, products, ..Plan::default() };
        let outcomes = plan.lay_over(records, self.modules, self.expected);
        for slug in &plan.written_products {
            if let Some(product) = plan.products.remove(slug) {
                self.planned_products.insert(slug.clone(), product);
            }
        }
        self.planned_categories = Some(plan.categories);
        Ok(outcomes)
    }
}

impl Plan {
    fn lay_over(&mut self, records: &[Record], modules: &ProductModules, expected: Expected) -> Vec<Outcome> {
        let lay = |record| {
            self.check_expected(record, expected)?;
            match record {
                Record::Category(record) => self.category(record),
                Record::Product(record) => self.product(record, modules),
            }
        };
        records.iter().map(lay).collect()
    }

    fn check_expected(&self, record: &Record, expected: Expected) -> Result<(), Vec<RecordProblem>> {
        let (noun, is_stored) = match record {
            Record::Category(record) => ("category", self.categories.get(&record.slug).is_some()),
            Record::Product(record) => ("product", self.products.contains_key(&record.slug)),
        };
        if let (Expected::Seen(seen), true) = (expected, is_stored) {
            let now = match record {
                Record::Category(record) => {
                    self.categories.get(&record.slug).map(|it| it.clone().record().fingerprint())
                }
                Record::Product(record) => self.products.get(&record.slug).map(|it| it.clone().record().fingerprint()),
            };
            let changed = || vec![RecordProblem::new(RecordProblem::SEEN, format!("the {noun} was changed meanwhile"))];
            return if now == Some(seen) { Ok(()) } else { Err(changed()) };
        }
        let slug = record.slug();
        let reason = match (expected, is_stored) {
            (Expected::Nothing, true) => format!("there is a {noun} `{slug}` already"),
            (Expected::Stored | Expected::Seen(_), false) => format!("there is no {noun} `{slug}`"),
            (Expected::Anything, _) | (Expected::Nothing, false) | (Expected::Stored | Expected::Seen(_), true) => {
                return Ok(());
            }
        };
        Err(vec![RecordProblem::new("slug", reason)])
    }

    fn category(&mut self, record: &CategoryRecord) -> Outcome {
        let mut merged = self.categories.merge(record).map_err(|problem| vec![problem])?;
        let change = match self.categories.get(&record.slug) {
            Some(stored) => {
                merged.visible = stored.visible;
                if *stored == merged {
                    return Ok(Change::Unchanged);
                }
                Change::Updated
            }
            None => Change::Created,
        };
        self.categories.put(merged.clone());
        self.written_categories.retain(|written| written.slug != merged.slug);
        self.written_categories.push(merged);
        Ok(change)
    }

    fn product(&mut self, record: &ProductRecord, modules: &ProductModules) -> Outcome {
        let stored = self.products.get(&record.slug);
        let merged = merge(record, stored, &self.categories, modules)?;
        let change = match stored {
            Some(stored) if *stored == merged => return Ok(Change::Unchanged),
            Some(stored) => {
                if stored.category != merged.category {
                    self.left_categories.extend(stored.category.clone());
                }
                Change::Updated
            }
            None => Change::Created,
        };
        if !self.written_products.contains(&record.slug) {
            self.written_products.push(record.slug.clone());
        }
        self.products.insert(record.slug.clone(), merged);
        Ok(change)
    }

    async fn store(&mut self, tx: &mut Tx, version: i64) -> Result<(), WriteCatalogError> {
        let is_rearranged = !self.written_categories.is_empty();
        self.store_categories(tx, version).await?;
        if !self.written_products.is_empty() {
            self.store_products(tx, version).await?;
        }
        let (slugs, left) = (&self.written_products, &self.left_categories);
        let changed = || {
            if is_rearranged {
                return CatalogChanged::Everything;
            }
            CatalogChanged::Products { slugs: slugs.clone(), left: left.clone() }
        };
        Ok(announce_changed(tx, changed).await?)
    }

    async fn store_categories(&mut self, tx: &mut Tx, version: i64) -> Result<(), DbError> {
        let now = tx.now();
        for category in std::mem::take(&mut self.written_categories) {
            let parent = category.parent.as_deref().and_then(|parent| self.categories.get(parent));
            let upsert = tx
                .run(queries::UPSERT_CATEGORY)
                .bind(category.slug.as_str())
                .bind(category.name.as_str())
                .bind(fold(&category.name))
                .bind(parent.map(|parent| parent.id))
                .bind(category.image.as_deref())
                .bind(category.active)
                .bind(category.visible)
                .bind(now);
            let id = upsert.scalar::<i64>().await?;
            self.categories.set_id(&category.slug, id);
        }
        for changed in self.categories.recompute_visibility() {
            tx.run(queries::SET_CATEGORY_VISIBLE).bind(changed.id).bind(changed.visible).execute().await?;
            let products = tx.run(queries::SET_PRODUCTS_VISIBLE).bind(changed.id).bind(changed.visible);
            products.bind(version).execute().await?;
        }
        Ok(())
    }

    async fn store_products(&self, tx: &mut Tx, version: i64) -> Result<(), WriteCatalogError> {
        let written = self.written_products.iter().filter_map(|slug| self.products.get(slug)).collect::<Vec<_>>();
        let rows = written.iter().map(|product| self.row(product)).collect::<Vec<_>>();
        let now = tx.now();
        let rows = Value::Array(rows).to_string();
        tx.run(queries::UPSERT_PRODUCTS).bind(rows).bind(version).bind(now).execute().await?;
        let slugs = wanted(written.iter().map(|product| &product.slug));
        tx.run(queries::NOTE_PRICES).bind(slugs.as_str()).bind(now).execute().await?;
        tx.run(queries::CLEAR_SETTINGS).bind(slugs).execute().await?;
        let settings = written.iter().flat_map(|product| {
            let entries = product.settings.iter();
            entries.map(|(module, settings)| json!({"slug": product.slug, "module": module, "settings": settings}))
        });
        let settings = settings.collect::<Vec<_>>();
        if !settings.is_empty() {
            tx.run(queries::INSERT_SETTINGS).bind(Value::Array(settings).to_string()).execute().await?;
        }
        announce_saving(tx, version, &written).await
    }

    fn row(&self, product: &ProductState) -> Value {
        let category = product.category.as_deref().and_then(|slug| self.categories.get(slug));
        json!({
            "slug": product.slug,
            "name": product.name,
            "name_folded": fold(&product.name),
            "subtitle": product.subtitle,
            "sku": product.sku,
            "description": product.description,
            "price_amount": product.price_amount,
            "brand": product.facts.brand,
            "gtin": product.facts.gtin,
            "weight_grams": product.facts.weight_grams,
            "compare_at_amount": product.facts.compare_at_amount,
            "unit_price": product.facts.unit_price,
            "safety": product.facts.safety,
            "tax_class": product.tax_class,
            "category_id": category.map(|category| category.id),
            "images": product.images,
            "capabilities": product.capabilities,
            "options": product.options,
            "active": product.active,
            "visible": product.active && category.is_none_or(|category| category.visible),
        })
    }
}
