//! An invoice as it follows from a new order, before it has a number.

use chrono::NaiveDate;

use stoa_customers::addresses::PostalAddress;
use stoa_documents::pdf::{
    self, Document, DocumentDiscount, DocumentKind, DocumentLine, DocumentOption, PartyAddress, Seller,
};
use stoa_kernel::config::{BasisPoints, Config};
use stoa_kernel::i18n::{Language, country_name};

use super::series::{Numbered, Series};
use crate::orders::{NewOrder, NewOrderLine, OrderAddedLine, OrderNumber};
use crate::pricing::{AmountOverflow, TaxLine, tax_lines};

/// Everything that stands on an invoice but its number and its day.
#[derive(Debug, Clone)]
pub(crate) struct InvoiceDraft {
    pub(super) order_id: i64,
    pub(super) customer_id: i64,
    pub(super) series: Series,
    /// Which decides about the taxes: where the goods go, else the bill.
    pub(super) country: String,
    pub(super) document: Document,
}

impl InvoiceDraft {
    /// The invoice of an order, with the seller as the configuration describes it today.
    pub(crate) fn of(config: &Config, order_id: i64, order: &NewOrder<'_>) -> Result<Self, AmountOverflow> {
        let ship_to = order.shipping.map(|shipping| &shipping.address).filter(|to| *to != order.billing_address);
        let document = Document {
            kind: DocumentKind::Invoice,
            number: String::new(),
            issued_at: NaiveDate::default(),
            order_number: OrderNumber::of(order_id).to_string(),
            invoice_number: None,
            invoice_issued_at: None,
            reason: None,
            language: order.language.tag().to_owned(),
            currency: order.currency,
            locale: locale(config, order.language),
            seller: Seller::new(&config.seller, &config.shop.name, order.language),
            buyer: lines_of(order.billing_address, order.language),
            buyer_vat_id: order.vat_id.map(|vat_id| vat_id.id.to_string()),
            reverse_charge: order.reverse_charge,
            ship_to: ship_to.map(|address| lines_of(address, order.language)),
            buyer_address: Some(parts_of(order.billing_address)),
            buyer_email: None,
            delivery_address: order.shipping.map(|shipping| parts_of(&shipping.address)),
            payment_method: order.payment_method.to_owned(),
            lines: order.items.iter().map(line).collect(),
            subtotal_amount: order.subtotal_amount,
            discount_amount: order.discount_amount,
            discount_code: order.discount_code.map(str::to_owned),
            further_discounts: order.added_lines.iter().filter(|line| line.amount < 0).map(discount).collect(),
            shipping_amount: order.shipping_amount,
            shipping_label: order.shipping.map(|shipping| shipping.method_label.clone()),
            tax_lines: shown_taxes(tax_lines(order.taxed())?),
            tax_amount: order.tax_amount,
            total_amount: order.total_amount,
            prices_include_tax: order.prices_include_tax,
            paid_at: None,
            cancelled_at: None,
            note: None,
        };
        let series = Series::of(&config.invoices, Numbered::Invoices);
        let decides = order.shipping.map_or(order.billing_address, |shipping| &shipping.address);
        let country = decides.country.clone();
        Ok(Self { order_id, customer_id: order.customer_id, series, country, document })
    }
}

/// Amounts are written as the shop does, if that is in the customer's language.
fn locale(config: &Config, language: Language) -> String {
    let shop = config.shop.locale.to_string();
    if shop.split('-').next() == Some(language.tag()) { shop } else { String::new() }
}

/// An address as it stands on a document, with the country by its name.
fn lines_of(address: &PostalAddress, language: Language) -> Vec<String> {
    let city = format!("{} {}", address.postal_code, address.city);
    let country = country_name(&address.country, language);
    let lines = [
        address.company.as_deref(),
        Some(address.name.as_str()),
        Some(address.line1.as_str()),
        address.line2.as_deref(),
        Some(city.trim()),
        address.region.as_deref(),
        country.as_deref().or(Some(&address.country)),
    ];
    lines.into_iter().flatten().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

fn parts_of(address: &PostalAddress) -> PartyAddress {
    let PostalAddress { name, company, line1, line2, city, postal_code, region, country, phone: _ } = address.clone();
    PartyAddress { name, company, line1, line2, city, postal_code, region, country }
}

fn discount(line: &OrderAddedLine) -> DocumentDiscount {
    DocumentDiscount { label: line.label.clone(), amount: -line.amount }
}

fn line(item: &NewOrderLine) -> DocumentLine {
    let options = item.options.iter();
    DocumentLine {
        label: item.label.clone(),
        sku: item.sku.clone(),
        options: options
            .map(|option| DocumentOption { label: option.label.clone(), display: option.display.clone() })
            .collect(),
        quantity: item.quantity,
        unit_amount: item.unit_amount,
        discount_amount: item.discount_amount,
        tax_rate: i64::from(item.tax_rate),
        line_total_amount: item.line_total_amount,
        tax_amount: Some(item.tax_amount),
        is_shipped: item.shippable,
    }
}

/// Taxes as documents show them: a shop without taxes shows none.
pub(crate) fn shown_taxes(lines: Vec<TaxLine>) -> Vec<pdf::TaxLine> {
    if lines.iter().all(|line| line.rate == BasisPoints::default()) {
        return Vec::new();
    }
    let shown = lines.into_iter().map(|line| pdf::TaxLine {
        rate: i64::from(line.rate.get()),
        net_amount: line.net_amount,
        tax_amount: line.tax_amount,
    });
    shown.collect()
}
