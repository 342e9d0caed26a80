//! What a customer wishes for with an order, and all of it that cannot be had, told at once.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use stoa_catalog::Availability;
use stoa_kernel::db::Reader;
use stoa_kernel::http::error::{ApiError, ApiResult, FieldProblem, FieldProblems, Refusals};
use stoa_kernel::i18n::Language;
use stoa_kernel::text;

use super::consents::accept_consents;
use super::destination::Countries;
use super::error::CheckoutError;
use super::lines::{order_lines, requires_shipping};
use super::payment::ChosenPayment;
use super::quote::{PricedOrder, Quote, QuoteInput};
use super::requirements;
use super::rules::{ANSWERS, CheckoutRequest, DISCOUNT_CODE, SHIPPING_METHOD};
use super::totals::TotalsResource;
use super::uses::Checkout;
use crate::cart::{CartChoice, PricedCart, read_priced_lines};
use crate::discounts::{Discount, DiscountRefusal};
use crate::orders::{CheckedVatId, OrderConsent, OrderPreflight};
use crate::pricing::{AmountOverflow, ShippingOption};

/// What a customer wishes for with an order.
pub(super) struct Wishes<'a> {
    pub(super) checkout: &'a Checkout,
    pub(super) customer_id: i64,
    pub(super) countries: Countries,
    pub(super) vat_id: Option<&'a CheckedVatId>,
    pub(super) payment: ChosenPayment<'a>,
    pub(super) request: &'a CheckoutRequest,
    pub(super) language: Language,
}

/// What a customer gets of that.
pub(super) struct Granted {
    pub(super) consents: Vec<OrderConsent>,
    pub(super) priced: PricedOrder,
    /// How it is sent; none when nothing is.
    pub(super) shipping: Option<ShippingOption>,
    pub(super) discount: Option<Discount>,
}

