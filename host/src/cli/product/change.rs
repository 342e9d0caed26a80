//! `stoa product create`, `set` and `delete`.

use clap::{ArgGroup, Args};
use stoa_core::catalog::write::{Expected, RemoveProductError, remove_product};
use stoa_core::catalog::{Frame, ProductDetails, product_details};
use stoa_core::from_shop::FromShop;

use super::fields::{Fields, SHIPPABLE};
use super::show::show;
use crate::cli::amount::{TypedAmount, changed, tell_changes};
use crate::cli::catalog_change::{CatalogAccess, Noun, RecordChange, wait_until_noticed};
use crate::cli::question::Consent;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Make a product.
///
/// It is active at once, unless `--inactive` is given, and sold without shipping, unless `--shippable` is. The rules are those of `stoa import`, which also says what has no
/// option here, such as options and settings of modules.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa product create shirt --name 'Shirt' --price 25.00 --shippable
  stoa product create desk-lamp --name 'Desk lamp' --price 49.00 --shippable --category lamps --photo front.jpg --photo side.jpg
  stoa product create consultation --name 'An hour of advice' --price 90.00
  stoa product create voucher --name Voucher --price 25.00 --inactive --json")]
pub(super) struct Create {
    /// The slug, under which customers and commands find the product.
    slug: String,
    /// The name.
    #[arg(long)]
    name: String,
    /// The price, such as 49.00; a whole number counts the smallest unit: 4900 is 49.00 as well.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    price: TypedAmount,
    #[command(flatten)]
    fields: Fields,
    /// Leave it inactive for now.
    #[arg(long)]
    inactive: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, access: &CatalogAccess) -> Result<(), Failure> {
        let price = self.price.read("--price", &access.parts.money)?;
        if product_details(&access.parts.db, &Frame::from_shop(&access.parts), &self.slug).await?.is_some() {
            return Err(Failure::operation(Noun::Product.taken(&self.slug)));
        }
        let change = RecordChange::new(Noun::Product, &self.slug)
            .say("price_amount", "--price", Some(price))
            .say("name", "--name", Some(self.name.as_str()))
            .active(!self.inactive);
        let change = self.fields.add_to(change, access, Expected::Nothing, &[]).await?;
        change.write(access, Expected::Nothing).await?;
        let made = product_details(&access.parts.db, &Frame::from_shop(&access.parts), &self.slug).await?;
        if let Some(made) = made {
            tell_changes(&[told(&made)], self.json)?;
        }
        show(access, &self.slug, self.json).await
    }
}

/// What was made: above all, whether it is sent.
fn told(made: &ProductDetails) -> String {
    let slug = &made.resource.slug;
    if made.resource.capabilities.iter().any(|capability| capability == SHIPPABLE) {
        format!("{slug} is made, and shipped to whoever buys it")
    } else {
        format!(
            "{slug} is made, and sold without shipping; if it has to be sent: `stoa product set {slug} --shippable`"
        )
    }
}

/// Change a product.
///
/// The rules are those of `stoa import`. An empty text clears what can be empty: all but name and price.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("changes").required(true).multiple(true).args(
        ["price", "compare_at", "name", "subtitle", "sku", "brand", "gtin", "weight_grams", "description", "category",
         "tax_class", "image", "photo", "capability", "shippable"]),
    after_help = "Examples:
  stoa product set desk-lamp --price 49.00
  stoa product set desk-lamp --category lamps --subtitle ''
  stoa product set desk-lamp --image lamps/front.jpg --photo side.jpg
  stoa product set desk-lamp --shippable"
)]
pub(super) struct Set {
    /// The product's slug.
    slug: String,
    /// The price, such as 49.00; a whole number counts the smallest unit: 4900 is 49.00 as well.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    price: Option<TypedAmount>,
    /// The name.
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    fields: Fields,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    pub(super) async fn run(&self, access: &CatalogAccess) -> Result<(), Failure> {
        let money = &access.parts.money;
        let price = self.price.as_ref().map(|price| price.read("--price", money)).transpose()?;
        let before = product_details(&access.parts.db, &Frame::from_shop(&access.parts), &self.slug).await?;
        let Some(before) = before else { return Err(Noun::Product.missing(&access.parts.db, &self.slug).await) };
        let change = RecordChange::new(Noun::Product, &self.slug).say("price_amount", "--price", price).say(
            "name",
            "--name",
            self.name.as_deref(),
        );
        let stored = &before.resource.capabilities;
        let change = self.fields.add_to(change, access, Expected::Stored, stored).await?;
        change.write(access, Expected::Stored).await?;
        let shown = |amount: Option<i64>| amount.map(|amount| money.format(amount));
        let reduced = self.fields.compare_at_amount(money)?;
        let price = price.map(|price| ("price", Some(before.price_amount), Some(price)));
        let reduced = (!reduced.is_absent())
            .then(|| ("price before the reduction", before.stored_compare_at_amount, reduced.value().copied()));
        let told = price.into_iter().chain(reduced);
        let told =
            told.map(|(name, before, now)| changed(&format!("the {name} of {}", self.slug), shown(before), shown(now)));
        tell_changes(&told.collect::<Vec<_>>(), self.json)?;
        show(access, &self.slug, self.json).await
    }
}

/// Delete a product that nobody has ever ordered.
///
/// One that orders have stays for their sake; `stoa product deactivate` makes it inactive.
#[derive(Debug, Args)]
#[command(
    after_help = "What modules keep about it, such as the files that come with it, is deleted as well, and it leaves the carts that have
it. Images stay in the media folder. On a terminal, you are asked first.

Examples:
  stoa product delete desk-lamp
  stoa product delete desk-lamp --yes --json"
)]
pub(super) struct Delete {
    /// The product's slug.
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
        let product = product_details(&access.parts.db, &Frame::from_shop(&access.parts), slug).await?;
        let Some(product) = product else { return Err(Noun::Product.unknown(&access.parts.db, slug).await) };
        let name = &product.resource.name;
        self.consent
            .confirm(&format!("Delete the product {slug} ({name})? This cannot be undone."), "nothing was deleted")?;
        let carts = remove_product(&access.parts.db, slug).await.map_err(|error| refused(slug, error))?;
        wait_until_noticed().await;
        if self.json {
            return print_json(&product);
        }
        print_line(&match carts {
            0 => format!("{slug} is deleted"),
            1 => format!("{slug} is deleted, and gone from 1 cart"),
            carts => format!("{slug} is deleted, and gone from {carts} carts"),
        })
    }
}

fn refused(slug: &str, error: RemoveProductError) -> Failure {
    match error {
        RemoveProductError::Unknown => Failure::operation(format!("there is no product `{slug}` any more")),
        RemoveProductError::Ordered(orders) => {
            let orders = if orders == 1 { String::from("1 order has") } else { format!("{orders} orders have") };
            Failure::operation(format!(
                "{orders} `{slug}`, which must stay known; `stoa product deactivate {slug}` makes it inactive"
            ))
        }
        RemoveProductError::Refused(veto) => Failure::operation(format!("`{slug}` was not deleted: {}", veto.message)),
        error => error.into(),
    }
}
