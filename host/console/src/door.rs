//! Logging in and out.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use serde_json::Value;
use stoa_core::auth::RandomSecret;
use stoa_core::db::Db;
use stoa_core::random::Random;
use stoa_kernel::audit::Subject;
use stoa_kernel::console::{
    Doorstep, Staff, StaffForm, end_staff_session, forget_staff_cookie, presented_staff_session, staff_cookie,
};
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::http::error::{ApiResult, ErrorCode};
use stoa_kernel::http::extract::Uses;
use stoa_kernel::http::table::Routes;
use stoa_pages::answer::{PageResponse, see_other};
use stoa_staff::{Arriving, LoggedIn, PasskeyShop};

use crate::assets::Files;
use crate::page::{BrowserHeaders, ConsoleState, Query, page};

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.login.show", "/login", show)
        .console_door()
        .post("console.login", "/login", log_in)
        .console_door()
        .get("console.login.link.show", "/login/link", show_link)
        .console_door()
        .post("console.login.link", "/login/link", use_link)
        .console_door()
        .post("console.logout", "/logout", log_out)
        .console(None)
}

#[derive(Template)]
#[template(path = "login.html")]
struct Login<'a> {
    shop: &'a str,
    console: &'a str,
    csrf: &'a str,
    next: &'a str,
    email: &'a str,
    problem: Option<String>,
    /// Where passkeys may be shown; none where the shop has no name.
    passkeys_at: Option<String>,
    files: Files,
}

#[derive(Template)]
#[template(path = "login_link.html")]
struct ByLink<'a> {
    shop: &'a str,
    console: &'a str,
    csrf: &'a str,
    /// Whom the link is for; none for one that does not work any more.
    email: Option<String>,
    token: &'a str,
    files: Files,
}

pub(crate) fn login(
    state: &ConsoleState,
    door: &Doorstep,
    base_url: &str,
    (next, email): (&str, &str),
    problem: Option<(StatusCode, String)>,
) -> ApiResult<PageResponse> {
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.0);
    let shown = Login {
        shop: &state.config.shop.name,
        console: &door.console,
        csrf: &door.csrf,
        next,
        email,
        problem: problem.map(|problem| problem.1),
        passkeys_at: PasskeyShop::at(base_url).map(|shop| shop.origin().to_owned()),
        files: Files::default(),
    };
    page(status, &shown, false)
}

/// The page to go on to: one of the console's own.
pub(crate) fn onward(door: &Doorstep, next: Option<&str>) -> String {
    let home = door.console.to_string();
    let own = next.filter(|next| {
        let rest = next.strip_prefix(home.as_str());
        rest.is_some_and(|rest| rest.starts_with(['/', '?']) && !rest.contains(['\\', '\r', '\n']))
    });
    own.map_or(home.clone(), str::to_owned)
}

/// `GET /console/login`.
async fn show(
    State(state): State<ConsoleState>,
    Uses(base_url): Uses<BaseUrl>,
    door: Doorstep,
    query: Query,
) -> ApiResult<PageResponse> {
    let next = query.get("next");
    if door.session.as_ref().is_some_and(|session| !session.awaits_factor) {
        return Ok(PageResponse(see_other(&onward(&door, Some(next)))));
    }
    // Where somebody sent a form in a session that was over.
    let unsaved = "Your session has ended, and this could not be saved. Log in, and you come back to the form.";
    let problem = (query.get("unsaved") == "1").then(|| (StatusCode::OK, unsaved.to_owned()));
    login(&state, &door, &base_url, (next, ""), problem)
}

