//! Taking over what products say about their stock.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_core::catalog::write::{ProductsSaving, SavedProduct};
use stoa_core::catalog::{OptionRecord, set_availability};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::ledger::{Actor, Kind, Movement, as_text, record};
use crate::parts::{Part, Sold, StockedPart, availability};
use crate::queries;
use crate::settings::{Declared, INVENTORY, StockSettings, declared};
use crate::stock::{Stock, as_json};

/// A product as far as its stock depends on it.
#[derive(Debug)]
pub(crate) struct ProductFacts {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) sku: Option<String>,
    pub(crate) options: Vec<OptionRecord>,
    pub(crate) settings: Option<StockSettings>,
    pub(crate) has_capability: bool,
}

impl ProductFacts {
    fn of(product: &SavedProduct) -> Self {
        Self {
            id: product.product_id,
            slug: product.slug.clone(),
            sku: product.sku.clone(),
            options: product.options.clone(),
            settings: product.settings(INVENTORY).map(StockSettings::read),
            has_capability: product.has(INVENTORY),
        }
    }

    fn parts(&self) -> Vec<Part> {
        let settings = self.settings.as_ref();
        Sold { slug: &self.slug, sku: self.sku.as_deref(), options: &self.options, settings }.parts()
    }

    fn declared(&self, sku: &str) -> Option<Declared> {
        declared(self.settings.as_ref(), self.has_capability, sku)
    }
}

/// A product as the statements read it.
#[derive(sqlx::FromRow)]
pub(crate) struct ProductRow {
    pub(crate) id: i64,
    slug: String,
    sku: Option<String>,
    capabilities: Json<Vec<String>>,
    options: Json<Vec<OptionRecord>>,
    pub(crate) changed_version: i64,
    settings: Option<Json<Value>>,
}

impl From<ProductRow> for ProductFacts {
    fn from(row: ProductRow) -> Self {
        Self {
            id: row.id,
            slug: row.slug,
            sku: row.sku,
            options: row.options.0,
            settings: row.settings.map(|settings| StockSettings::read(&settings.0)),
            has_capability: row.capabilities.iter().any(|own| own == INVENTORY),
        }
    }
}

/// Takes over products while they are being written.
pub(crate) struct TakeIn(pub(crate) Config);

impl InTransaction<ProductsSaving> for TakeIn {
    async fn in_transaction(&self, event: &ProductsSaving, tx: &mut Tx) -> Result<(), ListenerError> {
        let products = event.products.iter().map(ProductFacts::of).collect::<Vec<_>>();
        Ok(take_in(tx, self.0, event.version, &products).await?)
    }
}

#[derive(sqlx::FromRow)]
struct Known {
    sku: String,
    tracked: bool,
    imported_quantity: Option<i64>,
    imported_backorder: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct FormerPart {
    product_id: i64,
    part: String,
    sku: String,
    declared: bool,
}

#[derive(Serialize)]
struct PartRow<'a> {
    product_id: i64,
    #[serde(flatten)]
    part: &'a Part,
    declared: bool,
}

#[derive(Serialize)]
struct NewStock<'a> {
    sku: &'a str,
    on_hand: i64,
    backorder: bool,
    imported_quantity: Option<i64>,
    imported_backorder: Option<bool>,
}

