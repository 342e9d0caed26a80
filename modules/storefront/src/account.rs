//! What customers see of themselves.

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::catalog::path_segment;
use stoa_core::http::extract::Name;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::acts::Refused;
use crate::forms::{Form, named_countries, refusal, status_of};
use crate::orders;
use crate::view::{Storefront, View};

/// The page of the addresses.
pub(crate) const ADDRESSES: &str = "/account/addresses";

pub(crate) fn pages() -> Routes<Storefront> {
    routes()
        .get("storefront.account", "/account", show)
        .get("storefront.account.orders", "/account/orders", orders)
        .get("storefront.account.order", "/account/orders/{number}", order)
        .get("storefront.account.purchases", "/account/purchases", purchases)
        .get("storefront.account.addresses", ADDRESSES, addresses)
        .post("storefront.account.addresses.add", ADDRESSES, add_address)
        .post("storefront.account.addresses.change", "/account/addresses/{address}", change_address)
        .get("storefront.account.security", "/account/security", security)
        .post("storefront.account.security.change", "/account/security", change_account)
}

/// Whoever is logged in; else the way to the login, and back.
pub(crate) async fn logged_in(mut view: View) -> ApiResult<Result<View, PageResponse>> {
    if view.account().await?.is_null() {
        let next = path_segment(&view.target);
        return Ok(Err(view.redirect(&format!("/login?next={next}"))));
    }
    Ok(Ok(view))
}

/// Goes on for whoever is logged in alone.
macro_rules! for_customers {
    ($view:ident) => {
        for_customers!(@ $view, let $view)
    };
    (mut $view:ident) => {
        for_customers!(@ $view, let mut $view)
    };
    (@ $given:ident, $($binding:tt)+) => {
        $($binding)+ = match $crate::account::logged_in($given).await? {
            Ok(view) => view,
            Err(elsewhere) => return Ok(elsewhere),
        };
    };
}

pub(crate) use for_customers;

/// What follows a form of whoever is logged in; else the login, which keeps what was typed and brings it back to the form's page.
pub(crate) async fn logged_in_to_send(
    mut view: View,
    sent: &Value,
    page: &str,
) -> ApiResult<Result<View, PageResponse>> {
    if !view.account().await?.is_null() {
        return Ok(Ok(view));
    }
    // Whoever has only pressed a button has typed nothing; names that begin so are the form's own.
    if sent.as_object().is_none_or(|sent| sent.keys().all(|name| name.starts_with('_'))) {
        return Ok(Err(view.redirect(&format!("/login?next={}", path_segment(page)))));
    }
    log_in_keeping(view, sent, page, Some(SESSION_ENDED)).await.map(Err)
}

/// What is said to somebody whose session has ended while something was typed.
pub(crate) const SESSION_ENDED: &str = "storefront-session-ended-kept";

/// The login, which keeps what was typed into a form and brings it back to the form's page; with a text that says why it is asked for.
pub(crate) async fn log_in_keeping(
    view: View,
    sent: &Value,
    page: &str,
    said: Option<&str>,
) -> ApiResult<PageResponse> {
    let mut typed = json!({"next": page, "action": view.path, "email": sent["email"]});
    for (name, value) in sent.as_object().into_iter().flatten() {
        typed[format!("{KEPT}{name}")] = value.clone();
    }
    view.show_as(StatusCode::OK, "login.html", json!({"typed": typed, "refusal": null, "said": said})).await
}

/// How the fields of the login begin that keep what was typed elsewhere.
pub(crate) const KEPT: &str = "kept.";

/// Goes on for whoever is logged in, once a form is sent.
macro_rules! for_senders {
    ($view:ident, $sent:expr, $page:expr) => {
        let mut $view = match $crate::account::logged_in_to_send($view, $sent, $page).await? {
            Ok(view) => view,
            Err(elsewhere) => return Ok(elsewhere),
        };
    };
}

pub(crate) use for_senders;

async fn show(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(view);
    show_with(view, None).await
}

