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
    files: Files,
}

fn asked(state: &ConsoleState, door: &Doorstep, problem: Option<(StatusCode, &str)>) -> ApiResult<PageResponse> {
    let shown = Code {
        shop: &state.config.shop.name,
        console: &door.console,
        csrf: &door.csrf,
        problem: problem.map(|problem| problem.1),
        files: Files::default(),
    };
    page(problem.map_or(StatusCode::OK, |problem| problem.0), &shown, false)
}

/// Where somebody belongs who is asked for nothing here.
fn elsewhere(door: &Doorstep) -> PageResponse {
    let is_in = door.session.as_ref().is_some_and(|session| !session.awaits_factor);
    PageResponse(see_other(&if is_in { door.console.to_string() } else { format!("{}/login", door.console) }))
}

/// `GET /console/login/code`.
pub(super) async fn show(State(state): State<ConsoleState>, door: Doorstep) -> ApiResult<PageResponse> {
    match &door.session {
        Some(session) if session.awaits_factor => asked(&state, &door, None),
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
    match state.credentials.show_factor(works, config, session, code, arriving(&door)).await {
        Ok(Some(secret)) => Ok(with_cookie(see_other(&door.console), staff_cookie(&secret, &base_url))),
        Ok(None) => asked(
            &state,
            &door,
            Some((StatusCode::UNPROCESSABLE_ENTITY, "This code is not correct, or was used already.")),
        ),
        Err(error) if error.code() == ErrorCode::RateLimited => {
            let text = "There were too many wrong codes. Wait ten minutes and log in again.";
            asked(&state, &door, Some((StatusCode::TOO_MANY_REQUESTS, text)))
        }
        Err(error) => Err(error),
    }
}
