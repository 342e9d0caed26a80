//! Putting products on a test shop's shelf.

use std::io::Cursor;

use serde_json::Value;

use stoa_catalog::Record;
use stoa_catalog::import::{Format, Outcome, ReadSettings, RecordReader, TagUse};
use stoa_catalog::write::{CatalogWriter, Change, Mode, RecordProblem};
use stoa_kernel::money::Currency;

use super::shop::TestShop;

/// Lines of the import format `stoa`, as the importer reads them.
pub fn records(lines: &[Value]) -> Vec<Record> {
    let text = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let settings = ReadSettings {
        currency: Currency::EUR,
        now: chrono::DateTime::UNIX_EPOCH,
        stock_module: None,
        tags: TagUse::LeftOut,
    };
    let reader =
        RecordReader::open(Cursor::new(text), Some(Format::Stoa), "test", settings).expect("lines are readable");
    let records = reader.map(|item| match item.expect("lines are readable").outcome {
        Outcome::Record(record) => record,
        other => panic!("no record: {other:?}"),
    });
    records.collect()
}

impl TestShop {
    /// Imports lines of the format `stoa` and returns what became of each.
    pub async fn import(&self, lines: &[Value]) -> Vec<Result<Change, Vec<RecordProblem>>> {
        let mut writer = CatalogWriter::new(&self.parts.db, &self.registry, Mode::Write);
        let outcomes = writer.write(&records(lines)).await.expect("the database takes them");
        self.refresh_catalog().await;
        outcomes
    }

    /// Imports categories and products that are all accepted.
    pub async fn stock(&self, lines: &[Value]) {
        for outcome in self.import(lines).await {
            outcome.expect("the line is accepted");
        }
    }
}
