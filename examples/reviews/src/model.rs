//! What the module is asked, and what it answers.

use stoa_core::chrono::{DateTime, Utc};
use stoa_core::prelude::*;

/// The body of a review.
#[derive(Debug, Deserialize)]
pub(crate) struct ReviewInput {
    pub(crate) stars: i64,
    pub(crate) text: String,
    pub(crate) name: String,
}

impl Input for ReviewInput {
    const NAME: &'static str = "ReviewInput";

    fn rules() -> Rules {
        Rules::new([
            field("stars").integer(1, 5).required().describe("How good the product is; five stars are the best."),
            field("text").required().multiline().max(5000).describe("What is said of it."),
            field("name").required().max(60).describe("The name that is shown."),
        ])
    }
}

/// A review as everybody reads it.
#[derive(Debug, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "Review")]
pub(crate) struct Review {
    /// The review's id.
    id: i64,
    /// One to five.
    stars: i64,
    /// What is said of the product.
    text: String,
    /// The name that its author shows.
    name: String,
    /// When it was written.
    created_at: DateTime<Utc>,
}

/// A review as its author reads it.
#[derive(Debug, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "OwnReview")]
pub(crate) struct OwnReview {
    /// The review's id.
    pub(crate) id: i64,
    /// The product's name in URLs.
    pub(crate) product_slug: String,
    /// The product's name.
    pub(crate) product_name: String,
    /// One to five.
    pub(crate) stars: i64,
    /// What is said of the product.
    pub(crate) text: String,
    /// The name that is shown.
    pub(crate) name: String,
    /// `waiting`, `published` or `refused`.
    pub(crate) status: String,
    /// When it was written.
    pub(crate) created_at: DateTime<Utc>,
    /// When it last changed.
    pub(crate) updated_at: DateTime<Utc>,
}

/// What a customer has to do with the reviews of a product.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OwnReviewOfProduct")]
pub(crate) struct OwnOfProduct {
    /// Whether the customer has bought the product, and so may review it.
    pub(crate) may_write: bool,
    /// What the customer has written; null for nothing.
    pub(crate) review: Option<OwnReview>,
}

/// A review as the operator reads it.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct ListedReview {
    pub(crate) id: i64,
    pub(crate) version: i64,
    pub(crate) product_slug: String,
    pub(crate) product_name: String,
    pub(crate) customer_id: i64,
    pub(crate) stars: i64,
    pub(crate) text: String,
    pub(crate) name: String,
    pub(crate) status: String,
    pub(crate) updated_at: DateTime<Utc>,
}
