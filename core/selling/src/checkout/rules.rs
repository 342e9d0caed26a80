//! The rule table of `POST /checkout` (contract 2.2).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use stoa_customers::addresses::{AddressRequest, check_country};
use stoa_kernel::http::error::FieldProblems;
use stoa_kernel::http::extract::{Input, Settings};
use stoa_kernel::http::rules::{Rules, field};

use crate::idempotency::key_field;
use crate::vat_ids::VAT_ID;

/// Most characters of a customer's note.
const MAX_NOTE: usize = 1000;

/// The field, and the parameter of the requirements.
pub(super) const DISCOUNT_CODE: &str = "discount_code";

/// The field, and the parameter of the requirements.
pub(super) const SHIPPING_METHOD: &str = "shipping_method_id";

/// The field, and the parameter of the requirements.
pub(super) const PAYMENT_METHOD: &str = "payment_method";

/// The field.
pub(super) const ANSWERS: &str = "answers";

/// Most answers in a request.
const MAX_ANSWERS: usize = 50;

/// The field.
pub(super) const CONSENTS: &str = "consents";

/// Most consents in a request.
const MAX_CONSENTS: usize = 50;

/// Most characters of one: an id, `@` and a version.
const MAX_CONSENT: usize = 81;

/// The body of `POST /checkout`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CheckoutRequest {
    pub(super) billing: Option<AddressRequest>,
    pub(super) billing_address_id: Option<i64>,
    pub(super) shipping: Option<AddressRequest>,
    pub(super) shipping_address_id: Option<i64>,
    pub(super) shipping_same_as_billing: Option<bool>,
    pub(super) shipping_method_id: Option<String>,
    pub(super) payment_method: Option<String>,
    pub(super) discount_code: Option<String>,
    pub(super) note: Option<String>,
    pub(super) expected_total_amount: Option<i64>,
    // Left out of what is compared under an idempotency key, as it was before there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) consents: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) vat_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<Map<String, Value>>,
    #[serde(skip_serializing)]
    pub(super) idempotency_key: Option<String>,
}

impl Input for CheckoutRequest {
    const NAME: &'static str = "CheckoutRequest";

    fn rules() -> Rules {
        let saved = |name| field(name).nullable().integer(1, i64::MAX);
        Rules::new([
            field("billing")
                .nullable()
                .object(AddressRequest::rules())
                .named(AddressRequest::NAME)
                .describe("Where the bill goes; required unless `billing_address_id` is given."),
            saved("billing_address_id").describe("An own saved address instead."),
            field("shipping")
                .nullable()
                .object(AddressRequest::rules())
                .named(AddressRequest::NAME)
                .describe("Where the goods go."),
            saved("shipping_address_id").describe("An own saved address instead."),
            field("shipping_same_as_billing")
                .nullable()
                .boolean()
                .describe("Whether the goods go where the bill goes; yes unless another address is given."),
            field(SHIPPING_METHOD)
                .nullable()
                .max(40)
                .describe("How the goods are sent; required when something is."),
            field(PAYMENT_METHOD).nullable().max(40).describe("How the customer will pay; `manual` unless given."),
            field(DISCOUNT_CODE).nullable().max(80).describe("A discount code, in any case."),
            field("note").nullable().multiline().max(MAX_NOTE).describe("Anything the customer wants to say."),
            field(VAT_ID).nullable().max(64).describe(
                "The customer's VAT identification number, such as `DE136695976`. With a valid one of another member state of the \
                 European Union, orders there are not taxed (reverse charge).",
            ),
            field("expected_total_amount").nullable().integer(0, i64::MAX).describe(
                "The total that the customer has agreed to, in minor units. With another one nothing is placed.",
            ),
            field(CONSENTS).nullable().array(field(CONSENTS).max(MAX_CONSENT).required(), MAX_CONSENTS).describe(
                "The ids of what the customer agrees to, such as `terms`; with `@` and the version that was shown, as in \
                 `terms@2026-11`, another version is refused.",
            ),
            field(ANSWERS).nullable().map(MAX_ANSWERS).describe(
                "What modules ask for: an answer by the id of each requirement that a module has added.",
            ),
            key_field(),
        ])
    }

    fn check_settings(body: &Value, shop: &Settings<'_>) -> FieldProblems {
        let config = shop.config;
        let mut problems = FieldProblems::new();
        for address in ["billing", "shipping"] {
            let given = &body[address];
            problems.extend(check_country(&format!("{address}.country"), &given["country"], config));
            let alias = &given["properties"]["country"];
            problems.extend(check_country(&format!("{address}.properties.country"), alias, config));
        }
        problems
    }
}
