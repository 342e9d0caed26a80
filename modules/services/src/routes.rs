//! `/services`: the customer's own services.

use serde_json::json;
use stoa_core::encryption::Cipher;
use stoa_core::http::extract::Uses;
use stoa_core::prelude::*;

use crate::model::{ProvisionedService, ServiceResource, Status};
use crate::queries;

/// The routes, with the names and paths of contract 2.5.
pub(crate) fn service_routes() -> Routes<()> {
    routes()
        .get("services.index", "/services", index)
        .summary("List own services")
        .description("The newest first, 20 on a page.")
        .example(|| example_page("/services", &example()))
        .get("services.show", "/services/{service}", show)
        .summary("Read a service")
        .description("An active service tells what to sign in with, if its provider has said so.")
        .example(|| json!({"data": example()}))
}

fn example() -> serde_json::Value {
    json!({
        "id": 42,
        "number": "SV-000042",
        "status": "active",
        "product": {"id": 7, "slug": "agora-hosting-small", "name": "Agora Hosting, Small"},
        "plan": "agora-small",
        "external_ref": "vm-1207",
        "activated_at": "2026-01-15T12:00:05Z",
        "suspended_at": null,
        "terminated_at": null,
        "order_id": 19,
        "created_at": "2026-01-15T12:00:00Z",
        "credentials": {"user": "ada", "password": "correct horse"}
    })
}

async fn index(buyer: Buyer, db: ListDb, page: PageRequest) -> ApiResult<Paged<ServiceResource>> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bought_by(buyer).scalar::<i64>().await?;
    let list = db.read(queries::PAGE_OF_CUSTOMER).bought_by(buyer).bind(page.limit()).bind(page.offset());
    let services = list.all::<ProvisionedService>().await?;
    Ok(page.answer(services.iter().map(ServiceResource::of).collect(), total))
}

async fn show(buyer: Buyer, db: ListDb, Uses(cipher): Uses<Cipher>, Id(id): Id) -> ApiResult<Data<ServiceResource>> {
    let find = db.read(queries::FIND_OF_CUSTOMER).bought_by(buyer).bind(id);
    let service = find.optional::<ProvisionedService>().await?.ok_or_else(ApiError::not_found)?;
    let credentials = match service.status {
        Status::Active => service.open(&cipher).map_err(ApiError::internal)?,
        Status::Pending | Status::Provisioning | Status::Suspended | Status::Terminated | Status::Failed => None,
    };
    Ok(Data(ServiceResource::of(&service).with_credentials(credentials)))
}
