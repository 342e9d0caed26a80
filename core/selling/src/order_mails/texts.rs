//! What the placeholders of a mail about an order stand for.

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::i18n::{Message, Texts};
use stoa_kernel::mail::{MailNotice, in_one_line};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::text;

use crate::orders::{OrderLineResource, OrderRecord, OrderResource};

/// Says what can be said about every order, besides what core says in every mail about one.
pub(super) fn about<'a>(
    notice: MailNotice<'a>,
    record: &OrderRecord,
    money: &MoneyFormatter,
    texts: &Texts,
) -> MailNotice<'a> {
    let say = |text: Message| texts.say(&text, record.language);
    let order = &record.order;
    let items = order.items.iter().map(|one| item(one, &order.currency, money)).collect::<Vec<_>>().join("\n");
    let shipping = order.shipping_address.as_ref().map(address).unwrap_or_default();
    notice
        .lines("items", &items)
        .lines("totals", &totals(order, say, money))
        .lines("billing_address", &address(&order.billing_address))
        .lines("shipping_address", &shipping)
}

fn item(item: &OrderLineResource, currency: &str, money: &MoneyFormatter) -> String {
    let price = money.format_in(item.line_total_amount, currency);
    let sold = format!("{} × {}: {price}", item.quantity, in_one_line(&item.label));
    let options = item.options.iter();
    let options = options.map(|option| format!("    {}: {}", in_one_line(&option.label), in_one_line(&option.display)));
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
    let lines = lines.into_iter().map(|text| in_one_line(text.trim())).filter(|text| !text.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

fn totals(order: &OrderResource, say: impl Fn(Message) -> String, money: &MoneyFormatter) -> String {
    let mut lines = vec![(say(text!("document-subtotal")), order.subtotal_amount)];
    let discounts = order.added_lines.iter().filter(|line| line.amount < 0);
    let by_code = discounts.clone().fold(order.discount_amount, |left, own| left.saturating_add(own.amount));
    if by_code != 0 {
        let label = match &order.discount_code {
            Some(code) => say(text!("document-discount-by-code", code = code)),
            None => say(text!("document-discount")),
        };
        lines.push((label, by_code.saturating_neg()));
    }
    lines.extend(discounts.map(|own| (in_one_line(&own.label), own.amount)));
    if order.shipping_amount != 0 || order.shipping_address.is_some() {
        lines.push((say(text!("document-shipping")), order.shipping_amount));
    }
    // What was added up says whether prices came with tax when the order was placed.
    let without_tax = i128::from(order.subtotal_amount) - i128::from(order.discount_amount);
    let is_included = without_tax + i128::from(order.shipping_amount) == i128::from(order.total_amount);
    let tax = (order.tax_amount != 0).then_some(order.tax_amount);
    lines.extend(tax.filter(|_| !is_included).map(|tax| (say(text!("document-tax")), tax)));
    lines.push((say(text!("document-total")), order.total_amount));
    lines.extend(tax.filter(|_| is_included).map(|tax| (say(text!("document-included-tax")), tax)));
    let lines =
        lines.into_iter().map(|(label, amount)| format!("{label}: {}", money.format_in(amount, &order.currency)));
    lines.collect::<Vec<_>>().join("\n")
}
