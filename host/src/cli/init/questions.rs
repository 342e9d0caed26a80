//! What a new shop needs to know, as options and as questions.

use std::io::{BufRead, Write};

use clap::Args;
use stoa_core::config::{CountryCode, MIN_KEY};
use stoa_core::money::{Currency, MoneyFormatter};
use stoa_core::suggestion::did_you_mean;
use stoa_kernel::http::rules::is_email;

use super::countries;
use crate::cli::question::Dialog;
use crate::cli::unseen::Unseen;
use crate::failure::Failure;

/// What is known of the shop.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Answers {
    /// What the shop is called.
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// The country that it sells from, by its two letters.
    #[arg(long, value_name = "CODE")]
    pub(super) country: Option<String>,
    /// The currency of all prices; that of the country by default.
    #[arg(long, value_name = "CODE")]
    pub(super) currency: Option<String>,
    /// The language and region that amounts are written in, such as de-AT.
    #[arg(long, value_name = "LOCALE")]
    pub(super) locale: Option<String>,
    /// The standard rate of tax in percent, such as 21 or 8.1; that of the country by default.
    #[arg(long, value_name = "PERCENT")]
    pub(super) tax: Option<String>,
    /// Prices are without tax, which is added at checkout.
    #[arg(long)]
    pub(super) net_prices: bool,
    /// The VAT ID or tax number.
    #[arg(long, value_name = "NUMBER")]
    pub(super) tax_id: Option<String>,
    /// Street and number.
    #[arg(long, value_name = "LINE")]
    pub(super) street: Option<String>,
    /// Postal code.
    #[arg(long, value_name = "CODE")]
    pub(super) postal_code: Option<String>,
    /// City.
    #[arg(long, value_name = "NAME")]
    pub(super) city: Option<String>,
    /// The address that customers write to.
    #[arg(long, value_name = "EMAIL")]
    pub(super) email: Option<String>,
    /// The account for bank transfers.
    #[arg(long, value_name = "IBAN")]
    pub(super) iban: Option<String>,
    /// The public address, such as https://shop.example.com.
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// The server that sends mail.
    #[arg(long, value_name = "HOST")]
    pub(super) mail_host: Option<String>,
    /// The login at the mail server.
    #[arg(long, value_name = "NAME")]
    pub(super) mail_user: Option<String>,
    /// Its password, which is asked for and is no option: others would read it in the list of processes.
    #[arg(skip)]
    pub(super) mail_password: Option<String>,
    /// The secret key of Stripe, likewise.
    #[arg(skip)]
    pub(super) stripe_key: Option<String>,
    /// The secret that Stripe signs its webhooks with, likewise.
    #[arg(skip)]
    pub(super) stripe_webhook_secret: Option<String>,
    /// What PayPal calls the application: of no use without its secret, so no option either.
    #[arg(skip)]
    pub(super) paypal_client_id: Option<String>,
    /// The application's secret.
    #[arg(skip)]
    pub(super) paypal_client_secret: Option<String>,
    /// What PayPal calls the webhook to this shop.
    #[arg(skip)]
    pub(super) paypal_webhook_id: Option<String>,
    /// The key of Mollie, likewise.
    #[arg(skip)]
    pub(super) mollie_key: Option<String>,
    /// Without a shop that people see: the API alone.
    #[arg(long)]
    pub(super) no_storefront: bool,
    /// Without the place where you work in a browser.
    #[arg(long)]
    pub(super) no_console: bool,
    /// The e-mail address that the owner logs in with.
    #[arg(long, value_name = "EMAIL")]
    pub(super) owner: Option<String>,
    /// The owner's name.
    #[arg(long, value_name = "NAME")]
    pub(super) owner_name: Option<String>,
}

/// What an answer has to be. The error says what was expected.
type Check = fn(&str) -> Result<String, String>;

