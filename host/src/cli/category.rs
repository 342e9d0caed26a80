//! `stoa category`: categories, as the operator changes them one by one.

use clap::{Args, Subcommand};
use stoa_core::catalog::{CategoryRecord, Member, Record, export_categories};

use super::Context;
use super::catalog_change::change;
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_table};

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

/// Change a category; an empty text clears what can be empty.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa category set lamps --name Lamps --parent lighting\n  stoa category set lamps --image ''"
)]
struct Set {
    /// The category's slug.
    slug: String,
    /// The name.
    #[arg(long)]
    name: Option<String>,
    /// The slug of the category above; empty makes it a root.
    #[arg(long)]
    parent: Option<String>,
    /// The image: an absolute URL, or a path below the media folder.
    #[arg(long)]
    image: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn text(given: Option<&String>) -> Member<String> {
    match given {
        None => Member::Absent,
        Some(text) if text.trim().is_empty() => Member::Null,
        Some(text) => Member::Value(text.trim().to_owned()),
    }
}

fn activity(slug: &str, active: bool) -> CategoryRecord {
    CategoryRecord { slug: slug.to_owned(), active: Member::Value(active), ..CategoryRecord::default() }
}

impl Category {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (record, json) = match &self.action {
            Action::List { json } => return list(context, *json).await,
            Action::Show(named) => return show(context, &named.slug, named.json).await,
            Action::Set(set) => {
                let record = CategoryRecord {
                    slug: set.slug.clone(),
                    name: text(set.name.as_ref()),
                    parent: text(set.parent.as_ref()),
                    image: text(set.image.as_ref()),
                    active: Member::Absent,
                };
                (record, set.json)
            }
            Action::Activate(named) => (activity(&named.slug, true), named.json),
            Action::Deactivate(named) => (activity(&named.slug, false), named.json),
        };
        let slug = record.slug.clone();
        change(context, Record::Category(record)).await?;
        show(context, &slug, json).await
    }
}

async fn all(context: &Context) -> Result<Vec<CategoryRecord>, Failure> {
    let db = context.working()?.open_current().await?;
    Ok(export_categories(&db).await?)
}

async fn list(context: &Context, json: bool) -> Result<(), Failure> {
    let categories = all(context).await?;
    if json {
        return print_json_list(&categories);
    }
    print_table(&["SLUG", "NAME", "PARENT", "STATE"], categories.iter().map(row))
}

fn row(category: &CategoryRecord) -> Vec<String> {
    let state = if category.active.value() == Some(&true) { "active" } else { "inactive" };
    vec![
        category.slug.clone(),
        category.name.value().cloned().unwrap_or_default(),
        category.parent.value().cloned().unwrap_or_default(),
        state.to_owned(),
    ]
}

async fn show(context: &Context, slug: &str, json: bool) -> Result<(), Failure> {
    let categories = all(context).await?;
    let Some(category) = categories.into_iter().find(|category| category.slug == slug) else {
        return Err(Failure::operation(format!("there is no category `{slug}`; `stoa category list` shows all")));
    };
    if json {
        return print_json(&category);
    }
    print_line(&row(&category).join("  "))
}
