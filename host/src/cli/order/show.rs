//! `stoa order show`, and how other commands show what has become of an order.

use clap::Args;
use serde_json::{Map, Value};
use stoa_core::db::Db;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{
    OrderDetails, OrderNumber, OrderRecord, OrderResource, details_of, find_order, tell_instructions,
};
use stoa_core::withdrawals::{OrderWithdrawalLine, tell_rights};

use super::{Context, open, unknown};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_members, print_part, shown_time};

/// Show an order with its payments and its history.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa order show O-000042
  stoa order show 42 --json")]
pub(super) struct Show {
    /// The order's id or number.
    #[arg(value_name = "ORDER")]
    number: OrderNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let (mut record, details) = read(&parts.db, &parts.money, self.number).await?;
        tell_instructions(&parts.gateways, [&mut record.order]);
        tell_rights(&parts.db, &parts.config, [&mut record.order]).await?;
        if self.json { print_json(&described(&record, &details)?) } else { print_text(&record, &details, &parts.money) }
    }
}

/// Prints an order that a command has changed: as `show` does in JSON, else what was done.
pub(super) async fn print_changed(
    db: &Db,
    money: &MoneyFormatter,
    number: OrderNumber,
    json: bool,
    told: &str,
) -> Result<(), Failure> {
    if !json {
        return print_line(told);
    }
    let (record, details) = read(db, money, number).await?;
    print_json(&described(&record, &details)?)
}

async fn read(db: &Db, money: &MoneyFormatter, number: OrderNumber) -> Result<(OrderRecord, OrderDetails), Failure> {
    let found = find_order(db, money, number.id()).await?;
    let record = found.ok_or_else(|| unknown(number))?;
    Ok((record, details_of(db, number.id()).await?))
}

/// The order as the API shows it, with the operator's members.
fn described(record: &OrderRecord, details: &OrderDetails) -> Result<Map<String, Value>, Failure> {
    let parts = [record.to_json()?, serde_json::to_value(details)?];
    Ok(parts
        .into_iter()
        .filter_map(|part| if let Value::Object(part) = part { Some(part) } else { None })
        .flatten()
        .collect())
}