impl Answers {
    /// Looks at what options have said.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        let checks: [(&str, &mut Option<String>, Check); 9] = [
            ("--country", &mut self.country, country),
            ("--currency", &mut self.currency, currency),
            ("--locale", &mut self.locale, locale),
            ("--tax", &mut self.tax, percent),
            ("--email", &mut self.email, email),
            ("--base-url", &mut self.base_url, web_address),
            ("--owner", &mut self.owner, email),
            ("--iban", &mut self.iban, iban),
            ("--name", &mut self.name, line),
        ];
        for (option, answer, check) in checks {
            if let Some(given) = answer {
                *given = check(given).map_err(|expected| Failure::usage(format!("`{option}`: {expected}")))?;
            }
        }
        if self.no_console && self.owner.is_some() {
            return Err(Failure::usage("an owner logs in to the console: leave out `--owner` or `--no-console`"));
        }
        Ok(())
    }

    /// Asks for whatever is not known.
    pub(super) fn ask<R: BufRead, W: Write>(&mut self, dialog: &mut Dialog<R, W>) -> Result<(), Failure> {
        dialog.fill(&mut self.name, "What is the shop called?", "My shop", line)?;
        dialog.fill(&mut self.country, "Which country does it sell from? Two letters", "", country)?;
        let home = self.country.clone().unwrap_or_default();
        dialog.fill(&mut self.currency, "Currency of all prices", countries::currency(&home), currency)?;
        dialog.fill(
            &mut self.locale,
            "Language and region that amounts are written in",
            countries::locale(&home),
            locale,
        )?;
        if !home.is_empty() {
            let usual = written_percent(countries::standard_rate(&home));
            dialog.fill(&mut self.tax, &format!("Rate of tax in {home}, in percent (0 for none)"), &usual, percent)?;
        }
        if !self.net_prices {
            self.net_prices = !dialog.agree("Do your prices include tax?")?;
        }
        dialog.fill(&mut self.tax_id, "VAT ID or tax number, for invoices", "", line)?;
        dialog.fill(&mut self.street, "Street and number", "", line)?;
        dialog.fill(&mut self.postal_code, "Postal code", "", line)?;
        dialog.fill(&mut self.city, "City", "", line)?;
        dialog.fill(&mut self.email, "E-mail address for customers", "", email)?;
        dialog.fill(&mut self.iban, "IBAN for bank transfers", "", iban)?;
        dialog.fill(&mut self.base_url, "Public address, such as https://shop.example.com", "", web_address)?;
        dialog.fill(&mut self.mail_host, "Mail server, such as smtp.example.com", "", line)?;
        if self.mail_host.is_some() {
            dialog.fill(&mut self.mail_user, "Login at the mail server", self.email.as_deref().unwrap_or(""), line)?;
            dialog.fill_secret(&mut self.mail_password, "Its password", line)?;
        }
        dialog.fill_secret(&mut self.stripe_key, "Secret key of Stripe, if you have one", stripe_key)?;
        if self.stripe_key.is_some() {
            let question = "Signing secret of its webhook to /webhooks/payments/stripe";
            dialog.fill_secret(&mut self.stripe_webhook_secret, question, stripe_webhook_secret)?;
        }
        dialog.fill(&mut self.paypal_client_id, "Client ID of PayPal, if you have one", "", paypal_id)?;
        if self.paypal_client_id.is_some() {
            dialog.fill_secret(&mut self.paypal_client_secret, "Its secret", paypal_secret)?;
            let question = "ID of its webhook to /webhooks/payments/paypal";
            dialog.fill(&mut self.paypal_webhook_id, question, "", paypal_id)?;
        }
        dialog.fill_secret(&mut self.mollie_key, "Key of Mollie, if you have one", mollie_key)?;
        if !self.no_storefront {
            self.no_storefront = !dialog.agree("Shall people see a shop at its address, not just an API?")?;
        }
        if !self.no_console && self.owner.is_none() {
            self.no_console = !dialog.agree("Shall there be a console to work in, in the browser?")?;
        }
        if !self.no_console {
            dialog.fill(
                &mut self.owner,
                "Your e-mail address, to log in with",
                self.email.as_deref().unwrap_or(""),
                email,
            )?;
            if let Some(owner) = &self.owner {
                dialog.fill(&mut self.owner_name, "Your name", local_part(owner), line)?;
            }
        }
        Ok(())
    }

    /// Fills in what follows from the rest.
    pub(super) fn settle(&mut self) {
        let Some(country) = &self.country else { return };
        self.currency.get_or_insert_with(|| countries::currency(country).to_owned());
        self.locale.get_or_insert_with(|| countries::locale(country).to_owned());
        // A rate of 0 is written down as one that is meant, so what is not known is left out.
        let usual = Some(countries::standard_rate(country)).filter(|rate| *rate > 0);
        self.tax = self.tax.take().or_else(|| usual.map(written_percent));
    }
}

impl<R: BufRead, W: Write> Dialog<R, W> {
    /// Asks for what is not known yet, again until it can be used. An empty answer is the usual one, or none.
    fn fill(&mut self, known: &mut Option<String>, question: &str, usual: &str, check: Check) -> Result<(), Failure> {
        while known.is_none() {
            let hint = if usual.is_empty() { String::from("empty for none") } else { usual.to_owned() };
            let answer = self.answer(&format!("{question} [{hint}]: "))?;
            let answer = if answer.is_empty() { usual.to_owned() } else { answer };
            if answer.is_empty() {
                return Ok(());
            }
            match check(&answer) {
                Ok(checked) => *known = Some(checked),
                Err(expected) => self.say(&format!("  {expected}"))?,
            }
        }
        Ok(())
    }

    /// The same for what nobody should read over a shoulder.
    fn fill_secret(&mut self, known: &mut Option<String>, question: &str, check: Check) -> Result<(), Failure> {
        while known.is_none() {
            let unseen = Unseen::begin();
            let answer = self.answer(&format!("{question} [empty for none; not shown]: "))?;
            drop(unseen);
            self.say("")?;
            if answer.is_empty() {
                return Ok(());
            }
            match check(&answer) {
                Ok(checked) => *known = Some(checked),
                Err(expected) => self.say(&format!("  {expected}"))?,
            }
        }
        Ok(())
    }
}

