//! A cart as the API shows it (contract 2.1).

use schemars::JsonSchema;
use serde::Serialize;

use stoa_catalog::Availability;
use stoa_kernel::module::Details;
use stoa_kernel::money::{Currency, MoneyFormatter};

use super::lines::{PricedCart, PricedLine};
use super::options::SelectedOption;
use super::selections::Selections;
use super::token::CartToken;

/// The capability of products that are sent by parcel (contract 4).
const SHIPPABLE: &str = "shippable";

/// A cart.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Cart")]
pub struct CartResource {
    /// The token of this cart, to be sent back in the header `X-Cart-Token`.
    token: String,
    /// Units of all lines together.
    item_count: i64,
    /// Whether something that can be bought is sent by parcel.
    requires_shipping: bool,
    /// The sum of all lines, in minor units; lines that are not available count nothing.
    subtotal_amount: i64,
    /// The same for people.
    subtotal_formatted: String,
    /// ISO 4217 code of the shop's one currency.
    currency: &'static str,
    /// The lines, in the order in which they came in.
    lines: Vec<CartLine>,
}

/// A line of a cart: a product with selections.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CartLine {
    /// The key of this line, the same for the same product and selections.
    line_key: String,
    /// The product's id.
    product_id: i64,
    /// The product's slug.
    slug: String,
    /// The product's name.
    label: String,
    /// The absolute URL of the product's first image, or null.
    image: Option<String>,
    /// How many, from 1 to 99.
    quantity: i64,
    /// What one costs with its selections, in minor units; 0 when the line is not available.
    unit_amount: i64,
    /// What the line costs, in minor units; 0 when the line is not available.
    line_total_amount: i64,
    /// ISO 4217 code.
    currency: &'static str,
    /// What was selected, by option key.
    selections: Selections,
    /// The same as people read it.
    options: Vec<SelectedOption>,
    /// Whether the line can be bought. It cannot when its product went away, is out of stock, or does not allow the
    /// selections any more.
    available: bool,
    /// Whether it can be had now: the worst that a module says, null when none has anything to say.
    availability: Option<Availability>,
    /// How many can be had, where these are fewer than `quantity`: a checkout would refuse the cart. Null where there are enough, or
    /// nobody counts.
    available_quantity: Option<i64>,
    /// What is bought, as the modules tell it of the product; amounts are those of the selections.
    // The schema is described where it stands, so that clients find it right here.
    #[schemars(description = "")]
    details: Details,
}

impl CartResource {
    /// The cart that this token opens, with the details of each line.
    pub(super) fn new(
        token: &CartToken,
        cart: PricedCart,
        details: Vec<Details>,
        shop_currency: Currency,
        money: &MoneyFormatter,
    ) -> Self {
        let currency = shop_currency.code();
        Self {
            token: token.expose().to_owned(),
            item_count: cart.lines.iter().map(|line| line.quantity).sum(),
            requires_shipping: cart.lines.iter().any(|line| line.available && line.has_capability(SHIPPABLE)),
            subtotal_amount: cart.subtotal_amount,
            subtotal_formatted: money.format(cart.subtotal_amount),
            currency,
            lines: cart
                .lines
                .into_iter()
                .zip(details)
                .map(|(line, details)| CartLine::new(line, details, currency))
                .collect(),
        }
    }
}

impl CartLine {
    fn new(line: PricedLine, details: Details, currency: &'static str) -> Self {
        Self {
            line_key: line.line_key,
            product_id: line.product_id,
            slug: line.slug,
            label: line.label,
            image: line.image,
            quantity: line.quantity,
            unit_amount: line.unit_amount,
            line_total_amount: line.line_total_amount,
            currency,
            selections: line.selections,
            options: line.options,
            available: line.available,
            availability: line.availability,
            available_quantity: line.available_quantity,
            details,
        }
    }
}
