//! `/console/staff`: who works here, and what they may do.

use std::sync::Arc;

use askama::Template;
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::random::Random;
use stoa_kernel::console::{ConsoleAbilities, StaffForm, sentence};
use stoa_kernel::from_shop::BaseUrl;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;
use stoa_staff::{
    LINK_MINUTES, NewStaff, StaffError, StaffMember, create_staff, disable_staff, enable_staff, find_staff, list_staff,
    make_login_link, reset_staff, set_staff_role,
};

use crate::layout::Layout;
use crate::page::Frame;
use crate::question::Question;
use crate::show::Time;

struct Person {
    email: String,
    name: String,
    role: String,
    is_disabled: bool,
    has_second_factor: bool,
    last_seen: Option<Time>,
    /// What is said of who has no session.
    unseen: &'static str,
    /// Whether whoever looks may change what this one may do.
    is_below: bool,
}

#[derive(Template)]
#[template(path = "staff.html")]
struct Page {
    layout: Layout,
    people: Vec<Person>,
    /// The roles that whoever looks may give.
    roles: Vec<String>,
    /// All roles, and what each may do.
    about_roles: Vec<(String, String)>,
    may_manage: bool,
    problem: Option<String>,
    link: Option<NewLink>,
    minutes: i64,
}

/// A login link that was just made.
struct NewLink {
    email: String,
    url: String,
    /// Who was added with it.
    added: Option<String>,
}

type Access = (Db, Arc<ConsoleAbilities>, Random, BaseUrl);

/// Nobody gives, or takes, what they have not themselves.
fn holds(frame: &Frame, abilities: &ConsoleAbilities, role: &str) -> bool {
    abilities.of_role(role).iter().all(|ability| frame.staff.may(ability))
}

async fn shown(
    frame: &Frame,
    access: &Access,
    problem: Option<(StatusCode, String)>,
    link: Option<NewLink>,
) -> ApiResult<PageResponse> {
    let (db, abilities, ..) = access;
    let person = |member: StaffMember| Person {
        is_below: holds(frame, abilities, &member.role),
        email: member.email,
        name: member.name,
        role: member.role,
        is_disabled: member.disabled_at.is_some(),
        has_second_factor: member.has_second_factor,
        last_seen: member.last_seen_at.map(Time::of),
        unseen: if member.has_logged_in { "not lately" } else { "never" },
    };
    let about = |role: &str| (role.to_owned(), sentence(&abilities.about_role(role)));
    let about_roles = abilities.roles().into_iter().map(about).collect();
    let roles = abilities.roles().into_iter().filter(|role| holds(frame, abilities, role));
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.0);
    let page = Page {
        layout: frame.layout("Staff", "staff"),
        people: list_staff(db).await?.into_iter().map(person).collect(),
        roles: roles.map(str::to_owned).collect(),
        about_roles,
        may_manage: frame.staff.may("staff.manage"),
        problem: problem.map(|problem| problem.1),
        link,
        minutes: LINK_MINUTES,
    };
    if status.is_client_error() { frame.show_refused(status, &page) } else { frame.show_as(status, &page) }
}

/// `GET /console/staff`.
pub(super) async fn show(frame: Frame, Uses(access): Uses<Access>) -> ApiResult<PageResponse> {
    shown(&frame, &access, None, None).await
}

async fn refuse(frame: &Frame, access: &Access, error: StaffError) -> ApiResult<PageResponse> {
    let status = match error {
        StaffError::Db(error) => return Err(error.into()),
        StaffError::NotFound(_) | StaffError::LastOwner(_) | StaffError::Taken(_) | StaffError::Disabled(_) => {
            StatusCode::CONFLICT
        }
        StaffError::Email(_) | StaffError::Name | StaffError::Role(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    shown(frame, access, Some((status, sentence(&error.to_string()))), None).await
}

/// The person that a form is about, whom whoever sends it must be able to give everything that they have.
async fn whom(frame: &Frame, access: &Access, form: &StaffForm) -> ApiResult<String> {
    let email = form.get("email").unwrap_or_default().to_lowercase();
    let member = find_staff(&access.0, &email).await?.ok_or_else(ApiError::not_found)?;
    if holds(frame, &access.1, &member.role) { Ok(email) } else { Err(ApiError::unauthorized()) }
}

/// The role of a form, which must give nothing that whoever sends it has not.
fn role<'a>(frame: &Frame, access: &Access, form: &'a StaffForm) -> ApiResult<&'a str> {
    let role = form.get("role").unwrap_or_default();
    if holds(frame, &access.1, role) { Ok(role) } else { Err(ApiError::unauthorized()) }
}