/// What an owner is called who has not said a name.
pub(super) fn local_part(email: &str) -> &str {
    email.split('@').next().unwrap_or_default()
}

fn line(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 255 || text.chars().any(char::is_control) {
        return Err(String::from("expected a line of at most 255 characters"));
    }
    Ok(text.to_owned())
}

fn country(text: &str) -> Result<String, String> {
    let found = CountryCode::parse(text.trim()).map(|found| found.as_str().to_owned());
    found.ok_or_else(|| {
        let meant = did_you_mean(CountryCode::meant(text));
        format!("expected the two letters of a country (ISO 3166-1), such as NL{meant}")
    })
}

fn currency(text: &str) -> Result<String, String> {
    let code = text.trim().to_uppercase();
    let found = Currency::from_code(&code).map(|found| found.code().to_owned());
    found.map_err(|_| String::from("expected the three letters of a currency (ISO 4217), such as EUR"))
}

fn locale(text: &str) -> Result<String, String> {
    let text = text.trim();
    MoneyFormatter::new(text, Currency::EUR).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

fn email(text: &str) -> Result<String, String> {
    let text = text.trim();
    if is_email(text) { Ok(text.to_owned()) } else { Err(String::from("expected an e-mail address")) }
}

fn iban(text: &str) -> Result<String, String> {
    let bare = text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().to_uppercase();
    let is_one = (15..=34).contains(&bare.len())
        && bare.is_char_boundary(2)
        && bare[..2].chars().all(|letter| letter.is_ascii_uppercase())
        && bare.chars().all(|letter| letter.is_ascii_alphanumeric())
        && remainder(&bare) == 1;
    if is_one { Ok(bare) } else { Err(String::from("this is no IBAN; a letter or digit may be wrong")) }
}

/// The remainder by 97 that tells a mistyped IBAN (ISO 13616).
fn remainder(bare: &str) -> u32 {
    let (first, rest) = bare.split_at(4);
    rest.chars().chain(first.chars()).filter_map(|letter| letter.to_digit(36)).fold(0, |sum, value| {
        let shift = if value > 9 { 100 } else { 10 };
        (sum * shift + value) % 97
    })
}

fn stripe_key(text: &str) -> Result<String, String> {
    key(text, &["sk_", "rk_"])
}

fn stripe_webhook_secret(text: &str) -> Result<String, String> {
    key(text, &["whsec_"])
}

fn paypal_id(text: &str) -> Result<String, String> {
    let is_one = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic());
    if is_one { Ok(text.to_owned()) } else { Err(String::from("expected a text without blanks, as PayPal shows it")) }
}

fn paypal_secret(text: &str) -> Result<String, String> {
    let secret = paypal_id(text)?;
    if secret.len() < MIN_KEY {
        return Err(format!("expected a secret of at least {MIN_KEY} characters"));
    }
    Ok(secret)
}

fn mollie_key(text: &str) -> Result<String, String> {
    key(text, &["live_", "test_"])
}

fn key(text: &str, beginnings: &[&str]) -> Result<String, String> {
    let is_one = beginnings.iter().any(|beginning| text.starts_with(beginning)) && text.len() >= 20;
    if is_one && text.chars().all(|letter| letter.is_ascii_graphic()) {
        Ok(text.to_owned())
    } else {
        Err(format!("expected a key that begins with {}, of at least 20 characters", beginnings.join(" or ")))
    }
}

fn web_address(text: &str) -> Result<String, String> {
    let text = text.trim().trim_end_matches('/');
    let is_one = url::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "https" | "http") && url.has_host() && url.path() == "/" && url.query().is_none()
    });
    if is_one {
        Ok(text.to_owned())
    } else {
        Err(String::from("expected an address without a path, such as https://shop.example.com"))
    }
}

fn percent(text: &str) -> Result<String, String> {
    hundredths(text).map(written_percent).ok_or_else(|| String::from("expected percent such as 21 or 8.1, up to 100"))
}

/// A rate such as `8.1` in hundredths of a percent.
pub(super) fn hundredths(text: &str) -> Option<i64> {
    let text = text.trim().trim_end_matches('%').trim().replace(',', ".");
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let is_number = |digits: &str| digits.chars().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() || whole.len() > 3 || part.len() > 2 || !is_number(whole) || !is_number(part) {
        return None;
    }
    let rate = whole.parse::<i64>().ok()? * 100 + format!("{part:0<2}").parse::<i64>().ok()?;
    (rate <= 10_000).then_some(rate)
}

fn written_percent(rate: i64) -> String {
    let text = format!("{}.{:02}", rate / 100, rate % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests;
