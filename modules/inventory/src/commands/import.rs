//! Taking over a file of counted stock.

use std::path::PathBuf;

use serde::Serialize;
use stoa_core::catalog::lock_catalog;
use stoa_core::prelude::*;

use crate::change::{ChangeError, Wish, change};
use crate::config::Config;
use crate::settings::MOST_PIECES;
use crate::stock_file::{BadLine, StockLine, read};

/// Lines of one transaction.
const BATCH: usize = 200;

pub(super) struct Import {
    pub(super) file: PathBuf,
    pub(super) delta: bool,
    pub(super) dry_run: bool,
    pub(super) reason: Option<String>,
    pub(super) json: bool,
}

/// What came of a file.
#[derive(Debug, Default, Serialize)]
struct Summary {
    /// Lines that were taken.
    taken: u64,
    /// Lines that were not.
    refused: u64,
    /// Why.
    rejections: Vec<BadLine>,
}

/// Why a batch is not kept.
enum Undone {
    /// It was only tried.
    Tried(Vec<BadLine>),
    Failed(DbError),
}

impl From<DbError> for Undone {
    fn from(error: DbError) -> Self {
        Self::Failed(error)
    }
}

impl Import {
    pub(super) async fn run(self, cx: &CommandContext, config: Config) -> Result<(), Failure> {
        let path = cx.folder.join(&self.file);
        let file = read(&path)?;
        let name = self.file.display().to_string();
        let reason = self.reason.clone().unwrap_or_else(|| name.clone());
        let mut summary = Summary { rejections: file.bad, ..Summary::default() };
        for batch in file.lines.chunks(BATCH) {
            let written = cx.parts.db.write(async |tx| self.import_batch(tx, config, batch, &reason).await).await;
            let bad = match written {
                Ok(bad) | Err(Undone::Tried(bad)) => bad,
                Err(Undone::Failed(error)) => return Err(error.into()),
            };
            summary.taken += (batch.len() - bad.len()) as u64;
            summary.rejections.extend(bad);
        }
        summary.rejections.sort_by_key(|bad| bad.line);
        summary.refused = summary.rejections.len() as u64;
        self.print_summary(cx, &name, &summary)
    }

    async fn import_batch(
        &self,
        tx: &mut Tx,
        config: Config,
        batch: &[StockLine],
        reason: &str,
    ) -> Result<Vec<BadLine>, Undone> {
        lock_catalog(tx).await?;
        let mut bad = Vec::new();
        // Sorted by SKU already.
        for line in batch {
            let wish = match self.wish(line.quantity) {
                Ok(wish) => wish,
                Err(reason) => {
                    bad.push(BadLine { line: line.line, reason });
                    continue;
                }
            };
            match change(tx, config, &line.sku, wish, Some(reason)).await {
                Ok(_) => {}
                Err(ChangeError::Db(error)) => return Err(Undone::Failed(error)),
                Err(refusal) => bad.push(BadLine { line: line.line, reason: refusal.to_string() }),
            }
        }
        if self.dry_run { Err(Undone::Tried(bad)) } else { Ok(bad) }
    }

    fn wish(&self, quantity: i64) -> Result<Wish, String> {
        let least = if self.delta { -MOST_PIECES } else { 0 };
        if !(least..=MOST_PIECES).contains(&quantity) {
            return Err(format!("{quantity} is no number of pieces from {least} to {MOST_PIECES}"));
        }
        Ok(if self.delta { Wish::Adjust(quantity) } else { Wish::Count(quantity) })
    }

    fn print_summary(&self, cx: &CommandContext, name: &str, summary: &Summary) -> Result<(), Failure> {
        if self.json {
            cx.output.json(summary)?;
        } else {
            let would = if self.dry_run { "would be " } else { "" };
            cx.output.line(&format!("{would}taken {}, refused {}", summary.taken, summary.refused))?;
        }
        if summary.rejections.is_empty() {
            return Ok(());
        }
        let lines = summary.rejections.iter().map(|bad| format!("{name}: line {}: {}", bad.line, bad.reason));
        Err(Failure::operation(lines.collect::<Vec<_>>().join("\n")))
    }
}
