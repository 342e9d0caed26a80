//! The second factor, asked for between the password and the first page.

use askama::Template;
use axum::extract::State;
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::encryption::Cipher;
use stoa_core::random::Random;
use stoa_kernel::console::{Doorstep, StaffForm, staff_cookie};
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::http::error::{ApiResult, ErrorCode};
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::{PageResponse, see_other};
use stoa_staff::{PasskeyShop, list_passkeys};

use crate::assets::Files;
use crate::door::{arriving, with_cookie};
use crate::page::{ConsoleState, page};

#[derive(Template)]
#[template(path = "code.html")]
struct Code<'a> {
    shop: &'a str,
    console: &'a str,
    csrf: &'a str,
    problem: Option<&'a str>,
    /// Where the person's passkeys may be shown; none where there are none.
    passkeys_at: Option<&'a str>,
    files: Files,
}

/// What is said after too many wrong codes and passkeys.
pub(super) const TOO_MANY: &str = "There were too many wrong codes. Wait ten minutes and log in again.";

pub(super) async fn asked(
    state: &ConsoleState,
    door: &Doorstep,
    (db, base_url): (&Db, &str),
    problem: Option<(StatusCode, &str)>,
) -> ApiResult<PageResponse> {
    let has_passkeys = match &door.session {
        Some(session) => !list_passkeys(db, session.staff_id).await?.is_empty(),
        None => false,
    };
    let passkeys_at = PasskeyShop::at(base_url).filter(|_| has_passkeys);
    let shown = Code {
        shop: &state.config.shop.name,
        console: &door.console,
        csrf: &door.csrf,
        problem: problem.map(|problem| problem.1),
        passkeys_at: passkeys_at.as_ref().map(PasskeyShop::origin),
        files: Files::default(),
    };
    page(problem.map_or(StatusCode::OK, |problem| problem.0), &shown, false)
}

/// Where somebody belongs who is asked for nothing here.
pub(super) fn elsewhere(door: &Doorstep) -> PageResponse {
    let is_in = door.session.as_ref().is_some_and(|session| !session.awaits_factor);
    PageResponse(see_other(&if is_in { door.console.to_string() } else { format!("{}/login", door.console) }))
}

/// `GET /console/login/code`.
pub(super) async fn show(
    State(state): State<ConsoleState>,
    Uses(base_url): Uses<BaseUrl>,
    db: Db,
    door: Doorstep,
) -> ApiResult<PageResponse> {
    match &door.session {
        Some(session) if session.awaits_factor => asked(&state, &door, (&db, &base_url), None).await,
        _ => Ok(elsewhere(&door)),
    }
}

/// `POST /console/login/code`.
pub(super) async fn check(
    State(state): State<ConsoleState>,
    Uses((random, cipher, base_url)): Uses<(Random, Cipher, BaseUrl)>,
    db: Db,
    door: Doorstep,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let Some(session) = door.session.as_ref().filter(|session| session.awaits_factor) else {
        return Ok(elsewhere(&door));
    };
    let (code, config) = (form.get("code").unwrap_or_default(), &state.config.console);
    let works = (&db, &cipher, &random);
    let refused = match state.credentials.show_factor(works, config, session, code, arriving(&door)).await {
        Ok(Some(secret)) => return Ok(with_cookie(see_other(&door.console), staff_cookie(&secret, &base_url))),
        Ok(None) => (StatusCode::UNPROCESSABLE_ENTITY, "This code is not correct, or was used already."),
        Err(error) if error.code() == ErrorCode::RateLimited => (StatusCode::TOO_MANY_REQUESTS, TOO_MANY),
        Err(error) => return Err(error),
    };
    asked(&state, &door, (&db, &base_url), Some(refused)).await
}
