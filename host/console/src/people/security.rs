//! `/console/security`: one's own password, second factor, passkeys and sessions.

use askama::Template;
use axum::extract::State;
use http::StatusCode;
use serde_json::{Value, json};
use stoa_core::db::Db;
use stoa_core::encryption::Cipher;
use stoa_core::random::Random;
use stoa_kernel::audit::Subject;
use stoa_kernel::console::StaffForm;
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::http::error::{ApiError, ApiResult, ErrorCode};
use stoa_kernel::http::extract::{ClientAddress, Uses};
use stoa_pages::answer::{PageResponse, see_other};
use stoa_pages::qr::QrSquares;
use stoa_staff::{
    NewFactor, PasskeyShop, STAFF_PASSWORD_LENGTH, StaffError, StaffPasskey, begin_factor, check_staff_password,
    confirm_factor, end_session_of, list_passkeys, list_staff_sessions, remove_factor, set_staff_password,
};

use crate::layout::Layout;
use crate::page::{ConsoleState, Frame};
use crate::show::Time;

struct Session {
    id: i64,
    browser: String,
    address: String,
    since: Time,
    seen: Time,
    is_this: bool,
}

struct Passkey {
    id: i64,
    name: String,
    is_backed_up: bool,
    since: Time,
    used: Option<Time>,
}

struct Setup {
    key: String,
    url: String,
    /// The same as a code for cameras, as SVG.
    picture: String,
}

#[derive(Template)]
#[template(path = "security.html")]
struct Page {
    layout: Layout,
    email: String,
    has_password: bool,
    has_app: bool,
    passkeys: Vec<Passkey>,
    /// Where passkeys may be used; none where the shop has no name.
    passkeys_at: Option<String>,
    /// Whether a second factor has to be set up first.
    must: bool,
    setup: Option<Setup>,
    codes: Vec<String>,
    sessions: Vec<Session>,
    problem: Option<String>,
    shortest: usize,
}

type Works = (Db, Cipher, Random, BaseUrl);

/// What the page says besides.
#[derive(Default)]
pub(super) struct Told {
    pub(super) problem: Option<String>,
    pub(super) codes: Vec<String>,
}

fn shown_factor(factor: NewFactor) -> ApiResult<Setup> {
    let picture = QrSquares::of(&factor.url).map_err(ApiError::internal)?.svg();
    Ok(Setup { key: factor.key, url: factor.url, picture })
}

pub(super) async fn shown(state: &ConsoleState, frame: &Frame, works: &Works, told: Told) -> ApiResult<PageResponse> {
    let (db, cipher, random, base_url) = works;
    let me = &frame.staff.session;
    let setup = begin_factor(db, cipher, random, &me.email, &state.config.shop.name).await?;
    let session = |found: stoa_staff::StaffBrowser| Session {
        is_this: found.id == me.id,
        id: found.id,
        browser: found.user_agent.unwrap_or_else(|| String::from("unknown browser")),
        address: found.address.unwrap_or_default(),
        since: Time::of(found.created_at),
        seen: Time::of(found.last_seen_at),
    };
    let sessions = list_staff_sessions(db, me.staff_id).await?.into_iter().map(session).collect();
    let passkey = |found: StaffPasskey| Passkey {
        id: found.id,
        name: found.name,
        is_backed_up: found.is_backed_up,
        since: Time::of(found.created_at),
        used: found.last_used_at.map(Time::of),
    };
    let passkeys = list_passkeys(db, me.staff_id).await?.into_iter().map(passkey).collect::<Vec<_>>();
    let has_app = setup.is_none();
    let status = if told.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = Page {
        layout: frame.layout("Security", "security"),
        email: me.email.clone(),
        has_password: me.has_password,
        has_app,
        must: state.config.console.require_second_factor && !has_app && passkeys.is_empty(),
        passkeys,
        passkeys_at: PasskeyShop::at(base_url).map(|shop| shop.origin().to_owned()),
        setup: setup.map(shown_factor).transpose()?,
        codes: told.codes,
        sessions,
        problem: told.problem,
        shortest: *STAFF_PASSWORD_LENGTH.start(),
    };
    frame.show_as(status, &page)
}

/// `GET /console/security`.
pub(super) async fn show(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(works): Uses<Works>,
) -> ApiResult<PageResponse> {
    shown(&state, &frame, &works, Told::default()).await
}

