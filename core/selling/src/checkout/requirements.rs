//! What a client has to ask for before it can place an order (contract 2.2).

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::db::Reader;
use stoa_kernel::events::{Event, ListenerError, PreflightEvent};
use stoa_kernel::gateways::GatewayTable;
use stoa_kernel::http::answer::{json_response, schema_of};
use stoa_kernel::http::shape::DescribesAnswer;
use stoa_kernel::http::table::{AnswerShape, Operation};
use stoa_kernel::i18n::{Language, Message};
use stoa_kernel::money::{Currency, Money, MoneyFormatter};

use super::consents::{ConsentResource, consents_for};
use super::error::CheckoutError;
use super::lines::{order_lines, requires_shipping};
use super::payment::ChosenPayment;
use super::quote::{Quote, QuoteInput};
use super::requirements_query::RequirementsQuery;
use super::totals::TotalsResource;
use crate::cart::{CartChoice, PricedCart, mark_lines, read_priced_lines};
use crate::checkout::Checkout;
use crate::orders::{CheckedVatId, OrderLine, VatIdStatus};
use crate::pricing::shipping_methods_for;

/// The requirements of a checkout are being gathered; a module adds the ids of its own.
#[derive(Debug)]
pub struct CheckoutRequirements {
    /// Who asks; none for a guest.
    pub customer_id: Option<i64>,
    /// What is in the cart and can be bought.
    pub lines: Vec<OrderLine>,
    /// The ids so far.
    pub requirements: Vec<String>,
}

impl Event for CheckoutRequirements {
    const NAME: &'static str = "CheckoutRequirements";
}

impl PreflightEvent for CheckoutRequirements {}

/// A shipping method that can be chosen.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ShippingMethod {
    /// What `shipping_method_id` takes.
    id: String,
    /// What customers read.
    label: String,
    /// What it costs for this cart, in minor units.
    amount: i64,
    /// The same for people.
    amount_formatted: String,
}

/// A payment method that can be chosen.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PaymentMethod {
    /// What `payment_method` takes.
    id: &'static str,
    /// What `gateway` takes when the order is paid.
    gateway_id: &'static str,
    /// What customers read.
    label: String,
    /// The name of an icon that a storefront may have.
    icon: Option<&'static str>,
}

/// What a checkout needs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CheckoutRequirements")]
pub(super) struct RequirementsResource {
    /// Ids of the steps: `billing`, `payment` (unless there is no payment method), `review`, and what the cart and modules add.
    requirements: Vec<String>,
    /// Whether something is sent.
    requires_shipping: bool,
    /// Ways of shipping; none when nothing is sent.
    shipping_methods: Vec<ShippingMethod>,
    /// Ways to pay.
    payment_methods: Vec<PaymentMethod>,
    /// Codes of the countries that can be delivered and billed to.
    countries: Vec<String>,
    /// What the customer is asked to agree to.
    consents: Vec<ConsentResource>,
    /// What is known of the VAT identification number that was asked with; null without one. While VIES is `unavailable`, tax is
    /// charged.
    vat_id_status: Option<VatIdStatus>,
    /// What the cart costs with what was asked for.
    totals: TotalsResource,
}

/// What a checkout needs, under `data`.
// The schema of `Data` would have the name that generators of clients give to what the route takes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CheckoutRequirementsAnswer")]
pub(super) struct RequirementsAnswer {
    // The schema is described where it stands, so that clients find it right here.
    #[schemars(description = "")]
    pub(super) data: RequirementsResource,
}

impl IntoResponse for RequirementsAnswer {
    fn into_response(self) -> Response {
        json_response(StatusCode::OK, &self)
    }
}

impl DescribesAnswer for RequirementsAnswer {
    fn answers(operation: &mut Operation) {
        operation.answer = Some(AnswerShape { status: 200, description: "Success", schema: schema_of::<Self> });
    }
}

