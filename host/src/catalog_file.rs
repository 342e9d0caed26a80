//! Laying a catalog file over the shop: read on a thread of its own, written in batches.

use std::io::BufRead;

use serde::Serialize;
use stoa_core::catalog::Record;
use stoa_core::catalog::import::{Format, Outcome, ReadItem, ReadSettings, RecordReader};
use stoa_core::catalog::write::{CatalogWriter, Change, Mode};
use stoa_core::db::Db;
use stoa_core::module::Registry;
use tokio::sync::mpsc;

use crate::failure::Failure;

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

/// What came of a file.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) created: u64,
    pub(crate) updated: u64,
    pub(crate) unchanged: u64,
    /// Records that were refused; each may have several remarks.
    pub(crate) refused: u64,
    /// Why records were refused.
    pub(crate) rejections: Vec<Remark>,
    /// What was left out on purpose.
    pub(crate) notices: Vec<Remark>,
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
}

struct Batch {
    items: Vec<ReadItem>,
    bytes: u64,
}

impl<R: BufRead + Send + 'static> CatalogFile<R> {
    /// Reads the file to its end and writes what it holds. The error is about the file as a whole
    /// or the database; refused records are in the summary.
    pub(crate) async fn lay_over(
        self,
        db: &Db,
        registry: &Registry,
        mode: Mode,
        progress: &mut impl Progress,
    ) -> Result<Summary, Failure> {
        let (sender, mut batches) = mpsc::channel(IN_FLIGHT);
        let name = self.name.clone();
        let reading = tokio::task::spawn_blocking(move || self.read(&sender));
        let mut writer = CatalogWriter::new(db, registry, mode);
        let mut summary = Summary::default();
        while let Some(batch) = batches.recv().await {
            summary.take(batch.items, &mut writer, progress).await?;
            progress.bytes(batch.bytes);
        }
        match reading.await? {
            Ok(()) => Ok(summary),
            Err(unreadable) => Err(Failure::operation(format!("{name}: {unreadable}"))),
        }
    }

    fn read(self, sender: &mpsc::Sender<Batch>) -> Result<(), stoa_core::catalog::import::UnreadableFile> {
        let mut reader = RecordReader::open(self.source, self.format, &self.name, self.settings)?;
        let mut items = Vec::with_capacity(BATCH);
        while let Some(item) = reader.next() {
            items.push(item?);
            if items.len() == BATCH {
                let batch = Batch { items: std::mem::take(&mut items), bytes: reader.bytes_read() };
                if sender.blocking_send(batch).is_err() {
                    // The writing side has failed and says why.
                    return Ok(());
                }
            }
        }
        let _ = sender.blocking_send(Batch { items, bytes: reader.bytes_read() });
        Ok(())
    }
}

impl Summary {
    async fn take(
        &mut self,
        items: Vec<ReadItem>,
        writer: &mut CatalogWriter<'_>,
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
        let outcomes = writer.write(&records).await?;
        for (line, outcome) in lines.into_iter().zip(outcomes) {
            match outcome {
                Ok(Change::Created) => self.created += 1,
                Ok(Change::Updated) => self.updated += 1,
                Ok(Change::Unchanged) => self.unchanged += 1,
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
