//! A document in the norm's terms.

use chrono::{Datelike, NaiveDate};
use en16931::invoice::{
    Code, DocumentAllowanceCharge, DocumentKind as Kind, InvoiceLine, InvoiceNote, Item, ItemAttribute,
    PrecedingInvoice, PriceDetails, VatBreakdown,
};
use en16931::{Date, DocumentReference, Invoice, InvoiceAmount, Quantity, UnitPriceAmount};
use rust_decimal::Decimal;

use stoa_kernel::text;

use super::ElectronicInvoiceError;
use super::amounts::{Amounts, Group};
use super::missing;
use super::parties::{buyer, delivery, period, said, seller};
use super::payment::instructions;
use super::vat::{Untaxed, Vat};
use crate::pdf::texts::Words;
use crate::pdf::totals::payment;
use crate::pdf::{Document, DocumentKind, DocumentLine};

/// The process that is common to all who exchange invoices in Europe: of an order or a contract, and billed.
const BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
/// What is counted: pieces, or nothing that has a unit (UNECE recommendation 20).
const ONE: &str = "C62";
/// A discount (UNTDID 5189), and freight (UNTDID 7161).
const DISCOUNT: &str = "95";
const FREIGHT: &str = "FC";

/// The document in the norm's terms, without the profile that it follows.
pub(super) fn invoice(document: &Document, words: &Words<'_>) -> Result<Invoice, ElectronicInvoiceError> {
    missing::refuse(document)?;
    let amounts = Amounts::of(document)?;
    let mut invoice = Invoice::default();
    let (kind, type_code) = match document.kind {
        DocumentKind::Invoice => (Kind::Invoice, "380"),
        DocumentKind::CreditNote => (Kind::CreditNote, "381"),
    };
    (invoice.kind, invoice.type_code) = (kind, Some(Code::new(type_code)));
    invoice.business_process = Some(BILLING.to_owned());
    invoice.number = said(Some(&document.number));
    invoice.issue_date = day(document.issued_at);
    invoice.currency = Some(Code::new(document.currency.code()));
    let order = said(Some(&document.order_number));
    invoice.buyer_reference = order.clone().or_else(|| invoice.number.clone());
    invoice.sales_order_reference = order.map(DocumentReference::new);
    invoice.payment_terms = payment(document, words);
    invoice.notes = [document.reason.as_deref(), document.note.as_deref()]
        .into_iter()
        .filter_map(said)
        .map(InvoiceNote::new)
        .collect();
    let preceding = said(document.invoice_number.as_deref()).filter(|_| document.kind == DocumentKind::CreditNote);
    invoice.preceding_invoices = preceding
        .map(|number| PrecedingInvoice {
            reference: DocumentReference::new(number),
            issue_date: document.invoice_issued_at.and_then(day),
        })
        .into_iter()
        .collect();
    invoice.seller = seller(&document.seller);
    invoice.buyer = buyer(document);
    invoice.delivery = delivery(document);
    invoice.invoicing_period = Some(period(document));
    invoice.payment = Some(instructions(document));
    invoice.lines = lines(document, &amounts)?;
    invoice.allowances = edges(&amounts, |group| group.allowance, &discount(document, words), DISCOUNT)?;
    invoice.charges = edges(&amounts, |group| group.charge, &shipping(document, words), FREIGHT)?;
    invoice.vat_breakdown = breakdown(document, words, &amounts)?;
    invoice.totals = amounts.totals(document.paid_at.map(|_| document.total_amount))?;
    Ok(invoice)
}

/// A day of the calendar; none outside of the years that the norm can write.
pub(super) fn day(day: NaiveDate) -> Option<Date> {
    let part = |number: u32| u8::try_from(number).unwrap_or_default();
    Date::new(day.year(), part(day.month()), part(day.day())).ok()
}

fn lines(document: &Document, amounts: &Amounts) -> Result<Vec<InvoiceLine>, ElectronicInvoiceError> {
    let lines = document.lines.iter().zip(&amounts.lines).zip(1..);
    lines.map(|((line, (net, vat)), number)| written_line(line, amounts.written(*net)?, *vat, number)).collect()
}

