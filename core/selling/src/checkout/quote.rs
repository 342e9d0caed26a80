//! What a cart costs: the one place where it is priced, to show the price and to charge it. Nothing is written here.

use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::db::Reader;
use stoa_kernel::i18n::{Language, Violation};

use super::added::{Circumstances, PricedAddition, added_lines};
use super::error::CheckoutError;
use super::lines::{pricing_lines, requires_shipping};
use super::reverse_charge::tax_debtor;
use super::uses::Checkout;
use crate::cart::{PricedCart, PricedLine};
use crate::discounts::{Discount, DiscountRefusal, check_code};
use crate::orders::CheckedVatId;
use crate::pricing::{
    DiscountRule, PricingInput, PricingLine, ShippingOption, Totals, shipping_methods_for, shipping_tax_rate, total,
    total_without_tax,
};

/// What the price of a cart depends on beside what is in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuoteInput<'a> {
    /// Who orders; none while a guest looks.
    pub(super) customer_id: Option<i64>,
    /// The country that decides about taxes and shipping, if it is known.
    pub(super) country: Option<CountryCode>,
    /// The VAT identification number that the customer has given.
    pub(super) vat_id: Option<&'a CheckedVatId>,
    pub(super) shipping_method_id: Option<&'a str>,
    pub(super) discount_code: Option<&'a str>,
    /// The gateway's id: the one that is chosen, or the usual one.
    pub(super) payment_method: &'a str,
    /// What is said in words.
    pub(super) language: Language,
}

/// What lines cost together.
pub(super) struct PricedOrder {
    /// What modules add.
    pub(super) added: Vec<PricedAddition>,
    /// The products, then the fees among what is added.
    pub(super) lines: Vec<PricingLine>,
    pub(super) totals: Totals,
    pub(super) shipping_tax_rate: u16,
    /// Whether the customer owes the tax: nothing is taxed, and all amounts are before tax.
    pub(super) reverse_charge: bool,
    /// Whether amounts include tax.
    pub(super) prices_include_tax: bool,
}

/// Who owes the tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaxDebtor {
    /// The shop, as ever.
    Shop,
    /// The customer (reverse charge).
    Customer,
}

impl PricedOrder {
    /// Adds lines up that go to this country, with what sending them costs, what a code takes off and what modules add. Without a country there is no tax.
    pub(super) fn of(
        config: &Config,
        lines: &[PricedLine],
        country: Option<CountryCode>,
        shipping_amount: i64,
        code: Option<DiscountRule>,
        mut added: Vec<PricedAddition>,
        debtor: TaxDebtor,
    ) -> Result<Self, CheckoutError> {
        let tax = &config.tax;
        let lines = pricing_lines(lines, &added, tax, country);
        let discounts = code.into_iter().chain(added.iter().filter_map(PricedAddition::discount)).collect::<Vec<_>>();
        let shipping_tax_rate = country.map(|country| shipping_tax_rate(tax, country)).unwrap_or_default();
        let input = PricingInput {
            lines: &lines,
            discounts: &discounts,
            shipping_amount,
            shipping_tax_rate,
            prices_include_tax: tax.prices_include_tax,
        };
        let (lines, totals) = match debtor {
            TaxDebtor::Shop => total(&input).map(|totals| (lines, totals)),
            TaxDebtor::Customer => total_without_tax(&input),
        }?;
        let reverse_charge = debtor == TaxDebtor::Customer;
        if reverse_charge {
            // Fees stand behind the products, in their order.
            let fees = lines.len() - added.iter().filter(|line| line.is_fee()).count();
            let fees = lines[fees..].iter();
            for (line, priced) in added.iter_mut().filter(|line| line.is_fee()).zip(fees) {
                line.amount = priced.line_total_amount;
            }
        }
        // A discount is no more than there was to take off.
        let taken = totals.discounts.iter().skip(code.iter().count());
        for (line, taken) in added.iter_mut().filter(|line| !line.is_fee()).zip(taken) {
            line.amount = -taken;
        }
        added.retain(|line| line.is_fee() || line.amount != 0);
        let shipping_tax_rate = if reverse_charge { 0 } else { shipping_tax_rate.get() };
        let prices_include_tax = tax.prices_include_tax && !reverse_charge;
        Ok(Self { added, lines, totals, shipping_tax_rate, reverse_charge, prices_include_tax })
    }
}

