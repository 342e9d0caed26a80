//! `/digital-secrets`: what was delivered to the customer.

use serde_json::{Value, json};
use stoa_core::encryption::Cipher;
use stoa_core::http::extract::{CurrentToken, Uses};
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::model::DigitalSecret;
use crate::queries;
use crate::reading::{Reader, read_one, read_page};

pub(crate) fn secret_routes() -> Routes<()> {
    routes()
        .get("digital-secrets.index", "/digital-secrets", index)
        .summary("List own digital secrets")
        .description(
            "The newest first, 20 on a page, with their values. It is recorded which values were read, and when.",
        )
        .example(|| example_page("/digital-secrets", &example()))
        .get("digital-secrets.show", "/digital-secrets/{secret}", show)
        .summary("Read an own digital secret")
        .path_parameter("The id of an own digital secret.", "42")
        .description(
            "The value can be read while the secret is `delivered`. It is recorded that it was read, and when.",
        )
        .example(|| json!({"data": example()}))
}

fn example() -> Value {
    json!({
        "id": 42, "product": {"id": 7, "slug": "agora-sans", "name": "Agora Sans"}, "status": "delivered",
        "value_hint": "…7QKD", "value": "AGORA-3M9T-XB42-7QKD", "granted_at": "2026-03-01T10:00:00Z",
        "revoked_at": null, "order_id": 12,
    })
}

async fn index(
    buyer: Buyer,
    CurrentToken(token_id): CurrentToken,
    Uses((db, random, cipher)): Uses<(Db, Random, Cipher)>,
    page: PageRequest,
) -> ApiResult<Paged<DigitalSecret>> {
    let total = db.read(queries::COUNT_OWN).bought_by(buyer).scalar::<i64>().await?;
    if total <= page.offset() {
        return Ok(page.answer(Vec::new(), total));
    }
    let reader = Reader::customer(token_id, "digital-secrets.index");
    let secrets = read_page(&db, &random, &cipher, buyer, (page.limit(), page.offset()), reader).await?;
    Ok(page.answer(secrets, total))
}

async fn show(
    buyer: Buyer,
    CurrentToken(token_id): CurrentToken,
    Uses((db, random, cipher)): Uses<(Db, Random, Cipher)>,
    Id(id): Id,
) -> ApiResult<Data<DigitalSecret>> {
    let reader = Reader::customer(token_id, "digital-secrets.show");
    let secret = read_one(&db, &random, &cipher, buyer, id, reader).await?;
    Ok(Data(secret.ok_or_else(ApiError::not_found)?))
}
