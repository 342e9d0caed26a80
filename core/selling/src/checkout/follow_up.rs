//! Placing an order that follows from an earlier one, without a cart and without the customer: what was agreed on then is
//! sold again.

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::events::ListenerError;
use stoa_kernel::i18n::{Language, Message, Texts};
use stoa_kernel::module::SellingRules;

use super::error::CheckoutError;
use super::lines::{SHIPPABLE, requires_shipping};
use super::order_writer::OrderWriter;
use super::quote::{PricedOrder, TaxDebtor};
use super::reverse_charge::tax_debtor;
use super::uses::Checkout;
use crate::cart::{PricedLine, Selections};
use crate::invoices;
use crate::orders::{
    Actor, CheckedVatId, ChosenShipping, EarlierLine, EarlierOrder, find_earlier_item, find_earlier_order,
};
use crate::pricing::shipping_methods_for;

/// A line of an order that follows from an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUpLine {
    /// The item of the earlier order that is sold again: its product, selections and tax class, as they were then.
    pub order_line_id: i64,
    /// Units.
    pub quantity: i64,
    /// What one costs, in minor units, as prices are written in this shop: with tax or without.
    pub unit_amount: i64,
    /// Capabilities that the new line keeps of those that the item has. A module does for the new line what it does for
    /// these, and nothing else: whatever is granted once for good must not be among them.
    pub capabilities: Vec<String>,
}

/// An order that follows from an earlier one: for the same customer, to the same addresses, in the same language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowUpOrder {
    /// The earlier order.
    pub order_id: i64,
    /// What is sold again.
    pub lines: Vec<FollowUpLine>,
    /// The gateway that it is to be paid through; none is that of the earlier order.
    pub payment_method: Option<String>,
}

/// A new order that follows from an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedFollowUp {
    /// Its id.
    pub order_id: i64,
    /// The ids of its items, in the order of the lines.
    pub item_ids: Vec<i64>,
    /// What is to be paid, in minor units; with 0 it is paid already.
    pub total_amount: i64,
}

