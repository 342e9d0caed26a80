//! What `GET /checkout/requirements` is asked with.

use http::request::Parts;

use stoa_kernel::config::CountryCode;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::extract::RawQuery;
use stoa_kernel::http::shape::Takes;
use stoa_kernel::http::table::{Operation, QueryParameter};
use stoa_kernel::i18n::Violation;

use super::rules::{DISCOUNT_CODE, PAYMENT_METHOD, SHIPPING_METHOD};
use crate::vat_ids::VAT_ID;

const COUNTRY: &str = "country";

/// The choices of a checkout as far as the customer has made them. Blank ones are none.
#[derive(Debug, Default)]
pub(super) struct RequirementsQuery {
    pub(super) country: Option<CountryCode>,
    pub(super) shipping_method_id: Option<String>,
    pub(super) discount_code: Option<String>,
    pub(super) payment_method: Option<String>,
    pub(super) vat_id: Option<String>,
}

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for RequirementsQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let RawQuery(query) = RawQuery::from_request_parts(parts, state).await?;
        let query = query.unwrap_or_default();
        let given = |wanted: &str| {
            let value = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == wanted);
            value.map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let country = given(COUNTRY).map(|code| {
            let refuse = || ApiError::invalid_field(COUNTRY, Violation::UnknownCountry.on(COUNTRY));
            CountryCode::parse(&code).ok_or_else(refuse)
        });
        Ok(Self {
            country: country.transpose()?,
            shipping_method_id: given(SHIPPING_METHOD),
            discount_code: given(DISCOUNT_CODE),
            payment_method: given(PAYMENT_METHOD),
            vat_id: given(VAT_ID),
        })
    }
}

impl Takes for RequirementsQuery {
    fn takes(operation: &mut Operation) {
        let text =
            |name, description, example| QueryParameter { name, description, kind: "string", pattern: None, example };
        operation.query.extend([
            QueryParameter {
                pattern: Some(CountryCode::PATTERN),
                ..text(
                    COUNTRY,
                    "A country code: only shipping methods that go there, and the taxes of this country.",
                    "NL",
                )
            },
            text(SHIPPING_METHOD, "The shipping method whose price `totals` has.", "standard"),
            text(DISCOUNT_CODE, "A discount code, in any case.", "SUMMER-10"),
            text(
                PAYMENT_METHOD,
                "The payment method, on which modules may make fees depend; `manual` when left out.",
                "manual",
            ),
            text(
                VAT_ID,
                "A VAT identification number. With a valid one of another member state of the European Union, orders there \
                 are not taxed (reverse charge).",
                "DE136695976",
            ),
        ]);
    }
}