/// Why the password that a form repeats is not taken; none where it is right, or where there is none yet.
pub(super) async fn wrong_password(
    state: &ConsoleState,
    frame: &Frame,
    db: &Db,
    client: std::net::IpAddr,
    form: &StaffForm,
) -> ApiResult<Option<String>> {
    let me = &frame.staff.session;
    if !me.has_password {
        return Ok(None);
    }
    let given = form.raw("current").unwrap_or_default();
    match state.credentials.is_password_of(db, client, &me.email, given).await {
        Ok(true) => Ok(None),
        Ok(false) => Ok(Some(String::from("The present password is not correct."))),
        Err(error) if error.code() == ErrorCode::RateLimited => {
            Ok(Some(String::from("There were too many wrong passwords. Wait ten minutes and try again.")))
        }
        Err(error) => Err(error),
    }
}

/// `POST /console/security/password`.
pub(super) async fn set_password(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(works): Uses<Works>,
    ClientAddress(client): ClientAddress,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let (db, me) = (&works.0, &frame.staff.session);
    let new = form.raw("password").unwrap_or_default();
    let weak = check_staff_password(new, &me.email, &state.config.shop.name).err();
    let problem = match weak {
        Some(weak) => Some(format!("{}.", weak.to_string().replacen("the password", "The new password", 1))),
        None => wrong_password(&state, &frame, db, client, &form).await?,
    };
    if problem.is_some() {
        return shown(&state, &frame, &works, Told { problem, codes: Vec::new() }).await;
    }
    let hash = state.credentials.passwords.hash_for(client, new.to_owned()).await?;
    set_staff_password(db, &me.email, &hash, Some(me.id)).await.map_err(failed)?;
    Ok(frame.done("/security", "The password is changed. All other sessions have ended."))
}

fn failed(error: StaffError) -> ApiError {
    match error {
        StaffError::Db(error) => error.into(),
        // Whoever is logged in was just found.
        error => ApiError::internal(error),
    }
}

/// `POST /console/security/factor`: shows the recovery codes, once.
pub(super) async fn set_up_factor(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(works): Uses<Works>,
    ClientAddress(client): ClientAddress,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let (db, cipher, random, _) = &works;
    if let Some(problem) = wrong_password(&state, &frame, db, client, &form).await? {
        return shown(&state, &frame, &works, Told { problem: Some(problem), codes: Vec::new() }).await;
    }
    let code = form.get("code").unwrap_or_default();
    let told = match confirm_factor(db, cipher, random, &frame.staff.session.email, code).await? {
        Some(codes) => Told { problem: None, codes },
        None => {
            Told { problem: Some(String::from("This code is not the one that your app shows now.")), codes: Vec::new() }
        }
    };
    shown(&state, &frame, &works, told).await
}

/// `POST /console/security/go-on`: whoever has seen the recovery codes goes on, the guard says to what.
pub(super) async fn go_on(frame: Frame) -> ApiResult<PageResponse> {
    Ok(PageResponse(see_other(&frame.path(""))))
}

/// `POST /console/security/factor/remove`.
pub(super) async fn take_factor_away(
    State(state): State<ConsoleState>,
    frame: Frame,
    Uses(works): Uses<Works>,
    ClientAddress(client): ClientAddress,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let problem = wrong_password(&state, &frame, &works.0, client, &form).await?;
    if problem.is_some() {
        return shown(&state, &frame, &works, Told { problem, codes: Vec::new() }).await;
    }
    remove_factor(&works.0, &frame.staff.session.email).await.map_err(failed)?;
    Ok(frame.done("/security", "No code is asked for any more."))
}

/// `POST /console/security/session`.
pub(super) async fn end_session(frame: Frame, db: Db, form: StaffForm) -> ApiResult<PageResponse> {
    let me = &frame.staff.session;
    let id = form.get("session").and_then(|id| id.parse::<i64>().ok()).unwrap_or_default();
    db.write(async |tx| {
        if end_session_of(tx, me.staff_id, id).await? {
            let after = json!({"sessions_ended": 1});
            tx.audit("staff.end-session", Subject::staff(&me.email), Value::Null, after).await?;
        }
        Ok::<_, stoa_core::db::DbError>(())
    })
    .await?;
    Ok(frame.done("/security", "That session has ended."))
}
