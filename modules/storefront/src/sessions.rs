//! Logging in and out, registering, forgotten passwords, and the language.

use axum::extract::State;
use axum::response::IntoResponse;
use cookie::time::Duration;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::http::accept::takes_gzip;
use stoa_core::pages::answer::{HtmlPage, Keeping, PageResponse};
use stoa_core::pages::{LANGUAGE_COOKIE, fill_form};
use stoa_core::prelude::*;

use crate::account::KEPT;
use crate::forms::{Form, refusal, status_of};
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
    let back = way_back(form.get("next"));
    if let Some(html) = with_kept(&mut view, &form, &back).await? {
        let takes_gzip = takes_gzip(&view.visitor.headers);
        let page = HtmlPage { status: StatusCode::OK, html: html.into(), keeping: Keeping::Nobody, takes_gzip };
        return Ok(view.finish(page.into_response()));
    }
    view.notice("storefront-notice-logged-in");
    Ok(view.redirect(&back))
}

/// The page of the form that was sent when the session had ended already, with all that was typed in it, to be sent once more.
async fn with_kept(view: &mut View, form: &Form, page: &str) -> ApiResult<Option<String>> {
    let typed = form.below(KEPT).map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>();
    if typed.is_empty() {
        return Ok(None);
    }
    let answer = view.visitor.get_from_root(page).await?;
    let html = String::from_utf8_lossy(&answer.body);
    Ok(fill_form(&html, page, form.get("action").unwrap_or(page), &typed).filter(|_| answer.status.is_success()))
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
