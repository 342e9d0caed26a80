//! Logging in and out, registering, forgotten passwords, and the language.

use axum::extract::State;
use cookie::time::Duration;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::pages::LANGUAGE_COOKIE;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::account::{ADDRESSES, KEPT, show_addresses};
use crate::forms::{Form, refusal, status_of};
use crate::support::{self, SUPPORT};
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes()
        .get("storefront.login", "/login", show_login)
        .post("storefront.login.send", "/login", log_in)
        .post("storefront.logout", "/logout", log_out)
        .get("storefront.register", "/register", show_register)
        .post("storefront.register.send", "/register", register)
        .get("storefront.forgot", "/forgot", show_forgot)
        .post("storefront.forgot.send", "/forgot", forgot)
        .post("storefront.language", "/language", choose_language)
}

/// Where a page of the shop's own is, for going back there; the account for anything else.
fn way_back(wish: Option<&str>) -> String {
    let is_own = |path: &&str| path.starts_with('/') && !path.starts_with("//") && !path.contains('\\');
    wish.filter(is_own).unwrap_or("/account").to_owned()
}

async fn show_login(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    show_form(view, "login.html").await
}

async fn show_register(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    if !view.shop.config.accounts.registration {
        return Err(ApiError::not_found());
    }
    show_form(view, "register.html").await
}

async fn show_forgot(State(_): State<Storefront>, view: View) -> ApiResult<PageResponse> {
    show_form(view, "forgot.html").await
}

async fn show_form(view: View, template: &str) -> ApiResult<PageResponse> {
    let typed = Value::Object(view.query());
    view.show_as(StatusCode::OK, template, json!({"typed": typed, "refusal": null, "sent": false})).await
}

async fn log_in(State(_): State<Storefront>, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let body = json!({"email": form.value("email"), "password": form.raw("password")});
    let answer = view.visitor.post_to_root("/session", &body).await?;
    if !answer.status.is_success() {
        let values = json!({"typed": form.typed(), "refusal": refusal(&answer)});
        return view.show_as(status_of(&answer), "login.html", values).await;
    }
    // The guest's cart becomes the customer's.
    view.ask("/cart").await?;
    let kept = form.object(KEPT);
    if kept.as_object().is_some_and(|kept| !kept.is_empty()) {
        // What was typed when the session had ended already is in its form again, to be sent.
        let page = form.get("next").unwrap_or_default();
        (view.path, view.target) = (page.to_owned(), page.to_owned());
        match page {
            ADDRESSES => return show_addresses(view, StatusCode::OK, kept, Value::Null).await,
            SUPPORT => return support::show(view, StatusCode::OK, kept, Value::Null).await,
            _ => {}
        }
    }
    view.notice("storefront-notice-logged-in");
    Ok(view.redirect(&way_back(form.get("next"))))
}

async fn log_out(State(_): State<Storefront>, mut view: View, _: Form) -> ApiResult<PageResponse> {
    view.visitor.send_to_root(Method::DELETE, "/session", &json!({})).await?;
    view.notice("storefront-notice-logged-out");
    Ok(view.redirect("/"))
}

async fn register(State(_): State<Storefront>, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let body = json!({"name": form.value("name"), "email": form.value("email"), "password": form.raw("password")});
    let answer = view.visitor.post_to_root("/session/register", &body).await?;
    if !answer.status.is_success() {
        let values = json!({"typed": form.typed(), "refusal": refusal(&answer)});
        return view.show_as(status_of(&answer), "register.html", values).await;
    }
    view.ask("/cart").await?;
    view.notice("storefront-notice-registered");
    Ok(view.redirect(&way_back(form.get("next"))))
}

async fn forgot(State(_): State<Storefront>, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let answer = view.visitor.post_to_root("/session/password/forgot", &json!({"email": form.value("email")})).await?;
    let is_sent = answer.status.is_success();
    let refused = if is_sent { Value::Null } else { refusal(&answer) };
    let status = if is_sent { StatusCode::OK } else { status_of(&answer) };
    view.show_as(status, "forgot.html", json!({"typed": form.typed(), "refusal": refused, "sent": is_sent})).await
}

async fn choose_language(State(_): State<Storefront>, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let tag = form.get("language").unwrap_or_default();
    let language = view.shop.texts.language_of(tag).tag().to_owned();
    view.set_cookie(LANGUAGE_COOKIE, language, Some(Duration::days(365)));
    let back = form.get("next").unwrap_or("/").to_owned();
    Ok(view.redirect(&way_back(Some(&back))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site() {
        for wish in ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""] {
            assert_eq!(way_back(Some(wish)), "/account", "{wish}");
        }
        assert_eq!(way_back(Some("/checkout")), "/checkout");
    }
}
