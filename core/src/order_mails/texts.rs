//! What the placeholders of a mail stand for.

use super::template::Values;
use crate::addresses::PostalAddress;
use crate::gateways::GatewayTable;
use crate::i18n::{DocumentText, Language};
use crate::money::{Money, MoneyFormatter};
use crate::orders::{OrderItem, OrderResource, OrderStatus};
use crate::services::Services;

/// What can be said about every order.
pub(super) fn about(order: &OrderResource, language: Language, services: &Services) -> Values {
    let money = &services.money;
    let shipping = order.shipping_address.as_ref().map(address).unwrap_or_default();
    Values::from([
        ("shop_name", services.config.shop.name.clone()),
        ("name", line(&order.billing_address.name)),
        ("order_number", order.number.clone()),
        ("order_date", language.long_date(order.created_at.date_naive())),
        ("items", order.items.iter().map(|one| item(one, money)).collect::<Vec<_>>().join("\n")),
        ("totals", totals(order, language, money)),
        ("total", order.total_formatted.clone()),
        ("billing_address", address(&order.billing_address)),
        ("shipping_address", shipping),
    ])
}

/// What the customer is to do to pay; none when nothing is to be done, or a page does it.
pub(super) fn payment_instructions(order: &OrderResource, services: &Services) -> Option<String> {
    let gateways: &GatewayTable = &services.gateways;
    let gateway = gateways.find(&order.payment_method).filter(|_| order.status == OrderStatus::Pending)?;
    gateway.instructions(&order.number, Money::new(order.total_amount, services.currency))
}

/// A text in one line.
fn line(text: &str) -> String {
    text.replace(|letter: char| letter.is_control(), " ")
}

fn item(item: &OrderItem, money: &MoneyFormatter) -> String {
    let price = money.format(item.line_total_amount);
    let sold = format!("{} × {}: {price}", item.quantity, line(&item.label));
    let options = item.options.iter();
    let options = options.map(|option| format!("    {}: {}", line(&option.label), line(&option.display)));
    std::iter::once(sold).chain(options).collect::<Vec<_>>().join("\n")
}

fn address(address: &PostalAddress) -> String {
    let place = format!("{} {}", address.postal_code, address.city);
    let lines = [
        address.name.as_str(),
        address.company.as_deref().unwrap_or_default(),
        &address.line1,
        address.line2.as_deref().unwrap_or_default(),
        &place,
        address.region.as_deref().unwrap_or_default(),
        &address.country,
    ];
    let lines = lines.into_iter().map(|text| line(text.trim())).filter(|text| !text.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn totals(order: &OrderResource, language: Language, money: &MoneyFormatter) -> String {
    let say = |text: DocumentText<'_>| text.text(language).into_owned();
    let mut lines = vec![(say(DocumentText::Subtotal), order.subtotal_amount)];
    if order.discount_amount != 0 {
        let label = match &order.discount_code {
            Some(code) => say(DocumentText::DiscountByCode { code }),
            None => say(DocumentText::Discount),
        };
        lines.push((label, order.discount_amount.saturating_neg()));
    }
    if order.shipping_amount != 0 || order.shipping_address.is_some() {
        lines.push((say(DocumentText::Shipping), order.shipping_amount));
    }
    // What was added up says whether prices came with tax when the order was placed.
    let without_tax = i128::from(order.subtotal_amount) - i128::from(order.discount_amount);
    let is_included = without_tax + i128::from(order.shipping_amount) == i128::from(order.total_amount);
    let tax = (order.tax_amount != 0).then_some(order.tax_amount);
    lines.extend(tax.filter(|_| !is_included).map(|tax| (say(DocumentText::Tax), tax)));
    lines.push((say(DocumentText::Total), order.total_amount));
    lines.extend(tax.filter(|_| is_included).map(|tax| (say(DocumentText::IncludedTax), tax)));
    let lines = lines.into_iter().map(|(label, amount)| format!("{label}: {}", money.format(amount)));
    lines.collect::<Vec<_>>().join("\n")
}
