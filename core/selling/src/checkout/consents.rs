//! What customers agree to with an order (C6.4): what the operator asks for, and the waiver of digital goods (C10.2).

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use stoa_kernel::config::{ConsentConfig, ConsentScope, DigitalWithoutWaiver};
use stoa_kernel::i18n::{Language, Message};
use stoa_kernel::text;

use super::error::CheckoutError;
use super::lines::{SHIPPABLE, ends_with_delivery};
use crate::cart::{PricedLine, Prices};
use crate::orders::OrderConsent;
use crate::withdrawals::is_on;

/// The consent by which a customer gives up the right to withdraw from digital goods, to have them at once.
pub(super) const DIGITAL_WAIVER: &str = "digital_waiver";

/// The edition of its text that comes with the shop.
const DIGITAL_WAIVER_VERSION: &str = "2026-11";

/// Something that the customer is asked to agree to.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Consent")]
pub(super) struct ConsentResource {
    /// What `consents` takes.
    id: String,
    /// Which edition of the text it is.
    version: String,
    /// What customers read.
    label: String,
    /// Where the whole text stands: a web address, or a path of the shop; null when there is no more of it.
    url: Option<String>,
    /// Whether there is no order without it.
    required: bool,
}

/// A consent as it is asked for, in a language.
struct Asked<'a> {
    id: &'a str,
    version: &'a str,
    label: String,
    url: Option<&'a str>,
    required: bool,
}

/// The consents that an order of these lines is asked for, as they are read in a language.
pub(super) fn consents_for(prices: &Prices, lines: &[PricedLine], language: Language) -> Vec<ConsentResource> {
    let shown = asked_for(prices, lines, language).into_iter().map(|consent| ConsentResource {
        id: consent.id.to_owned(),
        version: consent.version.to_owned(),
        label: consent.label,
        url: consent.url.map(str::to_owned),
        required: consent.required,
    });
    shown.collect()
}

/// What of the consents that are given an order of these lines keeps; or what is wrong with them. One that this order is not asked
/// for is passed over.
pub(super) fn accept_consents(
    prices: &Prices,
    lines: &[PricedLine],
    given: &[String],
    language: Language,
    now: DateTime<Utc>,
) -> Result<Vec<OrderConsent>, CheckoutError> {
    let asked = asked_for(prices, lines, language);
    let mut problems = Vec::<Message>::new();
    for (id, version) in given.iter().map(|given| split(given)) {
        match asked.iter().find(|consent| consent.id == id) {
            Some(consent) if version.is_some_and(|version| version != consent.version) => {
                let (label, version) = (consent.label.as_str(), consent.version);
                problems.push(text!("checkout-consent-outdated", label = label, version = version));
            }
            Some(_) => {}
            None if is_known(prices, id) => {}
            None if asked.is_empty() => problems.push(text!("checkout-consent-none", id = id)),
            None => {
                let allowed = asked.iter().map(|consent| consent.id).collect::<Vec<_>>().join(", ");
                problems.push(text!("checkout-consent-unknown", id = id, allowed = allowed));
            }
        }
    }
    let is_given = |consent: &Asked<'_>| given.iter().any(|given| split(given).0 == consent.id);
    let (given, missing) = asked.into_iter().partition::<Vec<_>, _>(is_given);
    let missing = missing.into_iter().filter(|consent| consent.required);
    problems.extend(missing.map(|consent| text!("checkout-consent-missing", label = consent.label)));
    if !problems.is_empty() {
        return Err(CheckoutError::Consents(problems));
    }
    let kept = given.into_iter().map(|consent| OrderConsent {
        id: consent.id.to_owned(),
        version: consent.version.to_owned(),
        label: consent.label,
        given_at: now,
    });
    Ok(kept.collect())
}

fn asked_for<'a>(prices: &'a Prices, lines: &[PricedLine], language: Language) -> Vec<Asked<'a>> {
    let available = || lines.iter().filter(|line| line.available);
    let is_digital = available().any(|line| !line.has_capability(SHIPPABLE));
    let needs_waiver = is_on(&prices.config) && available().any(|line| ends_with_delivery(&prices.selling, line));
    let own = prices.config.shop.consents.iter().filter(|consent| {
        // The operator's own text of the waiver is asked for as that.
        if consent.id == DIGITAL_WAIVER && is_on(&prices.config) {
            return false;
        }
        match consent.when {
            ConsentScope::Always => true,
            ConsentScope::Digital => is_digital,
        }
    });
    let own = own.map(|consent| asked(prices, consent, language));
    own.chain(needs_waiver.then(|| digital_waiver(prices, language))).collect()
}

fn asked<'a>(prices: &Prices, consent: &'a ConsentConfig, language: Language) -> Asked<'a> {
    let of_shop = &prices.config.shop.locale.id.language;
    Asked {
        id: &consent.id,
        version: &consent.version,
        label: consent.label_in(language.tag(), of_shop.as_str()).to_owned(),
        url: consent.url.as_deref(),
        required: consent.required,
    }
}

/// The waiver, in the operator's words if there are some.
fn digital_waiver(prices: &Prices, language: Language) -> Asked<'_> {
    let shop = &prices.config.shop;
    let required = match shop.digital_without_waiver {
        DigitalWithoutWaiver::Refuse => true,
        DigitalWithoutWaiver::Later => false,
    };
    match shop.consents.iter().find(|consent| consent.id == DIGITAL_WAIVER) {
        Some(own) => Asked { required, ..asked(prices, own, language) },
        None => Asked {
            id: DIGITAL_WAIVER,
            version: DIGITAL_WAIVER_VERSION,
            label: prices.texts.say(&text!("checkout-digital-waiver"), language),
            url: None,
            required,
        },
    }
}

/// Whether it is a consent of this shop, which another order may be asked for.
fn is_known(prices: &Prices, id: &str) -> bool {
    let is_waiver = id == DIGITAL_WAIVER && is_on(&prices.config);
    is_waiver || prices.config.shop.consents.iter().any(|consent| consent.id == id)
}

/// The id, and the version if there is one.
fn split(given: &str) -> (&str, Option<&str>) {
    given.split_once('@').map_or((given, None), |(id, version)| (id, Some(version)))
}
