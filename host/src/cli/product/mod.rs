//! `stoa product`: products, as the operator makes and changes them one by one.

mod change;
mod fields;
mod photo;
mod show;

use clap::{Args, Subcommand};
use stoa_core::catalog::write::Expected;

use super::Context;
use super::catalog_change::{CatalogAccess, Noun, RecordChange};
use super::commands::{Commands, Group};
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("product", Group::Catalog, Product::run);
}

/// Show, make and change products.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa product list\n  stoa product create desk-lamp --name 'Desk lamp' --price 49.00 --shippable --photo lamp.jpg\n  stoa product set desk-lamp --price 45.00\n  stoa product deactivate desk-lamp"
)]
pub(super) struct Product {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List all products, inactive ones too.
    ///
    /// One is `hidden` that is active and stands below a category that is not.
    #[command(after_help = "Examples:\n  stoa product list\n  stoa product list --q lamp --json")]
    List {
        /// Only those whose name or slug holds this text, in any case.
        #[arg(long, value_name = "TEXT")]
        q: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one product with everything that is stored.
    #[command(after_help = "Examples:\n  stoa product show desk-lamp\n  stoa product show desk-lamp --json")]
    Show(Slug),
    Create(Box<change::Create>),
    Set(Box<change::Set>),
    /// Make a product active.
    #[command(after_help = "Examples:\n  stoa product activate desk-lamp")]
    Activate(Slug),
    /// Make a product inactive.
    #[command(after_help = "Examples:\n  stoa product deactivate desk-lamp")]
    Deactivate(Slug),
    Delete(change::Delete),
}

/// A product by its slug.
#[derive(Debug, Args)]
struct Slug {
    /// The product's slug.
    slug: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Product {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let access = CatalogAccess::open(context).await?;
        match &self.action {
            Action::List { q, json } => show::list(&access, q.as_deref(), *json).await,
            Action::Show(Slug { slug, json }) => show::show(&access, slug, *json).await,
            Action::Create(create) => create.run(&access).await,
            Action::Set(set) => set.run(&access).await,
            Action::Activate(slug) => switch(&access, slug, true).await,
            Action::Deactivate(slug) => switch(&access, slug, false).await,
            Action::Delete(delete) => delete.run(&access).await,
        }
    }
}

async fn switch(access: &CatalogAccess, Slug { slug, json }: &Slug, active: bool) -> Result<(), Failure> {
    RecordChange::new(Noun::Product, slug).active(active).write(access, Expected::Stored).await?;
    show::show(access, slug, *json).await
}
