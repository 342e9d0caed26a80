//! Passkeys: added on `/console/security`, shown in place of a password or after it.
//!
//! Each form is sent twice by the script: first for the challenge, which it gets as JSON, then with what the passkey says to it.

use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use stoa_core::auth::RandomSecret;
use stoa_core::db::Db;
use stoa_core::encryption::Cipher;
use stoa_core::random::Random;
use stoa_kernel::console::{
    Doorstep, StaffForm, door_cookie, presented_door_secret, presented_staff_session, sentence, staff_cookie,
};
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::http::answer::json_response;
use stoa_kernel::http::error::{ApiError, ApiResult, ErrorCode};
use stoa_kernel::http::extract::{ClientAddress, Uses};
use stoa_pages::answer::{PageResponse, see_other};
use stoa_staff::{
    PasskeyError, PasskeyShop, PresentedPasskey, StaffError, add_passkey, passkey_to_add, passkey_to_show,
    remove_passkey,
};

use super::code;
use super::security::{self, Told};
use crate::door::{self, arriving, enter, onward, with_cookie};
use crate::page::{BrowserHeaders, ConsoleState, Frame};

/// What a form sends back of the passkey.
const CREDENTIAL: &str = "credential";

const NOT_TAKEN: &str = "The passkey was not taken, or it took too long. Try again.";

const NO_PASSKEYS: &str = "Passkeys belong to a name, and the address of this shop is a number.";

type Works = (Db, Cipher, Random, BaseUrl);

/// Asks the browser for something of `navigator.credentials`.
fn ask(act: &str, options: &Value) -> Response {
    answer(StatusCode::OK, &json!({ act: options }))
}

/// Tells the script why it goes no further.
fn tell(problem: &str) -> PageResponse {
    PageResponse(answer(StatusCode::UNPROCESSABLE_ENTITY, &json!({"problem": problem})))
}