/// The first page; with what was refused of a form in a module's part of it.
pub(crate) async fn show_with(mut view: View, refused: Option<&Refused>) -> ApiResult<PageResponse> {
    let orders = view.ask("/orders").await?.data();
    let panels = view.answered(PanelOn::Account, "", &[]).await?;
    let values = json!({
        "orders": orders, "panels": panels,
        "refusal": refused.map(|refused| &refused.refusal), "typed": refused.map(|refused| &refused.typed),
    });
    view.show_as(refused.map_or(StatusCode::OK, |refused| refused.status), "account.html", values).await
}

async fn orders(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let page = view.query().get("page").and_then(Value::as_str).unwrap_or("1").to_owned();
    let answer = view.ask(&format!("/orders?page={}", path_segment(&page))).await?.json();
    let values = json!({"orders": answer["data"], "meta": answer["meta"]});
    view.show_as(StatusCode::OK, "account-orders.html", values).await
}

async fn order(State(_): State<Storefront>, Name(number): Name, view: View) -> ApiResult<PageResponse> {
    for_customers!(view);
    orders::show_own(view, &number).await
}

async fn purchases(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(view);
    show_purchases(view, None).await
}

/// Each module's own part; with what was refused of a form in one.
pub(crate) async fn show_purchases(mut view: View, refused: Option<&Refused>) -> ApiResult<PageResponse> {
    let bought = view.bought(&[]).await?;
    let values = json!({
        "bought": bought, "file_key": "", "can_act": true,
        "refusal": refused.map(|refused| &refused.refusal), "typed": refused.map(|refused| &refused.typed),
    });
    view.show_as(refused.map_or(StatusCode::OK, |refused| refused.status), "account-purchases.html", values).await
}

async fn addresses(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(view);
    show_addresses(view, StatusCode::OK, json!({}), Value::Null).await
}

pub(crate) async fn show_addresses(
    mut view: View,
    status: StatusCode,
    typed: Value,
    refused: Value,
) -> ApiResult<PageResponse> {
    let saved = view.ask("/addresses").await?.data();
    let countries = named_countries(&view.ask("/checkout/requirements").await?.data()["countries"], &view);
    let values = json!({"addresses": saved, "countries": countries, "typed": typed, "refusal": refused});
    view.show_as(status, "account-addresses.html", values).await
}

async fn add_address(State(_): State<Storefront>, view: View, form: Form) -> ApiResult<PageResponse> {
    for_senders!(view, &form.typed(), ADDRESSES);
    let answer = view.send(Method::POST, "/addresses", &form.object("")).await?;
    if answer.status.is_success() {
        view.notice("storefront-notice-saved");
        return Ok(view.redirect(ADDRESSES));
    }
    show_addresses(view, status_of(&answer), form.typed(), refusal(&answer)).await
}

async fn change_address(
    State(_): State<Storefront>,
    Name(address): Name,
    view: View,
    form: Form,
) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let path = format!("/addresses/{}", path_segment(&address));
    let answer = if form.raw("delete").is_some() {
        view.send(Method::DELETE, &path, &json!({})).await?
    } else {
        view.send(Method::PATCH, &path, &json!({"is_default_billing": true, "is_default_shipping": true})).await?
    };
    if answer.status.is_success() {
        view.notice("storefront-notice-saved");
        return Ok(view.redirect(ADDRESSES));
    }
    show_addresses(view, status_of(&answer), json!({}), refusal(&answer)).await
}

async fn security(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(view);
    show_security(view, StatusCode::OK, Value::Null).await
}

async fn show_security(mut view: View, status: StatusCode, refused: Value) -> ApiResult<PageResponse> {
    let tokens = view.ask("/auth/tokens").await?.data();
    view.show_as(status, "account-security.html", json!({"tokens": tokens, "refusal": refused})).await
}

async fn change_account(State(_): State<Storefront>, view: View, form: Form) -> ApiResult<PageResponse> {
    for_senders!(view, &form.typed(), "/account/security");
    let answer = match form.get("token") {
        Some(token) => view.send(Method::DELETE, &format!("/auth/tokens/{}", path_segment(token)), &json!({})).await?,
        None => view.send(Method::PATCH, "/me", &json!({"name": form.value("name")})).await?,
    };
    if answer.status.is_success() {
        view.notice("storefront-notice-saved");
        return Ok(view.redirect("/account/security"));
    }
    show_security(view, status_of(&answer), refusal(&answer)).await
}