fn written_line(
    line: &DocumentLine,
    net: InvoiceAmount,
    vat: Vat,
    number: u32,
) -> Result<InvoiceLine, ElectronicInvoiceError> {
    let quantity = Quantity::new(Decimal::from(line.quantity));
    let written =
        InvoiceLine::new(number.to_string(), "", quantity, ONE, net, vat.of_line().category, vat.of_line().rate);
    let attributes = line.options.iter().filter_map(|option| {
        let (name, value) = (said(Some(&option.label))?, said(Some(&option.display))?);
        Some(ItemAttribute { name: Some(name), value: Some(value) })
    });
    let item = Item {
        name: said(Some(&line.label)),
        seller_identifier: said(line.sku.as_deref()),
        attributes: attributes.collect(),
        ..Item::default()
    };
    Ok(written.with_price(price(net, line.quantity)?).with_item(item))
}

/// The price of one, or of all where that of one is no whole number of hundredths: a rounded price would not add up.
fn price(net: InvoiceAmount, quantity: i64) -> Result<PriceDetails, ElectronicInvoiceError> {
    if quantity < 1 {
        return Err(ElectronicInvoiceError::Amounts);
    }
    let hundredths = net.to_minor_units();
    if hundredths % quantity == 0 {
        let one = UnitPriceAmount::new(Decimal::new(hundredths / quantity, 2));
        return Ok(PriceDetails { net_price: one, ..PriceDetails::default() });
    }
    Ok(PriceDetails {
        net_price: UnitPriceAmount::new(net.into_decimal()),
        base_quantity: Some(Quantity::new(Decimal::from(quantity))),
        base_quantity_code: Some(Code::new(ONE)),
        ..PriceDetails::default()
    })
}

/// What is taken off or added for the whole document, by category and rate.
fn edges(
    amounts: &Amounts,
    part: fn(&Group) -> i128,
    reason: &str,
    reason_code: &str,
) -> Result<Vec<DocumentAllowanceCharge>, ElectronicInvoiceError> {
    let parts = amounts.groups.iter().map(|(vat, group)| (vat, part(group))).filter(|(_, amount)| *amount != 0);
    let edges = parts.map(|(vat, amount)| {
        Ok(DocumentAllowanceCharge {
            amount: amounts.written(amount)?,
            base_amount: None,
            percentage: None,
            vat: vat.of_line(),
            reason: said(Some(reason)),
            reason_code: Some(Code::new(reason_code)),
        })
    });
    edges.collect()
}

fn discount(document: &Document, words: &Words<'_>) -> String {
    let further = document.further_discounts.iter().map(|discount| discount.label.clone());
    let by_code = document.discount_code.as_deref();
    let by_code = by_code.map(|code| words.say(&text!("document-discount-by-code", code = code)));
    let named = by_code.into_iter().chain(further).collect::<Vec<_>>().join(", ");
    if named.is_empty() { words.say(&text!("document-discount")) } else { named }
}

fn shipping(document: &Document, words: &Words<'_>) -> String {
    let label = document.shipping_label.as_deref();
    label.map_or_else(
        || words.say(&text!("document-shipping")),
        |label| words.say(&text!("document-shipping-by", label = label)),
    )
}

fn breakdown(
    document: &Document,
    words: &Words<'_>,
    amounts: &Amounts,
) -> Result<Vec<VatBreakdown>, ElectronicInvoiceError> {
    let untaxed = Untaxed::of(document);
    let rows = amounts.groups.iter().map(|(vat, group)| {
        let reason = untaxed.reason(vat.category, words);
        Ok(VatBreakdown {
            taxable_amount: amounts.written(group.net)?,
            tax_amount: amounts.written(group.tax)?,
            category: Code::new(vat.category.code()),
            rate: Some(vat.percent()),
            exemption_reason_code: reason.as_ref().and_then(|(_, code)| code.map(Code::new)),
            exemption_reason: reason.map(|(reason, _)| reason),
        })
    });
    rows.collect()
}
