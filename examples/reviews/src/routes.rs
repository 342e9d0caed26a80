//! `/reviews/{product}`: what everybody reads; `/own-reviews`: what customers write.

use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::model::{OwnOfProduct, OwnReview, Review, ReviewInput};
use crate::queries;
use crate::writing::{withdraw, write};

/// What everybody may read.
pub(crate) fn public() -> Routes<()> {
    routes()
        .get("reviews.index", "/reviews/{product}", index)
        .summary("List the reviews of a product")
        .description(
            "Those that are published, the newest first. How many stars they have on average stands in the product.",
        )
        .path_parameter("The product's name in URLs.", "desk-lamp")
        .example(|| {
            let review = json!({"id": 3, "stars": 5, "text": "It gives a warm light.", "name": "Ada",
                                "created_at": "2027-01-31T09:00:00Z"});
            example_page("/reviews/desk-lamp", &review)
        })
}

/// What customers read and write of themselves. Writing has a prefix and an ability of its own.
pub(crate) fn own() -> Routes<Config> {
    routes()
        .get("own-reviews.index", "/own-reviews", list_own)
        .summary("List own reviews")
        .example(|| example_page("/own-reviews", &example()))
        .get("own-reviews.show", "/own-reviews/{product}", show_own)
        .summary("Read the own review of a product, and whether there may be one")
        .path_parameter("The product's name in URLs.", "desk-lamp")
        .example(|| json!({"data": {"may_write": true, "review": example()}}))
        .post("review-writing.store", "/own-reviews/{product}", store)
        .summary("Review a product, or change the review")
        .description("For those who have bought it; reason `not_bought` for others. There is one review for each customer and product.")
        .path_parameter("The product's name in URLs.", "desk-lamp")
        .body_example(|| json!({"stars": 5, "text": "It gives a warm light.", "name": "Ada"}))
        .example(|| json!({"data": example()}))
        .delete("review-writing.delete", "/own-reviews/{product}", delete)
        .summary("Withdraw the own review of a product")
        .path_parameter("The product's name in URLs.", "desk-lamp")
        .example(|| json!({"ok": true}))
}

/// An own review, for the document.
fn example() -> Value {
    json!({"id": 3, "product_slug": "desk-lamp", "product_name": "Desk lamp", "stars": 5, "text": "It gives a warm light.",
           "name": "Ada", "status": "waiting", "created_at": "2027-01-31T09:00:00Z", "updated_at": "2027-01-31T09:00:00Z"})
}

async fn find(db: &Db, slug: &str) -> ApiResult<i64> {
    let found = db.read(queries::FIND_PRODUCT).bind(slug).optional_scalar().await?;
    found.ok_or_else(ApiError::not_found)
}

async fn index(db: Db, Name(slug): Name, page: PageRequest) -> ApiResult<Paged<Review>> {
    let product = find(&db, &slug).await?;
    let total = db.read(queries::COUNT_PUBLISHED).bind(product).scalar::<i64>().await?;
    let reviews = db.read(queries::LIST_PUBLISHED).bind(product).bind(page.limit()).bind(page.offset());
    Ok(page.answer(reviews.all().await?, total))
}

async fn list_own(customer: Customer, db: Db, page: PageRequest) -> ApiResult<Paged<OwnReview>> {
    let total = db.read(queries::COUNT_OWN).bind(customer.id).scalar::<i64>().await?;
    let reviews = db.read(queries::LIST_OWN).bind(customer.id).bind(page.limit()).bind(page.offset());
    Ok(page.answer(reviews.all().await?, total))
}

async fn show_own(customer: Customer, db: Db, Name(slug): Name) -> ApiResult<Data<OwnOfProduct>> {
    let product = find(&db, &slug).await?;
    let bought = db.read(queries::COUNT_BOUGHT).bind(customer.id).bind(product).scalar::<i64>().await?;
    let review = db.read(queries::FIND_OWN).bind(customer.id).bind(product).optional().await?;
    Ok(Data(OwnOfProduct { may_write: bought > 0, review }))
}

async fn store(
    State(config): State<Config>,
    customer: Customer,
    db: Db,
    Name(slug): Name,
    Body(input): Body<ReviewInput>,
) -> ApiResult<Data<OwnReview>> {
    let product = find(&db, &slug).await?;
    Ok(Data(write(&db, config.moderation, customer.id, product, &input).await?))
}

async fn delete(customer: Customer, db: Db, Name(slug): Name) -> ApiResult<Done> {
    let product = find(&db, &slug).await?;
    if withdraw(&db, customer.id, product).await? { Ok(Done::new()) } else { Err(ApiError::not_found()) }
}
