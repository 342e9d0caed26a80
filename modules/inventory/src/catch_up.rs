//! Looking at products that changed while nobody here looked: those that were imported while the module was off, or by a
//! program without it.

use stoa_core::catalog::lock_catalog;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::products::{ProductFacts, ProductRow, take_in};
use crate::queries;

/// Products of one transaction.
const SLICE: i64 = 200;

/// Takes over what was missed. Does next to nothing when nothing was.
pub(crate) async fn catch_up(db: &Db, config: Config) -> Result<(), DbError> {
    let (version, seen) = db.read(queries::VERSIONS).one::<(i64, i64)>().await?;
    if seen >= version {
        return Ok(());
    }
    let mut after = 0;
    loop {
        let last = db.write(async |tx| take_slice(tx, config, seen, after).await).await?;
        let Some(last) = last else { break };
        after = last;
    }
    db.write(async |tx| tx.run(queries::SEEN).bind(version).execute().await).await.map(drop)
}

/// Takes a slice in, and returns the last id of it.
async fn take_slice(tx: &mut Tx, config: Config, seen: i64, after: i64) -> Result<Option<i64>, DbError> {
    lock_catalog(tx).await?;
    let rows = tx.run(queries::MISSED).bind(seen).bind(after).bind(SLICE).all::<ProductRow>().await?;
    let Some(last) = rows.last().map(|row| row.id) else { return Ok(None) };
    let newest = rows.iter().map(|row| row.changed_version).max().unwrap_or(seen);
    let products = rows.into_iter().map(ProductFacts::from).collect::<Vec<_>>();
    take_in(tx, config, newest, &products).await?;
    Ok(Some(last))
}
