//! Writing an order with everything that follows from it, whoever places it: the customer at a checkout, or the shop on their behalf.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::i18n::Language;
use stoa_kernel::money::Money;
use stoa_notices::webhooks::{self, OrderData, WebhookEvent};

use super::added::PricedAddition;
use super::consents::DIGITAL_WAIVER;
use super::error::CheckoutError;
use super::lines::{Waiver, new_items, order_lines, withdrawal_rule};
use super::quote::PricedOrder;
use super::uses::Checkout;
use crate::cart::{CartRow, PricedLine, Prices};
use crate::invoices::InvoiceDraft;
use crate::orders::{
    Actor, CheckedVatId, ChosenShipping, NewOrder, OrderConsent, OrderCreated, OrderNumber, OrderPlacing,
    OrderResource, OrderStatus, PlacedAddedLine, PlacedOrder, emit_paid, insert_order, lock_order, mark_paid, record,
};
use crate::payments::{Payment, PaymentStatus, insert_payment};
use crate::withdrawals::{WithdrawalRule, hold_until_period_ends, is_on};

/// An order that is being placed.
pub(super) struct OrderWriter<'a> {
    pub(super) checkout: &'a Checkout,
    pub(super) customer_id: i64,
    /// The cart that it is placed from, if it is.
    pub(super) cart: Option<CartRow>,
    pub(super) lines: &'a [PricedLine],
    pub(super) priced: &'a PricedOrder,
    pub(super) vat_id: Option<&'a CheckedVatId>,
    pub(super) billing: &'a PostalAddress,
    /// How it is sent; none when nothing is.
    pub(super) shipping: Option<&'a ChosenShipping>,
    pub(super) payment_method: &'a str,
    pub(super) discount_code: Option<&'a str>,
    pub(super) note: Option<&'a str>,
    pub(super) consents: &'a [OrderConsent],
    /// What modules have asked for.
    pub(super) answers: Option<&'a Map<String, Value>>,
    pub(super) language: Language,
    /// When it ends unless it is paid; none is never.
    pub(super) expires_at: Option<DateTime<Utc>>,
    pub(super) actor: Actor,
}

/// An order whose items stand, and whose promises are reserved.
pub(super) struct WrittenOrder {
    /// The order, its items in the order of the lines, without the invoice.
    pub(super) order: OrderResource,
    /// To be issued at the very end of the transaction.
    pub(super) invoice: InvoiceDraft,
}

