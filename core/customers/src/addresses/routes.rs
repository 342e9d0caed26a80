//! `/addresses`: the customer's saved addresses.

use serde_json::{Value, json};

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::{Db, ListDb};
use stoa_kernel::http::answer::{Created, Data, Done};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, Customer, Id};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::i18n::Message;

use super::model::AddressResource;
use super::rules::AddressRequest;
use super::store::{self, CreateAddressError, MAX_ADDRESSES};

/// What the path of a saved address names.
const OWN_ADDRESS: &str = "The id of an own saved address.";

pub(super) fn address_routes() -> Routes<()> {
    routes()
        .get("addresses.index", "/addresses", index)
        .summary("List own addresses")
        .description(
            "All of them, the newest first. While none is saved, there may be one entry with `id` null, rebuilt from what \
             is known about the customer; it is not stored, and fields that are not known are null or empty.",
        )
        .example(|| json!({"data": [example()]}))
        .ability("addresses.read")
        .post("addresses.store", "/addresses", create)
        .summary("Save an address")
        .description(
            "A customer can save 100 addresses; one more is 422 `invalid_state` with the reason `too_many_addresses`. \
             A default flag that is set is cleared on the customer's other addresses.",
        )
        .body_example(example_body)
        .example(|| json!({"data": example()}))
        .ability("addresses.create")
        .patch("addresses.update", "/addresses/{address}", update)
        .summary("Replace a saved address")
        .path_parameter(OWN_ADDRESS, "12")
        .description(
            "Takes a complete address: required fields remain required, and of the others those that are omitted become \
             null. Only an omitted default flag keeps its value. A default flag that is set is cleared on the customer's \
             other addresses.",
        )
        .body_example(example_body)
        .example(|| json!({"data": example()}))
        .ability("addresses.update")
        .delete("addresses.destroy", "/addresses/{address}", destroy)
        .summary("Delete a saved address")
        .description("Orders keep the addresses that they were placed with.")
        .path_parameter(OWN_ADDRESS, "12")
        .example(|| json!({"ok": true}))
        .ability("addresses.delete")
}

fn example() -> Value {
    json!({
        "id": 12, "label": "Home", "name": "Ada Buyer", "company": null, "line1": "Keizersgracht 1", "line2": null,
        "city": "Amsterdam", "postal_code": "1015 AA", "region": null, "country": "NL", "phone": "+31 20 555 0100",
        "is_default_billing": true, "is_default_shipping": true,
        "properties": {
            "phone": "+31 20 555 0100", "company_name": null, "address": "Keizersgracht 1", "address2": null,
            "city": "Amsterdam", "state": null, "zip": "1015 AA", "country": "NL",
        },
    })
}

fn example_body() -> Value {
    json!({
        "label": "Home", "name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
        "country": "NL", "phone": "+31 20 555 0100", "is_default_billing": true, "is_default_shipping": true,
    })
}

async fn index(customer: Customer, db: ListDb) -> ApiResult<Data<Vec<AddressResource>>> {
    let saved = store::list_addresses(&db, customer.id).await?;
    if saved.is_empty() {
        return Ok(Data(store::rebuild_address(&db, customer.id).await?.into_iter().collect()));
    }
    Ok(Data(saved.into_iter().map(AddressResource::from).collect()))
}

async fn create(
    customer: Customer,
    db: Db,
    Body(request): Body<AddressRequest>,
) -> ApiResult<Created<Data<AddressResource>>> {
    let address = store::create_address(&db, customer.id, &request.into_draft()).await?;
    Ok(Created(Data(address.into())))
}

async fn update(
    customer: Customer,
    db: Db,
    Id(id): Id,
    Body(request): Body<AddressRequest>,
) -> ApiResult<Data<AddressResource>> {
    let address = store::update_address(&db, customer.id, id, &request.into_draft()).await?;
    Ok(Data(address.ok_or_else(ApiError::not_found)?.into()))
}

async fn destroy(customer: Customer, db: Db, Id(id): Id) -> ApiResult<Done> {
    if store::delete_address(&db, customer.id, id).await? { Ok(Done::new()) } else { Err(ApiError::not_found()) }
}

impl From<CreateAddressError> for ApiError {
    fn from(error: CreateAddressError) -> Self {
        match error {
            CreateAddressError::TooMany => {
                Self::invalid_state(Message::TooManyAddresses { max: MAX_ADDRESSES }, "too_many_addresses")
            }
            // Anonymized since the guard let the request in.
            CreateAddressError::NoCustomer => Self::unauthenticated(),
            CreateAddressError::Db(error) => error.into(),
        }
    }
}
