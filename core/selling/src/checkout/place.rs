//! Placing an order: one transaction from the cart to everything that follows from it (contract 2.2).
//!
//! The order comes first and is paid afterwards. Whatever goes wrong before the commit leaves the cart as it was.

use stoa_customers::guests::confirm_guest;
use stoa_kernel::db::Tx;
use stoa_kernel::http::extract::Customer;

use super::destination::Destination;
use super::error::CheckoutError;
use super::lines::requires_shipping;
use super::order_writer::{OrderWriter, WrittenOrder};
use super::wishes::{Granted, Wishes, require_filled};
use crate::cart::{CartChoice, CartRow, PricedCart, empty_placed_cart, priced_lines, take_cart};
use crate::discounts::{RedeemError, Redemption, redeem};
use crate::idempotency::{self, IdempotencyKey, KeyResult};
use crate::invoices;
use crate::orders::{Actor, ChosenShipping, OrderResource, VatIdStatus, flag_order};
use crate::payments::{Attempt, insert_at_once};
use crate::pricing::ShippingOption;

/// The route's name, which idempotency keys are kept under.
pub(super) const ROUTE: &str = "checkout.store";

/// Why an order is flagged, as `review_reason` shows it: VIES did not answer, so tax was charged.
const VAT_ID_NOT_CHECKED: &str = "vat_id_not_checked";

/// What an order is placed with, checked as far as that is possible before the transaction.
pub(super) struct Placement<'a> {
    pub(super) wishes: &'a Wishes<'a>,
    pub(super) customer: Customer,
    pub(super) cart: &'a CartChoice,
    pub(super) destination: &'a Destination,
    pub(super) key: Option<&'a IdempotencyKey>,
}

/// What placing came to.
#[derive(Debug)]
pub(super) enum Placed {
    /// An order is new.
    New {
        /// As it was written; one that costs nothing is paid already, which is not seen here.
        order: Box<OrderResource>,
        /// What is to be begun now, where paying needs no customer.
        attempt: Option<Box<Attempt>>,
    },
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
        let Wishes { checkout, vat_id, payment, request, language, .. } = *self.wishes;
        let (row, cart) = self.filled_cart(tx).await?;
        if self.wishes.countries.deciding(requires_shipping(&cart.lines)).is_none() {
            return Err(CheckoutError::NoCountry);
        }
        let now = tx.now();
        let granted = self.wishes.grant(&mut tx.into(), &cart, now).await?;
        let Granted { consents, priced, shipping, discount } = granted;
        let shipping = shipping.map(|method| self.send_by(method));
        let totals = &priced.totals;
        let writer = OrderWriter {
            checkout,
            customer_id: self.customer.id,
            cart: Some(row),
            lines: &cart.lines,
            priced: &priced,
            vat_id,
            billing: &self.destination.billing,
            shipping: shipping.as_ref(),
            payment_method: payment.id,
            discount_code: discount.as_ref().map(|discount| discount.code.as_str()),
            note: request.note.as_deref(),
            consents: &consents,
            answers: request.answers.as_ref(),
            language,
            expires_at: payment.expires_at(&checkout.prices.config, now),
            actor: Actor::Customer,
        };
        let WrittenOrder { mut order, invoice } = writer.write(tx).await?;
        let order_id = order.id;
        if let Some(discount) = &discount {
            self.redeem(tx, discount.id, order_id, totals.discount_amount).await?;
        }
        let attempt = match writer.record_and_emit(tx, order_id).await? {
            Some(owed) => insert_at_once(tx, &checkout.payments, &owed, payment.id).await?,
            None => None,
        };
        if totals.tax_amount > 0 && vat_id.is_some_and(|vat_id| vat_id.check.status == VatIdStatus::Unavailable) {
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
        Ok(Placed::New { order: Box::new(order), attempt: attempt.map(Box::new) })
    }

    /// Takes the cart, so that nobody changes or places it meanwhile, and reads it with today's prices.
    async fn filled_cart(&self, tx: &mut Tx) -> Result<(CartRow, PricedCart), CheckoutError> {
        let row = take_cart(tx, self.cart).await?.ok_or(CheckoutError::CartEmpty)?;
        if row.customer_id.is_some_and(|owner| owner != self.customer.id) {
            return Err(CheckoutError::CartEmpty);
        }
        let cart = priced_lines(tx, row.id, Some(self.customer.id), &self.wishes.checkout.prices).await?;
        Ok((row, require_filled(cart)?))
    }

    fn send_by(&self, method: ShippingOption) -> ChosenShipping {
        let ShippingOption { id, label, .. } = method;
        ChosenShipping { address: self.destination.shipping.clone(), method_id: id, method_label: label }
    }

    /// Uses the code, unless others were faster.
    async fn redeem(&self, tx: &mut Tx, discount_id: i64, order_id: i64, amount: i64) -> Result<(), CheckoutError> {
        let redemption = Redemption { discount_id, order_id, customer_id: self.customer.id, amount };
        redeem(tx, redemption).await.map_err(|error| match error {
            RedeemError::Refused(refusal) => self.wishes.refuse_code(refusal),
            RedeemError::Db(error) => error.into(),
        })
    }
}
