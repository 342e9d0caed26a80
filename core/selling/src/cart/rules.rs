//! What is sent to the cart (S4.1, contract 2.1).

use serde::Deserialize;
use serde_json::{Map, Value};

use stoa_catalog::import::MAX_OPTIONS;
use stoa_kernel::http::extract::Input;
use stoa_kernel::http::rules::{Rules, field};

use super::store::MAX_QUANTITY;

/// `POST /cart`.
#[derive(Debug, Deserialize)]
pub struct AddToCart {
    pub(super) product_id: i64,
    pub(super) quantity: Option<i64>,
    #[serde(default)]
    pub(super) selections: Option<Map<String, Value>>,
}

impl Input for AddToCart {
    const NAME: &'static str = "AddToCart";

    fn rules() -> Rules {
        Rules::new([
            field("product_id").required().integer(1, i64::MAX).describe("A product that can be bought."),
            field("quantity")
                .nullable()
                .integer(1, MAX_QUANTITY)
                .describe("1 when omitted or null. It is added to what the cart holds of the same product and selections."),
            field("selections").nullable().map(MAX_OPTIONS).named("Selections").describe(
                "By option key: a choice's `value` for `select` and `radio`, an array of them for `checkbox`, a boolean for \
                 `toggle` (`false` is the same as nothing), a text of at most 255 characters for `text`, a number for `number`.",
            ),
        ])
    }
}

/// `PATCH /cart/{lineKey}`.
#[derive(Debug, Deserialize)]
pub struct SetQuantity {
    pub(super) quantity: i64,
}

impl Input for SetQuantity {
    const NAME: &'static str = "SetQuantity";

    fn rules() -> Rules {
        Rules::new([field("quantity").required().integer(0, MAX_QUANTITY).describe("0 removes the line.")])
    }
}
