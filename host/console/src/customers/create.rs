//! A new customer, whom the operator adds.

use askama::Template;
use axum::extract::State;
use http::StatusCode;
use stoa_core::customers::{CreateCustomerError, NewCustomer, create_customer};
use stoa_core::db::Db;
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::ApiResult;
use stoa_pages::answer::PageResponse;

use super::acts::wrong_password;
use crate::filled::Filled;
use crate::layout::Layout;
use crate::page::{ConsoleState, Frame};

#[derive(Template)]
#[template(path = "customer_new.html")]
struct Page {
    layout: Layout,
    form: Filled,
    is_verified: bool,
}

fn page(frame: &Frame, form: Filled) -> Page {
    let is_verified = !form.value("verified").is_empty();
    Page { layout: frame.layout("Create customer", "customers"), form, is_verified }
}

/// `GET /console/customers/new`.
pub(super) async fn show(frame: Frame) -> ApiResult<PageResponse> {
    frame.show(&page(&frame, Filled::default()))
}

/// `POST /console/customers/new`.
pub(super) async fn create(
    State(state): State<ConsoleState>,
    frame: Frame,
    db: Db,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let text = |name: &str| form.get(name).unwrap_or_default().to_owned();
    let mut filled = Filled::of(&form);
    let password = form.raw("password").filter(|password| !password.is_empty());
    if let Some(wrong) = password.and_then(|password| wrong_password(password, &text("email"), &state)) {
        filled.refuse("password", wrong);
        return frame.show_as(StatusCode::UNPROCESSABLE_ENTITY, &page(&frame, filled));
    }
    let password_hash = match password {
        Some(password) => Some(state.credentials.passwords.hash(password.to_owned()).await?),
        None => None,
    };
    let verified = form.get("verified").is_some();
    let new = NewCustomer { name: text("name"), email: text("email"), password_hash, verified };
    let error = match create_customer(&db, new).await {
        Ok(customer) => return Ok(frame.done(&format!("/customers/{}", customer.id), "The customer is there.")),
        Err(error) => error,
    };
    let told = sentence(&error.to_string());
    match error {
        CreateCustomerError::Email(_) | CreateCustomerError::Taken(_) => filled.refuse("email", told),
        CreateCustomerError::Name => filled.refuse("name", told),
        CreateCustomerError::Claim(error) => return Err(error.into()),
        CreateCustomerError::Db(error) => return Err(error.into()),
    }
    frame.show_as(StatusCode::UNPROCESSABLE_ENTITY, &page(&frame, filled))
}