/// Why no order follows.
#[derive(Debug, thiserror::Error)]
pub enum FollowUpError {
    /// The earlier order, or one of the items, is not there.
    #[error("the order that it should follow from has no such item")]
    NotFound,
    /// The shop sells in another currency now.
    #[error("the earlier order was in {0}, which is not the currency of the shop any more")]
    Currency(String),
    /// The country of the address is not delivered to.
    #[error("no shipping method goes to {0}")]
    NotDelivered(String),
    /// A listener refuses the order, or it costs more than can be counted.
    #[error("{0}")]
    Refused(String),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<CheckoutError> for FollowUpError {
    fn from(error: CheckoutError) -> Self {
        let refused = |message: &Message| Self::Refused(Texts::built_in().say(message, Language::EN));
        match error {
            CheckoutError::Db(error) | CheckoutError::Listener(ListenerError::Db(error)) => Self::Db(error),
            CheckoutError::Listener(ListenerError::Veto(veto)) => refused(&veto.message),
            CheckoutError::TooLarge(_) => refused(&Message::TotalTooLarge),
            other => Self::Refused(other.to_string()),
        }
    }
}

/// Places an order that follows from an earlier one, in the caller's transaction and as its last change: it is numbered,
/// invoiced, owed and told like every other, and modules may refuse it.
///
/// Prices are the caller's; taxes, and what shipping costs, are those of today, and modules add no lines. It has no time by which it must be paid, so
/// whoever placed it cancels it, with [`CancelReason::Withdrawn`](crate::orders::CancelReason::Withdrawn), when it is not
/// wanted any more. An error undoes everything: give it on, so that the transaction is rolled back.
pub async fn place_follow_up(
    tx: &mut Tx,
    checkout: &Checkout,
    order: &FollowUpOrder,
) -> Result<PlacedFollowUp, FollowUpError> {
    let earlier = find_earlier_order(tx, order.order_id).await?.ok_or(FollowUpError::NotFound)?;
    if earlier.currency != checkout.currency.code() {
        return Err(FollowUpError::Currency(earlier.currency));
    }
    let mut lines = Vec::with_capacity(order.lines.len());
    for line in &order.lines {
        let item = find_earlier_item(tx, order.order_id, line.order_line_id).await?;
        lines.push(sold_again(&checkout.prices.selling, line, item.ok_or(FollowUpError::NotFound)?)?);
    }
    let billing = &earlier.billing_address.0;
    let is_sent = requires_shipping(&lines);
    let goes_to = earlier.shipping_address.as_ref().map_or(billing, |address| &address.0);
    let country = if is_sent { &goes_to.country } else { &billing.country };
    let country = CountryCode::parse(country).ok_or_else(|| FollowUpError::NotDelivered(country.clone()))?;
    let (shipping, amount) = if is_sent {
        let (shipping, amount) = choose_shipping(&checkout.prices.config, &earlier, goes_to, country, &lines)?;
        (Some(shipping), amount)
    } else {
        (None, 0)
    };
    let vat_id = earlier.vat_id();
    let debtor = match &vat_id {
        Some(CheckedVatId { id, check }) if earlier.reverse_charge => {
            tax_debtor(&checkout.prices.config, id, check, Some(country))
        }
        Some(_) | None => TaxDebtor::Shop,
    };
    let priced = PricedOrder::of(&checkout.prices.config, &lines, Some(country), amount, None, Vec::new(), debtor)?;
    let gateways = &checkout.payments.gateways;
    let wanted = order.payment_method.as_ref().unwrap_or(&earlier.payment_method);
    let chosen = gateways.find_enabled(wanted).map(|gateway| gateway.id());
    let payment_method = chosen.or_else(|| gateways.ids().first().copied());
    let writer = OrderWriter {
        checkout,
        customer_id: earlier.customer_id,
        cart: None,
        lines: &lines,
        priced: &priced,
        vat_id: vat_id.as_ref(),
        billing,
        shipping: shipping.as_ref(),
        payment_method: payment_method.unwrap_or(&earlier.payment_method),
        discount_code: None,
        note: None,
        consents: &[],
        answers: None,
        language: Language::of_locale(&earlier.language),
        expires_at: None,
        actor: Actor::System,
    };
    let written = writer.write(tx).await?;
    writer.record_and_emit(tx, written.order.id).await?;
    invoices::issue(tx, written.invoice).await?;
    Ok(PlacedFollowUp {
        order_id: written.order.id,
        item_ids: written.order.items.iter().map(|item| item.id).collect(),
        total_amount: priced.totals.total_amount,
    })
}

/// The item as a line that can be sold; nothing of it is looked up in today's catalog.
fn sold_again(selling: &SellingRules, line: &FollowUpLine, item: EarlierLine) -> Result<PricedLine, FollowUpError> {
    let too_large =
        || FollowUpError::Refused(format!("{} units of {} cannot be sold", line.quantity, line.unit_amount));
    let is_possible = line.quantity > 0 && line.unit_amount >= 0;
    let line_total_amount = line.unit_amount.checked_mul(line.quantity).filter(|_| is_possible);
    let selections = serde_json::from_value::<Selections>(item.selections.0);
    let selections = selections.map_err(|error| FollowUpError::Refused(format!("unreadable selections: {error}")))?;
    let mut capabilities = item.capabilities.0;
    capabilities.retain(|capability| line.capabilities.contains(capability));
    Ok(PricedLine {
        line_key: String::new(),
        product_id: item.product_id,
        slug: item.slug,
        sku: item.sku,
        label: item.label,
        image: None,
        quantity: line.quantity,
        price_amount: line.unit_amount,
        list_amount: line.unit_amount,
        unit_amount: line.unit_amount,
        line_total_amount: line_total_amount.ok_or_else(too_large)?,
        selections,
        options: item.options.0,
        available: true,
        availability: None,
        available_quantity: None,
        tax_class: item.tax_class,
        has_active_options: false,
        choice_skus: item.choice_skus.0,
        module_settings: selling.settings_of(&capabilities, item.module_settings.0),
        capabilities,
    })
}

/// The shipping method that was chosen then at what it costs today, or else the first that goes there.
fn choose_shipping(
    config: &Config,
    earlier: &EarlierOrder,
    goes_to: &PostalAddress,
    country: CountryCode,
    lines: &[PricedLine],
) -> Result<(ChosenShipping, i64), FollowUpError> {
    let sent = lines.iter().filter(|line| line.has_capability(SHIPPABLE));
    let subtotal = sent.fold(0_i64, |sum, line| sum.saturating_add(line.line_total_amount));
    let offered = shipping_methods_for(&config.shipping, Some(country), subtotal);
    let same = offered.iter().find(|method| Some(&method.id) == earlier.shipping_method_id.as_ref());
    let method = same.or(offered.first()).ok_or_else(|| FollowUpError::NotDelivered(goes_to.country.clone()))?;
    let shipping =
        ChosenShipping { address: goes_to.clone(), method_id: method.id.clone(), method_label: method.label.clone() };
    Ok((shipping, method.amount))
}