impl OrderWriter<'_> {
    /// Writes the order, and lets modules reserve what it promises.
    pub(super) async fn write(&self, tx: &mut Tx) -> Result<WrittenOrder, CheckoutError> {
        let Self { checkout, priced, .. } = self;
        let totals = &priced.totals;
        let items = new_items(self.lines, priced, |line| self.withdrawal_rule(line))?;
        let added_lines = priced.added.iter().map(PricedAddition::shown).collect::<Vec<_>>();
        let new = NewOrder {
            customer_id: self.customer_id,
            cart: self.cart.map(|cart| (cart.id, cart.filling)),
            currency: checkout.currency,
            subtotal_amount: totals.subtotal_amount,
            discount_amount: totals.discount_amount,
            shipping_amount: totals.shipping_amount,
            shipping_tax_rate: priced.shipping_tax_rate,
            shipping_tax_amount: totals.shipping_tax_amount,
            tax_amount: totals.tax_amount,
            total_amount: totals.total_amount,
            prices_include_tax: priced.prices_include_tax,
            discount_code: self.discount_code,
            added_lines: &added_lines,
            vat_id: self.vat_id,
            reverse_charge: priced.reverse_charge,
            billing_address: self.billing,
            shipping: self.shipping,
            payment_method: self.payment_method,
            note: self.note,
            consents: self.consents,
            language: self.language,
            expires_at: self.expires_at.filter(|_| totals.total_amount > 0),
            items: &items,
        };
        let inserted = insert_order(tx, &new).await?;
        let placed = PlacedOrder {
            id: inserted.id,
            number: OrderNumber::of(inserted.id).to_string(),
            customer_id: self.customer_id,
            total_amount: totals.total_amount,
            currency: checkout.currency,
        };
        let placing = OrderPlacing {
            order: Some(placed),
            lines: order_lines(self.lines, &inserted.item_ids),
            added_lines: self.placed_added_lines(&inserted.item_ids),
            answers: self.answers.cloned().unwrap_or_default(),
        };
        tx.announce(&placing).await?;
        if items.iter().any(|item| item.withdrawal_rule == Some(WithdrawalRule::Later)) {
            let placed_at = tx.now();
            hold_until_period_ends(tx, inserted.id, placed_at).await?;
        }
        let invoice = InvoiceDraft::of(&checkout.prices.config, inserted.id, &new)?;
        let order = OrderResource::of_new(&new, &inserted, &checkout.money, tx.now())?;
        Ok(WrittenOrder { order, invoice })
    }

    /// What becomes of the right to withdraw from a line, where the law gives one.
    fn withdrawal_rule(&self, line: &PricedLine) -> Option<WithdrawalRule> {
        let Prices { config, selling, .. } = &self.checkout.prices;
        if !is_on(config) {
            return None;
        }
        if self.cart.is_none() {
            return Some(WithdrawalRule::Renewal);
        }
        let is_given = self.consents.iter().any(|consent| consent.id == DIGITAL_WAIVER);
        withdrawal_rule(selling, line, if is_given { Waiver::Given } else { Waiver::NotGiven })
    }

    /// What modules have added, with the ids of the items that stand behind those of the products.
    fn placed_added_lines(&self, item_ids: &[i64]) -> Vec<PlacedAddedLine> {
        let mut fees = item_ids.iter().skip(self.lines.len()).copied();
        let added = self.priced.added.iter();
        added.map(|line| line.placed(line.is_fee().then(|| fees.next()).flatten())).collect()
    }

    /// The capabilities of all that is ordered, sorted.
    fn capabilities(&self) -> Vec<String> {
        let all = self.lines.iter().flat_map(|line| &line.capabilities).cloned();
        all.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Writes what is owed, and tells everybody; an order that costs nothing is paid, and nothing is owed for it.
    pub(super) async fn record_and_emit(&self, tx: &mut Tx, order_id: i64) -> Result<Option<Payment>, DbError> {
        let (currency, total_amount) = (self.checkout.currency, self.priced.totals.total_amount);
        let is_free = total_amount == 0;
        let owed =
            if is_free { None } else { Some(insert_payment(tx, order_id, Money::new(total_amount, currency)).await?) };
        record(tx, order_id, "placed", self.actor, None).await?;
        tx.emit(&OrderCreated {
            order_id,
            order_number: OrderNumber::of(order_id).to_string(),
            customer_id: self.customer_id,
            status: if is_free { OrderStatus::Paid } else { OrderStatus::Pending },
            total_amount,
            currency: currency.code().to_owned(),
            capabilities: Some(self.capabilities()),
        })
        .await?;
        let created = OrderData {
            order_id,
            order_number: OrderNumber::of(order_id).to_string(),
            status: if is_free { OrderStatus::Paid.as_str() } else { OrderStatus::Pending.as_str() },
            payment_status: (!is_free).then_some(PaymentStatus::Pending.as_str()),
            total: total_amount,
            currency: currency.code().to_owned(),
        };
        let mut told = vec![WebhookEvent::OrderCreated(created)];
        if is_free
            && let Some(order) = lock_order(tx, order_id).await?
            && mark_paid(tx, &order).await?
        {
            record(tx, order_id, "paid", Actor::System, None).await?;
            told.push(emit_paid(tx, &order, None).await?);
        }
        webhooks::queue_all(tx, &told).await?;
        Ok(owed)
    }
}
