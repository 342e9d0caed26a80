//! `stoa downloads list`.

use chrono::{DateTime, Utc};
use clap::Args;
use stoa_core::catalog::no_such_product;
use stoa_core::prelude::*;

use crate::queries;

/// List the files of products.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa downloads list
  stoa downloads list songs --json")]
pub(crate) struct List {
    /// A product's slug. Default: all products.
    product: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A file in its newest version.
#[derive(Debug, Serialize, sqlx::FromRow)]
struct ListedFile {
    id: i64,
    product: String,
    filename: String,
    label: Option<String>,
    version: i64,
    size: i64,
    sha256: String,
    /// None for what the product or the configuration says, 0 for none.
    #[serde(rename = "limit")]
    download_limit: Option<i64>,
    #[serde(rename = "days")]
    valid_days: Option<i64>,
    grants: i64,
    attached_at: DateTime<Utc>,
    detached_at: Option<DateTime<Utc>>,
    checked_at: Option<DateTime<Utc>>,
    problem: Option<String>,
}

impl List {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        if let Some(slug) = &self.product {
            let known = db.read(queries::FIND_PRODUCT).bind(slug).optional_scalar::<i64>().await?;
            if known.is_none() {
                return Err(Failure::operation(no_such_product(db, slug).await?));
            }
        }
        let files = db.read(queries::LIST_ASSETS).bind(self.product.as_deref()).all::<ListedFile>().await?;
        if self.json {
            return cx.output.json_list(&files);
        }
        let head = ["PRODUCT", "FILE", "VERSION", "BYTES", "LIMIT", "DAYS", "GRANTS", "STATE"];
        cx.output.list(&head, files.iter().map(ListedFile::row), "`stoa downloads attach` gives a product its file")
    }
}

impl ListedFile {
    fn row(&self) -> Vec<String> {
        let own = |number: Option<i64>| match number {
            None => String::from("-"),
            Some(0) => String::from("none"),
            Some(number) => number.to_string(),
        };
        let state = match (&self.problem, self.detached_at) {
            (Some(problem), _) => problem.clone(),
            (None, Some(time)) => format!("detached {}", shown_time(time)),
            (None, None) => String::from("attached"),
        };
        vec![
            self.product.clone(),
            self.filename.clone(),
            self.version.to_string(),
            self.size.to_string(),
            own(self.download_limit),
            own(self.valid_days),
            self.grants.to_string(),
            state,
        ]
    }
}
