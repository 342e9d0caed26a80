//! What a new shop forgets to set: how customers pay by hand, who the seller is, and taxes.

use stoa_core::config::{BasisPoints, Config, CountryCode, MisnamedVariable, TaxRates};
use stoa_core::doctor::named;
use stoa_core::electronic::{NeededFor, seller_gaps};

use super::finding::Finding;

/// The least rate that is probably meant: no country has one below it but zero.
const LEAST_RATE: u16 = 100;

/// All that is said about these settings, by `stoa check` too.
pub(in crate::cli) fn forgotten(config: &Config) -> Vec<Finding> {
    let mut findings = instructions(config);
    findings.push(seller(config));
    findings.push(electronic_invoices(config));
    findings.extend(taxes(config));
    findings
}

/// Whether customers who pay by hand are told how.
fn instructions(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "payments.manual";
    let manual = &config.payments.manual;
    match (manual.enabled, manual.instructions.is_some() || config.seller.iban.is_some()) {
        (false, _) => Vec::new(),
        (true, true) => vec![Finding::ok(CHECK, "customers are told how to pay by hand")],
        (true, false) => vec![Finding::warning(
            CHECK,
            "there are no instructions: customers can choose to pay by hand, and are not told how",
            "set `seller.iban`, or `payments.manual.instructions`, such as \"Please transfer {amount} to NL91 ABNA 0417 1643 00, reference {order}\"",
        )],
    }
}

/// Whether invoices say who has issued them.
fn seller(config: &Config) -> Finding {
    const CHECK: &str = "seller";
    let seller = &config.seller;
    let missing = [("name", seller.name.is_none()), ("address", seller.address.is_empty() && seller.street.is_none())];
    let missing = missing.iter().filter(|(_, is_missing)| *is_missing).map(|(key, _)| format!("`seller.{key}`"));
    let missing = missing.collect::<Vec<_>>();
    if missing.is_empty() {
        return Finding::ok(CHECK, "invoices name the seller");
    }
    let message = format!("invoices do not say who the seller is; not set: {}", missing.join(", "));
    Finding::warning(CHECK, message, "set name, address and, where there is one, tax_id in [seller]")
}

/// Whether invoices have all that their electronic form needs (C10.5).
fn electronic_invoices(config: &Config) -> Finding {
    const CHECK: &str = "seller.electronic";
    let gaps = seller_gaps(&config.seller);
    let keys = |needed_for: NeededFor| {
        let keys = gaps.iter().filter(|gap| gap.needed_for == needed_for).map(|gap| format!("`seller.{}`", gap.key));
        keys.collect::<Vec<_>>().join(", ")
    };
    let (norm, xrechnung) = (keys(NeededFor::Norm), keys(NeededFor::XRechnung));
    let (message, missing) = match (norm.is_empty(), xrechnung.is_empty()) {
        (true, true) => return Finding::ok(CHECK, "invoices are electronic invoices too (EN 16931)"),
        (false, true) => (format!("invoices are no electronic invoices (EN 16931); not set: {norm}"), norm),
        (true, false) => (
            format!("invoices have their electronic form in the PDF alone, and not as XRechnung; not set: {xrechnung}"),
            xrechnung,
        ),
        (false, false) => (
            format!("invoices are no electronic invoices (EN 16931); not set: {norm}, and for XRechnung {xrechnung}"),
            format!("{norm}, {xrechnung}"),
        ),
    };
    Finding::warning(CHECK, message, format!("set {missing} in [seller]; it holds for what is issued from then on"))
}

/// Rates that are a hundred times too low, and countries that are sold to without one.
fn taxes(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "tax";
    let tax = &config.tax;
    let classes = tax.classes.iter().map(|(name, rates)| (format!("tax.classes.{name}"), rates));
    let tables = std::iter::once((String::from("tax.rates"), &tax.rates)).chain(classes);
    let mut findings = tables.flat_map(|(key, rates)| tiny_rates(&key, rates)).collect::<Vec<_>>();
    findings.extend(without_rate(config));
    // Whether there are rates at all, `tax.rates` tells.
    if findings.is_empty() && tax.rates.iter().next().is_some() {
        findings.push(Finding::ok(CHECK, "every country that is sold to has a rate"));
    }
    findings
}

fn tiny_rates(key: &str, rates: &TaxRates) -> Vec<Finding> {
    let is_tiny = |rate: BasisPoints| (1..LEAST_RATE).contains(&rate.get());
    let tiny = rates.iter().filter(|(_, rate)| is_tiny(*rate));
    let told = tiny.map(|(country, rate)| {
        let points = rate.get();
        let message = format!("`{key}.{country} = {points}` is {}.{:02} %", points / 100, points % 100);
        Finding::warning(
            "tax",
            message,
            format!("rates are in hundredths of a percent: write {points}00 for {points} %"),
        )
    });
    told.collect()
}

