//! The amounts of a document in the norm's terms: all of them net, and by rate of tax.
//!
//! What a document says is never worked out again. The tax of a line and of a rate is what the shop has charged; what is net is
//! what is left of the price. A discount is what the lines of a rate would be net without it, less what they are; what the
//! lines leave of the taxes by rate is shipping. So everything adds up to the document's own total, or it is refused.

use std::collections::BTreeMap;

use en16931::InvoiceAmount;
use en16931::invoice::DocumentTotals;

use super::ElectronicInvoiceError;
use super::vat::{Supply, Untaxed, Vat};
use crate::pdf::{Document, DocumentLine};

/// What belongs to one category and rate, in minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// What the discounts take off, before tax.
    pub(super) allowance: i128,
    /// Shipping, before tax.
    pub(super) charge: i128,
    /// All of it before tax.
    pub(super) net: i128,
    /// The tax.
    pub(super) tax: i128,
}

/// The amounts of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Amounts {
    /// The lines before discounts and tax, with how each is taxed.
    pub(super) lines: Vec<(i128, Vat)>,
    /// The rest by category and rate.
    pub(super) groups: BTreeMap<Vat, Group>,
    /// The norm's hundredths in a minor unit: 1, or 10 or 100 where a currency has one decimal or none.
    scale: i128,
}

impl Amounts {
    pub(super) fn of(document: &Document) -> Result<Self, ElectronicInvoiceError> {
        let scale = match document.currency.minor_digits() {
            0 => 100,
            1 => 10,
            2 => 1,
            _ => return Err(ElectronicInvoiceError::Currency(document.currency.code())),
        };
        let untaxed = Untaxed::of(document);
        let mut amounts = Self { lines: Vec::with_capacity(document.lines.len()), groups: BTreeMap::new(), scale };
        for line in &document.lines {
            amounts.add_line(line, document.prices_include_tax, untaxed)?;
        }
        amounts.add_shipping(document, untaxed)?;
        let total = amounts.groups.values().map(|group| group.net + group.tax).sum::<i128>();
        if total != i128::from(document.total_amount) {
            return Err(ElectronicInvoiceError::Amounts);
        }
        Ok(amounts)
    }

    fn add_line(
        &mut self,
        line: &DocumentLine,
        includes_tax: bool,
        untaxed: Untaxed<'_>,
    ) -> Result<(), ElectronicInvoiceError> {
        let full = i128::from(line.line_total_amount);
        let left = full - i128::from(line.discount_amount);
        if line.tax_rate < 0 || left < 0 || line.discount_amount < 0 {
            return Err(ElectronicInvoiceError::Amounts);
        }
        let rate = i128::from(line.tax_rate);
        let tax = line.tax_amount.map_or_else(|| tax_of(left, rate, includes_tax), i128::from);
        let net = if includes_tax { left - tax } else { left };
        let full_net = match (includes_tax, line.discount_amount) {
            (true, 0) => net,
            (true, _) => (full - tax_of(full, rate, includes_tax)).max(net),
            (false, _) => full,
        };
        if net < 0 {
            return Err(ElectronicInvoiceError::Amounts);
        }
        let supply = if line.is_shipped { Supply::Goods } else { Supply::Service };
        let vat = untaxed.vat(line.tax_rate, supply);
        self.lines.push((full_net, vat));
        let group = self.groups.entry(vat).or_default();
        group.allowance += full_net - net;
        group.net += net;
        group.tax += tax;
        Ok(())
    }

    /// What the lines leave of the taxes by rate: shipping, or nothing.
    fn add_shipping(&mut self, document: &Document, untaxed: Untaxed<'_>) -> Result<(), ElectronicInvoiceError> {
        let mut left = BTreeMap::<i64, (i128, i128)>::new();
        for line in &document.tax_lines {
            let (net, tax) = left.entry(line.rate).or_default();
            *net += i128::from(line.net_amount);
            *tax += i128::from(line.tax_amount);
        }
        // A shop without taxes shows none.
        if document.tax_lines.is_empty() {
            left.insert(0, (i128::from(document.total_amount), 0));
        }
        for (vat, group) in &self.groups {
            let (net, tax) = left.entry(vat.rate).or_default();
            *net -= group.net;
            *tax -= group.tax;
        }
        let shipping = i128::from(document.shipping_amount);
        for (rate, (net, tax)) in left.into_iter().filter(|(_, left)| *left != (0, 0)) {
            let is_shipping = net + if document.prices_include_tax { tax } else { 0 } == shipping;
            if !is_shipping || net < 0 || tax < 0 || rate < 0 {
                return Err(ElectronicInvoiceError::Amounts);
            }
            let group = self.groups.entry(untaxed.vat(rate, Supply::Goods)).or_default();
            group.charge += net;
            group.net += net;
            group.tax += tax;
        }
        Ok(())
    }

    /// An amount as the norm writes it.
    pub(super) fn written(&self, amount: i128) -> Result<InvoiceAmount, ElectronicInvoiceError> {
        let hundredths = amount.checked_mul(self.scale).and_then(|amount| i64::try_from(amount).ok());
        hundredths.map(InvoiceAmount::from_minor_units).ok_or(ElectronicInvoiceError::Amounts)
    }

    /// The totals; `paid` is what was paid of them in minor units.
    pub(super) fn totals(&self, paid: Option<i64>) -> Result<DocumentTotals, ElectronicInvoiceError> {
        let sum = |part: fn(&Group) -> i128| self.groups.values().map(part).sum::<i128>();
        let (allowances, charges) = (sum(|group| group.allowance), sum(|group| group.charge));
        let (net, tax) = (sum(|group| group.net), sum(|group| group.tax));
        let lines = self.lines.iter().map(|(net, _)| net).sum();
        let stated = |amount: i128| (amount != 0).then(|| self.written(amount)).transpose();
        Ok(DocumentTotals {
            line_total: self.written(lines)?,
            allowance_total: stated(allowances)?,
            charge_total: stated(charges)?,
            taxable_total: self.written(net)?,
            vat_total: Some(self.written(tax)?),
            vat_total_accounting: None,
            gross_total: self.written(net + tax)?,
            paid: paid.map(|paid| self.written(paid.into())).transpose()?,
            rounding: None,
            due: self.written(net + tax - i128::from(paid.unwrap_or_default()))?,
        })
    }
}

/// The tax of an amount, rounded half up, as the shop works it out.
fn tax_of(amount: i128, rate: i128, includes_tax: bool) -> i128 {
    let whole = if includes_tax { 10_000 + rate } else { 10_000 };
    (amount * rate * 2 + whole) / (whole * 2)
}
