//! What the module keeps, what it is asked, and what it answers.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

use crate::config::LONGEST_MESSAGE;

/// The longest name of a paper, in characters.
const LONGEST_PAPER: usize = 40;

/// What an import line says about a product under `modules.gift_wrap`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrapSettings {
    /// Papers to choose from.
    pub(crate) papers: Vec<String>,
    /// What wrapping costs, in the currency's smallest unit.
    #[serde(default)]
    pub(crate) surcharge_amount: i64,
}

impl ProductSettings for WrapSettings {
    fn validate(&self) -> Result<(), String> {
        let is_paper = |name: &String| !name.trim().is_empty() && name.chars().count() <= LONGEST_PAPER;
        if self.papers.is_empty() || !self.papers.iter().all(is_paper) {
            return Err(format!("`papers` must be a list of names with 1 to {LONGEST_PAPER} characters"));
        }
        if self.surcharge_amount < 0 {
            return Err(String::from("`surcharge_amount` must not be negative"));
        }
        Ok(())
    }
}

/// The body of `POST /gift-wraps`.
#[derive(Debug, Deserialize)]
pub(crate) struct WishInput {
    pub(crate) product_id: i64,
    pub(crate) paper: String,
    pub(crate) message: Option<String>,
}

impl Input for WishInput {
    const NAME: &'static str = "GiftWrapWishInput";

    fn rules() -> Rules {
        Rules::new([
            field("product_id").integer(1, i64::MAX).required().describe("The product to wrap."),
            field("paper").max(LONGEST_PAPER).required().describe("One of the product's papers."),
            field("message").max(LONGEST_MESSAGE).multiline().nullable().describe("What the card says."),
        ])
    }
}

/// A wish as the database holds it and as the customer sees it.
#[derive(Debug, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "GiftWrapWish")]
pub(crate) struct Wish {
    /// The wish's id.
    pub(crate) id: i64,
    /// The product to wrap.
    product_id: i64,
    /// The paper.
    paper: String,
    /// What the card says; null for no card.
    message: Option<String>,
    /// What wrapping costs, in the currency's smallest unit.
    surcharge_amount: i64,
    /// The currency of the surcharge (ISO 4217).
    currency: String,
    /// The order that it is packed with; null until one is placed.
    order_id: Option<i64>,
    /// When the card was printed; null until then.
    card_printed_at: Option<DateTime<Utc>>,
    /// When the wish was saved.
    created_at: DateTime<Utc>,
}

/// A wish that waits for an order.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct WaitingWish {
    pub(crate) id: i64,
    pub(crate) product_id: i64,
    pub(crate) paper: String,
    pub(crate) surcharge_amount: i64,
}

/// A wish as the operator lists it.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub(crate) struct ListedWish {
    pub(crate) id: i64,
    customer_id: i64,
    product_id: i64,
    pub(crate) paper: String,
    pub(crate) message: Option<String>,
    order_id: Option<i64>,
    pub(crate) card_printed_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

impl ListedWish {
    /// The wish as a row of a table.
    pub(crate) fn row(&self) -> Vec<String> {
        let shown = |id: i64| id.to_string();
        let printed = match (&self.message, self.card_printed_at) {
            (None, _) => String::from("no card"),
            (Some(_), None) => String::from("waits"),
            (Some(_), Some(at)) => shown_time(at),
        };
        let order = self.order_id.map(shown).unwrap_or_default();
        vec![shown(self.id), shown(self.customer_id), shown(self.product_id), self.paper.clone(), order, printed]
    }
}
