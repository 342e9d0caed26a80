//! Laying a catalog file over the shop: read on a thread of its own, written in batches.

mod images;

use std::collections::BTreeMap;
use std::io::{BufRead, Seek};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::module::ProductModules;
use tokio::sync::mpsc;

pub use images::ImageCounts;

use self::images::ImportedImages;
use super::images::ImageCopier;
use super::import::{Format, LeftOutColumn, Outcome, ReadItem, ReadSettings, RecordReader, UnreadableFile};
use super::write::{CatalogWriter, Change, Mode, WriteCatalogError};
use super::{Doubt, DoubtKind, Record, doubts};

/// Records of one transaction.
const BATCH: usize = 500;

/// Items on their way from the reading thread.
const IN_FLIGHT: usize = 4;

/// A line that was refused or left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// Line of the file, from 1.
    pub line: u64,
    /// Column of a CSV file or member of a JSON line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// What is wrong and what was expected.
    pub reason: String,
}

/// What became of the records of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Made.
    pub created: u64,
    /// Changed.
    pub updated: u64,
    /// Left as they were.
    pub unchanged: u64,
}

impl Counts {
    const fn count(&mut self, change: Change) {
        match change {
            Change::Created => self.created += 1,
            Change::Updated => self.updated += 1,
            Change::Unchanged => self.unchanged += 1,
        }
    }
}

/// A column of which something was not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnLeftOut {
    /// The column.
    pub column: String,
    /// How many rows say something there that was not taken over.
    pub rows: u64,
}

/// What came of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Records that made something new.
    pub created: u64,
    /// Records that changed something.
    pub updated: u64,
    /// Records that said what was stored already.
    pub unchanged: u64,
    /// The products among them.
    pub products: Counts,
    /// The categories among them.
    pub categories: Counts,
    /// Records that were refused; each may have several remarks.
    pub refused: u64,
    /// Why records were refused.
    pub rejections: Vec<Remark>,
    /// What was left out on purpose.
    pub notices: Vec<Remark>,
    /// Filled columns of which something was not taken over.
    pub columns_left_out: Vec<ColumnLeftOut>,
    /// The images that it names.
    pub pictures: ImageCounts,
    /// The format that the file turned out to have.
    #[serde(skip)]
    pub format: Option<Format>,
}

/// How far the reading has come.
pub trait Progress: Send + 'static {
    /// So many bytes of the file are read.
    fn bytes(&mut self, read: u64);
    /// A line to show now, above any progress bar.
    fn remark(&mut self, kind: RemarkKind, remark: &Remark);
}

/// Whether a remark is about a refused record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemarkKind {
    /// The record was refused.
    Refused,
    /// Something was left out on purpose.
    Notice,
}

/// A file to be laid over the catalog.
pub struct CatalogFile<R> {
    /// What is read.
    pub source: R,
    /// What it is called.
    pub name: String,
    /// Its format; recognized where it is left out.
    pub format: Option<Format>,
    /// What reading depends on besides.
    pub settings: ReadSettings,
    /// Copies images, where they are to be copied.
    pub images: Option<ImageCopier>,
}

/// What is known once a file is read to its end.
struct ReadToEnd {
    format: Format,
    left_out: Vec<LeftOutColumn>,
}

/// The shop that a file is laid over.
pub struct Shop<'a> {
    /// Its database.
    pub db: &'a Db,
    /// The linked modules.
    pub modules: &'a ProductModules,
    /// Its configuration.
    pub config: &'a Config,
}

/// Why a file was not laid over the shop. What was written before stays.
#[derive(Debug, thiserror::Error)]
pub enum LayOverError {
    /// The file cannot be read.
    #[error("{name}: {problem}")]
    Unreadable {
        /// What the file is called.
        name: String,
        /// What is wrong with it.
        problem: UnreadableFile,
    },
    /// The catalog cannot be written.
    #[error(transparent)]
    Write(#[from] WriteCatalogError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The thread that reads it has ended.
    #[error("the reading of the file broke off")]
    BrokeOff(#[from] tokio::task::JoinError),
}

struct Batch {
    items: Vec<ReadItem>,
    bytes: u64,
}

impl<R: BufRead + Seek + Send + 'static> CatalogFile<R> {
    /// Reads the file to its end and writes what it holds. The error is about the file as a whole
    /// or the database; refused records are in the summary.
    pub async fn lay_over(
        mut self,
        shop: &Shop<'_>,
        mode: Mode,
        progress: &mut impl Progress,
    ) -> Result<Summary, LayOverError> {
        let (sender, mut batches) = mpsc::channel(IN_FLIGHT);
        let name = self.name.clone();
        let mut images = ImportedImages::new(self.images.take());
        let reading = tokio::task::spawn_blocking(move || self.read(&sender));
        let mut writer = CatalogWriter::new(shop.db, shop.modules, mode);
        let mut summary = Summary::default();
        let mut unknown = Unknown::default();
        while let Some(batch) = batches.recv().await {
            summary.import_batch(batch.items, &mut writer, &mut images, shop, &mut unknown, progress).await?;
            progress.bytes(batch.bytes);
        }
        for remark in unknown.remarks() {
            progress.remark(RemarkKind::Notice, &remark);
            summary.notices.push(remark);
        }
        match reading.await? {
            Ok(read) => {
                let left_out = read.left_out.into_iter();
                let left_out = left_out.map(|LeftOutColumn { name, rows }| ColumnLeftOut { column: name, rows });
                summary.columns_left_out = left_out.collect();
                summary.format = Some(read.format);
                summary.pictures = images.counts();
                if mode == Mode::Write {
                    summary.audit(shop.db, &name).await?;
                }
                Ok(summary)
            }
            Err(problem) => Err(LayOverError::Unreadable { name, problem }),
        }
    }

    fn read(self, sender: &mpsc::Sender<Batch>) -> Result<ReadToEnd, UnreadableFile> {
        let mut reader = RecordReader::open(self.source, self.format, &self.name, self.settings)?;
        let mut items = Vec::with_capacity(BATCH);
        while let Some(item) = reader.next() {
            items.push(item?);
            if items.len() == BATCH {
                let batch = Batch { items: std::mem::take(&mut items), bytes: reader.bytes_read() };
                if sender.blocking_send(batch).is_err() {
                    // The writing side has failed and says why.
                    break;
                }
            }
        }
        let _ = sender.blocking_send(Batch { items, bytes: reader.bytes_read() });
        Ok(ReadToEnd { format: reader.format(), left_out: reader.left_out() })
    }
}

impl Summary {
    /// Writes down that a file was imported; what it has changed stands in rows of its own.
    async fn audit(&self, db: &Db, name: &str) -> Result<(), DbError> {
        let after = json!({"created": self.created, "updated": self.updated, "refused": self.refused});
        let subject = Subject::new("import", name);
        db.write(async |tx| tx.audit_operator("products.import", subject.clone(), Value::Null, after.clone()).await)
            .await
    }

