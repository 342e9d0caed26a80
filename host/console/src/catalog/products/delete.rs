//! Deleting a product, after a question.

use stoa_core::catalog::export_product;
use stoa_core::catalog::write::{RemoveProductError, remove_product};
use stoa_core::db::Db;
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Name;
use stoa_pages::answer::PageResponse;

use crate::catalog::in_address;
use crate::page::Frame;
use crate::question::Question;

async fn shown(frame: &Frame, db: &Db, slug: &str, problem: Option<String>) -> ApiResult<PageResponse> {
    let product = export_product(db, slug).await?.ok_or_else(ApiError::not_found)?;
    let name = product.name.value().map_or(slug, String::as_str);
    frame.ask(Question {
        says: "This cannot be undone. What modules keep about it is deleted as well, and it leaves the carts that have it. Its photos \
               stay in the media folder.",
        problem,
        ..Question::of_one(("products", "Products"), name, &in_address(slug), "delete")
    })
}

/// `GET /console/products/{slug}/delete`.
pub(in crate::catalog) async fn ask(frame: Frame, db: Db, Name(slug): Name) -> ApiResult<PageResponse> {
    shown(&frame, &db, &slug, None).await
}

/// `POST /console/products/{slug}/delete`: asks, and with `confirm` deletes.
pub(in crate::catalog) async fn delete(
    frame: Frame,
    db: Db,
    Name(slug): Name,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    if form.get("confirm").is_none() {
        return shown(&frame, &db, &slug, None).await;
    }
    let refused = match remove_product(&db, &slug).await {
        Ok(_) => return Ok(frame.done("/products", &format!("{slug} is deleted."))),
        Err(RemoveProductError::Unknown) => return Err(ApiError::not_found()),
        Err(RemoveProductError::Db(error)) => return Err(error.into()),
        Err(error @ RemoveProductError::Failed(_)) => return Err(ApiError::internal(error)),
        Err(RemoveProductError::Refused(veto)) => sentence(&veto.message.to_string()),
        Err(RemoveProductError::Ordered(orders)) => {
            let orders = if orders == 1 { String::from("1 order has") } else { format!("{orders} orders have") };
            format!(
                "{orders} this product, which must stay known. Take its mark “Active” off instead: customers do not see it then."
            )
        }
    };
    shown(&frame, &db, &slug, Some(refused)).await
}
