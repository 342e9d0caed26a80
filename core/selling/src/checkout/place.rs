//! Placing an order: one transaction from the cart to everything that follows from it (contract 2.2).
//!
//! The order comes first and is paid afterwards. Whatever goes wrong before the commit leaves the cart as it was.

use stoa_catalog::Availability;
use stoa_customers::guests::confirm_guest;
use stoa_kernel::db::Tx;
use stoa_kernel::http::extract::Customer;
use stoa_kernel::i18n::Language;

use super::consents::accept_consents;
use super::destination::Destination;
use super::error::CheckoutError;
use super::lines::requires_shipping;
use super::order_writer::{OrderWriter, WrittenOrder};
use super::payment::ChosenPayment;
use super::quote::{Quote, QuoteInput};
use super::rules::{CheckoutRequest, DISCOUNT_CODE, SHIPPING_METHOD};
use super::totals::TotalsResource;
use super::uses::Checkout;
use crate::cart::{CartChoice, CartRow, PricedCart, empty_placed_cart, priced_lines, take_cart};
use crate::discounts::{DiscountRefusal, RedeemError, Redemption, redeem};
use crate::idempotency::{self, IdempotencyKey, KeyResult};
use crate::invoices;
use crate::orders::{Actor, CheckedVatId, ChosenShipping, OrderResource, VatIdStatus, flag_order};
use crate::pricing::{AmountOverflow, ShippingOption};

/// The route's name, which idempotency keys are kept under.
pub(super) const ROUTE: &str = "checkout.store";

/// Why an order is flagged, as `review_reason` shows it: VIES did not answer, so tax was charged.
const VAT_ID_NOT_CHECKED: &str = "vat_id_not_checked";

/// What an order is placed with, checked as far as that is possible before the transaction.
pub(super) struct Placement<'a> {
    pub(super) checkout: &'a Checkout,
    pub(super) customer: Customer,
    pub(super) cart: &'a CartChoice,
    pub(super) destination: &'a Destination,
    pub(super) vat_id: Option<&'a CheckedVatId>,
    pub(super) payment: ChosenPayment<'a>,
    pub(super) request: &'a CheckoutRequest,
    pub(super) language: Language,
    pub(super) key: Option<&'a IdempotencyKey>,
}

/// What placing came to.
#[derive(Debug)]
pub(super) enum Placed {
    /// This order is new, as it was written; one that costs nothing is paid already, which is not seen here.
    New(Box<OrderResource>),
    /// The key has placed this order before.
    Before(i64),
}