async fn ended(
    frame: &Frame,
    access: &Access,
    outcome: Result<(), StaffError>,
    told: String,
) -> ApiResult<PageResponse> {
    match outcome {
        Ok(()) => Ok(frame.done("/staff", &told)),
        Err(error) => refuse(frame, access, error).await,
    }
}

/// `POST /console/staff`.
pub(super) async fn create(frame: Frame, Uses(access): Uses<Access>, form: StaffForm) -> ApiResult<PageResponse> {
    let role = role(&frame, &access, &form)?;
    let text = |name: &str| form.get(name).unwrap_or_default().to_owned();
    let new = NewStaff { email: text("email"), name: text("name"), role: role.to_owned(), password_hash: None };
    match create_staff(&access.0, &access.1, new).await {
        Ok(member) => make_link(&frame, &access, &member.email, Some(member.name)).await,
        Err(error) => refuse(&frame, &access, error).await,
    }
}

/// `POST /console/staff/role`.
pub(super) async fn set_role(frame: Frame, Uses(access): Uses<Access>, form: StaffForm) -> ApiResult<PageResponse> {
    let (email, role) = (whom(&frame, &access, &form).await?, role(&frame, &access, &form)?);
    let outcome = set_staff_role(&access.0, &access.1, &email, role).await;
    ended(&frame, &access, outcome, format!("{email} is {role} now.")).await
}

/// `POST /console/staff/disable`.
pub(super) async fn disable(frame: Frame, Uses(access): Uses<Access>, form: StaffForm) -> ApiResult<PageResponse> {
    let email = whom(&frame, &access, &form).await?;
    let outcome = disable_staff(&access.0, &email).await;
    ended(&frame, &access, outcome, format!("{email} cannot log in any more.")).await
}

/// `POST /console/staff/enable`.
pub(super) async fn enable(frame: Frame, Uses(access): Uses<Access>, form: StaffForm) -> ApiResult<PageResponse> {
    let email = whom(&frame, &access, &form).await?;
    let outcome = enable_staff(&access.0, &email).await;
    ended(&frame, &access, outcome, format!("{email} can log in again.")).await
}

/// `POST /console/staff/reset`: asks, and with `confirm` resets.
pub(super) async fn reset(frame: Frame, Uses(access): Uses<Access>, form: StaffForm) -> ApiResult<PageResponse> {
    let email = whom(&frame, &access, &form).await?;
    if email == frame.staff.session.email {
        let told =
            String::from("You would lock yourself out. Change your own password and second factor below Security.");
        return shown(&frame, &access, Some((StatusCode::CONFLICT, told)), None).await;
    }
    if form.get("confirm").is_none() {
        return frame.ask(Question {
            asks: format!("Reset the access of {email}?"),
            current: "staff",
            trail: vec![("Staff", "/staff".to_owned())],
            says: "Password, second factor, passkeys and all sessions of this person end at once. You get a login link to hand over.",
            lines: Vec::new(),
            action: "/staff/reset".to_owned(),
            fields: vec![("email", &email)],
            buttons: ["Reset access", "Keep it"],
            is_dangerous: true,
            problem: None,
        });
    }
    match reset_staff(&access.0, &email).await {
        Ok(()) => make_link(&frame, &access, &email, None).await,
        Err(error) => refuse(&frame, &access, error).await,
    }
}

/// `POST /console/staff/link`. The link stands in the answer alone, and in no address.
pub(super) async fn link(frame: Frame, Uses(access): Uses<Access>, form: StaffForm) -> ApiResult<PageResponse> {
    let email = whom(&frame, &access, &form).await?;
    make_link(&frame, &access, &email, None).await
}

async fn make_link(frame: &Frame, access: &Access, email: &str, added: Option<String>) -> ApiResult<PageResponse> {
    match make_login_link(&access.0, &access.2, email).await {
        Ok(link) => {
            let url = link.url(&access.3, &frame.staff.console);
            shown(frame, access, None, Some(NewLink { email: email.to_owned(), url, added })).await
        }
        Err(error) => refuse(frame, access, error).await,
    }
}
