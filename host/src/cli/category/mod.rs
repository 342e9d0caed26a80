//! `stoa category`: categories, as the operator makes and changes them one by one.

mod change;

use clap::{Args, Subcommand};
use stoa_core::catalog::write::Expected;
use stoa_core::catalog::{CategoryDetails, Frame, category_details};
use stoa_core::from_shop::FromShop;

use super::Context;
use super::catalog_change::{CatalogAccess, Noun, RecordChange, state};
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_list, print_members};

pub(super) fn register(commands: &mut Commands) {
    commands.add("category", Group::Catalog, Category::run);
}

/// Show, make and change categories.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa category list\n  stoa category create lamps --name Lamps\n  stoa category set lamps --name Lamps --parent lighting\n  stoa category deactivate lamps"
)]
pub(super) struct Category {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List all categories, inactive ones too.
    ///
    /// One is `hidden` that is active and stands below one that is not. Counted are the products that customers see.
    #[command(after_help = "Examples:\n  stoa category list\n  stoa category list --json")]
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one category.
    #[command(after_help = "Examples:\n  stoa category show lamps\n  stoa category show lamps --json")]
    Show(Slug),
    Create(change::Create),
    Set(change::Set),
    /// Show a category, and what stands in it, to customers.
    #[command(after_help = "Examples:\n  stoa category activate lamps")]
    Activate(Slug),
    /// Hide a category with all that lies below it.
    #[command(after_help = "Examples:\n  stoa category deactivate lamps")]
    Deactivate(Slug),
    Delete(change::Delete),
}

/// A category by its slug.
#[derive(Debug, Args)]
struct Slug {
    /// The category's slug.
    slug: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Category {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let access = CatalogAccess::open(context).await?;
        match &self.action {
            Action::List { json } => list(&access, *json).await,
            Action::Show(Slug { slug, json }) => show(&access, slug, *json).await,
            Action::Create(create) => create.run(&access).await,
            Action::Set(set) => set.run(&access).await,
            Action::Activate(slug) => switch(&access, slug, true).await,
            Action::Deactivate(slug) => switch(&access, slug, false).await,
            Action::Delete(delete) => delete.run(&access).await,
        }
    }
}

async fn switch(access: &CatalogAccess, Slug { slug, json }: &Slug, active: bool) -> Result<(), Failure> {
    RecordChange::new(Noun::Category, slug).active(active).write(access, Expected::Stored).await?;
    show(access, slug, *json).await
}

async fn find(access: &CatalogAccess, slug: &str) -> Result<CategoryDetails, Failure> {
    let mut categories = category_details(&access.parts.db, &Frame::from_shop(&access.parts)).await?.into_iter();
    let category = categories.find(|category| category.resource.slug == slug);
    match category {
        Some(category) => Ok(category),
        None => Err(Noun::Category.unknown(&access.parts.db, slug).await),
    }
}

async fn show(access: &CatalogAccess, slug: &str, json: bool) -> Result<(), Failure> {
    let category = find(access, slug).await?;
    if json { print_json(&category) } else { print_text(&category) }
}

async fn list(access: &CatalogAccess, json: bool) -> Result<(), Failure> {
    let categories = category_details(&access.parts.db, &Frame::from_shop(&access.parts)).await?;
    if json {
        return print_json_list(&categories);
    }
    print_list(
        &["SLUG", "ID", "NAME", "PARENT", "PRODUCTS", "STATE"],
        categories.into_iter().map(row),
        "`stoa category create` makes a category, `stoa import` reads many from a file",
    )
}

fn row(category: CategoryDetails) -> Vec<String> {
    let state = state(category.active, category.visible).to_owned();
    let shown = category.resource;
    let (id, products) = (shown.id.to_string(), shown.products_count.to_string());
    vec![shown.slug, id, shown.name, category.parent.unwrap_or_default(), products, state]
}

fn print_text(category: &CategoryDetails) -> Result<(), Failure> {
    let shown = &category.resource;
    let children = shown.children.iter().map(|child| child.slug.as_str()).collect::<Vec<_>>();
    let members = [
        ("id", Some(shown.id.to_string())),
        ("slug", Some(shown.slug.clone())),
        ("name", Some(shown.name.clone())),
        ("state", Some(state(category.active, category.visible).to_owned())),
        ("parent", category.parent.clone()),
        ("image", shown.image.clone()),
        ("products", Some(shown.products_count.to_string())),
        ("children", (!children.is_empty()).then(|| children.join(", "))),
    ];
    print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))
}
