//! Placing an order: one transaction from the cart to everything that follows from it (contract 2.2).
//!
//! The order comes first and is paid afterwards. Whatever goes wrong before the commit leaves the cart as it was.

use chrono::{DateTime, TimeDelta, Utc};

use super::destination::Destination;
use super::lines::{new_items, order_lines, pricing_lines, requires_shipping};
use super::rules::CheckoutRequest;
use crate::cart::{CartChoice, CartRow, PricedCart, empty_placed_cart, find_cart_in, lock_cart, priced_lines};
use crate::config::CountryCode;
use crate::db::Tx;
use crate::discounts::{Discount, DiscountRefusal, RedeemError, Redemption, count_uses, find_discount, redeem};
use crate::events::Veto;
use crate::http::error::{ApiError, ApiResult};
use crate::i18n::{Language, Message, Violation};
use crate::idempotency::{self, IdempotencyKey, Made};
use crate::invoices::{self, InvoiceDraft};
use crate::money::Money;
use crate::orders::{
    Actor, ChosenShipping, NewOrder, OrderCreated, OrderNumber, OrderPlacing, OrderStatus, PlacedOrder, insert_order,
    lock_order, mark_paid, record,
};
use crate::payments::{PaymentStatus, insert_payment};
use crate::pricing::{DiscountRule, PricingInput, PricingLine, Totals, shipping_methods_for, shipping_tax_rate, total};
use crate::services::Services;
use crate::webhooks::{self, OrderData, WebhookEvent};

/// The route's name, which idempotency keys are kept under.
pub(super) const ROUTE: &str = "checkout.store";

/// What an order is placed with, checked as far as that is possible before the transaction.
pub(super) struct Placement<'a> {
    pub(super) services: &'a Services,
    pub(super) customer_id: i64,
    pub(super) cart: &'a CartChoice,
    pub(super) destination: &'a Destination,
    pub(super) payment_method: &'a str,
    pub(super) request: &'a CheckoutRequest,
    pub(super) language: Language,
    pub(super) key: Option<&'a IdempotencyKey>,
}

/// What placing came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placed {
    /// This order is new.
    New(i64),
    /// The key has placed this order before.
    Before(i64),
}

/// What the lines of a cart cost together, and how they are sent.
struct Priced {
    lines: Vec<PricingLine>,
    totals: Totals,
    shipping: Option<ChosenShipping>,
    shipping_tax_rate: u16,
}

