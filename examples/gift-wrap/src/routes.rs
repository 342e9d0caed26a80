//! `/gift-wraps`: the customer's own wishes.

use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_core::http::extract::Uses;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::events::{GiftWrapRequested, GiftWrapRequesting};
use crate::model::{Wish, WishInput, WrapSettings};
use crate::queries;
use crate::webhooks::{Requested, tell_requested};

/// The first label of a route's name decides the ability, so writing has a prefix of its own.
pub(crate) fn wrap_routes() -> Routes<Config> {
    routes()
        .get("gift-wraps.index", "/gift-wraps", index)
        .summary("List own wishes")
        .description("The newest first.")
        .example(|| example_page("/gift-wraps", &example()))
        .get("gift-wraps.show", "/gift-wraps/{wrap}", show)
        .summary("Read a wish")
        .example(|| json!({"data": example()}))
        .post("gift-wrap-wishes.store", "/gift-wraps", store)
        .summary("Save a wish")
        .description("Takes the place of an earlier wish for the same product, unless its card is printed.")
        .body_example(|| json!({"product_id": 7, "paper": "stars", "message": "Happy birthday!"}))
        .example(example)
}

/// A wish, for the document.
fn example() -> Value {
    json!({"id": 12, "product_id": 7, "paper": "stars", "message": "Happy birthday!", "surcharge_amount": 250,
           "currency": "EUR", "order_id": null, "card_printed_at": null, "created_at": "2027-01-31T09:00:00Z"})
}

async fn index(customer: Customer, db: Db, page: PageRequest) -> ApiResult<Paged<Wish>> {
    let total = db.read(queries::COUNT).bind(customer.id).scalar::<i64>().await?;
    let wishes = db.read(queries::LIST).bind(customer.id).bind(page.limit()).bind(page.offset());
    Ok(page.answer(wishes.all().await?, total))
}

async fn show(customer: Customer, db: Db, Id(id): Id) -> ApiResult<Data<Wish>> {
    let wish = db.read(queries::FIND).bind(id).bind(customer.id).optional().await?;
    Ok(Data(wish.ok_or_else(ApiError::not_found)?))
}

async fn store(
    State(config): State<Config>,
    customer: Customer,
    Uses((db, currency)): Uses<(Db, Currency)>,
    Body(input): Body<WishInput>,
) -> ApiResult<Created<Wish>> {
    check_message(&config, &input)?;
    let currency = currency.code();
    let wish = db
        .write(async |tx| -> ApiResult<Wish> {
            let surcharge_amount = surcharge(tx, &input).await?;
            tx.announce(&GiftWrapRequesting { customer_id: customer.id, product_id: input.product_id }).await?;
            let now = tx.now();
            let insert = tx.run(queries::INSERT).bind(customer.id).bind(input.product_id).bind(input.paper.as_str());
            let insert = insert.bind(input.message.as_deref()).bind(surcharge_amount).bind(currency).bind(now);
            let wish = insert.one::<Wish>().await?;
            tx.emit(&GiftWrapRequested { wish_id: wish.id }).await?;
            let (product_id, paper) = (input.product_id, input.paper.clone());
            tell_requested(tx, &Requested { wish_id: wish.id, product_id, paper }).await?;
            Ok(wish)
        })
        .await?;
    Ok(Created(wish))
}

/// The rule table knows no settings, so what depends on them is checked here.
fn check_message(config: &Config, input: &WishInput) -> ApiResult<()> {
    let max = config.max_message_length;
    match &input.message {
        Some(message) if message.chars().count() > max => {
            Err(ApiError::invalid_field("message", Violation::MaxLength { max }.on("message")))
        }
        _ => Ok(()),
    }
}

/// What wrapping this product in this paper costs, if that is offered.
async fn surcharge(tx: &mut Tx, input: &WishInput) -> ApiResult<i64> {
    let offer = tx.run(queries::FIND_OFFER).bind(input.product_id).optional_scalar::<Json<WrapSettings>>().await?;
    let Some(Json(offer)) = offer else {
        let message = text!("gift-wrap-not-offered");
        return Err(ApiError::invalid_field("product_id", message));
    };
    if !offer.papers.contains(&input.paper) {
        let allowed = offer.papers.into_iter().map(Into::into).collect();
        return Err(ApiError::invalid_field("paper", Violation::OneOf { allowed }.on("paper")));
    }
    Ok(offer.surcharge_amount)
}
