//! `/console/settings`: how the shop is set up in a few lines, and every setting that is in force with where it was written.

use std::sync::Arc;

use askama::Template;
use stoa_core::config::{Config, CountryCode, SettingInForce, ShippingMethod, TaxRates};
use stoa_core::discounts::written_percent;
use stoa_core::i18n::{Language, country_name};
use stoa_core::money::MoneyFormatter;
use stoa_kernel::console::{Cell, List, ListQuery};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::list::Table;
use crate::page::Frame;

#[derive(Template)]
#[template(path = "settings.html")]
struct Page<'a> {
    layout: Layout,
    path: &'a str,
    /// What an operator wants to know, each in some lines.
    facts: Vec<(&'static str, Vec<String>)>,
    wanted: &'a str,
    is_own: bool,
    csv: String,
    table: Table<'a>,
    shown: usize,
    all: usize,
}

/// `GET /console/settings`.
pub(super) async fn show(
    frame: Frame,
    Uses((config, money)): Uses<(Arc<Config>, Arc<MoneyFormatter>)>,
    query: ListQuery,
) -> ApiResult<PageResponse> {
    let (wanted, is_own) = (query.get("q").unwrap_or_default().to_lowercase(), query.is_on("changed"));
    let fits = |setting: &&SettingInForce| setting.key.contains(&wanted) && (setting.origin.is_some() || !is_own);
    let rows = config.in_force.iter().filter(fits).cloned().collect::<Vec<_>>();
    if query.get("format") == Some("csv") {
        return list().show_all(query, rows).await;
    }
    let list = list().of_rows(&frame.staff, &money, &rows);
    let address = &query.asked.address;
    frame.show(&Page {
        layout: frame.layout("Settings", "settings"),
        path: &address.path,
        facts: facts(&config, &money),
        wanted: query.get("q").unwrap_or_default(),
        is_own,
        csv: address.with(&[("format", Some("csv"))]),
        table: Table::of(&list, &frame.staff),
        shown: rows.len(),
        all: config.in_force.len(),
    })
}

fn list() -> List<SettingInForce> {
    List::keyed("Settings", |setting: &SettingInForce| setting.key.clone())
        .column("Setting", |setting| Cell::Code(setting.key.clone()))
        .column("Value", |setting| setting.value.clone())
        .column("Written in", |setting| match &setting.origin {
            Some(origin) => Cell::from(origin),
            None => Cell::from("the default"),
        })
}

fn facts(config: &Config, money: &MoneyFormatter) -> Vec<(&'static str, Vec<String>)> {
    let country = config.seller.country.map(name_of);
    let shipping = config.shipping.methods.iter().map(|method| shipping(method, money));
    vec![
        ("Name", vec![config.shop.name.clone()]),
        ("Country", vec![country.unwrap_or_else(|| String::from("Not set (seller.country)"))]),
        ("Sells to", vec![names(config.shop.countries.iter().copied())]),
        ("Currency", vec![config.shop.currency.code().to_owned()]),
        ("VAT", vat(config)),
        ("Shipping methods", or_none(shipping.collect())),
        ("Payment methods", or_none(gateways(config))),
        ("Mail", mail(config)),
    ]
}

fn or_none(lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() { vec![String::from("None")] } else { lines }
}

fn name_of(country: CountryCode) -> String {
    country_name(country.as_str(), Language::EN).unwrap_or_else(|| country.to_string())
}

fn names(countries: impl Iterator<Item = CountryCode>) -> String {
    let countries = countries.collect::<Vec<_>>();
    if countries.len() == CountryCode::all().len() {
        return String::from("All countries");
    }
    countries.into_iter().map(name_of).collect::<Vec<_>>().join(", ")
}

fn vat(config: &Config) -> Vec<String> {
    let tax = &config.tax;
    let of = |rates: &TaxRates| {
        let rates = rates.iter().map(|(country, rate)| format!("{} {}%", name_of(country), written_percent(rate)));
        rates.collect::<Vec<_>>().join(", ")
    };
    let usual = of(&tax.rates);
    let mut lines =
        vec![if usual.is_empty() { String::from("None: no country has a rate (tax.rates)") } else { usual }];
    lines.extend(tax.classes.iter().map(|(class, rates)| format!("{class}: {}", of(rates))));
    lines.push(String::from(if tax.prices_include_tax {
        "Prices of products include VAT"
    } else {
        "VAT is added to the prices of products at the checkout"
    }));
    lines
}

fn shipping(method: &ShippingMethod, money: &MoneyFormatter) -> String {
    let price = if method.amount == 0 { String::from("free") } else { money.format(method.amount) };
    let free = method.free_from.filter(|_| method.amount > 0).map(|from| format!(", free from {}", money.format(from)));
    let to = method.countries.as_ref().map(|to| format!(", to {}", names(to.iter().copied())));
    format!("{}: {price}{}{}", method.label, free.unwrap_or_default(), to.unwrap_or_default())
}

fn gateways(config: &Config) -> Vec<String> {
    let payments = &config.payments;
    let all = [
        (payments.manual.enabled, "Bank transfer, or whatever else you confirm yourself"),
        (payments.stripe.enabled, "Stripe"),
        (payments.mollie.enabled, "Mollie"),
        (payments.paypal.enabled, "PayPal"),
        (payments.development.enabled, "Development: settles everything at once, without money"),
        (payments.simulated.enabled, "Simulated: customers choose how their payment ends, without money"),
    ];
    all.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name.to_owned()).collect()
}

fn mail(config: &Config) -> Vec<String> {
    let mail = &config.mail;
    let mut lines = match (&mail.from, &mail.smtp.host) {
        (Some(from), Some(host)) => vec![format!("Sent from {} through {host}", from.address())],
        _ => vec![String::from("Not set up: the shop sends no mails (mail.from, mail.smtp.host)")],
    };
    if !mail.notify.is_empty() {
        lines.push(format!("Orders, support tickets and withdrawals are told to {}", mail.notify.join(", ")));
    }
    lines
}