fn answer(status: StatusCode, body: &Value) -> Response {
    let mut response = json_response(status, body);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// `POST /console/login/passkey`.
pub(super) async fn log_in(
    State(state): State<ConsoleState>,
    Uses((db, cipher, random, base_url)): Uses<Works>,
    door: Doorstep,
    BrowserHeaders(headers): BrowserHeaders,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let Some(shop) = PasskeyShop::at(&base_url) else { return Ok(tell(NO_PASSKEYS)) };
    let (works, known) = ((&db, &cipher, &random), presented_door_secret(&headers, &base_url));
    let Some(credential) = form.get(CREDENTIAL) else {
        let holder = known.unwrap_or_else(|| RandomSecret::new(&random));
        let asked = passkey_to_show(works, &shop, None, &holder).await?;
        return Ok(with_cookie(ask("get", &asked), door_cookie(&holder, &base_url)));
    };
    let next = form.get("next").unwrap_or_default();
    let refuse =
        |status, told: &str| door::login(&state, &door, &base_url, (next, ""), Some((status, told.to_owned())));
    let Some(holder) = known else { return refuse(StatusCode::UNPROCESSABLE_ENTITY, NOT_TAKEN) };
    let presented = PresentedPasskey { shop: &shop, holder: &holder, credential };
    let config = &state.config.console;
    match state.credentials.log_in_by_passkey(works, config, presented, arriving(&door)).await {
        Ok(Some(logged_in)) => Ok(enter(&door, &base_url, &logged_in, &onward(&door, Some(next)))),
        Ok(None) => refuse(StatusCode::UNPROCESSABLE_ENTITY, NOT_TAKEN),
        Err(error) if error.code() == ErrorCode::RateLimited => refuse(
            StatusCode::TOO_MANY_REQUESTS,
            "There were too many attempts from here. Wait ten minutes and try again.",
        ),
        Err(error) => Err(error),
    }
}

/// `POST /console/login/code/passkey`: after the password.
pub(super) async fn show(
    State(state): State<ConsoleState>,
    Uses((db, cipher, random, base_url)): Uses<Works>,
    door: Doorstep,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let session = door.session.as_ref().filter(|session| session.awaits_factor);
    let Some((session, holder)) = session.zip(door.secret.as_ref()) else { return Ok(code::elsewhere(&door)) };
    let Some(shop) = PasskeyShop::at(&base_url) else { return Ok(tell(NO_PASSKEYS)) };
    let works = (&db, &cipher, &random);
    let Some(credential) = form.get(CREDENTIAL) else {
        let asked = passkey_to_show(works, &shop, Some(session.staff_id), holder).await?;
        return Ok(PageResponse(ask("get", &asked)));
    };
    let presented = PresentedPasskey { shop: &shop, holder, credential };
    let config = &state.config.console;
    let refused = match state.credentials.show_passkey(works, config, session, presented, arriving(&door)).await {
        Ok(Some(secret)) => return Ok(with_cookie(see_other(&door.console), staff_cookie(&secret, &base_url))),
        Ok(None) => (StatusCode::UNPROCESSABLE_ENTITY, NOT_TAKEN),
        Err(error) if error.code() == ErrorCode::RateLimited => (StatusCode::TOO_MANY_REQUESTS, code::TOO_MANY),
        Err(error) => return Err(error),
    };
    code::asked(&state, &door, (&db, &base_url), Some(refused)).await
}

/// `POST /console/security/passkey`: shows the recovery codes with the first second factor, once.
pub(super) async fn add(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(works): Uses<Works>,
    ClientAddress(client): ClientAddress,
    BrowserHeaders(headers): BrowserHeaders,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let (db, cipher, random, base_url) = &works;
    let (made, me) = ((db, cipher, random), &frame.staff.session);
    let Some(shop) = PasskeyShop::at(base_url) else { return Ok(tell(NO_PASSKEYS)) };
    let holder =
        presented_staff_session(&headers, base_url).ok_or_else(|| ApiError::internal("there is no session"))?;
    let wrong = security::wrong_password(&state, &frame, db, client, &form).await?;
    let Some(credential) = form.get(CREDENTIAL) else {
        if let Some(problem) = wrong {
            return Ok(tell(&problem));
        }
        let asked = passkey_to_add(made, (&shop, &state.config.shop.name), me, &holder).await?;
        return Ok(PageResponse(ask("create", &asked)));
    };
    let refuse = async |problem: String| {
        security::shown(&state, &frame, &works, Told { problem: Some(problem), ..Told::default() }).await
    };
    if let Some(problem) = wrong {
        return refuse(problem).await;
    }
    let presented = PresentedPasskey { shop: &shop, holder: &holder, credential };
    let name = form.get("name").unwrap_or_default();
    match add_passkey(made, me, name, presented).await {
        Ok(added) if added.recovery_codes.is_empty() => Ok(frame.done("/security", "The passkey is added.")),
        Ok(added) => {
            let told = Told { codes: added.recovery_codes, ..Told::default() };
            security::shown(&state, &frame, &works, told).await
        }
        Err(PasskeyError::Staff(StaffError::Db(error))) => Err(error.into()),
        Err(PasskeyError::Staff(error)) => Err(ApiError::internal(error)),
        Err(error) => refuse(sentence(&error.to_string())).await,
    }
}

/// `POST /console/security/passkey/remove`.
pub(super) async fn remove(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(works): Uses<Works>,
    ClientAddress(client): ClientAddress,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    if let Some(problem) = security::wrong_password(&state, &frame, &works.0, client, &form).await? {
        let told = Told { problem: Some(problem), ..Told::default() };
        return security::shown(&state, &frame, &works, told).await;
    }
    let id = form.get("passkey").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
    let told = match remove_passkey(&works.0, &frame.staff.session, id).await? {
        Some(name) => format!("The passkey {name} is removed."),
        None => String::from("That passkey was removed already."),
    };
    Ok(frame.done("/security", &told))
}