impl Wishes<'_> {
    /// Looks at everything for this cart; what cannot be had is told at once. That the total is another than the customer has agreed
    /// to is told once it can be worked out.
    pub(super) async fn grant(
        &self,
        reader: &mut Reader<'_>,
        cart: &PricedCart,
        now: DateTime<Utc>,
    ) -> Result<Granted, CheckoutError> {
        let mut refusals = Refusals::default();
        refusals.note(refuse_unavailable(cart))?;
        let given = self.request.consents.as_deref().unwrap_or_default();
        let consents = refusals.note(accept_consents(&self.checkout.prices, &cart.lines, given, self.language, now))?;
        let input = QuoteInput {
            customer_id: Some(self.customer_id),
            country: self.countries.deciding(requires_shipping(&cart.lines)),
            vat_id: self.vat_id,
            shipping_method_id: self.request.shipping_method_id.as_deref(),
            discount_code: self.request.discount_code.as_deref(),
            payment_method: self.payment.id,
            language: self.language,
        };
        let quote = Quote::of(reader, self.checkout, cart, &input).await?;
        let total_amount = quote.priced.totals.total_amount;
        let is_another = self.request.expected_total_amount.is_some_and(|expected| expected != total_amount);
        if is_another && refusals.is_empty() && quote.shipping.is_ok() && quote.discount.is_ok() {
            let totals = TotalsResource::new(self.checkout, &input, &quote)?;
            return Err(CheckoutError::TotalChanged(Box::new(totals)));
        }
        let Quote { priced, shipping, discount } = quote;
        let discount = refusals.note(discount.map_err(|refusal| self.refuse_code(refusal)))?;
        let refuse = |violation| CheckoutError::Field(SHIPPING_METHOD, violation);
        let shipping = refusals.note(shipping.map_err(|refusal| refuse(refusal.violation())))?;
        let paid = refusals.note(self.payment.check(&self.checkout.payments.gateways, total_amount))?;
        match (consents, discount, shipping, paid, refusals.is_empty()) {
            (Some(consents), Some(discount), Some(shipping), Some(()), true) => {
                Ok(Granted { consents, priced, shipping, discount })
            }
            _ => Err(refusals.into_error().into()),
        }
    }

    /// Notes what of the cart and the wishes is wrong besides what was found before. That there is nothing in the cart is told alone:
    /// everything else depends on it.
    pub(super) async fn look_further(&self, choice: &CartChoice, refusals: &mut Refusals) -> ApiResult<()> {
        let Checkout { payments, prices, .. } = self.checkout;
        let cart = require_filled(read_priced_lines(choice, &payments.db, prices).await?);
        let Some(cart) = refusals.note(cart)? else { return Ok(()) };
        match self.grant(&mut Reader::from(&payments.db), &cart, payments.db.now()).await {
            Ok(_) | Err(CheckoutError::TotalChanged(_)) => Ok(()),
            Err(refused) => refusals.refuse(refused),
        }
    }

    /// Asks the modules before the transaction; what they find empty or unavailable is refused inside it. Where no country is known
    /// yet, they are not asked.
    pub(super) async fn preflight(&self, choice: &CartChoice) -> ApiResult<()> {
        let Self { checkout, request, .. } = self;
        let is_answered = request.answers.as_ref().is_some_and(|answers| !answers.is_empty());
        if !is_answered && !checkout.events.is_awaited::<OrderPreflight>() {
            return Ok(());
        }
        let cart = read_priced_lines(choice, &checkout.payments.db, &checkout.prices).await?;
        if cart.lines.is_empty() || cart.lines.iter().any(|line| !line.available) {
            return Ok(());
        }
        let answers = request.answers.clone().unwrap_or_default();
        if is_answered {
            let own = Vec::new();
            let asked = requirements::with_those_of_modules(checkout, Some(self.customer_id), &cart, own).await?;
            check_answers(&answers, &asked)?;
        }
        let Some(country) = self.countries.deciding(requires_shipping(&cart.lines)) else { return Ok(()) };
        let mut event = OrderPreflight {
            customer_id: self.customer_id,
            currency: checkout.currency,
            lines: order_lines(&cart.lines, &[]),
            country: Some(country),
            shipping_method_id: request.shipping_method_id.clone(),
            payment_method: self.payment.id.to_owned(),
            discount_code: request.discount_code.clone(),
            answers,
            checks: Vec::new(),
        };
        checkout.events.preflight(&mut event, &checkout.payments.db).await?;
        ApiError::vetoed(event.checks).map_or(Ok(()), Err)
    }

    /// Why a code takes nothing off.
    pub(super) fn refuse_code(&self, refusal: DiscountRefusal) -> CheckoutError {
        CheckoutError::Field(DISCOUNT_CODE, refusal.violation(&self.checkout.money))
    }
}

/// A cart of which something can be counted.
pub(super) fn require_filled(cart: PricedCart) -> Result<PricedCart, CheckoutError> {
    if cart.lines.is_empty() {
        return Err(CheckoutError::CartEmpty);
    }
    if cart.overflow.is_some() { Err(AmountOverflow.into()) } else { Ok(cart) }
}

/// Refuses a cart with a line that cannot be bought.
fn refuse_unavailable(cart: &PricedCart) -> Result<(), CheckoutError> {
    let Some(line) = cart.lines.iter().find(|line| !line.available) else { return Ok(()) };
    let is_sold_out = line.availability == Some(Availability::OutOfStock);
    Err(CheckoutError::Unavailable { product: line.label.clone(), is_sold_out })
}

/// Refuses answers that no module has asked for.
fn check_answers(answers: &Map<String, Value>, asked: &[String]) -> ApiResult<()> {
    let mut problems = FieldProblems::new();
    for id in answers.keys().filter(|id| !asked.contains(id)) {
        let field = format!("{ANSWERS}.{id}");
        let problem = text!("checkout-answer-unknown", id = id.as_str());
        problems.insert(field, vec![FieldProblem::Message(problem)]);
    }
    if problems.is_empty() { Ok(()) } else { Err(ApiError::validation(problems)) }
}
