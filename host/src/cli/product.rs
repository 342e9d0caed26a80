//! `stoa product`: products, as the operator changes them one by one.

use clap::{ArgGroup, Args, Subcommand};
use stoa_core::catalog::{OptionRecord, ProductDetails, fold, product_details, product_details_after};
use stoa_core::money::MoneyFormatter;

use super::Context;
use super::catalog_change::{CatalogAccess, Noun, RecordChange, state};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_line, print_members, print_table};

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

/// Change a product.
///
/// The rules are those of `stoa import`. An empty text clears what can be empty: all but name and price.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("changes").required(true).multiple(true).args(
        ["price", "name", "subtitle", "sku", "description", "category", "tax_class", "image", "capability"]),
    after_help = "Examples:\n  stoa product set desk-lamp --price 4900\n  stoa product set desk-lamp --category lamps --subtitle ''\n  stoa product set desk-lamp --image lamps/front.jpg --image lamps/side.jpg"
)]
struct Set {
    /// The product's slug.
    slug: String,
    /// The price in minor units of the shop's currency, such as 4900 for 49.00.
    #[arg(long, value_name = "MINOR", allow_negative_numbers = true)]
    price: Option<i64>,
    /// The name.
    #[arg(long)]
    name: Option<String>,
    /// The second line.
    #[arg(long, value_name = "TEXT")]
    subtitle: Option<String>,
    /// The stock keeping unit.
    #[arg(long)]
    sku: Option<String>,
    /// The description, as plain text.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The category's slug.
    #[arg(long, value_name = "SLUG")]
    category: Option<String>,
    /// The tax class, one of `tax.classes`; with any other, the standard rates hold.
    #[arg(long, value_name = "NAME")]
    tax_class: Option<String>,
    /// An image: an absolute URL, or a path below the media folder; repeat it for several, which replace all.
    #[arg(long, value_name = "IMAGE")]
    image: Vec<String>,
    /// A capability, such as shippable; repeat it for several, which replace all.
    #[arg(long, value_name = "KEY")]
    capability: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    fn change(&self) -> RecordChange<'_> {
        RecordChange::new(Noun::Product, &self.slug)
            .say("price_amount", "--price", self.price)
            .say("name", "--name", self.name.as_deref())
            .say("subtitle", "--subtitle", self.subtitle.as_deref())
            .say("sku", "--sku", self.sku.as_deref())
            .say("description", "--description", self.description.as_deref())
            .say("category", "--category", self.category.as_deref())
            .say("tax_class", "--tax-class", self.tax_class.as_deref())
            .say_list("images", "--image", &self.image)
            .say_list("capabilities", "--capability", &self.capability)
    }
}

impl Product {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let access = CatalogAccess::open(context).await?;
        let activity = |slug, active| Some(RecordChange::new(Noun::Product, slug).active(active));
        let (slug, change, json) = match &self.action {
            Action::List { q, json } => return list(&access, q.as_deref(), *json).await,
            Action::Show(Slug { slug, json }) => (slug, None, *json),
            Action::Set(set) => (&set.slug, Some(set.change()), set.json),
            Action::Activate(Slug { slug, json }) => (slug, activity(slug, true), *json),
            Action::Deactivate(Slug { slug, json }) => (slug, activity(slug, false), *json),
        };
        if let Some(change) = change {
            change.write(&access).await?;
        }
        let product = product_details(&access.services, slug).await?;
        let product = product.ok_or_else(|| Failure::operation(Noun::Product.unknown(slug)))?;
        if json { print_json(&product) } else { print_text(&product, &access.services.money) }
    }
}

async fn list(access: &CatalogAccess, q: Option<&str>, json: bool) -> Result<(), Failure> {
    let term = fold(q.unwrap_or_default().trim());
    let asked_for = |product: &ProductDetails| {
        fold(&product.resource.slug).contains(&term) || fold(&product.resource.name).contains(&term)
    };
    let mut products = Vec::new();
    let mut after = 0;
    loop {
        let slice = product_details_after(&access.services, after).await?;
        let Some(last) = slice.last() else { break };
        after = last.resource.id;
        products.extend(slice.into_iter().filter(asked_for));
    }
    if json {
        return print_json_list(&products);
    }
    print_table(&["SLUG", "NAME", "PRICE", "CATEGORY", "STATE"], products.into_iter().map(row))
}

fn row(product: ProductDetails) -> Vec<String> {
    let state = state(product.active, product.visible).to_owned();
    let shown = product.resource;
    let category = shown.category.map(|category| category.slug).unwrap_or_default();
    vec![shown.slug, shown.name, shown.price.formatted, category, state]
}

fn print_text(product: &ProductDetails, money: &MoneyFormatter) -> Result<(), Failure> {
    let shown = &product.resource;
    let category = shown.category.as_ref().map(|category| format!("{} ({})", category.name, category.slug));
    let availability = shown.availability.map(|availability| availability.as_str().replace('_', " "));
    let capabilities = (!shown.capabilities.is_empty()).then(|| shown.capabilities.join(", "));
    let members = [
        ("id", Some(shown.id.to_string())),
        ("slug", Some(shown.slug.clone())),
        ("name", Some(shown.name.clone())),
        ("subtitle", shown.subtitle.clone()),
        ("sku", shown.sku.clone()),
        ("state", Some(state(product.active, product.visible).to_owned())),
        ("price", Some(shown.price.formatted.clone())),
        ("tax class", product.tax_class.clone()),
        ("category", category),
        ("capabilities", capabilities),
        ("availability", availability),
    ];
    print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))?;
    let settings = product.modules.iter().map(|(module, settings)| format!("{module}: {settings}"));
    for (heading, lines) in [
        ("Description", shown.description.iter().flat_map(|text| text.lines()).map(str::to_owned).collect::<Vec<_>>()),
        ("Images", shown.images.clone()),
        ("Options", product.stored_options.iter().flat_map(|option| option_lines(option, money)).collect()),
        ("Settings of modules", settings.collect()),
    ] {
        if lines.is_empty() {
            continue;
        }
        print_line(&format!("\n{heading}:"))?;
        for line in lines {
            print_line(format!("  {line}").trim_end())?;
        }
    }
    Ok(())
}

/// An option, and below it a line for each of its choices.
fn option_lines(option: &OptionRecord, money: &MoneyFormatter) -> Vec<String> {
    let told = |parts: Vec<Option<String>>| parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let inactive = |active: bool| (!active).then(|| String::from("inactive"));
    let required = option.required.then(|| String::from("required"));
    let kind = option.kind.as_str().to_owned();
    let head = told(vec![Some(option.label.clone()), Some(kind), required, inactive(option.active)]);
    let choices = option.choices.iter().map(|choice| {
        let amount = choice.price_adjustment_amount;
        let sign = if amount > 0 { "+" } else { "" };
        let adjustment = (amount != 0).then(|| format!("{sign}{}", money.format(amount)));
        let sku = choice.sku.as_ref().map(|sku| format!("SKU {sku}"));
        let line = told(vec![Some(choice.label.clone()), adjustment, sku, inactive(choice.active)]);
        format!("  {}: {line}", choice.value)
    });
    std::iter::once(format!("{}: {head}", option.key)).chain(choices).collect()
}