/// Takes over what products say as of a version of the catalog, whose lock is held.
///
/// A number that differs from the one that was told last is a new count; the same number again is none, so that what was
/// sold since stays sold. Repeating it changes nothing.
pub(crate) async fn take_in(
    tx: &mut Tx,
    config: Config,
    version: i64,
    products: &[ProductFacts],
) -> Result<(), DbError> {
    let ids = || products.iter().map(|product| product.id);
    let former = tx.run(queries::FORMER_PARTS).bind_ids(ids()).all::<FormerPart>().await?;
    let parts = products.iter().map(ProductFacts::parts).collect::<Vec<_>>();
    let skus = parts.iter().flatten().map(|part| &part.sku).chain(former.iter().map(|part| &part.sku));
    let skus = skus.cloned().collect::<BTreeSet<_>>();
    let known = tx.run(queries::FIND_DECLARED).bind(as_json(&skus)).all::<Known>().await?;
    let mut known = known.into_iter().map(|stock| (stock.sku.clone(), stock)).collect::<BTreeMap<_, _>>();
    let (mut told, mut rows) = (BTreeMap::new(), Vec::new());
    for (product, parts) in products.iter().zip(&parts) {
        for part in parts {
            let declared = product.declared(&part.sku);
            // Of what is not counted nothing is kept, or a million products would be looked after for nothing.
            if declared.is_some() || known.get(&part.sku).is_some_and(|stock| stock.tracked) {
                rows.push(PartRow { product_id: product.id, part, declared: declared.is_some() });
            }
            if let Some(declared) = declared {
                told.insert(part.sku.as_str(), declared);
            }
        }
    }
    let rows = with_uncounted(rows, products, &parts);
    rename(tx, &former, &rows, &told, &mut known).await?;
    stock_up(tx, &told, &known).await?;
    if !former.is_empty() {
        tx.run(queries::DELETE_PARTS).bind_ids(ids()).execute().await?;
    }
    if !rows.is_empty() {
        tx.run(queries::INSERT_PARTS).bind(as_text(&rows)).bind(version).execute().await?;
    }
    count_no_more(tx, &former).await?;
    if former.is_empty() && rows.is_empty() {
        return Ok(());
    }
    // Others may be sold by the same.
    let stocked = tx.run(queries::PARTS_OF_SKUS).bind(as_json(&skus)).all::<StockedPart>().await?;
    let mut states = availability(&stocked, config.low_stock_threshold);
    for part in &former {
        states.entry(part.product_id).or_insert(None);
    }
    set_availability(tx, INVENTORY, &states.into_iter().collect::<Vec<_>>()).await?;
    Ok(())
}

/// Adds the parts of counted products that are not counted themselves: a product can be had by them as well.
fn with_uncounted<'a>(
    mut rows: Vec<PartRow<'a>>,
    products: &[ProductFacts],
    parts: &'a [Vec<Part>],
) -> Vec<PartRow<'a>> {
    let counted = rows.iter().map(|row| row.product_id).collect::<BTreeSet<_>>();
    let present = rows.iter().map(|row| (row.product_id, row.part)).collect::<BTreeSet<_>>();
    let all = products.iter().zip(parts).filter(|(product, _)| counted.contains(&product.id));
    let all = all.flat_map(|(product, parts)| parts.iter().map(|part| (product.id, part)));
    let missing = all.filter(|row| !present.contains(row)).collect::<Vec<_>>();
    rows.extend(missing.into_iter().map(|(product_id, part)| PartRow { product_id, part, declared: false }));
    rows
}

