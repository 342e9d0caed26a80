//! Placing an order: one transaction from the cart to everything that follows from it (contract 2.2).
//!
//! The order comes first and is paid afterwards. Whatever goes wrong before the commit leaves the cart as it was.

use stoa_catalog::Availability;
use stoa_customers::guests::{GuestIsGone, confirm_guest};
use stoa_kernel::config::CountryCode;
use stoa_kernel::db::Tx;
use stoa_kernel::events::Veto;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Customer;
use stoa_kernel::i18n::{Language, Message, Violation};

use super::destination::Destination;
use super::lines::requires_shipping;
use super::order_writer::{OrderWriter, PricedOrder, WrittenOrder, too_large};
use super::payment::ChosenPayment;
use super::rules::CheckoutRequest;
use super::uses::Checkout;
use crate::cart::{CartChoice, CartRow, PricedCart, empty_placed_cart, priced_lines, take_cart};
use crate::discounts::{Discount, DiscountRefusal, RedeemError, Redemption, count_uses, find_discount, redeem};
use crate::idempotency::{self, IdempotencyKey, KeyResult};
use crate::invoices;
use crate::orders::{Actor, ChosenShipping, OrderResource};
use crate::pricing::{DiscountRule, shipping_methods_for};

/// The route's name, which idempotency keys are kept under.
pub(super) const ROUTE: &str = "checkout.store";