impl Placement<'_> {
    /// Places the order in this transaction.
    pub(super) async fn place(&self, tx: &mut Tx) -> ApiResult<Placed> {
        if let Some(key) = self.key
            && let Some(made) = idempotency::claim(tx, self.customer_id, ROUTE, key).await?
        {
            return made.order_id.map(Placed::Before).ok_or_else(ApiError::not_found);
        }
        let (row, cart) = self.take_cart(tx).await?;
        let discount = self.discount(tx, cart.subtotal_amount).await?;
        let priced = self.price(&cart, discount.as_ref().map(|(_, rule)| *rule))?;
        let total_amount = priced.totals.total_amount;
        if self.request.expected_total_amount.is_some_and(|expected| expected != total_amount) {
            return Err(ApiError::conflict(Message::TotalChanged, "total_changed"));
        }
        let discount = discount.map(|(discount, _)| discount);
        let (order_id, invoice) = self.write(tx, row, &cart, &priced, discount.as_ref()).await?;
        if total_amount > 0 {
            insert_payment(tx, order_id, Money::new(total_amount, self.services.currency)).await?;
        }
        record(tx, order_id, "placed", Actor::Customer, None).await?;
        self.tell(tx, order_id, total_amount).await?;
        empty_placed_cart(tx, row.id).await?;
        if let Some(key) = self.key {
            let made = Made { order_id: Some(order_id), attempt_id: None };
            idempotency::keep(tx, self.customer_id, ROUTE, key, made).await?;
        }
        // The very last, because everybody who places an order waits for the number.
        invoices::issue(tx, invoice).await?;
        Ok(Placed::New(order_id))
    }

    /// Locks the cart, so that nobody changes or places it meanwhile, and reads it with today's prices.
    async fn take_cart(&self, tx: &mut Tx) -> ApiResult<(CartRow, PricedCart)> {
        let empty = || ApiError::invalid_state(Message::CartEmpty, "cart_empty");
        let found = find_cart_in(tx, self.cart).await?.ok_or_else(empty)?;
        let row = lock_cart(tx, found.id).await?.ok_or_else(empty)?;
        if row.customer_id.is_some_and(|owner| owner != self.customer_id) {
            return Err(empty());
        }
        let cart = priced_lines(tx, row.id, self.services).await?;
        if cart.lines.is_empty() {
            return Err(empty());
        }
        if cart.overflow.is_some() {
            return Err(too_large());
        }
        if let Some(line) = cart.lines.iter().find(|line| !line.available) {
            let message = Message::LineUnavailable { product: line.label.clone().into() };
            return Err(Veto { field: String::from("cart"), message, reason: Some("line_unavailable") }.into());
        }
        Ok((row, cart))
    }

    /// The discount that the request names, and what it takes off this cart.
    async fn discount(&self, tx: &mut Tx, subtotal: i64) -> ApiResult<Option<(Discount, DiscountRule)>> {
        let Some(code) = &self.request.discount_code else { return Ok(None) };
        let found = find_discount(tx, code).await?.ok_or_else(|| self.refuse_code(DiscountRefusal::Unknown))?;
        let uses = count_uses(tx, found.id, self.customer_id).await?;
        let rule = found.check(tx.now(), subtotal, uses).map_err(|refusal| self.refuse_code(refusal))?;
        Ok(Some((found, rule)))
    }

    fn refuse_code(&self, refusal: DiscountRefusal) -> ApiError {
        const FIELD: &str = "discount_code";
        ApiError::invalid_field(FIELD, refusal.violation(&self.services.money).on(FIELD))
    }

    fn price(&self, cart: &PricedCart, discount: Option<DiscountRule>) -> ApiResult<Priced> {
        let config = &self.services.config;
        let is_sent = requires_shipping(&cart.lines);
        let country = self.destination.country(is_sent);
        let country = country.ok_or_else(|| ApiError::internal("an address without a country was let through"))?;
        let (shipping, shipping_amount) = if is_sent {
            let (shipping, amount) = self.choose_shipping(country, cart.subtotal_amount)?;
            (Some(shipping), amount)
        } else {
            (None, 0)
        };
        let lines = pricing_lines(&cart.lines, &config.tax, country);
        let shipping_tax_rate = shipping_tax_rate(&config.tax, country);
        let input = PricingInput {
            lines: &lines,
            discount,
            shipping_amount,
            shipping_tax_rate,
            prices_include_tax: config.tax.prices_include_tax,
        };
        let totals = total(&input).map_err(|_| too_large())?;
        Ok(Priced { lines, totals, shipping, shipping_tax_rate: shipping_tax_rate.get() })
    }

    fn choose_shipping(&self, country: CountryCode, subtotal: i64) -> ApiResult<(ChosenShipping, i64)> {
        const FIELD: &str = "shipping_method_id";
        let offered = shipping_methods_for(&self.services.config.shipping, Some(country), subtotal);
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

    /// Writes the order, and lets modules reserve what it promises; returns its id, and its invoice to be issued.
    async fn write(
        &self,
        tx: &mut Tx,
        row: CartRow,
        cart: &PricedCart,
        priced: &Priced,
        discount: Option<&Discount>,
    ) -> ApiResult<(i64, InvoiceDraft)> {
        let Self { services, request, .. } = self;
        let items = new_items(&cart.lines, &priced.lines, &priced.totals.lines)?;
        let totals = &priced.totals;
        let new = NewOrder {
            customer_id: self.customer_id,
            cart: Some((row.id, row.filling)),
            currency: services.currency,
            subtotal_amount: totals.subtotal_amount,
            discount_amount: totals.discount_amount,
            shipping_amount: totals.shipping_amount,
            shipping_tax_rate: priced.shipping_tax_rate,
            shipping_tax_amount: totals.shipping_tax_amount,
            tax_amount: totals.tax_amount,
            total_amount: totals.total_amount,
            prices_include_tax: services.config.tax.prices_include_tax,
            discount_code: discount.map(|discount| discount.code.as_str()),
            billing_address: &self.destination.billing,
            shipping: priced.shipping.as_ref(),
            payment_method: self.payment_method,
            note: request.note.as_deref(),
            language: self.language,
            expires_at: self.expires_at(tx.now()).filter(|_| totals.total_amount > 0),
            items: &items,
        };
        let inserted = insert_order(tx, &new).await?;
        let order = PlacedOrder {
            id: inserted.id,
            number: OrderNumber::of(inserted.id).to_string(),
            customer_id: self.customer_id,
            total_amount: totals.total_amount,
            currency: services.currency,
        };
        let lines = order_lines(&cart.lines, &inserted.item_ids)?;
        tx.announce(&OrderPlacing { order: Some(order), lines }).await?;
        if let Some(discount) = discount {
            self.redeem(tx, discount.id, inserted.id, totals.discount_amount).await?;
        }
        let invoice = InvoiceDraft::of(&services.config, inserted.id, &new).map_err(|_| too_large())?;
        Ok((inserted.id, invoice))
    }

    /// Uses the code, unless others were faster.
    async fn redeem(&self, tx: &mut Tx, discount_id: i64, order_id: i64, amount: i64) -> ApiResult<()> {
        let redemption = Redemption { discount_id, order_id, customer_id: self.customer_id, amount };
        redeem(tx, redemption).await.map_err(|error| match error {
            RedeemError::Refused(refusal) => self.refuse_code(refusal),
            RedeemError::Db(error) => error.into(),
        })
    }

    /// When the order ends unless it is paid; it may get more time when the customer begins to pay.
    fn expires_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let minutes = self.services.config.orders.unpaid_expiry_minutes;
        (minutes > 0).then(|| now + TimeDelta::minutes(i64::from(minutes)))
    }

    /// Tells everybody about the order; one that costs nothing is paid at once.
    async fn tell(&self, tx: &mut Tx, order_id: i64, total_amount: i64) -> ApiResult<()> {
        let is_free = total_amount == 0;
        tx.emit(&OrderCreated {
            order_id,
            order_number: OrderNumber::of(order_id).to_string(),
            customer_id: self.customer_id,
            status: if is_free { OrderStatus::Paid } else { OrderStatus::Pending },
            total_amount,
            currency: self.services.currency.code().to_owned(),
        })
        .await?;
        let created = OrderData {
            order_id,
            order_number: OrderNumber::of(order_id).to_string(),
            status: if is_free { OrderStatus::Paid.as_str() } else { OrderStatus::Pending.as_str() },
            payment_status: (!is_free).then_some(PaymentStatus::Pending.as_str()),
            total: total_amount,
            currency: self.services.currency.code().to_owned(),
        };
        webhooks::queue(tx, &WebhookEvent::OrderCreated(created)).await?;
        if is_free && let Some(order) = lock_order(tx, order_id).await? {
            mark_paid(tx, &order, None, Actor::System).await?;
        }
        Ok(())
    }
}

fn too_large() -> ApiError {
    ApiError::invalid_state(Message::TotalTooLarge, "total_too_large")
}