/// Lets what is left of a product's own SKU go with it when it gets another one: what was sold is not there again because
/// somebody has mended a SKU. What is held stays where it was.
async fn rename(
    tx: &mut Tx,
    former: &[FormerPart],
    rows: &[PartRow<'_>],
    told: &BTreeMap<&str, Declared>,
    known: &mut BTreeMap<String, Known>,
) -> Result<(), DbError> {
    for row in rows.iter().filter(|row| row.declared && row.part.is_own()) {
        if known.contains_key(&row.part.sku) {
            continue;
        }
        let before = former.iter().find(|part| part.product_id == row.product_id && part.part == row.part.option);
        let before = before.filter(|part| part.declared).and_then(|part| known.get(&part.sku));
        let Some((before, declared)) = before.zip(told.get(row.part.sku.as_str())) else { continue };
        if declared.quantity != before.imported_quantity {
            continue;
        }
        let now = tx.now();
        let locked = tx.run(queries::LOCK_STOCK).bind(before.sku.as_str()).bind(now).one::<Stock>().await?;
        let left = locked.available().max(0);
        let moved = tx.run(queries::MOVE_STOCK).bind(before.sku.as_str()).bind(-left).bind(0_i64).bind(now);
        let after = moved.one::<Stock>().await?;
        let reason = format!("renamed to {}", row.part.sku);
        record(tx, &[Movement::new(Kind::Adjust, Actor::Import, &after).changing(-left, 0).because(Some(&reason))])
            .await?;
        let renamed = Declared { quantity: Some(left), backorder: declared.backorder };
        insert_new(tx, &[(&row.part.sku, renamed)], Actor::Import).await?;
        let imported = tx.run(queries::SET_IMPORTED).bind(row.part.sku.as_str()).bind(declared.quantity);
        imported.bind(declared.backorder).execute().await?;
        let stored = tx.run(queries::FIND_DECLARED).bind(as_json([&row.part.sku])).all::<Known>().await?;
        known.extend(stored.into_iter().map(|stock| (stock.sku.clone(), stock)));
    }
    Ok(())
}

/// Makes the stock what the products say, sorted by SKU.
async fn stock_up(
    tx: &mut Tx,
    told: &BTreeMap<&str, Declared>,
    known: &BTreeMap<String, Known>,
) -> Result<(), DbError> {
    let new = told.iter().filter(|(sku, _)| !known.contains_key(**sku));
    let new = new.map(|(sku, declared)| (*sku, *declared)).collect::<Vec<_>>();
    insert_new(tx, &new, Actor::Import).await?;
    for (sku, declared) in told {
        if let Some(stock) = known.get(*sku) {
            follow(tx, stock, *declared).await?;
        }
    }
    Ok(())
}

/// Writes the first rows of SKUs, sorted.
pub(crate) async fn insert_new(tx: &mut Tx, new: &[(&str, Declared)], actor: Actor) -> Result<(), DbError> {
    if new.is_empty() {
        return Ok(());
    }
    let row = |(sku, declared): &(&str, Declared)| {
        let first = declared.as_new(sku);
        json!(NewStock {
            sku,
            on_hand: first.on_hand,
            backorder: first.backorder,
            imported_quantity: declared.quantity,
            imported_backorder: declared.backorder,
        })
    };
    let rows = as_text(&new.iter().map(row).collect::<Vec<_>>());
    let now = tx.now();
    let written = tx.run(queries::INSERT_STOCK).bind(rows).bind(now).all::<Stock>().await?;
    let movement = |stock: &Stock| Movement::new(Kind::Import, actor, stock).changing(stock.on_hand, 0);
    record(tx, &written.iter().map(movement).collect::<Vec<_>>()).await
}

/// Lets stock that is known follow what the product says, where that is new.
async fn follow(tx: &mut Tx, known: &Known, declared: Declared) -> Result<(), DbError> {
    let count = declared.quantity.filter(|told| known.imported_quantity != Some(*told));
    let backorder = declared.backorder.filter(|told| known.imported_backorder != Some(*told));
    if count.is_none() && backorder.is_none() && known.tracked {
        return Ok(());
    }
    let now = tx.now();
    let sku = known.sku.as_str();
    let mut movements = Vec::new();
    let locked = tx.run(queries::LOCK_STOCK).bind(sku).bind(now).one::<Stock>().await?;
    if !locked.tracked {
        let after = tx.run(queries::SET_TRACKED).bind(sku).bind(true).bind(now).one::<Stock>().await?;
        movements.push(Movement::new(Kind::Track, Actor::Import, &after).because(Some("on")));
    }
    if let Some(told) = backorder.filter(|told| *told != locked.backorder) {
        let after = tx.run(queries::SET_BACKORDER).bind(sku).bind(told).bind(now).one::<Stock>().await?;
        let word = if told { "on" } else { "off" };
        movements.push(Movement::new(Kind::Backorder, Actor::Import, &after).because(Some(word)));
    }
    if let Some(count) = count {
        let change = count - locked.on_hand;
        let moved = tx.run(queries::MOVE_STOCK).bind(sku).bind(change).bind(0_i64).bind(now);
        let after = moved.one::<Stock>().await?;
        movements.push(Movement::new(Kind::Import, Actor::Import, &after).changing(change, 0));
    }
    let imported = tx.run(queries::SET_IMPORTED).bind(sku);
    let imported = imported.bind(declared.quantity.or(known.imported_quantity));
    imported.bind(declared.backorder.or(known.imported_backorder)).execute().await?;
    record(tx, &movements).await
}

/// Stops counting what products had counted and no product has any more.
async fn count_no_more(tx: &mut Tx, former: &[FormerPart]) -> Result<(), DbError> {
    let declared = former.iter().filter(|part| part.declared);
    let declared = declared.map(|part| part.sku.clone()).collect::<BTreeSet<_>>();
    if declared.is_empty() {
        return Ok(());
    }
    let still = tx.run(queries::STILL_DECLARED).bind(as_json(&declared)).scalars::<String>().await?;
    let still = still.into_iter().collect::<BTreeSet<_>>();
    let now = tx.now();
    for sku in declared.difference(&still) {
        let after = tx.run(queries::SET_TRACKED).bind(sku.as_str()).bind(false).bind(now);
        let Some(after) = after.optional::<Stock>().await? else { continue };
        let movement = Movement::new(Kind::Track, Actor::Import, &after).because(Some("off"));
        record(tx, &[movement]).await?;
    }
    Ok(())
}
