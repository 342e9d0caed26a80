//! What the placeholders of a mail about an order stand for.

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::i18n::{Language, Message, Texts};
use stoa_kernel::mail::{MailNotice, MailRow, in_one_line};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::text;

use crate::orders::{OrderLineResource, OrderRecord, OrderResource};

/// Says what can be said about every order in a language, besides what core says in every mail about one.
pub(super) fn about<'a>(
    notice: MailNotice<'a>,
    record: &OrderRecord,
    language: Language,
    money: &MoneyFormatter,
    texts: &Texts,
) -> MailNotice<'a> {
    let say = |text: Message| texts.say(&text, language);
    let order = &record.order;
    let items = order.items.iter().map(|one| {
        let price = money.format_in(one.line_total_amount, &order.currency);
        units(one, one.quantity, &price)
    });
    let shipping = order.shipping_address.as_ref().map(address).unwrap_or_default();
    notice
        .rows("items", &items.collect::<Vec<_>>())
        .rows("totals", &totals(order, say, money))
        .lines("billing_address", &address(&order.billing_address))
        .lines("shipping_address", &shipping)
}

/// Units of an item, with what was chosen.
fn units(item: &OrderLineResource, quantity: i64, value: &str) -> MailRow {
    let row = MailRow::new(&format!("{quantity} × {}", item.label), value);
    item.options.iter().fold(row, |row, option| row.note(&format!("{}: {}", option.label, option.display)))
}

/// Units of an order by its items: what was sent together, or is still to be sent.
pub(super) fn units_of(order: &OrderResource, quantities: impl Iterator<Item = (i64, i64)>) -> Vec<MailRow> {
    let rows = quantities.filter_map(|(item_id, quantity)| {
        let item = order.items.iter().find(|item| item.id == item_id)?;
        Some(units(item, quantity, ""))
    });
    rows.collect()
}

fn address(address: &PostalAddress) -> String {
    address.envelope().iter().map(|line| in_one_line(line)).collect::<Vec<_>>().join("\n")
}

fn totals(order: &OrderResource, say: impl Fn(Message) -> String, money: &MoneyFormatter) -> Vec<MailRow> {
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
    let row = |(label, amount): (String, i64)| MailRow::new(&label, &money.format_in(amount, &order.currency));
    let mut rows = lines.into_iter().map(row).collect::<Vec<_>>();
    rows.push(row((say(text!("document-total")), order.total_amount)).sum());
    let included = tax.filter(|_| is_included).map(|tax| (say(text!("document-included-tax")), tax));
    rows.extend(included.map(row));
    rows
}
