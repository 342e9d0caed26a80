//! `stoa category create`, `set` and `delete`.

use clap::{ArgGroup, Args};
use stoa_core::catalog::write::{Expected, RemoveCategoryError, remove_category};

use super::{find, show};
use crate::cli::catalog_change::{CatalogAccess, Noun, RecordChange, wait_until_noticed};
use crate::cli::doctor::finding::counted;
use crate::cli::question::Consent;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Make a category.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa category create lamps --name Lamps
  stoa category create desk-lamps --name 'Desk lamps' --parent lamps --json")]
pub(super) struct Create {
    /// The slug, under which customers and commands find the category.
    slug: String,
    /// The name.
    #[arg(long)]
    name: String,
    /// The slug of the category above. Default: none, it is a root.
    #[arg(long, value_name = "SLUG")]
    parent: Option<String>,
    /// The image: an absolute URL, or a path below the media folder.
    #[arg(long)]
    image: Option<String>,
    /// Hide it from customers for now.
    #[arg(long)]
    inactive: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, access: &CatalogAccess) -> Result<(), Failure> {
        let change = RecordChange::new(Noun::Category, &self.slug)
            .say("name", "--name", Some(self.name.as_str()))
            .say("parent", "--parent", self.parent.as_deref())
            .say("image", "--image", self.image.as_deref())
            .active(!self.inactive);
        change.write(access, Expected::Nothing).await?;
        show(access, &self.slug, self.json).await
    }
}

/// Change a category.
///
/// The rules are those of `stoa import`. An empty text clears what can be empty: all but the name.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("changes").required(true).multiple(true).args(["name", "parent", "image"]),
    after_help = "Examples:\n  stoa category set lamps --name Lamps --parent lighting\n  stoa category set lamps --image ''"
)]
pub(super) struct Set {
    /// The category's slug.
    slug: String,
    /// The name.
    #[arg(long)]
    name: Option<String>,
    /// The slug of the category above; empty makes it a root.
    #[arg(long, value_name = "SLUG")]
    parent: Option<String>,
    /// The image: an absolute URL, or a path below the media folder.
    #[arg(long)]
    image: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    pub(super) async fn run(&self, access: &CatalogAccess) -> Result<(), Failure> {
        let change = RecordChange::new(Noun::Category, &self.slug)
            .say("name", "--name", self.name.as_deref())
            .say("parent", "--parent", self.parent.as_deref())
            .say("image", "--image", self.image.as_deref());
        change.write(access, Expected::Stored).await?;
        show(access, &self.slug, self.json).await
    }
}

/// Delete a category in which nothing stands.
#[derive(Debug, Args)]
#[command(
    after_help = "Products are moved with `stoa product set SLUG --category OTHER`, categories with `stoa category set SLUG --parent OTHER`;
`stoa category deactivate` hides a category with all that is in it. On a terminal, you are asked first.

Examples:
  stoa category delete lamps
  stoa category delete lamps --yes --json"
)]
pub(super) struct Delete {
    /// The category's slug.
    slug: String,
    #[command(flatten)]
    consent: Consent,
    /// Prints what was deleted as a JSON object.
    #[arg(long)]
    json: bool,
}

impl Delete {
    pub(super) async fn run(&self, access: &CatalogAccess) -> Result<(), Failure> {
        let slug = &self.slug;
        let category = find(access, slug).await?;
        self.consent.confirm(&format!("Delete the category {slug}? This cannot be undone."), "nothing was deleted")?;
        remove_category(&access.parts.db, slug).await.map_err(|error| refused(slug, error))?;
        wait_until_noticed().await;
        if self.json { print_json(&category) } else { print_line(&format!("{slug} is deleted")) }
    }
}

fn refused(slug: &str, error: RemoveCategoryError) -> Failure {
    match error {
        RemoveCategoryError::Unknown => Failure::operation(format!("there is no category `{slug}` any more")),
        RemoveCategoryError::Filled { products, children } => {
            let told = [
                (products, counted(products, "product", "products")),
                (children, counted(children, "category", "categories")),
            ];
            let told = told.into_iter().filter(|(count, _)| *count > 0).map(|(_, told)| told).collect::<Vec<_>>();
            let mend = match (products, children) {
                (0, _) => "`stoa category set SLUG --parent OTHER` moves them",
                (_, 0) => "`stoa product set SLUG --category OTHER` moves them",
                _ => "`stoa product set SLUG --category OTHER` and `stoa category set SLUG --parent OTHER` move them",
            };
            Failure::operation(format!(
                "`{slug}` is not empty, it holds {}: {mend}; `stoa category deactivate {slug}` hides it with all that is in it",
                told.join(" and ")
            ))
        }
        error @ RemoveCategoryError::Db(_) => error.into(),
    }
}
