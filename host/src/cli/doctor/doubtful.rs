//! Settings that are allowed and hardly meant: what they do is not what whoever wrote them expects.

use std::net::IpAddr;

use stoa_core::config::{Config, SmtpEncryption};

use super::finding::Finding;

/// What stands for something in the instructions for who pays by hand.
const PLACEHOLDERS: [&str; 2] = ["order", "amount"];

/// All that is said about these settings, by `stoa check` too.
pub(in crate::cli) fn doubtful(config: &Config) -> Vec<Finding> {
    [mail(config), vat_id(config), vies(config), placeholders(config)].into_iter().flatten().collect()
}

/// Mails hold what was bought, and go through other networks as anybody can read them.
fn mail(config: &Config) -> Option<Finding> {
    let smtp = &config.mail.smtp;
    let host = smtp.host.as_deref().filter(|host| smtp.encryption == SmtpEncryption::None && !is_near(host))?;
    let message = format!("mails go to {host} without encryption, with links and keys that open what was bought");
    Some(Finding::warning("mail.encryption", message, "set `mail.smtp.encryption` to \"starttls\" or \"tls\""))
}

/// A server on this machine, or one beside it that containers know by one word.
fn is_near(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => !host.contains('.'),
    }
}

/// A VAT ID that begins like one of the seller's country, and is none.
fn vat_id(config: &Config) -> Option<Finding> {
    let seller = &config.seller;
    let (tax_id, country) = (seller.tax_id.as_deref()?, seller.country?);
    let prefix = if country.as_str() == "GR" { "EL" } else { country.as_str() };
    let begins = tax_id.get(..2).is_some_and(|letters| letters.eq_ignore_ascii_case(prefix));
    if !begins || seller.vat_id().is_some() {
        return None;
    }
    let message = format!("`seller.tax_id` is {tax_id:?}, which has not the form of a VAT ID of {country}");
    let fix = "correct it as your tax office has written it; customers' accounting refuses invoices with a wrong one";
    Some(Finding::warning("seller.tax_id", message, fix))
}

/// Without a number of one's own in the Union, nobody's number makes a difference.
fn vies(config: &Config) -> Option<Finding> {
    let is_idle = config.tax.vies && config.seller.member_state().is_none();
    is_idle.then(|| {
        let message =
            "VIES is not asked: `seller.tax_id` is no VAT ID of the European Union, so there is no reverse charge";
        Finding::warning("tax.vies", message, "set `seller.tax_id` to the shop's VAT ID, or `tax.vies = false`")
    })
}

/// Words in braces that stand for nothing would reach customers as they are.
fn placeholders(config: &Config) -> Option<Finding> {
    let manual = &config.payments.manual;
    let instructions = manual.instructions.as_deref().filter(|_| manual.enabled)?;
    let unknown = braced(instructions).find(|word| !PLACEHOLDERS.contains(word))?;
    let message =
        format!("`payments.manual.instructions` has {{{unknown}}}, which stands for nothing and is sent as it is");
    Some(Finding::warning(
        "payments.manual.instructions",
        message,
        "write {order} for the order's number and {amount} for what is to be paid",
    ))
}

/// The words that stand in braces.
fn braced(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
    parts
        .map(|(word, _)| word)
        .filter(|word| !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use stoa_core::config::Sources;

    use super::*;

    fn told(variables: &[(&str, &str)]) -> Vec<String> {
        let sources = Sources::new("/nowhere").environment(variables.iter().copied());
        let config = Config::load(sources).expect("the variables are right").config;
        doubtful(&config).into_iter().map(|finding| format!("{}: {}", finding.check, finding.message)).collect()
    }

    #[test]
    fn mails_that_leave_the_machine_in_the_clear_are_told() {
        let mail = |host| {
            let from = ("STOA_MAIL__FROM", "shop@example.com");
            told(&[from, ("STOA_MAIL__SMTP__HOST", host), ("STOA_MAIL__SMTP__ENCRYPTION", "none")])
        };
        assert!(mail("smtp.example.com").concat().starts_with("mail.encryption: mails go to smtp.example.com"));
        for near in ["localhost", "127.0.0.1", "mailpit"] {
            assert_eq!(mail(near), [""; 0], "{near}");
        }
    }

    #[test]
    fn a_vat_id_that_is_none_and_a_register_that_is_asked_for_nothing_are_told() {
        let seller =
            |id| told(&[("STOA_SELLER__COUNTRY", "DE"), ("STOA_SELLER__TAX_ID", id), ("STOA_TAX__VIES", "true")]);
        assert_eq!(seller("DE123456789"), [""; 0]);
        let wrong = seller("DE12345");
        assert!(
            wrong[0].contains("has not the form of a VAT ID of DE") && wrong[1].starts_with("tax.vies"),
            "{wrong:?}"
        );
        // A tax number is none of them, and right where there is no VAT ID.
        assert_eq!(seller("12/345/67890").len(), 1);
    }

    #[test]
    fn a_word_in_braces_that_stands_for_nothing_is_told() {
        let pay = |text| told(&[("STOA_PAYMENTS__MANUAL__INSTRUCTIONS", text)]);
        assert!(pay("Transfer {ammount}.").concat().contains("{ammount}, which stands for nothing"));
        for fine in ["Transfer {amount} for {order}.", "Braces {} and { alone } are text", "{"] {
            assert_eq!(pay(fine), [""; 0], "{fine}");
        }
    }
}
