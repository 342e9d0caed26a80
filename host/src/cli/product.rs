//! `stoa product`: products, as the operator changes them one by one.

use clap::{Args, Subcommand};
use serde_json::json;
use stoa_core::catalog::{Member, ProductRecord, Record, export_products};

use super::Context;
use super::catalog_change::{change, currency_amount, list_slugs_like};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_table};

/// Show and change products.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa product list\n  stoa product set desk-lamp --price 4900 --name 'Desk lamp'\n  stoa product deactivate desk-lamp"
)]
pub(super) struct Product {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List all products, inactive ones too.
    #[command(after_help = "Examples:\n  stoa product list\n  stoa product list --q lamp --json")]
    List {
        /// Only those whose name or slug holds this text.
        #[arg(long)]
        q: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one product with everything that is stored.
    #[command(after_help = "Examples:\n  stoa product show desk-lamp\n  stoa product show desk-lamp --json")]
    Show {
        /// The product's slug.
        slug: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    Set(Box<Set>),
    /// Put a product on the shelf.
    #[command(after_help = "Examples:\n  stoa product activate desk-lamp")]
    Activate(Slug),
    /// Take a product off the shelf.
    #[command(after_help = "Examples:\n  stoa product deactivate desk-lamp")]
    Deactivate(Slug),
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

/// Change a product; an empty text clears what can be empty.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa product set desk-lamp --price 4900\n  stoa product set desk-lamp --category lamps --subtitle ''"
)]
struct Set {
    /// The product's slug.
    slug: String,
    /// The price in minor units of the shop's currency, such as 4900 for 49.00.
    #[arg(long, value_name = "MINOR")]
    price: Option<i64>,
    /// The name.
    #[arg(long)]
    name: Option<String>,
    /// The second line.
    #[arg(long)]
    subtitle: Option<String>,
    /// The stock keeping unit.
    #[arg(long)]
    sku: Option<String>,
    /// The description, as plain text.
    #[arg(long)]
    description: Option<String>,
    /// The category's slug.
    #[arg(long)]
    category: Option<String>,
    /// The tax class.
    #[arg(long)]
    tax_class: Option<String>,
    /// An image: an absolute URL, or a path below the media folder; repeat it for several, which replace all.
    #[arg(long, value_name = "IMAGE")]
    image: Vec<String>,
    /// A capability; repeat it for several, which replace all.
    #[arg(long, value_name = "KEY")]
    capability: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Text given on the command line: nothing given, cleared, or a value.
fn text(given: Option<&String>) -> Member<String> {
    match given {
        None => Member::Absent,
        Some(text) if text.trim().is_empty() => Member::Null,
        Some(text) => Member::Value(text.trim().to_owned()),
    }
}

fn replaced(given: &[String]) -> Member<Vec<String>> {
    if given.is_empty() { Member::Absent } else { Member::Value(given.to_vec()) }
}

impl Set {
    fn record(&self) -> ProductRecord {
        ProductRecord {
            slug: self.slug.clone(),
            name: text(self.name.as_ref()),
            subtitle: text(self.subtitle.as_ref()),
            sku: text(self.sku.as_ref()),
            description: text(self.description.as_ref()),
            price_amount: self.price.map_or(Member::Absent, Member::Value),
            tax_class: text(self.tax_class.as_ref()),
            category: text(self.category.as_ref()),
            images: replaced(&self.image),
            capabilities: replaced(&self.capability),
            ..ProductRecord::default()
        }
    }
}

fn activity(slug: &str, active: bool) -> ProductRecord {
    ProductRecord { slug: slug.to_owned(), active: Member::Value(active), ..ProductRecord::default() }
}

impl Product {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (record, json) = match &self.action {
            Action::List { q, json } => return list(context, q.as_deref(), *json).await,
            Action::Show { slug, json } => return show(context, slug, *json).await,
            Action::Set(set) => (set.record(), set.json),
            Action::Activate(named) => (activity(&named.slug, true), named.json),
            Action::Deactivate(named) => (activity(&named.slug, false), named.json),
        };
        let slug = record.slug.clone();
        change(context, Record::Product(Box::new(record))).await?;
        show(context, &slug, json).await
    }
}

async fn list(context: &Context, q: Option<&str>, json: bool) -> Result<(), Failure> {
    let installation = context.working()?;
    let db = installation.open_current().await?;
    let mut rows = Vec::new();
    let mut after = 0;
    loop {
        let slice = export_products(&db, after).await?;
        rows.extend(
            slice
                .products
                .into_iter()
                .filter(|product| q.is_none_or(|term| list_slugs_like(term, &product.slug, product.name.value()))),
        );
        match slice.after {
            Some(last) => after = last,
            None => break,
        }
    }
    if json {
        return print_json_list(&rows);
    }
    let currency = installation.config.shop.currency.code();
    let rows = rows.into_iter().map(|product| {
        let active = if product.active.value() == Some(&true) { "active" } else { "inactive" };
        vec![
            product.slug.clone(),
            product.name.value().cloned().unwrap_or_default(),
            currency_amount(product.price_amount.value().copied().unwrap_or(0), currency),
            product.category.value().cloned().unwrap_or_default(),
            active.to_owned(),
        ]
    });
    print_table(&["SLUG", "NAME", "PRICE", "CATEGORY", "STATE"], rows)
}

async fn show(context: &Context, slug: &str, json: bool) -> Result<(), Failure> {
    let installation = context.working()?;
    let db = installation.open_current().await?;
    let Some(product) = stoa_core::catalog::export_product(&db, slug).await? else {
        return Err(Failure::operation(format!("there is no product `{slug}`; `stoa product list` shows all")));
    };
    let mut value = serde_json::to_value(&product)?;
    value["currency"] = json!(installation.config.shop.currency.code());
    if json {
        return print_json(&value);
    }
    let Some(members) = value.as_object() else { return Ok(()) };
    for (name, value) in members {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        print_line(&format!("{name:<14} {text}"))?;
    }
    Ok(())
}
