//! Questions to the shop, and its answers.

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::catalog::path_segment;
use stoa_core::http::extract::Name;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::account::{for_customers, for_senders};
use crate::forms::{Form, refusal, status_of};
use crate::view::{Storefront, View};

/// The page of questions and answers.
pub(crate) const SUPPORT: &str = "/account/support";

pub(crate) fn pages() -> Routes<Storefront> {
    routes()
        .get("storefront.account.support", SUPPORT, support)
        .post("storefront.account.support.ask", SUPPORT, ask)
        .post("storefront.account.support.reply", "/account/support/{ticket}", reply)
}

async fn support(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    for_customers!(view);
    show(view, StatusCode::OK, Value::Null, Value::Null).await
}

/// A page of the customer's tickets, each with what was written in it.
pub(crate) async fn show(mut view: View, status: StatusCode, typed: Value, refusal: Value) -> ApiResult<PageResponse> {
    let page = view.query().get("page").and_then(Value::as_str).unwrap_or("1").to_owned();
    let answer = view.ask(&format!("/support-tickets?page={}", path_segment(&page))).await?.json();
    let mut tickets = Vec::new();
    for ticket in answer["data"].as_array().into_iter().flatten() {
        tickets.push(view.visitor.get_from_root(&format!("/session/support-tickets/{}", ticket["id"])).await?.data());
    }
    let values = json!({"tickets": tickets, "meta": answer["meta"], "typed": typed, "refusal": refusal});
    view.show_as(status, "account-support.html", values).await
}

async fn ask(State(_): State<Storefront>, view: View, form: Form) -> ApiResult<PageResponse> {
    for_senders!(view, &form.typed(), SUPPORT);
    let question = json!({"subject": form.value("subject"), "body": form.value("body")});
    let answer = view.visitor.post_to_root("/session/support-tickets", &question).await?;
    if answer.status.is_success() {
        view.notice("storefront-notice-asked");
        return Ok(view.redirect(SUPPORT));
    }
    show(view, status_of(&answer), form.typed(), refusal(&answer)).await
}

async fn reply(State(_): State<Storefront>, Name(ticket): Name, view: View, form: Form) -> ApiResult<PageResponse> {
    // The fields of a reply are named by its ticket, since each has one on the same page.
    let name = format!("body-{ticket}");
    let typed = json!({&*name: form.raw("body")});
    for_senders!(view, &form.typed(), SUPPORT);
    let path = format!("/session/support-tickets/{}/replies", path_segment(&ticket));
    let answer = view.visitor.send_to_root(Method::POST, &path, &json!({"body": form.value("body")})).await?;
    if answer.status.is_success() {
        view.notice("storefront-notice-asked");
        return Ok(view.redirect(SUPPORT));
    }
    let mut refused = refusal(&answer);
    refused["ticket"] = json!(ticket);
    if let Some(errors) = refused["errors"].as_object_mut()
        && let Some(problems) = errors.remove("body")
    {
        errors.insert(name.clone(), problems);
    }
    show(view, status_of(&answer), typed, refused).await
}
