//! The lines of a cart with today's prices, read with one statement however many they are.

use serde_json::{Map, Value};
use sqlx::types::Json;

use stoa_catalog::{Availability, OptionRecord, image_url};
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::i18n::Message;
use stoa_kernel::module::{Buyer, ListedUnits};

use super::choice::CartChoice;
use super::options::{SelectedOption, configure, shown};
use super::queries;
use super::selections::Selections;
use crate::cart::Prices;

/// An amount is beyond what can be counted in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an amount is too large")]
pub struct AmountOverflow;

/// A line of a cart with what the catalog says about it now.
#[derive(Debug, Clone, PartialEq)]
pub struct PricedLine {
    /// The key of the line within its cart.
    pub line_key: String,
    /// The product's id.
    pub product_id: i64,
    /// The product's slug.
    pub slug: String,
    /// The product's stock keeping unit.
    pub sku: Option<String>,
    /// The product's name.
    pub label: String,
    /// The absolute URL of the product's first image.
    pub image: Option<String>,
    /// How many, from 1 to 99.
    pub quantity: i64,
    /// What the catalog asks for one without selections, in minor units.
    pub price_amount: i64,
    /// What the catalog asks for one with its selections, in minor units, before a module has its say; 0 when the line is not
    /// available.
    pub list_amount: i64,
    /// What one costs with its selections, in minor units; 0 when the line is not available.
    pub unit_amount: i64,
    /// What all of the line cost, in minor units; 0 when the line is not available.
    pub line_total_amount: i64,
    /// What the customer has selected.
    pub selections: Selections,
    /// The same as people read it, in the shop's own language.
    pub options: Vec<SelectedOption>,
    /// Whether it can be bought: the product is active, its capabilities are available, today's options allow the
    /// selections, and the amounts can be counted.
    pub available: bool,
    /// Whether it can be had, as far as a module has said so for a cart that is shown.
    pub availability: Option<Availability>,
    /// How many can be had, as far as a module has said for a cart that is shown that these are fewer.
    pub available_quantity: Option<i64>,
    /// The product's tax class.
    pub tax_class: Option<String>,
    /// The product's capability keys.
    pub capabilities: Vec<String>,
    /// Whether the product has active options.
    pub has_active_options: bool,
    /// Stock keeping units of the selected choices that have one.
    pub choice_skus: Vec<String>,
    /// What modules keep about the product: their settings by module key.
    pub module_settings: Map<String, Value>,
}

impl PricedLine {
    /// Whether the product has this capability.
    pub fn has_capability(&self, key: &str) -> bool {
        self.capabilities.iter().any(|own| own == key)
    }
}

/// All lines of a cart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PricedCart {
    /// The lines in the order in which they came in.
    pub lines: Vec<PricedLine>,
    /// The sum of the lines that are available, in minor units.
    pub subtotal_amount: i64,
    /// Whether a line is not available for its amounts alone.
    pub overflow: Option<AmountOverflow>,
}

/// The lines of a cart, at what they cost this customer or a guest, for placing or changing it; the cart is locked.
pub async fn priced_lines(
    tx: &mut Tx,
    cart_id: i64,
    customer_id: Option<i64>,
    prices: &Prices,
) -> Result<PricedCart, DbError> {
    let rows = tx.run(queries::LINES).bind(cart_id).all().await?;
    let buyer = prices.selling.buyer(customer_id, &mut tx.into()).await?;
    Ok(price(rows, prices, &buyer))
}

/// The lines of the cart that is meant, for showing it; none when there is no such cart.
pub async fn read_priced_lines(choice: &CartChoice, db: &Db, prices: &Prices) -> Result<PricedCart, DbError> {
    let rows = choice.bind(db.read(queries::LINES_OF_CHOSEN)).all().await?;
    let buyer = prices.selling.buyer(choice.customer_id(), &mut db.into()).await?;
    Ok(price(rows, prices, &buyer))
}

