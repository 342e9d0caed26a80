//! Files that were uploaded to be imported: tried at once, and imported by the queue, so that neither a reload nor a restart
//! loses them.

mod queries;
mod task;

use std::io::Cursor;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_kernel::audit::Subject;
use stoa_kernel::config::Config;
use stoa_kernel::console::{MOST_COUNTED, RowCount};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::module::{ModuleContext, ProductModules};
use stoa_kernel::money::Currency;
use stoa_kernel::retention::Expired;

use super::file::{CatalogFile, LayOverError, Progress, Remark, RemarkKind, Shop, Summary};
use super::images::ImageCopier;
use super::import::{Format, ReadSettings, TagUse};
use super::write::Mode;
use task::RunImport;

/// Days for which imports are kept.
const KEPT: i64 = 30;

/// The most remarks of each kind that a report keeps.
const MOST_REMARKS: usize = 500;

/// How a file is to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportSettings {
    /// `stoa`, `shopify` or `woocommerce`; recognized where it is left out.
    pub format: Option<String>,
    /// Whether each of Shopify's tags becomes a category.
    pub tags_as_categories: bool,
    /// Whether images that lie on other servers are copied.
    pub fetch_images: bool,
    /// The module that takes the stock which CSV files tell of.
    pub stock_module: Option<String>,
}

impl ImportSettings {
    fn format(&self) -> Option<Format> {
        let formats = [Format::Stoa, Format::Shopify, Format::Woocommerce];
        formats.into_iter().find(|format| self.format.as_deref() == Some(format.as_str()))
    }
}

/// A file that was uploaded.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Import {
    /// The import's id.
    pub id: i64,
    /// What the file is called.
    pub file_name: String,
    /// How large it is.
    pub size_bytes: i64,
    /// How it is read.
    pub settings: Json<ImportSettings>,
    /// `tried`, `waiting`, `running`, `done` or `failed`.
    pub state: String,
    /// Who has uploaded it, or has it imported.
    pub actor: String,
    /// How far the reading has come.
    pub read_bytes: i64,
    /// What came of it, or would come of it.
    pub report: Option<Json<Summary>>,
    /// Why nothing came of it.
    pub problem: Option<String>,
    /// When it was uploaded.
    pub created_at: DateTime<Utc>,
    /// When it was through.
    pub finished_at: Option<DateTime<Utc>>,
}

/// The shop that files are imported into.
pub struct ImportInto<'a> {
    /// Its database.
    pub db: &'a Db,
    /// The linked modules.
    pub modules: &'a ProductModules,
    /// Its configuration.
    pub config: &'a Config,
    /// Its currency.
    pub currency: Currency,
    /// The present.
    pub now: DateTime<Utc>,
}

impl ImportInto<'_> {
    async fn lay_over(
        &self,
        name: &str,
        content: Vec<u8>,
        settings: &ImportSettings,
        mode: Mode,
        progress: &mut impl Progress,
    ) -> Result<Summary, LayOverError> {
        let copies = settings.fetch_images && mode == Mode::Write;
        // Without a copier, images keep their addresses, and the report says where they lie.
        let images = copies.then(|| ImageCopier::new(self.config).ok()).flatten();
        let file = CatalogFile {
            source: Cursor::new(content),
            name: name.to_owned(),
            format: settings.format(),
            settings: ReadSettings {
                currency: self.currency,
                now: self.now,
                stock_module: settings.stock_module.clone(),
                tags: if settings.tags_as_categories { TagUse::Categories } else { TagUse::LeftOut },
            },
            images,
        };
        let shop = Shop { db: self.db, modules: self.modules, config: self.config };
        let mut summary = file.lay_over(&shop, mode, progress).await?;
        summary.rejections.truncate(MOST_REMARKS);
        summary.notices.truncate(MOST_REMARKS);
        Ok(summary)
    }
}

struct Silent;

impl Progress for Silent {
    fn bytes(&mut self, _: u64) {}
    fn remark(&mut self, _: RemarkKind, _: &Remark) {}
}

/// Tries a file, and keeps it with what would come of it. Nothing is imported yet.
pub async fn try_import(
    into: &ImportInto<'_>,
    name: &str,
    content: Vec<u8>,
    settings: &ImportSettings,
) -> Result<i64, LayOverError> {
    let report = into.lay_over(name, content.clone(), settings, Mode::DryRun, &mut Silent).await?;
    let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
    let id = into.db.write(async |tx| {
        let (now, acting) = (tx.now(), tx.acting().clone());
        let insert = tx.run(queries::INSERT).bind(name).bind(size).bind(written(settings)).bind(content.clone());
        let insert = insert.bind(acting.actor.to_string()).bind(acting.address.map(|address| address.to_string()));
        let id = insert.bind(written(&report)).bind(now).scalar::<i64>().await?;
        tx.audit_operator("imports.try", Subject::new("import", id), Value::Null, json!({"file": name})).await?;
        Ok::<_, DbError>(id)
    });
    Ok(id.await?)
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("reports and settings have a JSON form")
}

/// Has a file that was tried be imported, by whoever asks. False where that was asked for already.
pub async fn ask_for_import(db: &Db, id: i64) -> Result<bool, DbError> {
    db.write(async |tx| {
        let acting = tx.acting().clone();
        let ask = tx.run(queries::ASK_FOR).bind(id).bind(acting.actor.to_string());
        let asked = ask.bind(acting.address.map(|address| address.to_string())).execute().await? > 0;
        if asked {
            tx.enqueue(&RunImport { import_id: id })?;
            tx.audit_operator("imports.run", Subject::new("import", id), Value::Null, Value::Null).await?;
        }
        Ok(asked)
    })
    .await
}

/// An import, if there is such a one.
pub async fn find_import(db: &Db, id: i64) -> Result<Option<Import>, DbError> {
    db.read(queries::BY_ID).bind(id).optional().await
}

/// Imports before one, the newest first.
pub async fn list_imports(db: &Db, before: Option<i64>, limit: i64) -> Result<Vec<Import>, DbError> {
    db.read(queries::BEFORE).bind(before.unwrap_or(i64::MAX)).bind(limit).all().await
}

/// How many imports are kept.
pub async fn count_imports(db: &Db) -> Result<RowCount, DbError> {
    let number = db.read(queries::COUNT).bind(MOST_COUNTED + 1).scalar::<i64>().await?;
    Ok(RowCount::of(number))
}

pub(super) fn register(cx: &mut ModuleContext<'_>) {
    cx.task::<RunImport>(task::Importer);
    cx.expires(&[Expired {
        what: "uploaded catalog files",
        delete: queries::DELETE_OLD,
        before: |_, now| now - TimeDelta::days(KEPT),
    }]);
}
