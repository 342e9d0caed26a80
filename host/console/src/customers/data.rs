//! What people may ask of a shop about themselves: everything that is kept, and that it is forgotten.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use stoa_core::customers::{Anonymization, AnonymizeError, anonymize_customer, exported_document};
use stoa_core::db::Db;
use stoa_core::events::EventBus;
use stoa_kernel::console::StaffForm;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_kernel::http::file::{attachment, private_file};
use stoa_pages::answer::PageResponse;

use super::acts::Act;
use super::one::found;
use crate::page::ConsoleState;
use crate::question::Question;

/// `POST /console/customers/{id}/export`.
pub(super) async fn export(
    State(state): State<ConsoleState>,
    Uses((db, events)): Uses<(Db, Arc<EventBus>)>,
    Id(id): Id,
) -> ApiResult<PageResponse> {
    let account = found(&db, id).await?;
    let document = exported_document(&db, &events, &state.config.shop.name, &account).await?;
    let text = serde_json::to_string_pretty(&document).map_err(ApiError::internal)?;
    Ok(PageResponse(private_file("application/json", attachment(&format!("customer-{id}.json")), text)))
}

/// `POST /console/customers/{id}/anonymize`: asks first, and with `confirm` erases.
pub(super) async fn anonymize(act: Act, form: StaffForm) -> ApiResult<PageResponse> {
    if form.get("confirm").is_none() {
        let name = found(&act.desk.0, act.id).await?.name;
        return act.frame.ask(Question {
            asks: format!("Erase everything personal about {name}?"),
            says: "Account, addresses, sessions, tokens, notes and what was written in tickets are erased. Orders and documents stay. \
                   This cannot be undone.",
            buttons: ["Anonymize", "Erase nothing"],
            ..Question::of_one(("customers", "Customers"), &name, &act.id.to_string(), "anonymize")
        });
    }
    match anonymize_customer(&act.desk.0, act.id).await {
        Ok((_, Anonymization::Done)) => act.done("Everything personal is erased."),
        Ok((_, Anonymization::DoneBefore)) => act.done("Everything personal was erased before."),
        Err(AnonymizeError::Unknown(_)) => Err(ApiError::not_found()),
        Err(AnonymizeError::Refused(veto)) => {
            act.refuse(StatusCode::CONFLICT, format!("Nothing was erased: {}", veto.message)).await
        }
        Err(AnonymizeError::Failed(text)) => Err(ApiError::internal(text)),
        Err(AnonymizeError::Db(error)) => Err(error.into()),
    }
}