#[derive(sqlx::FromRow)]
struct LineRow {
    line_key: String,
    product_id: i64,
    quantity: i64,
    selections: Json<Selections>,
    slug: String,
    sku: Option<String>,
    label: String,
    images: Json<Vec<String>>,
    price_amount: i64,
    tax_class: Option<String>,
    capabilities: Json<Vec<String>>,
    options: Json<Vec<OptionRecord>>,
    visible: bool,
    module: Option<String>,
    settings: Option<Json<Value>>,
}

fn price(rows: Vec<LineRow>, prices: &Prices, buyer: &Buyer) -> PricedCart {
    let say = |text: &Message| prices.texts.say(text, prices.texts.language_of(&prices.config.shop.locale.to_string()));
    // A line has a row for each module that keeps settings about its product.
    let mut lines = Vec::<(LineRow, Map<String, Value>)>::new();
    for mut row in rows {
        let settings = row.module.take().zip(row.settings.take().map(|settings| settings.0));
        match lines.last_mut().filter(|(last, _)| last.line_key == row.line_key) {
            Some((_, all)) => all.extend(settings),
            None => lines.push((row, settings.into_iter().collect())),
        }
    }
    let mut cart = PricedCart::default();
    for (row, settings) in lines {
        let line = row.line(settings, prices, buyer, &say, &mut cart);
        cart.lines.push(line);
    }
    cart
}

/// What a line costs.
#[derive(Default)]
struct Amounts {
    list: i64,
    unit: i64,
    line: i64,
    subtotal: i64,
}

impl Amounts {
    /// Of `quantity` units behind lines that cost `before`; `price` says what becomes of the catalog's price.
    fn of(list: i128, quantity: i64, before: i64, price: impl Fn(i64) -> i64) -> Result<Self, AmountOverflow> {
        let list = i64::try_from(list).ok().filter(|list| *list >= 0).ok_or(AmountOverflow)?;
        let unit = Some(price(list)).filter(|unit| *unit >= 0).ok_or(AmountOverflow)?;
        let line = unit.checked_mul(quantity).ok_or(AmountOverflow)?;
        let subtotal = before.checked_add(line).ok_or(AmountOverflow)?;
        Ok(Self { list, unit, line, subtotal })
    }
}

impl LineRow {
    /// The line, its amount added to the cart's.
    fn line(
        self,
        settings: Map<String, Value>,
        prices: &Prices,
        buyer: &Buyer,
        say: &impl Fn(&Message) -> String,
        cart: &mut PricedCart,
    ) -> PricedLine {
        let selections = self.selections.0;
        let is_provided = |key: &String| prices.capabilities.contains(&key.as_str());
        let configured =
            configure(&self.options, &selections).filter(|_| self.visible && self.capabilities.iter().all(is_provided));
        let amounts = configured.as_ref().and_then(|configured| {
            let list = i128::from(self.price_amount) + configured.adjustment_amount;
            let (quantity, capabilities, settings) = (self.quantity, self.capabilities.0.as_slice(), &settings);
            let units = |list_amount| ListedUnits { list_amount, quantity, capabilities, settings };
            let price = |list| prices.selling.unit_amount(&units(list), buyer);
            let amounts = Amounts::of(list, self.quantity, cart.subtotal_amount, price);
            cart.overflow = cart.overflow.or(amounts.as_ref().err().copied());
            amounts.ok()
        });
        let available = amounts.is_some();
        let amounts = amounts.unwrap_or(Amounts { subtotal: cart.subtotal_amount, ..Amounts::default() });
        cart.subtotal_amount = amounts.subtotal;
        PricedLine {
            line_key: self.line_key,
            product_id: self.product_id,
            slug: self.slug,
            sku: self.sku,
            label: self.label,
            image: self.images.first().map(|image| image_url(&prices.base_url, image)),
            quantity: self.quantity,
            price_amount: self.price_amount,
            list_amount: amounts.list,
            unit_amount: amounts.unit,
            line_total_amount: amounts.line,
            options: shown(&self.options, &selections, say),
            selections,
            available,
            availability: None,
            available_quantity: None,
            tax_class: self.tax_class,
            capabilities: self.capabilities.0,
            has_active_options: self.options.iter().any(|option| option.active),
            choice_skus: configured.unwrap_or_default().choice_skus,
            module_settings: settings,
        }
    }
}