/// Only where some countries have a rate: a shop without any is meant to be one.
fn without_rate(config: &Config) -> Option<Finding> {
    config.tax.rates.iter().next()?;
    let without = config.shop.countries.iter().filter(|country| config.tax.rates.named(**country).is_none());
    let without = without.copied().map(CountryCode::as_str).collect::<Vec<_>>();
    if without.is_empty() {
        return None;
    }
    let message = format!(
        "{} of the {} countries that are sold to have no tax rate, so orders to them carry no tax: {}",
        without.len(),
        config.shop.countries.len(),
        named(without.iter().copied())
    );
    let fix = "give them a rate in `tax.rates`, 0 where no tax is due, or leave them out of `shop.countries`";
    Some(Finding::warning("tax", message, fix))
}

/// Environment variables that are ignored because their levels are not set apart.
pub(in crate::cli) fn variables(misnamed: &[MisnamedVariable]) -> Vec<Finding> {
    let told = misnamed.iter().map(|MisnamedVariable { name, meant }| {
        let message = format!("{name} is no setting and is ignored: levels are set apart by two underscores");
        Finding::warning("environment", message, format!("name it {meant}, or remove it"))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use stoa_core::config::Sources;

    use super::*;
    use crate::cli::doctor::finding::State;

    fn config(variables: &[(&str, &str)]) -> Config {
        let sources = Sources::new("/nowhere").environment(variables.iter().copied());
        Config::load(sources).expect("the variables are right").config
    }

    fn told(variables: &[(&str, &str)]) -> Vec<String> {
        let findings = forgotten(&config(variables));
        let worse = findings.into_iter().filter(|finding| finding.state != State::Ok);
        worse
            .map(|finding| format!("{}: {} / {}", finding.check, finding.message, finding.fix.unwrap_or_default()))
            .collect()
    }

    const COMPLETE: [(&str, &str); 10] = [
        ("STOA_PAYMENTS__MANUAL__INSTRUCTIONS", "Transfer {amount}."),
        ("STOA_SELLER__NAME", "Ada"),
        ("STOA_SELLER__ADDRESS", "[\"Street 1\"]"),
        ("STOA_SELLER__CITY", "Berlin"),
        ("STOA_SELLER__POSTAL_CODE", "10115"),
        ("STOA_SELLER__COUNTRY", "DE"),
        ("STOA_SELLER__TAX_ID", "DE123456789"),
        ("STOA_SELLER__EMAIL", "office@example.com"),
        ("STOA_SELLER__PHONE", "+49 30 1234567"),
        ("STOA_SHOP__COUNTRIES", "[\"DE\", \"NL\"]"),
    ];

    #[test]
    fn a_shop_that_forgets_nothing_is_told_nothing() {
        assert_eq!(told(&COMPLETE), [""; 0]);
        let rates = [("STOA_TAX__RATES__NL", "2100"), ("STOA_TAX__RATES__DE", "0")];
        assert_eq!(told(&[COMPLETE.as_slice(), &rates].concat()), [""; 0]);
    }

    #[test]
    fn a_new_shop_is_told_what_it_forgets() {
        let told = told(&[]);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].starts_with("payments.manual: there are no instructions"), "{told:?}");
        assert!(told[1].contains("not set: `seller.name`, `seller.address`"), "{told:?}");
        let missing = "not set: `seller.country`, `seller.tax_id`, and for XRechnung `seller.postal_code`, `seller.city`, \
                       `seller.email`, `seller.phone`";
        assert!(told[2].starts_with("seller.electronic") && told[2].contains(missing), "{told:?}");
    }

    #[test]
    fn what_electronic_invoices_lack_is_told_with_what_it_is_for() {
        let without = |key: &str| {
            let set = COMPLETE.into_iter().filter(|(name, _)| !name.ends_with(key)).collect::<Vec<_>>();
            told(&set).concat()
        };
        let told = without("__PHONE");
        assert!(told.contains("not as XRechnung; not set: `seller.phone`"), "{told}");
        // The country is that of the VAT ID.
        assert_eq!(without("SELLER__COUNTRY"), "");
        let told = without("__TAX_ID");
        assert!(told.contains("no electronic invoices (EN 16931); not set: `seller.tax_id` /"), "{told}");
    }

    #[test]
    fn a_percentage_instead_of_hundredths_and_countries_without_a_rate_are_told() {
        let rates = [("STOA_TAX__RATES__NL", "21"), ("STOA_TAX__CLASSES__REDUCED__DE", "7")];
        let told = told(&[COMPLETE.as_slice(), &rates].concat());
        assert!(
            told[0].contains("`tax.rates.NL = 21` is 0.21 %") && told[0].contains("write 2100 for 21 %"),
            "{told:?}"
        );
        assert!(told[1].contains("`tax.classes.reduced.DE = 7` is 0.07 %"), "{told:?}");
        assert!(told[2].contains("1 of the 2 countries") && told[2].contains(": DE / "), "{told:?}");
    }

    #[test]
    fn a_variable_with_too_few_underscores_is_told() {
        let misnamed = MisnamedVariable { name: "STOA_SERVER_LISTEN".into(), meant: "STOA_SERVER__LISTEN".into() };
        let found = variables(&[misnamed]);
        assert!(found[0].message.contains("STOA_SERVER_LISTEN is no setting"), "{found:?}");
        assert_eq!(variables(&[]), []);
    }
}
