//! Taking over a file of counted stock, at the command line and in the console.

use stoa_core::catalog::lock_catalog;
use stoa_core::prelude::*;

use crate::change::{ChangeError, Wish, change};
use crate::config::Config;
use crate::settings::MOST_PIECES;
use crate::stock_file::{BadLine, StockFile, StockLine};

/// Lines of one transaction.
const BATCH: usize = 200;

/// How a file is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StockImport<'a> {
    /// The quantities are pieces more, or fewer, instead of pieces on hand.
    pub(crate) delta: bool,
    /// Everything is checked and nothing written.
    pub(crate) dry_run: bool,
    /// Why, for the history.
    pub(crate) reason: &'a str,
}

/// What came of a file.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    /// Lines that were taken.
    pub(crate) taken: u64,
    /// Lines that were not.
    pub(crate) refused: u64,
    /// Why.
    pub(crate) rejections: Vec<BadLine>,
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

impl StockImport<'_> {
    /// Takes what can be taken of a file.
    pub(crate) async fn run(&self, db: &Db, config: Config, file: StockFile) -> Result<Summary, DbError> {
        let mut summary = Summary { rejections: file.bad, ..Summary::default() };
        for batch in file.lines.chunks(BATCH) {
            let written = db.write(async |tx| self.import_batch(tx, config, batch).await).await;
            let bad = match written {
                Ok(bad) | Err(Undone::Tried(bad)) => bad,
                Err(Undone::Failed(error)) => return Err(error),
            };
            summary.taken += (batch.len() - bad.len()) as u64;
            summary.rejections.extend(bad);
        }
        summary.rejections.sort_by_key(|bad| bad.line);
        summary.refused = summary.rejections.len() as u64;
        Ok(summary)
    }

    async fn import_batch(&self, tx: &mut Tx, config: Config, batch: &[StockLine]) -> Result<Vec<BadLine>, Undone> {
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
            match change(tx, config, &line.sku, wish, Some(self.reason)).await {
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
}
