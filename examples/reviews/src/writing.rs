//! What changes reviews. The catalog counts the stars anew after each, which has to come first in a transaction.

use serde_json::json;
use stoa_core::catalog::details_changed;
use stoa_core::prelude::*;

use crate::config::Moderation;
use crate::model::{OwnReview, ReviewInput};
use crate::queries;

/// Writes a customer's review of a product, or changes it.
pub(crate) async fn write(
    db: &Db,
    moderation: Moderation,
    customer_id: i64,
    product_id: i64,
    input: &ReviewInput,
) -> ApiResult<OwnReview> {
    let status = match moderation {
        Moderation::Before => "waiting",
        Moderation::After => "published",
    };
    db.write(async |tx| -> ApiResult<OwnReview> {
        details_changed(tx).await?;
        let bought = tx.run(queries::COUNT_BOUGHT).bind(customer_id).bind(product_id).scalar::<i64>().await?;
        if bought == 0 {
            return Err(ApiError::invalid_state(text!("reviews-not-bought"), "not_bought"));
        }
        let now = tx.now();
        let write = tx.run(queries::WRITE).bind(customer_id).bind(product_id).bind(input.stars);
        let write = write.bind(input.text.as_str()).bind(input.name.as_str()).bind(status).bind(now);
        write.execute().await?;
        Ok(tx.run(queries::FIND_OWN).bind(customer_id).bind(product_id).one().await?)
    })
    .await
}

/// Withdraws a customer's review of a product; false where there is none.
pub(crate) async fn withdraw(db: &Db, customer_id: i64, product_id: i64) -> Result<bool, DbError> {
    db.write(async |tx| {
        details_changed(tx).await?;
        Ok(tx.run(queries::DELETE_OWN).bind(customer_id).bind(product_id).execute().await? > 0)
    })
    .await
}

/// Publishes or refuses a review as it was read; false where it has changed since, or is gone.
pub(crate) async fn judge(db: &Db, id: i64, version: i64, status: &str) -> Result<bool, DbError> {
    db.write(async |tx| {
        details_changed(tx).await?;
        let before = tx.run(queries::FIND_STATUS).bind(id).bind(version).optional_scalar::<String>().await?;
        let judged = tx.run(queries::JUDGE).bind(id).bind(version).bind(status).execute().await? > 0;
        if judged {
            let (before, after) = (json!({"status": before}), json!({"status": status}));
            tx.audit_operator("reviews.judge", Subject::new("review", id), before, after).await?;
        }
        Ok(judged)
    })
    .await
}