/// `POST /console/login`.
async fn log_in(
    State(state): State<ConsoleState>,
    Uses((random, base_url)): Uses<(Random, BaseUrl)>,
    db: Db,
    door: Doorstep,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let (email, password) = (form.get("email").unwrap_or_default(), form.raw("password").unwrap_or_default());
    let next = form.get("next").unwrap_or_default();
    let refuse = |status, told: &str| login(&state, &door, &base_url, (next, email), Some((status, told.to_owned())));
    if email.is_empty() || password.is_empty() {
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, "Enter your e-mail address and your password.");
    }
    let config = &state.config.console;
    let tried = state.credentials.log_in(&db, &random, config, (email, password), arriving(&door)).await;
    match tried {
        Ok(Some(logged_in)) => Ok(enter(&door, &base_url, &logged_in, &onward(&door, Some(next)))),
        Ok(None) => refuse(StatusCode::UNPROCESSABLE_ENTITY, "The e-mail address or the password is not correct."),
        Err(error) if error.code() == ErrorCode::RateLimited => refuse(
            StatusCode::TOO_MANY_REQUESTS,
            "There were too many attempts with this e-mail address. Wait ten minutes and try again.",
        ),
        Err(error) => Err(error),
    }
}

pub(crate) fn arriving(door: &Doorstep) -> Arriving<'_> {
    Arriving { client: door.client, user_agent: door.user_agent.as_deref(), before: door.secret.as_ref() }
}

/// Lets somebody in, or on to what is still missing.
pub(crate) fn enter(door: &Doorstep, base_url: &str, logged_in: &LoggedIn, onward: &str) -> PageResponse {
    let location = if logged_in.awaits_factor { format!("{}/login/code", door.console) } else { onward.to_owned() };
    with_cookie(see_other(&location), staff_cookie(&logged_in.secret, base_url))
}

pub(crate) fn with_cookie(mut response: Response, cookie: HeaderValue) -> PageResponse {
    response.headers_mut().append(header::SET_COOKIE, cookie);
    PageResponse(response)
}

/// `GET /console/login/link`: a page with a button, so that a mail server that looks at links does not use one up.
async fn show_link(State(state): State<ConsoleState>, db: Db, door: Doorstep, query: Query) -> ApiResult<PageResponse> {
    let token = query.get("token");
    let email = match RandomSecret::parse(token) {
        Some(secret) => state.credentials.link_is_for(&db, &secret).await?,
        None => None,
    };
    by_link(&state, &door, token, email)
}

fn by_link(state: &ConsoleState, door: &Doorstep, token: &str, email: Option<String>) -> ApiResult<PageResponse> {
    let status = if email.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let shown = ByLink {
        shop: &state.config.shop.name,
        console: &door.console,
        csrf: &door.csrf,
        email,
        token,
        files: Files::default(),
    };
    page(status, &shown, false)
}

/// `POST /console/login/link`.
async fn use_link(
    State(state): State<ConsoleState>,
    Uses((random, base_url)): Uses<(Random, BaseUrl)>,
    db: Db,
    door: Doorstep,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let link = form.get("token").and_then(RandomSecret::parse);
    let logged_in = match &link {
        Some(link) => {
            let config = &state.config.console;
            state.credentials.log_in_by_link(&db, &random, config, link, arriving(&door)).await?
        }
        None => None,
    };
    match logged_in {
        Some(logged_in) => Ok(enter(&door, &base_url, &logged_in, &onward(&door, None))),
        None => by_link(&state, &door, "", None),
    }
}

/// `GET /console/`: the console begins without the slash.
pub(crate) async fn go_home(door: Doorstep) -> PageResponse {
    PageResponse(see_other(&door.console))
}

/// `POST /console/logout`.
async fn log_out(
    staff: Staff,
    Uses(base_url): Uses<BaseUrl>,
    db: Db,
    BrowserHeaders(headers): BrowserHeaders,
) -> ApiResult<PageResponse> {
    if let Some(secret) = presented_staff_session(&headers, &base_url) {
        db.write(async |tx| {
            end_staff_session(tx, &secret).await?;
            let subject = Subject::staff(&staff.session.email);
            tx.audit("staff.log-out", subject, Value::Null, Value::Null).await
        })
        .await?;
    }
    let location = format!("{}/login", staff.console);
    Ok(with_cookie(see_other(&location), forget_staff_cookie(&base_url)))
}