/// What an order is placed with, checked as far as that is possible before the transaction.
pub(super) struct Placement<'a> {
    pub(super) checkout: &'a Checkout,
    pub(super) customer: Customer,
    pub(super) cart: &'a CartChoice,
    pub(super) destination: &'a Destination,
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
    pub(super) async fn place(&self, tx: &mut Tx) -> ApiResult<Placed> {
        if self.customer.is_guest {
            confirm_guest(tx, self.customer.id).await.map_err(no_guest)?;
        }
        if let Some(key) = self.key
            && let Some(result) = idempotency::claim(tx, self.customer.id, ROUTE, key).await?
        {
            return result.order_id.map(Placed::Before).ok_or_else(ApiError::not_found);
        }
        let (row, cart) = self.filled_cart(tx).await?;
        let discount = self.discount(tx, cart.subtotal_amount).await?;
        let priced = self.price(&cart, discount.as_ref().map(|(_, rule)| *rule))?;
        let totals = &priced.totals;
        if self.request.expected_total_amount.is_some_and(|expected| expected != totals.total_amount) {
            return Err(ApiError::conflict(Message::TotalChanged, "total_changed"));
        }
        self.payment.check(&self.checkout.payments.gateways, totals.total_amount)?;
        let discount = discount.map(|(discount, _)| discount);
        let writer = OrderWriter {
            checkout: self.checkout,
            customer_id: self.customer.id,
            cart: Some(row),
            lines: &cart.lines,
            priced: &priced,
            billing: &self.destination.billing,
            payment_method: self.payment.id,
            discount_code: discount.as_ref().map(|discount| discount.code.as_str()),
            note: self.request.note.as_deref(),
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
        empty_placed_cart(tx, row.id).await?;
        if let Some(key) = self.key {
            let result = KeyResult { order_id: Some(order_id), attempt_id: None };
            idempotency::store_result(tx, self.customer.id, ROUTE, key, result).await?;
        }
        // The very last, because everybody who places an order waits for the number.
        order.invoice = Some(invoices::issue(tx, invoice).await?);
        Ok(Placed::New(Box::new(order)))
    }

    /// Takes the cart, so that nobody changes or places it meanwhile, and reads it with today's prices.
    async fn filled_cart(&self, tx: &mut Tx) -> ApiResult<(CartRow, PricedCart)> {
        let empty = || ApiError::invalid_state(Message::CartEmpty, "cart_empty");
        let row = take_cart(tx, self.cart).await?.ok_or_else(empty)?;
        if row.customer_id.is_some_and(|owner| owner != self.customer.id) {
            return Err(empty());
        }
        let cart = priced_lines(tx, row.id, &self.checkout.prices).await?;
        if cart.lines.is_empty() {
            return Err(empty());
        }
        if cart.overflow.is_some() {
            return Err(too_large());
        }
        refuse_unavailable(&cart)?;
        Ok((row, cart))
    }

    /// The discount that the request names, and what it takes off this cart.
    async fn discount(&self, tx: &mut Tx, subtotal: i64) -> ApiResult<Option<(Discount, DiscountRule)>> {
        let Some(code) = &self.request.discount_code else { return Ok(None) };
        let found = find_discount(tx, code).await?.ok_or_else(|| self.refuse_code(DiscountRefusal::Unknown))?;
        let uses = count_uses(tx, found.id, self.customer.id).await?;
        let rule = found.check(tx.now(), subtotal, uses).map_err(|refusal| self.refuse_code(refusal))?;
        Ok(Some((found, rule)))
    }

    fn refuse_code(&self, refusal: DiscountRefusal) -> ApiError {
        const FIELD: &str = "discount_code";
        ApiError::invalid_field(FIELD, refusal.violation(&self.checkout.money).on(FIELD))
    }

    fn price(&self, cart: &PricedCart, discount: Option<DiscountRule>) -> ApiResult<PricedOrder> {
        let is_sent = requires_shipping(&cart.lines);
        let country = self.destination.country(is_sent);
        let country = country.ok_or_else(|| ApiError::internal("an address without a country was let through"))?;
        let shipping = if is_sent { Some(self.choose_shipping(country, cart.subtotal_amount)?) } else { None };
        PricedOrder::of(&self.checkout.prices.config, &cart.lines, country, shipping, discount)
    }

    fn choose_shipping(&self, country: CountryCode, subtotal: i64) -> ApiResult<(ChosenShipping, i64)> {
        const FIELD: &str = "shipping_method_id";
        let offered = shipping_methods_for(&self.checkout.prices.config.shipping, Some(country), subtotal);
        let Some(wanted) = &self.request.shipping_method_id else {
            return Err(ApiError::invalid_field(FIELD, Violation::Required.on(FIELD)));
        };
        match offered.iter().find(|method| method.id == *wanted) {
            Some(method) => {
                let shipping = ChosenShipping {
                    address: self.destination.shipping.clone(),
                    method_id: method.id.clone(),
                    method_label: method.label.clone(),
                };
                Ok((shipping, method.amount))
            }
            None if offered.is_empty() => Err(ApiError::invalid_field(FIELD, Violation::NotDelivered.on(FIELD))),
            None => {
                let allowed = offered.into_iter().map(|method| method.id.into()).collect();
                Err(ApiError::invalid_field(FIELD, Violation::OneOf { allowed }.on(FIELD)))
            }
        }
    }

    /// Uses the code, unless others were faster.
    async fn redeem(&self, tx: &mut Tx, discount_id: i64, order_id: i64, amount: i64) -> ApiResult<()> {
        let redemption = Redemption { discount_id, order_id, customer_id: self.customer.id, amount };
        redeem(tx, redemption).await.map_err(|error| match error {
            RedeemError::Refused(refusal) => self.refuse_code(refusal),
            RedeemError::Db(error) => error.into(),
        })
    }
}

/// Whoever was a guest a moment ago has to come back as whoever they are now.
fn no_guest(error: GuestIsGone) -> ApiError {
    match error {
        GuestIsGone::Gone => ApiError::unauthenticated(),
        GuestIsGone::Db(error) => error.into(),
    }
}

/// Refuses a cart with a line that cannot be bought.
fn refuse_unavailable(cart: &PricedCart) -> ApiResult<()> {
    let Some(line) = cart.lines.iter().find(|line| !line.available) else { return Ok(()) };
    let message = Message::LineUnavailable { product: line.label.clone().into() };
    // Said with the word for it, whether the module that knows has said so here or in its own check a moment before.
    let is_sold_out = line.availability == Some(Availability::OutOfStock);
    let reason = if is_sold_out { "insufficient_stock" } else { "line_unavailable" };
    Err(Veto { field: String::from("cart"), message, reason: Some(reason) }.into())
}