/// Why there is no shipping method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ShippingRefusal {
    /// None was named, and one is needed.
    Missing,
    /// None goes to the country.
    NotDelivered,
    /// Another was named than those that go there.
    Unknown {
        /// The ids of those that do.
        allowed: Vec<String>,
    },
}

impl ShippingRefusal {
    /// What is wrong about the field.
    pub(super) fn violation(self) -> Violation {
        match self {
            Self::Missing => Violation::Required,
            Self::NotDelivered => Violation::NotDelivered,
            Self::Unknown { allowed } => Violation::OneOf { allowed: allowed.into_iter().map(Into::into).collect() },
        }
    }
}

/// What a cart costs, and what of the wishes cannot be met; what cannot counts nothing.
pub(super) struct Quote {
    pub(super) priced: PricedOrder,
    /// How it is sent; none when nothing is.
    pub(super) shipping: Result<Option<ShippingOption>, ShippingRefusal>,
    /// The discount of the code, if one was named.
    pub(super) discount: Result<Option<Discount>, DiscountRefusal>,
}

impl Quote {
    /// Prices a cart.
    pub(super) async fn of(
        reader: &mut Reader<'_>,
        checkout: &Checkout,
        cart: &PricedCart,
        input: &QuoteInput<'_>,
    ) -> Result<Self, CheckoutError> {
        let config = &checkout.prices.config;
        let shipping = choose_shipping(config, cart, input);
        let found = match input.discount_code {
            Some(code) => check_code(reader, code, input.customer_id, cart.subtotal_amount).await?.map(Some),
            None => Ok(None),
        };
        let rule = found.as_ref().ok().and_then(Option::as_ref).map(|(_, rule)| *rule);
        let amount = shipping.as_ref().ok().and_then(Option::as_ref).map_or(0, |method| method.amount);
        let discount = found.map(|found| found.map(|(discount, _)| discount));
        let known = Circumstances {
            customer_id: input.customer_id,
            country: input.country,
            shipping_method_id: shipping.as_ref().ok().and_then(Option::as_ref).map(|method| method.id.as_str()),
            payment_method: input.payment_method,
            discount_code: discount.as_ref().ok().and_then(Option::as_ref).map(|discount| discount.code.as_str()),
        };
        let debtor =
            input.vat_id.map_or(TaxDebtor::Shop, |vat_id| tax_debtor(config, &vat_id.id, &vat_id.check, input.country));
        let added = added_lines(reader, checkout, cart, known, input.language).await?;
        let priced = PricedOrder::of(config, &cart.lines, input.country, amount, rule, added, debtor)?;
        Ok(Self { priced, shipping, discount })
    }
}

fn choose_shipping(
    config: &Config,
    cart: &PricedCart,
    input: &QuoteInput<'_>,
) -> Result<Option<ShippingOption>, ShippingRefusal> {
    if !requires_shipping(&cart.lines) {
        return Ok(None);
    }
    let wanted = input.shipping_method_id.ok_or(ShippingRefusal::Missing)?;
    let offered = shipping_methods_for(&config.shipping, input.country, cart.subtotal_amount);
    if offered.is_empty() {
        return Err(ShippingRefusal::NotDelivered);
    }
    let allowed = offered.iter().map(|method| method.id.clone()).collect();
    let chosen = offered.into_iter().find(|method| method.id == wanted);
    chosen.map(Some).ok_or(ShippingRefusal::Unknown { allowed })
}
