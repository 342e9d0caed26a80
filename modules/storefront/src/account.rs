//! What customers see of themselves.

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::http::extract::Name;
use stoa_core::pages::PanelOn;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::catalog::encoded;
use crate::forms::{Form, refusal, status_of};
use crate::orders::own_order;
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes()
        .get("storefront.account", "/account", show)
        .get("storefront.account.orders", "/account/orders", orders)
        .get("storefront.account.order", "/account/orders/{number}", order)
        .get("storefront.account.purchases", "/account/purchases", purchases)
        .get("storefront.account.addresses", "/account/addresses", addresses)
        .post("storefront.account.addresses.add", "/account/addresses", add_address)
        .post("storefront.account.addresses.change", "/account/addresses/{address}", change_address)
        .get("storefront.account.security", "/account/security", security)
        .post("storefront.account.security.change", "/account/security", change_account)
        .get("storefront.account.support", "/account/support", support)
}

/// Whoever is logged in; else the way to the login, and back.
async fn logged_in(mut view: View) -> ApiResult<Result<View, PageResponse>> {
    if view.account().await?.is_null() {
        let next = encoded(&view.target);
        return Ok(Err(view.redirect(&format!("/login?next={next}"))));
    }
    Ok(Ok(view))
}

macro_rules! for_customers {
    ($view:ident) => {
        for_customers!(@ $view, let $view)
    };
    (mut $view:ident) => {
        for_customers!(@ $view, let mut $view)
    };
    (@ $given:ident, $($binding:tt)+) => {
        $($binding)+ = match logged_in($given).await? {
            Ok(view) => view,
            Err(elsewhere) => return Ok(elsewhere),
        };
    };
}

async fn show(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let orders = view.ask("/orders").await?.data();
    view.show_as(StatusCode::OK, "account.html", json!({"orders": orders})).await
}

async fn orders(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let page = view.query().get("page").and_then(Value::as_str).unwrap_or("1").to_owned();
    let answer = view.ask(&format!("/orders?page={}", encoded(&page))).await?.json();
    let values = json!({"orders": answer["data"], "meta": answer["meta"]});
    view.show_as(StatusCode::OK, "account-orders.html", values).await
}

async fn order(State(_): State<Storefront>, Name(number): Name, view: View) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let order = own_order(&mut view, &number).await?.ok_or_else(ApiError::not_found)?;
    let panels = view.panels(PanelOn::Order);
    view.show_as(StatusCode::OK, "order.html", json!({"order": order, "key": null, "panels": panels})).await
}

/// Each module's own part.
async fn purchases(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let owned = view.shop.panels.clone();
    let mut panels = Vec::new();
    for owned in owned.iter().filter(|owned| owned.panel.on == PanelOn::Purchases) {
        let answer = match owned.panel.path {
            Some(path) => view.ask(path).await?.json(),
            None => Value::Null,
        };
        panels.push(json!({"template": owned.template_name(), "answer": answer}));
    }
    view.show_as(StatusCode::OK, "account-purchases.html", json!({"panels": panels})).await
}

async fn addresses(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(view);
    show_addresses(view, StatusCode::OK, json!({}), Value::Null).await
}

async fn show_addresses(mut view: View, status: StatusCode, typed: Value, refused: Value) -> ApiResult<PageResponse> {
    let saved = view.ask("/addresses").await?.data();
    let countries = view.ask("/checkout/requirements").await?.data()["countries"].clone();
    let values = json!({"addresses": saved, "countries": countries, "typed": typed, "refusal": refused});
    view.show_as(status, "account-addresses.html", values).await
}

async fn add_address(State(_): State<Storefront>, view: View, form: Form) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let answer = view.send(Method::POST, "/addresses", &form.object("")).await?;
    if answer.status.is_success() {
        view.notice("storefront-notice-saved");
        return Ok(view.redirect("/account/addresses"));
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
    let path = format!("/addresses/{}", encoded(&address));
    let answer = if form.raw("delete").is_some() {
        view.send(Method::DELETE, &path, &json!({})).await?
    } else {
        view.send(Method::PATCH, &path, &json!({"is_default_billing": true, "is_default_shipping": true})).await?
    };
    if answer.status.is_success() {
        view.notice("storefront-notice-saved");
        return Ok(view.redirect("/account/addresses"));
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
    for_customers!(mut view);
    let answer = match form.text("token") {
        Some(token) => view.send(Method::DELETE, &format!("/auth/tokens/{}", encoded(token)), &json!({})).await?,
        None => view.send(Method::PATCH, "/me", &json!({"name": form.value("name")})).await?,
    };
    if answer.status.is_success() {
        view.notice("storefront-notice-saved");
        return Ok(view.redirect("/account/security"));
    }
    show_security(view, status_of(&answer), refusal(&answer)).await
}

async fn support(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(mut view);
    let tickets = view.ask("/support-tickets").await?.data();
    let mut whole = Vec::new();
    for ticket in tickets.as_array().into_iter().flatten() {
        whole.push(view.ask(&format!("/support-tickets/{}", ticket["id"])).await?.data());
    }
    view.show_as(StatusCode::OK, "account-support.html", json!({"tickets": whole})).await
}