impl Placement<'_> {
    /// Places the order in this transaction.
    pub(super) async fn place(&self, tx: &mut Tx) -> Result<Placed, CheckoutError> {
        if self.customer.is_guest {
            confirm_guest(tx, self.customer.id).await?;
        }
        if let Some(key) = self.key
            && let Some(result) = idempotency::claim(tx, self.customer.id, ROUTE, key).await?
        {
            return result.order_id.map(Placed::Before).ok_or(CheckoutError::NoOrder);
        }
        let (row, cart) = self.filled_cart(tx).await?;
        let consents = accept_consents(
            &self.checkout.prices,
            &cart.lines,
            self.request.consents.as_deref().unwrap_or_default(),
            self.language,
            tx.now(),
        )?;
        let Quote { priced, shipping, discount } = self.quote(tx, &cart).await?;
        let discount = discount.map_err(|refusal| self.refuse_code(refusal))?;
        let shipping = shipping.map_err(|refusal| CheckoutError::Field(SHIPPING_METHOD, refusal.violation()))?;
        let shipping = shipping.map(|method| self.send_by(method));
        let totals = &priced.totals;
        self.payment.check(&self.checkout.payments.gateways, totals.total_amount)?;
        let writer = OrderWriter {
            checkout: self.checkout,
            customer_id: self.customer.id,
            cart: Some(row),
            lines: &cart.lines,
            priced: &priced,
            vat_id: self.vat_id,
            billing: &self.destination.billing,
            shipping: shipping.as_ref(),
            payment_method: self.payment.id,
            discount_code: discount.as_ref().map(|discount| discount.code.as_str()),
            note: self.request.note.as_deref(),
            consents: &consents,
            answers: self.request.answers.as_ref(),
            language: self.language,
            expires_at: self.payment.expires_at(&self.checkout.prices.config, tx.now()),
            actor: Actor::Customer,
        };
        let WrittenOrder { mut order, invoice } = writer.write(tx).await?;
        let order_id = order.id;
        if let Some(discount) = &discount {
            self.redeem(tx, discount.id, order_id, totals.discount_amount).await?;
        }
        writer.record_and_emit(tx, order_id).await?;
        if totals.tax_amount > 0 && self.vat_id.is_some_and(|vat_id| vat_id.check.status == VatIdStatus::Unavailable) {
            // Tax is charged that may not be owed, which nobody but the operator can give back.
            flag_order(tx, order_id, VAT_ID_NOT_CHECKED, Actor::System).await?;
        }
        empty_placed_cart(tx, row.id).await?;
        if let Some(key) = self.key {
            let result = KeyResult { order_id: Some(order_id), ..KeyResult::default() };
            idempotency::store_result(tx, self.customer.id, ROUTE, key, result).await?;
        }
        // The very last, because everybody who places an order waits for the number.
        order.invoice = Some(invoices::issue(tx, invoice).await?);
        Ok(Placed::New(Box::new(order)))
    }

    /// Takes the cart, so that nobody changes or places it meanwhile, and reads it with today's prices.
    async fn filled_cart(&self, tx: &mut Tx) -> Result<(CartRow, PricedCart), CheckoutError> {
        let row = take_cart(tx, self.cart).await?.ok_or(CheckoutError::CartEmpty)?;
        if row.customer_id.is_some_and(|owner| owner != self.customer.id) {
            return Err(CheckoutError::CartEmpty);
        }
        let cart = priced_lines(tx, row.id, Some(self.customer.id), &self.checkout.prices).await?;
        if cart.lines.is_empty() {
            return Err(CheckoutError::CartEmpty);
        }
        if cart.overflow.is_some() {
            return Err(AmountOverflow.into());
        }
        refuse_unavailable(&cart)?;
        Ok((row, cart))
    }

    /// What the cart costs, or that this is not what the customer has agreed to.
    async fn quote(&self, tx: &mut Tx, cart: &PricedCart) -> Result<Quote, CheckoutError> {
        let input = QuoteInput {
            customer_id: Some(self.customer.id),
            country: self.destination.country(requires_shipping(&cart.lines)),
            vat_id: self.vat_id,
            shipping_method_id: self.request.shipping_method_id.as_deref(),
            discount_code: self.request.discount_code.as_deref(),
            payment_method: self.payment.id,
            language: self.language,
        };
        if input.country.is_none() {
            return Err(CheckoutError::NoCountry);
        }
        let quote = Quote::of(&mut tx.into(), self.checkout, cart, &input).await?;
        let total_amount = quote.priced.totals.total_amount;
        let is_another = self.request.expected_total_amount.is_some_and(|expected| expected != total_amount);
        if is_another && quote.shipping.is_ok() && quote.discount.is_ok() {
            let totals = TotalsResource::new(self.checkout, &input, &quote)?;
            return Err(CheckoutError::TotalChanged(Box::new(totals)));
        }
        Ok(quote)
    }

    fn send_by(&self, method: ShippingOption) -> ChosenShipping {
        let ShippingOption { id, label, .. } = method;
        ChosenShipping { address: self.destination.shipping.clone(), method_id: id, method_label: label }
    }

    fn refuse_code(&self, refusal: DiscountRefusal) -> CheckoutError {
        CheckoutError::Field(DISCOUNT_CODE, refusal.violation(&self.checkout.money))
    }

    /// Uses the code, unless others were faster.
    async fn redeem(&self, tx: &mut Tx, discount_id: i64, order_id: i64, amount: i64) -> Result<(), CheckoutError> {
        let redemption = Redemption { discount_id, order_id, customer_id: self.customer.id, amount };
        redeem(tx, redemption).await.map_err(|error| match error {
            RedeemError::Refused(refusal) => self.refuse_code(refusal),
            RedeemError::Db(error) => error.into(),
        })
    }
}

/// Refuses a cart with a line that cannot be bought.
fn refuse_unavailable(cart: &PricedCart) -> Result<(), CheckoutError> {
    let Some(line) = cart.lines.iter().find(|line| !line.available) else { return Ok(()) };
    let is_sold_out = line.availability == Some(Availability::OutOfStock);
    Err(CheckoutError::Unavailable { product: line.label.clone(), is_sold_out })
}