    async fn import_batch(
        &mut self,
        items: Vec<ReadItem>,
        writer: &mut CatalogWriter<'_>,
        images: &mut ImportedImages,
        shop: &Shop<'_>,
        unknown: &mut Unknown,
        progress: &mut impl Progress,
    ) -> Result<(), WriteCatalogError> {
        let mut lines = Vec::new();
        let mut records: Vec<Record> = Vec::new();
        for item in items {
            match item.outcome {
                Outcome::Record(record) => {
                    lines.push(item.line);
                    records.push(record);
                }
                Outcome::Rejected(rejection) => {
                    self.refused += 1;
                    for problem in rejection.problems {
                        let column = problem.place.map(|place| place.name().to_owned());
                        self.reject(Remark { line: problem.line, column, reason: problem.reason }, progress);
                    }
                }
                Outcome::Notice(notice) => {
                    let column = notice.place.map(|place| place.name().to_owned());
                    let remark = Remark { line: item.line, column, reason: notice.reason };
                    progress.remark(RemarkKind::Notice, &remark);
                    self.notices.push(remark);
                }
            }
        }
        if records.is_empty() {
            return Ok(());
        }
        for remark in images.copy(&lines, &mut records).await {
            progress.remark(RemarkKind::Notice, &remark);
            self.notices.push(remark);
        }
        let outcomes = writer.write(&records).await?;
        for ((line, record), outcome) in lines.into_iter().zip(&mut records).zip(outcomes) {
            if matches!(outcome, Ok(Change::Created | Change::Updated)) {
                unknown.note(line, doubts(record, shop.config, shop.modules));
            }
            match outcome {
                Ok(change) => {
                    images.count(record);
                    match record {
                        Record::Product(_) => self.products.count(change),
                        Record::Category(_) => self.categories.count(change),
                    }
                    match change {
                        Change::Created => self.created += 1,
                        Change::Updated => self.updated += 1,
                        Change::Unchanged => self.unchanged += 1,
                    }
                }
                Err(problems) => {
                    self.refused += 1;
                    for problem in problems {
                        self.reject(Remark { line, column: Some(problem.member), reason: problem.reason }, progress);
                    }
                }
            }
        }
        Ok(())
    }

    fn reject(&mut self, remark: Remark, progress: &mut impl Progress) {
        progress.remark(RemarkKind::Refused, &remark);
        self.rejections.push(remark);
    }
}

/// What a file names and the shop knows nothing of, each told once however many lines name it.
#[derive(Default)]
struct Unknown(BTreeMap<(DoubtKind, String), Mentioned>);

/// Where something is named.
struct Mentioned {
    line: u64,
    member: String,
    more: u64,
}

impl Unknown {
    fn note(&mut self, line: u64, doubts: Vec<Doubt>) {
        // What a module needs that is off, the doctor tells for the whole shop.
        for Doubt { member, kind, reason } in doubts.into_iter().filter(|doubt| doubt.kind != DoubtKind::CapabilityOff)
        {
            let first = Mentioned { line, member, more: 0 };
            self.0.entry((kind, reason)).and_modify(|named| named.more += 1).or_insert(first);
        }
    }

    /// In the order of the file.
    fn remarks(self) -> Vec<Remark> {
        let remarks = self.0.into_iter().map(|((_, reason), named)| {
            let more = match named.more {
                0 => String::new(),
                1 => String::from(" (named once more)"),
                more => format!(" (named {more} times more)"),
            };
            Remark { line: named.line, column: Some(named.member), reason: format!("{reason}{more}") }
        });
        let mut remarks = remarks.collect::<Vec<_>>();
        remarks.sort_by_key(|remark| remark.line);
        remarks
    }
}
