//! `stoa digital-secrets add`.

use std::collections::BTreeSet;

use clap::Args;
use stoa_core::prelude::*;

use super::sealed;
use super::source::{BadLine, Source};
use crate::availability::update_availability;
use crate::config::Config;
use crate::filling::{Filled, fill, rehearse};
use crate::pools::pool_of_product;
use crate::queries;

/// Values that are added in one transaction: few enough that buyers hardly wait.
const BATCH: usize = 200;

/// The most lines that a message names.
const NAMED: usize = 20;

/// Add values to the pool of a product, one a line.
#[derive(Debug, Args)]
#[command(
    after_help = "White space around a value, empty lines and a byte order mark do not count. Values that the pool has, or has
ever had, are told by their line and left out; all others are added. Customers who have paid and wait get theirs at once, in
the order in which they paid. Repeating the command after an interruption adds what is missing.

Examples:
  stoa digital-secrets add agora-sans keys.txt
  stoa digital-secrets add agora-sans keys.txt --dry-run
  vendor-tool new-keys | stoa digital-secrets add agora-sans - --json"
)]
pub(super) struct Add {
    /// The product's name in URLs.
    #[arg(value_name = "PRODUCT_SLUG")]
    slug: String,
    /// A file with one value a line; `-` is standard input.
    file: String,
    /// Say what would be added, and add nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    pool: &'a str,
    dry_run: bool,
    added: u64,
    /// Lines whose value the pool has had before.
    duplicates: &'a [u64],
    refused: &'a [BadLine],
    /// Customers who had waited.
    delivered: u64,
    /// What can be sold now.
    available: i64,
}

impl Add {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let parts = &cx.parts;
        let pool = &pool_of_product(&parts.db, &self.slug).await?;
        let mut source = Source::open(cx, &self.file)?;
        let filled = self.fill(cx, pool, &mut source).await?;
        if !self.dry_run {
            update_availability(&parts.db, config).await?;
        }
        let available = parts.db.read(queries::COUNT_AVAILABLE).bind(pool).scalar::<i64>().await?;
        let report = Report {
            pool,
            dry_run: self.dry_run,
            added: filled.added,
            duplicates: &filled.duplicates,
            refused: &source.bad,
            delivered: filled.served,
            available,
        };
        if self.json {
            cx.output.json(&report)?;
        } else {
            show(&report, cx)?;
        }
        match source.bad.len() {
            0 => Ok(()),
            refused => Err(Failure::operation(format!("{} could not be read as a value", lines(refused as u64)))),
        }
    }

    async fn fill(&self, cx: &CommandContext, pool: &str, source: &mut Source) -> Result<Filled, Failure> {
        let (mut all, mut seen) = (Filled::default(), BTreeSet::new());
        loop {
            let batch = source.batch(BATCH)?;
            if batch.is_empty() {
                return Ok(all);
            }
            let filled = if self.dry_run {
                rehearse(&cx.parts.db, &cx.parts.cipher, pool, &batch, &mut seen).await
            } else {
                fill(&cx.parts.db, &cx.parts.random, &cx.parts.cipher, pool, &batch).await
            };
            let filled = filled.map_err(sealed)?;
            all.added += filled.added;
            all.served += filled.served;
            all.duplicates.extend(filled.duplicates);
        }
    }
}

fn show(report: &Report<'_>, cx: &CommandContext) -> Result<(), Failure> {
    for bad in report.refused {
        cx.output.line(&format!("line {}: {}", bad.line, bad.problem))?;
    }
    if !report.duplicates.is_empty() {
        let shown = report.duplicates.iter().take(NAMED).map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let more = report.duplicates.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let duplicates = lines(report.duplicates.len() as u64);
        cx.output.line(&format!("{duplicates} left out, whose values the pool has had before: {shown}{more}"))?;
    }
    let (verb, pool) = (if report.dry_run { "would be added" } else { "added" }, report.pool);
    let mut told = format!("{} {verb} to the pool `{pool}`", values(report.added));
    if report.delivered > 0 {
        told = format!("{told}; {} went to customers who had waited", values(report.delivered));
    }
    cx.output.line(&format!("{told}; {} available", values(report.available.unsigned_abs())))
}

fn values(count: u64) -> String {
    if count == 1 { String::from("1 value") } else { format!("{count} values") }
}

fn lines(count: u64) -> String {
    if count == 1 { String::from("1 line") } else { format!("{count} lines") }
}
