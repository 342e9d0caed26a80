//! Laying a catalog file over the shop: read on a thread of its own, written in batches.

use std::collections::BTreeMap;
use std::io::{BufRead, Seek};

use serde::Serialize;
use stoa_core::catalog::images::ImageCopier;
use stoa_core::catalog::import::{
    Format, LeftOutColumn, Outcome, ReadItem, ReadSettings, RecordReader, UnreadableFile,
};
use stoa_core::catalog::write::{CatalogWriter, Change, Mode};
use stoa_core::catalog::{Doubt, DoubtKind, Record, doubts};
use stoa_core::config::Config;
use stoa_core::db::Db;
use stoa_core::module::Registry;
use tokio::sync::mpsc;

use crate::failure::Failure;
use crate::imported_images::{ImageCounts, ImportedImages};

/// Records of one transaction.
const BATCH: usize = 500;

/// Items on their way from the reading thread.
const IN_FLIGHT: usize = 4;

/// A line that was refused or left out.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Remark {
    /// Line of the file, from 1.
    pub(crate) line: u64,
    /// Column of a CSV file or member of a JSON line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<String>,
    /// What is wrong and what was expected.
    pub(crate) reason: String,
}

/// What became of the records of one kind.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) created: u64,
    pub(crate) updated: u64,
    pub(crate) unchanged: u64,
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
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ColumnLeftOut {
    pub(crate) column: String,
    /// How many rows say something there that was not taken over.
    pub(crate) rows: u64,
}

/// What came of a file.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) created: u64,
    pub(crate) updated: u64,
    pub(crate) unchanged: u64,
    pub(crate) products: Counts,
    pub(crate) categories: Counts,
    /// Records that were refused; each may have several remarks.
    pub(crate) refused: u64,
    /// Why records were refused.
    pub(crate) rejections: Vec<Remark>,
    /// What was left out on purpose.
    pub(crate) notices: Vec<Remark>,
    /// Filled columns of which something was not taken over.
    pub(crate) columns_left_out: Vec<ColumnLeftOut>,
    pub(crate) pictures: ImageCounts,
    /// The format that the file turned out to have.
    #[serde(skip)]
    pub(crate) format: Option<Format>,
}

/// How far the reading has come.
pub(crate) trait Progress: Send + 'static {
    /// So many bytes of the file are read.
    fn bytes(&mut self, read: u64);
    /// A line to show now, above any progress bar.
    fn remark(&mut self, kind: RemarkKind, remark: &Remark);
}

/// Whether a remark is about a refused record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemarkKind {
    /// The record was refused.
    Refused,
    /// Something was left out on purpose.
    Notice,
}

/// A file to be laid over the catalog.
pub(crate) struct CatalogFile<R> {
    pub(crate) source: R,
    pub(crate) name: String,
    pub(crate) format: Option<Format>,
    pub(crate) settings: ReadSettings,
    /// Copies images, where they are to be copied.
    pub(crate) images: Option<ImageCopier>,
}

/// What is known once a file is read to its end.
struct ReadToEnd {
    format: Format,
    left_out: Vec<LeftOutColumn>,
}

/// The shop that a file is laid over.
pub(crate) struct Shop<'a> {
    pub(crate) db: &'a Db,
    pub(crate) registry: &'a Registry,
    pub(crate) config: &'a Config,
}

struct Batch {
    items: Vec<ReadItem>,
    bytes: u64,
}

impl<R: BufRead + Seek + Send + 'static> CatalogFile<R> {
    /// Reads the file to its end and writes what it holds. The error is about the file as a whole
    /// or the database; refused records are in the summary.
    pub(crate) async fn lay_over(
        mut self,
        shop: &Shop<'_>,
        mode: Mode,
        progress: &mut impl Progress,
    ) -> Result<Summary, Failure> {
        let (sender, mut batches) = mpsc::channel(IN_FLIGHT);
        let name = self.name.clone();
        let mut images = ImportedImages::new(self.images.take());
        let reading = tokio::task::spawn_blocking(move || self.read(&sender));
        let mut writer = CatalogWriter::new(shop.db, shop.registry, mode);
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
                Ok(summary)
            }
            Err(unreadable) => Err(Failure::operation(format!("{name}: {unreadable}"))),
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
    async fn import_batch(
        &mut self,
        items: Vec<ReadItem>,
        writer: &mut CatalogWriter<'_>,
        images: &mut ImportedImages,
        shop: &Shop<'_>,
        unknown: &mut Unknown,
        progress: &mut impl Progress,
    ) -> Result<(), Failure> {
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
                unknown.note(line, doubts(record, shop.config, shop.registry));
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
