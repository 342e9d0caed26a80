//! Following the database: noticing a new version, and taking it over.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLockWriteGuard};
use std::time::Duration;

use serde_json::{Map, Value};
use sqlx::types::Json;
use tokio_util::sync::CancellationToken;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::fold::fold;

use super::browse::TraitRow;
use super::index::{CategoryNode, ListingIndex, Texts, TextsEntry};
use super::prices::{PriceFacts, settings_for_prices};
use super::queries;
use super::state::{Catalog, Frame};

/// Rows read at once while the texts are taken over.
const SLICE: i64 = 2_000;

/// Texts taken over before requests get their turn: a fraction of a millisecond's work. A shop of a hundred thousand products
/// has a second of it when it starts.
const AT_A_TIME: usize = 32;

/// How long to wait before following again after the database failed.
const RETRY: Duration = Duration::from_secs(1);

#[derive(sqlx::FromRow)]
struct TextRow {
    name_folded: String,
    description: Option<String>,
    capabilities: Json<Vec<String>>,
    #[sqlx(flatten)]
    traits: TraitRow,
}

/// Why the catalog could not start.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The database failed.
    #[error("the catalog could not be read")]
    Db(#[from] DbError),
}

/// The listing of a version that has been read before.
async fn read_listing(db: &Db, version: i64, arranged: i64) -> Result<ListingIndex, DbError> {
    let order = db.read(queries::LISTING).scalar::<Option<String>>().await?.unwrap_or_default();
    let categories = db.read(queries::CATEGORIES).all::<CategoryNode>().await?;
    Ok(ListingIndex::new(version, arranged, &order, categories))
}

/// The listing as it is in the database now.
pub(super) async fn stored_listing(db: &Db) -> Result<ListingIndex, DbError> {
    let (version, arranged) = db.read(queries::VERSION).one::<(i64, i64)>().await?;
    read_listing(db, version, arranged).await
}

impl Catalog {
    /// Reads the listing, so that lists can be answered. The texts follow with [`Catalog::follow`].
    pub async fn start(&self, db: &Db, frame: Frame) -> Result<(), CatalogError> {
        // A second start finds the frame of the first, which is the same.
        let _ = self.frame.set(frame);
        self.refresh_listing(db).await?;
        Ok(())
    }

    /// Keeps up with the database until `stop` is cancelled.
    pub async fn follow(&self, db: &Db, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            let followed = tokio::select! {
                () = stop.cancelled() => return,
                followed = self.follow_once(db) => followed,
            };
            if let Err(error) = followed {
                tracing::error!(error = &error as &dyn std::error::Error, "the catalog lost sight of the database");
                tokio::time::sleep(RETRY).await;
            }
        }
    }

    async fn follow_once(&self, db: &Db) -> Result<(), DbError> {
        let mut watch = db.watch().await?;
        loop {
            self.refresh(db).await?;
            watch.changed().await?;
        }
    }

    /// Takes over the newest version, if it is not known yet.
    pub async fn refresh(&self, db: &Db) -> Result<(), DbError> {
        self.refresh_listing(db).await?;
        self.refresh_texts(db).await
    }

    async fn refresh_listing(&self, db: &Db) -> Result<(), DbError> {
        // One at a time: who read an older version and was slower must not put it in place of a newer one.
        let _turn = self.refreshing.lock().await;
        let (version, arranged) = db.read(queries::VERSION).one::<(i64, i64)>().await?;
        let known = self.listing_index();
        if version == known.version {
            return Ok(());
        }
        let listing = if arranged == known.arranged {
            known.at(version)
        } else {
            // Read after the version: it may be newer than that, never older.
            read_listing(db, version, arranged).await?
        };
        self.put_listing(Arc::new(listing));
        self.product_cache.clear();
        self.answers.clear();
        Ok(())
    }

    async fn refresh_texts(&self, db: &Db) -> Result<(), DbError> {
        let _turn = self.refreshing.lock().await;
        let listing = self.listing_index();
        let known = *self.texts_version.borrow();
        if known >= listing.version {
            return Ok(());
        }
        if known >= listing.arranged {
            // Neither a text nor the order has changed since.
            self.texts_version.send_replace(listing.version);
            return Ok(());
        }
        let mut after = 0;
        loop {
            let slice = db.read(queries::CHANGED_TEXTS).bind(known).bind(after).bind(SLICE);
            let rows = slice.all::<TextRow>().await?;
            let Some(last) = rows.last() else { break };
            after = last.traits.id;
            let ids = rows.iter().map(|row| row.traits.id).collect::<Vec<_>>();
            let mut settings = settings_for_prices(db, &self.frame().selling, &ids).await?;
            for few in rows.chunks(AT_A_TIME) {
                self.put_texts(few, &mut settings);
                tokio::task::yield_now().await;
            }
        }
        self.texts_mut().arrange(&listing);
        let listed = listing.all().iter().copied().collect::<HashSet<_>>();
        self.traits.write().unwrap_or_else(PoisonError::into_inner).keep(|id| listed.contains(&id));
        self.texts_version.send_replace(listing.version);
        // Searches do not wait for this.
        while self.texts_mut().forget_gone() {}
        Ok(())
    }

    /// Reads what modules let products be chosen by, if it is older than the listing of `version`. Nobody needs it but who browses.
    pub(super) async fn follow_facets(&self, version: i64) -> Result<(), DbError> {
        let facets = &self.frame().facets;
        if facets.is_empty() {
            return Ok(());
        }
        let mut known = self.facets_version.lock().await;
        if *known < version {
            let read = facets.read().await?;
            self.traits.write().unwrap_or_else(PoisonError::into_inner).put_modules(read);
            *known = version;
        }
        Ok(())
    }

    /// Takes over products, with what the modules that have a say in prices keep about them.
    fn put_texts(&self, rows: &[TextRow], settings: &mut HashMap<i64, Map<String, Value>>) {
        let available = &self.frame().capabilities;
        for row in rows {
            let description_folded = row.description.as_deref().map(fold).unwrap_or_default();
            let entry = TextsEntry {
                product_id: row.traits.id,
                name_folded: &row.name_folded,
                description_folded: &description_folded,
                available: row.capabilities.iter().all(|key| available.binary_search(&key.as_str()).is_ok()),
            };
            // Locked for one product at a time, so that searches are not kept waiting.
            self.texts_mut().put(&entry);
            let settings = settings.remove(&row.traits.id);
            let priced_by = settings.map(|settings| PriceFacts { capabilities: row.capabilities.0.clone(), settings });
            self.traits.write().unwrap_or_else(PoisonError::into_inner).put(&row.traits, priced_by);
        }
    }

    fn texts_mut(&self) -> RwLockWriteGuard<'_, Texts> {
        self.texts.write().unwrap_or_else(PoisonError::into_inner)
    }
}
