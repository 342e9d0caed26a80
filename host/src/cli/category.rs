//! `stoa category`: categories, as the operator changes them one by one.

use clap::{ArgGroup, Args, Subcommand};
use stoa_core::catalog::{CategoryDetails, category_details};

use super::Context;
use super::catalog_change::{CatalogAccess, Noun, RecordChange, state};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_members, print_table};

/// Show and change categories.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa category list\n  stoa category set lamps --name Lamps --parent lighting\n  stoa category deactivate lamps"
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
    Set(Set),
    /// Show a category, and what stands in it, to customers.
    #[command(after_help = "Examples:\n  stoa category activate lamps")]
    Activate(Slug),
    /// Hide a category with all that lies below it.
    #[command(after_help = "Examples:\n  stoa category deactivate lamps")]
    Deactivate(Slug),
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

/// Change a category.
///
/// The rules are those of `stoa import`. An empty text clears what can be empty: all but the name.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("changes").required(true).multiple(true).args(["name", "parent", "image"]),
    after_help = "Examples:\n  stoa category set lamps --name Lamps --parent lighting\n  stoa category set lamps --image ''"
)]
struct Set {
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
    fn change(&self) -> RecordChange<'_> {
        RecordChange::new(Noun::Category, &self.slug)
            .say("name", "--name", self.name.as_deref())
            .say("parent", "--parent", self.parent.as_deref())
            .say("image", "--image", self.image.as_deref())
    }
}

impl Category {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let access = CatalogAccess::open(context).await?;
        let activity = |slug, active| Some(RecordChange::new(Noun::Category, slug).active(active));
        let (slug, change, json) = match &self.action {
            Action::List { json } => return list(&access, *json).await,
            Action::Show(Slug { slug, json }) => (slug, None, *json),
            Action::Set(set) => (&set.slug, Some(set.change()), set.json),
            Action::Activate(Slug { slug, json }) => (slug, activity(slug, true), *json),
            Action::Deactivate(Slug { slug, json }) => (slug, activity(slug, false), *json),
        };
        if let Some(change) = change {
            change.write(&access).await?;
        }
        let category = category_details(&access.services).await?.into_iter();
        let category = category.into_iter().find(|category| category.resource.slug == *slug);
        let category = category.ok_or_else(|| Failure::operation(Noun::Category.unknown(slug)))?;
        if json { print_json(&category) } else { print_text(&category) }
    }
}

async fn list(access: &CatalogAccess, json: bool) -> Result<(), Failure> {
    let categories = category_details(&access.services).await?;
    if json {
        return print_json_list(&categories);
    }
    print_table(&["SLUG", "NAME", "PARENT", "PRODUCTS", "STATE"], categories.into_iter().map(row))
}

fn row(category: CategoryDetails) -> Vec<String> {
    let state = state(category.active, category.visible).to_owned();
    let shown = category.resource;
    vec![shown.slug, shown.name, category.parent.unwrap_or_default(), shown.products_count.to_string(), state]
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