/// Gathers what the checkout of this cart needs, and what it costs; the country narrows the shipping methods down.
pub(super) async fn gather(
    checkout: &Checkout,
    customer_id: Option<i64>,
    choice: &CartChoice,
    asked: &RequirementsQuery,
    vat_id: Option<&CheckedVatId>,
    language: Language,
) -> Result<RequirementsResource, CheckoutError> {
    let cart = mark_lines(
        &checkout.payments.db,
        &checkout.events,
        read_priced_lines(choice, &checkout.payments.db, &checkout.prices).await?,
    )
    .await?;
    let is_sent = requires_shipping(&cart.lines);
    let say = |text: &Message| checkout.prices.texts.say(text, language);
    let payment_methods = payment_methods(&checkout.payments.gateways, checkout.currency, cart.subtotal_amount, say);
    // Nobody can choose from nothing; an order that costs nothing is placed without.
    let mut own = match payment_methods.as_slice() {
        [] => vec!["billing", "review"],
        [_, ..] => vec!["billing", "payment", "review"],
    };
    if is_sent {
        own.extend(["shipping_address", "shipping_method"]);
    }
    if cart.lines.iter().any(|line| line.has_active_options) {
        own.push("product_configuration");
    }
    let requirements = with_those_of_modules(checkout, customer_id, &cart, own).await?;
    let input = QuoteInput {
        customer_id,
        country: asked.country,
        vat_id,
        shipping_method_id: asked.shipping_method_id.as_deref(),
        discount_code: asked.discount_code.as_deref(),
        payment_method: ChosenPayment::of(&checkout.payments.gateways, asked.payment_method.as_deref())?.id,
        language,
    };
    let quote = Quote::of(&mut Reader::from(&checkout.payments.db), checkout, &cart, &input).await?;
    Ok(RequirementsResource {
        requirements,
        requires_shipping: is_sent,
        shipping_methods: if is_sent {
            shipping_methods(&checkout.prices.config, &checkout.money, asked.country, cart.subtotal_amount)
        } else {
            Vec::new()
        },
        payment_methods,
        countries: checkout.prices.config.shop.countries.iter().map(ToString::to_string).collect(),
        consents: consents_for(&checkout.prices, &cart.lines, language),
        vat_id_status: vat_id.map(|vat_id| vat_id.check.status),
        totals: TotalsResource::new(checkout, &input, &quote)?,
    })
}

/// The ids of requirements with those that modules add for a cart.
pub(super) async fn with_those_of_modules(
    checkout: &Checkout,
    customer_id: Option<i64>,
    cart: &PricedCart,
    own: Vec<&str>,
) -> Result<Vec<String>, ListenerError> {
    let available = cart.lines.iter().filter(|line| line.available).cloned().collect::<Vec<_>>();
    let mut event = CheckoutRequirements {
        customer_id,
        lines: order_lines(&available, &[]),
        requirements: own.into_iter().map(str::to_owned).collect(),
    };
    checkout.events.preflight(&mut event, &checkout.payments.db).await?;
    Ok(event.requirements)
}

fn shipping_methods(
    config: &Config,
    money: &MoneyFormatter,
    country: Option<CountryCode>,
    subtotal: i64,
) -> Vec<ShippingMethod> {
    let offered = shipping_methods_for(&config.shipping, country, subtotal).into_iter();
    let shown = offered.map(|method| ShippingMethod {
        amount_formatted: money.format(method.amount),
        id: method.id,
        label: method.label,
        amount: method.amount,
    });
    shown.collect()
}

fn payment_methods(
    gateways: &GatewayTable,
    currency: Currency,
    subtotal: i64,
    say: impl Fn(&Message) -> String,
) -> Vec<PaymentMethod> {
    let amount = Money::new(subtotal, currency);
    let usable = gateways.enabled().filter(|gateway| subtotal == 0 || gateway.accepts(amount));
    let shown = usable.map(|gateway| PaymentMethod {
        id: gateway.id(),
        gateway_id: gateway.id(),
        label: say(&gateway.label()),
        icon: gateway.icon(),
    });
    shown.collect()
}