/// The number, and what was found out about it: `DE136695976 (valid, Lampen AG)`.
fn vat_id_shown(vat_id: &str, order: &OrderResource) -> String {
    let Some(check) = &order.vat_id_check else { return vat_id.to_owned() };
    let known = [Some(check.status.as_str()), check.name.as_deref()];
    format!("{vat_id} ({})", known.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn print_text(record: &OrderRecord, details: &OrderDetails, shop_money: &MoneyFormatter) -> Result<(), Failure> {
    let order = &record.order;
    let money = |amount: i64| shop_money.format_in(amount, &order.currency);
    let nonzero = |amount: i64| (amount != 0).then(|| money(amount));
    let time = |time: Option<_>| time.map(shown_time);
    let customer = record.customer_email.as_ref().map(|email| format!("{email} ({})", record.customer_id));
    let members = [
        ("number", Some(order.number.clone())),
        ("needs review", record.review_reason.clone()),
        ("status", Some(order.status.as_str().to_owned())),
        ("cancelled because", record.cancel_reason.clone()),
        ("payment", order.payment_status.map(|status| status.as_str().to_owned())),
        ("payment method", Some(order.payment_method.clone())),
        ("shipping", Some(order.fulfillment_status.as_str().to_owned())),
        ("customer", Some(customer.unwrap_or_else(|| format!("anonymized ({})", record.customer_id)))),
        ("subtotal", Some(money(order.subtotal_amount))),
        ("discount", nonzero(order.discount_amount)),
        ("discount code", order.discount_code.clone()),
        ("shipping costs", nonzero(order.shipping_amount)),
        ("tax", nonzero(order.tax_amount)),
        ("VAT ID", order.vat_id.as_ref().map(|vat_id| vat_id_shown(vat_id, order))),
        ("reverse charge", order.reverse_charge.then(|| String::from("the customer owes the tax"))),
        ("total", Some(order.total_formatted.clone())),
        ("refunded", order.payment.as_ref().and_then(|payment| nonzero(payment.refunded_amount))),
        ("invoice", order.invoice.as_ref().map(|invoice| format!("{} ({})", invoice.number, invoice.status.as_str()))),
        ("bill to", Some(order.billing_address.envelope().join(", "))),
        ("ship to", order.shipping_address.as_ref().map(|address| address.envelope().join(", "))),
        ("ship by", order.shipping_method.clone()),
        ("placed", time(Some(order.created_at))),
        ("paid", time(order.paid_at)),
        ("cancelled", time(order.cancelled_at)),
        ("ends unpaid", time(record.expires_at)),
    ];
    print_members(members.into_iter().filter_map(|(name, value)| Some((name, value?))))?;
    for (heading, lines) in [
        ("Items", items(record, shop_money)),
        ("Note of the customer", order.note.iter().flat_map(|note| note.lines()).map(str::to_owned).collect()),
        ("Consents", consents(record)),
        ("Withdrawal", withdrawal(record)),
        ("Shipments", shipments(record)),
        ("Attempts to pay", attempts(details, shop_money)),
        ("Refunds", refunds(details, shop_money)),
        ("History", history(details)),
    ] {
        print_part(heading, lines)?;
    }
    Ok(())
}

fn items(record: &OrderRecord, money: &MoneyFormatter) -> Vec<String> {
    let line = |item: &stoa_core::orders::OrderLineResource| {
        let options = item.options.iter().map(|option| format!("{}: {}", option.label, option.display));
        let state = [(item.shipped_quantity, "shipped"), (item.refunded_quantity, "refunded")];
        let state = state.into_iter().filter(|(units, _)| *units > 0).map(|(units, what)| format!("{units} {what}"));
        let more = options.chain(state).collect::<Vec<_>>().join(", ");
        let more = if more.is_empty() { more } else { format!(" ({more})") };
        let price = money.format_in(item.line_total_amount, &record.order.currency);
        format!("{}: {} x {}{more}, {price}", item.id, item.quantity, item.label)
    };
    record.order.items.iter().map(line).collect()
}

fn withdrawal(record: &OrderRecord) -> Vec<String> {
    let lines = record.order.withdrawal.iter().flat_map(|withdrawal| &withdrawal.lines);
    let line = |line: &OrderWithdrawalLine| {
        let excluded =
            line.excluded_reason.map(|reason| format!("{} excluded ({})", line.excluded_quantity, reason.as_str()));
        let withdrawn = (line.withdrawn_quantity > 0).then(|| format!("{} withdrawn", line.withdrawn_quantity));
        let held = line.delivery_at.map(|time| format!("held until {}", shown_time(time)));
        let until = line.deadline.map(|time| format!("until {}", shown_time(time)));
        let more = [until, withdrawn, excluded, held].into_iter().flatten().map(|part| format!(", {part}"));
        format!("{}: {} possible{}", line.item_id, line.quantity, more.collect::<String>())
    };
    lines.map(line).collect()
}

fn consents(record: &OrderRecord) -> Vec<String> {
    let line = |consent: &stoa_core::orders::OrderConsent| {
        format!("{}  {} {}: {}", shown_time(consent.given_at), consent.id, consent.version, consent.label)
    };
    record.order.consents.iter().map(line).collect()
}

fn shipments(record: &OrderRecord) -> Vec<String> {
    let line = |shipment: &stoa_core::orders::Shipment| {
        let units = shipment.items.iter().map(|item| format!("{} of item {}", item.quantity, item.id));
        let units = units.collect::<Vec<_>>().join(", ");
        let tracking = shipment.tracking.as_ref().map(|tracking| format!(", tracking {tracking}")).unwrap_or_default();
        format!("{}  {units}{tracking}", shown_time(shipment.shipped_at))
    };
    record.order.shipments.iter().map(line).collect()
}

fn attempts(details: &OrderDetails, money: &MoneyFormatter) -> Vec<String> {
    let line = |attempt: &stoa_core::orders::OrderAttempt| {
        let error = attempt.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        let (time, amount) = (shown_time(attempt.created_at), money.format_in(attempt.amount, &attempt.currency));
        format!("{time}  {} of {amount}, {}{error}", attempt.gateway, attempt.status)
    };
    details.attempts.iter().map(line).collect()
}

fn refunds(details: &OrderDetails, money: &MoneyFormatter) -> Vec<String> {
    let line = |refund: &stoa_core::orders::OrderRefund| {
        let error = refund.last_error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        let (time, amount) = (shown_time(refund.created_at), money.format_in(refund.amount, &refund.currency));
        format!("{time}  {amount} through {}, {} ({}){error}", refund.gateway, refund.status, refund.reason)
    };
    details.refunds.iter().map(line).collect()
}

fn history(details: &OrderDetails) -> Vec<String> {
    let line = |entry: &stoa_core::orders::HistoryEntry| {
        let detail = entry.detail.as_ref().map(|detail| format!(": {}", detail.replace('\n', " "))).unwrap_or_default();
        format!("{}  {} by {}{detail}", shown_time(entry.created_at), entry.action, entry.actor)
    };
    details.history.iter().map(line).collect()
}
