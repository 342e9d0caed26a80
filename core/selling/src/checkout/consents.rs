//! What customers agree to with an order (C6.4).

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use stoa_kernel::config::{Config, ConsentConfig, ConsentScope};
use stoa_kernel::http::error::{ApiError, ApiResult, FieldProblem, FieldProblems};
use stoa_kernel::i18n::{Language, Message};
use stoa_kernel::text;

use super::lines::SHIPPABLE;
use super::rules::CONSENTS;
use crate::cart::PricedLine;
use crate::orders::OrderConsent;

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

/// The consents that an order of these lines is asked for, as they are read in a language.
pub(super) fn consents_for(config: &Config, lines: &[PricedLine], language: Language) -> Vec<ConsentResource> {
    let shown = asked_for(config, lines).map(|consent| ConsentResource {
        id: consent.id.clone(),
        version: consent.version.clone(),
        label: label(config, consent, language),
        url: consent.url.clone(),
        required: consent.required,
    });
    shown.collect()
}

/// What of the consents that are given an order of these lines keeps; or what is wrong with them. One that this order is not asked
/// for is passed over.
pub(super) fn accept_consents(
    config: &Config,
    lines: &[PricedLine],
    given: &[String],
    language: Language,
    now: DateTime<Utc>,
) -> ApiResult<Vec<OrderConsent>> {
    let mut problems = Vec::<Message>::new();
    for (id, version) in given.iter().map(|given| split(given)) {
        match config.shop.consents.iter().find(|consent| consent.id == id) {
            None => {
                let allowed =
                    asked_for(config, lines).map(|consent| consent.id.as_str()).collect::<Vec<_>>().join(", ");
                problems.push(text!("checkout-consent-unknown", id = id, allowed = allowed));
            }
            Some(consent) if version.is_some_and(|version| version != consent.version) => {
                let (label, version) = (label(config, consent, language), consent.version.as_str());
                problems.push(text!("checkout-consent-outdated", label = label, version = version));
            }
            Some(_) => {}
        }
    }
    let is_given = |consent: &&ConsentConfig| given.iter().any(|given| split(given).0 == consent.id);
    let (given, missing) = asked_for(config, lines).partition::<Vec<_>, _>(is_given);
    let missing = missing.into_iter().filter(|consent| consent.required);
    problems.extend(missing.map(|consent| text!("checkout-consent-missing", label = label(config, consent, language))));
    if !problems.is_empty() {
        let problems = problems.into_iter().map(FieldProblem::Message).collect();
        return Err(ApiError::validation(FieldProblems::from([(CONSENTS.to_owned(), problems)])));
    }
    let kept = given.into_iter().map(|consent| OrderConsent {
        id: consent.id.clone(),
        version: consent.version.clone(),
        label: label(config, consent, language),
        given_at: now,
    });
    Ok(kept.collect())
}

fn asked_for<'a>(config: &'a Config, lines: &[PricedLine]) -> impl Iterator<Item = &'a ConsentConfig> + use<'a> {
    let is_digital = lines.iter().any(|line| line.available && !line.has_capability(SHIPPABLE));
    config.shop.consents.iter().filter(move |consent| match consent.when {
        ConsentScope::Always => true,
        ConsentScope::Digital => is_digital,
    })
}

fn label(config: &Config, consent: &ConsentConfig, language: Language) -> String {
    consent.label_in(language.tag(), config.shop.locale.id.language.as_str()).to_owned()
}

/// The id, and the version if there is one.
fn split(given: &str) -> (&str, Option<&str>) {
    given.split_once('@').map_or((given, None), |(id, version)| (id, Some(version)))
}
