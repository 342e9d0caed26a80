//! The configuration of a new shop: what was answered, and nothing that is as by default.

use std::fmt::Write;

use super::countries;
use super::questions::{Answers, hundredths};
use crate::cli::local_address::local_address;

/// A file being written, section by section; one without settings is left out.
#[derive(Default)]
struct Sections(String);

impl Sections {
    fn section(&mut self, name: &str, about: &str, settings: &[Option<(&str, String)>]) {
        let settings = settings.iter().flatten().collect::<Vec<_>>();
        if settings.is_empty() {
            return;
        }
        if !about.is_empty() {
            let _ = write!(self.0, "\n# {about}");
        }
        let _ = writeln!(self.0, "\n[{name}]");
        for (key, value) in settings {
            let _ = writeln!(self.0, "{key} = {value}");
        }
    }
}

/// A setting that is text, if there is any.
fn text<'a>(key: &'a str, value: Option<&String>) -> Option<(&'a str, String)> {
    value.map(|value| (key, quoted(value)))
}

fn quoted(value: &str) -> String {
    toml::Value::String(value.to_owned()).to_string()
}

fn is_on(key: &str, on: bool) -> Option<(&str, String)> {
    on.then(|| (key, String::from("true")))
}

/// The text of `config.toml`.
pub(super) fn settings(answers: &Answers) -> String {
    let mut file = Sections(String::from(
        "# The configuration of this shop. What is not here is as by default: https://github.com/stoa-shop/stoa describes every\n\
         # setting in its config.toml. `stoa check` tells what is wrong here.\n",
    ));
    shop(&mut file, answers);
    selling(&mut file, answers);
    people(&mut file, answers);
    file.0
}

fn shop(file: &mut Sections, answers: &Answers) {
    let law = answers.country.as_deref().is_some_and(countries::is_in_european_union);
    file.section("server", "", &[listen(answers), text("base_url", answers.base_url.as_ref())]);
    file.section(
        "shop",
        "",
        &[
            text("name", answers.name.as_ref()),
            text("currency", answers.currency.as_ref()),
            text("locale", answers.locale.as_ref()),
            law.then(|| ("consumer_rights", quoted("eu"))),
        ],
    );
    file.section(
        "seller",
        "What invoices say about the company.",
        &[
            text("name", answers.name.as_ref()),
            text("street", answers.street.as_ref()),
            text("postal_code", answers.postal_code.as_ref()),
            text("city", answers.city.as_ref()),
            text("country", answers.country.as_ref()),
            text("tax_id", answers.tax_id.as_ref()),
            text("email", answers.email.as_ref()),
            // Customers are told it in words of no language, so that a shop in several needs no text of its own.
            text("iban", answers.iban.as_ref()),
        ],
    );
}

/// Where to listen, if the public address is a port of this machine: nothing stands between it and the shop.
fn listen(answers: &Answers) -> Option<(&'static str, String)> {
    let url = answers.base_url.as_deref().filter(|url| url.starts_with("http://"))?;
    local_address(url).map(|address| ("listen", quoted(&address.to_string())))
}

fn selling(file: &mut Sections, answers: &Answers) {
    let rate = answers.tax.as_deref().and_then(hundredths);
    let rates =
        answers.country.as_ref().zip(rate).map(|(country, rate)| ("rates", format!("{{ {country} = {rate} }}")));
    file.section(
        "tax",
        "Tax by country of delivery, in hundredths of a percent.",
        &[answers.net_prices.then(|| ("prices_include_tax", String::from("false"))), rates],
    );
    let (stripe, webhook) = (answers.stripe_key.as_ref(), answers.stripe_webhook_secret.as_ref());
    let about = match (stripe, webhook) {
        (Some(_), None) => {
            "Once Stripe's dashboard has a webhook to this shop, add its `webhook_secret`, and `enabled = true`."
        }
        _ => "",
    };
    file.section(
        "payments.stripe",
        about,
        &[is_on("enabled", webhook.is_some()), text("secret_key", stripe), text("webhook_secret", webhook)],
    );
    let (id, secret) = (answers.paypal_client_id.as_ref(), answers.paypal_client_secret.as_ref());
    let webhook = answers.paypal_webhook_id.as_ref();
    let is_whole = [id, secret, webhook].iter().all(Option::is_some);
    let about = if id.is_some() && !is_whole {
        "Once PayPal's dashboard has a webhook to this shop, add what is missing of `client_secret` and `webhook_id`, and `enabled = true`."
    } else {
        ""
    };
    file.section(
        "payments.paypal",
        about,
        &[
            is_on("enabled", is_whole),
            text("client_id", id),
            text("client_secret", secret),
            text("webhook_id", webhook),
        ],
    );
    let mollie = answers.mollie_key.as_ref();
    file.section("payments.mollie", "", &[is_on("enabled", mollie.is_some()), text("api_key", mollie)]);
}

fn people(file: &mut Sections, answers: &Answers) {
    let host = answers.mail_host.as_ref();
    let from = answers.email.as_ref().or(answers.owner.as_ref()).or(answers.mail_user.as_ref());
    let sender = host.and(from).map(|email| {
        let name = answers.name.as_deref().unwrap_or("Shop").replace(['"', '<', '>'], "");
        ("from", quoted(&format!("\"{name}\" <{email}>")))
    });
    let notify = host.and(answers.owner.as_ref()).map(|owner| ("notify", format!("[{}]", quoted(owner))));
    file.section("mail", "", &[sender, notify]);
    file.section(
        "mail.smtp",
        "",
        &[
            text("host", host),
            text("username", answers.mail_user.as_ref()),
            text("password", answers.mail_password.as_ref()),
        ],
    );
    file.section("modules.storefront", "The shop that people see.", &[is_on("enabled", !answers.no_storefront)]);
    file.section(
        "modules.documentation",
        "The documentation of this version, at /docs.",
        &[is_on("enabled", cfg!(feature = "documentation"))],
    );
    file.section("console", "The place where you work, in a browser.", &[is_on("enabled", !answers.no_console)]);
}
