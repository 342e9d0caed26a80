//! Durable writes a second on SQLite: one row each, acknowledged after the disk has it.
//!
//! `cargo bench -p stoa-commerce --bench durable_writes`

use std::time::{Duration, Instant};

use stoa_core::clock::Clock;
use stoa_core::config::DatabaseUrl;
use stoa_core::db::{Db, DbError, Missing, OpenOptions, Sql};
use stoa_core::sql;
use tokio::runtime::Builder;

/// How many write at the same time.
const WRITERS: [usize; 3] = [1, 8, 32];

/// How many statements a write has; an order has about 26.
const STATEMENTS: [u32; 2] = [1, 26];

const ROUND: Duration = Duration::from_secs(1);

const ROUNDS: usize = 3;

const MAKE: Sql = sql!("CREATE TABLE measured (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");

const INSERT: Sql = sql!("INSERT INTO measured (text) VALUES ($1)");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Made below `target`: a temporary folder may be in memory, where nothing is durable.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    // One thread, as on a server of one core.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let url = DatabaseUrl::SqliteFile(folder.path().join("shop.db"));
        let db = Db::open(&OpenOptions::new(url, Missing::Create, 1), Clock::system()).await?;
        db.write(async |tx| -> Result<(), DbError> { tx.run(MAKE).execute().await.map(drop) }).await?;
        println!("| writers | statements a write | writes/s, median of {ROUNDS} |");
        println!("|---|---|---|");
        for statements in STATEMENTS {
            for writers in WRITERS {
                let mut rates = Vec::new();
                for _ in 0..ROUNDS {
                    rates.push(rate(&db, writers, statements).await?);
                }
                rates.sort_by(f64::total_cmp);
                println!("| {writers} | {statements} | {:.0} |", rates[ROUNDS / 2]);
            }
        }
        db.close().await;
        Ok(())
    })
}

/// Writes a second over one round.
async fn rate(db: &Db, writers: usize, statements: u32) -> Result<f64, DbError> {
    let started = Instant::now();
    let all = (0..writers).map(|_| async {
        let mut written = 0_u32;
        while started.elapsed() < ROUND {
            db.write(async |tx| -> Result<(), DbError> {
                for _ in 0..statements {
                    tx.run(INSERT).bind("what is written is a row of a few dozen bytes").execute().await?;
                }
                Ok(())
            })
            .await?;
            written += 1;
        }
        Ok::<_, DbError>(written)
    });
    let written = futures_util::future::try_join_all(all).await?;
    Ok(f64::from(written.iter().sum::<u32>()) / started.elapsed().as_secs_f64())
}
