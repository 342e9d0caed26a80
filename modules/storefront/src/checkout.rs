//! The checkout: one page, with the totals of what has been typed so far.

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use stoa_core::pages::ApiAnswer;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::catalog::{encoded, written};
use crate::forms::{Form, refusal, status_of};
use crate::orders::OrderLink;
use crate::view::{Storefront, View};

/// Where customers are to come back to after they have paid elsewhere.
const RETURN: &str = "/checkout/return";

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.checkout", "/checkout", show).post("storefront.checkout.place", "/checkout", place).get(
        "storefront.checkout.return",
        RETURN,
        come_back,
    )
}

async fn show(State(_): State<Storefront>, Uses(random): Uses<Random>, mut view: View) -> ApiResult<PageResponse> {
    if view.cart().await?["lines"].as_array().is_none_or(Vec::is_empty) {
        return Ok(view.redirect("/cart"));
    }
    let mut typed = Map::new();
    // The key goes with the form, so that a second click on the button is the same order.
    typed.insert("idempotency_key".to_owned(), json!(random.uuid().to_string()));
    let address = default_address(&mut view).await?;
    for (name, value) in address.as_object().into_iter().flatten() {
        typed.insert(format!("billing.{name}"), value.clone());
    }
    show_with(view, StatusCode::OK, Value::Object(typed), Value::Null).await
}

/// The address that the form begins with.
async fn default_address(view: &mut View) -> ApiResult<Value> {
    if !view.visitor.has_session() {
        return Ok(Value::Null);
    }
    let saved = view.ask("/addresses").await?.data();
    let saved = saved.as_array().cloned().unwrap_or_default();
    let chosen = saved.iter().find(|address| address["is_default_billing"] == true).or_else(|| saved.first());
    Ok(chosen.cloned().unwrap_or_default())
}

async fn show_with(mut view: View, status: StatusCode, typed: Value, refusal: Value) -> ApiResult<PageResponse> {
    let text = |name: &str| typed[name].as_str().map(str::trim).filter(|text| !text.is_empty());
    let country = if text("ship_elsewhere").is_some() { text("shipping.country") } else { text("billing.country") };
    let asked = [
        ("country", country),
        ("shipping_method_id", text("shipping_method_id")),
        ("discount_code", text("discount_code")),
        ("vat_id", text("vat_id")),
    ];
    let asked = written(asked.into_iter().filter_map(|(name, value)| Some((name, value?))));
    let answer = view.ask(&format!("/checkout/requirements?{asked}")).await?;
    let mut refusal = refusal;
    let requirements = if answer.status.is_success() {
        answer.data()
    } else {
        // What was typed is refused already by the preview; the page shows the prices without it.
        if refusal.is_null() {
            refusal = crate::forms::refusal(&answer);
        }
        view.ask("/checkout/requirements").await?.data()
    };
    let countries = named_countries(&requirements["countries"], &view);
    view.show_as(
        status,
        "checkout.html",
        json!({"requirements": requirements, "countries": countries, "typed": typed, "refusal": refusal}),
    )
    .await
}

/// Countries with their names in the language of the page, sorted by these.
pub(crate) fn named_countries(codes: &Value, view: &View) -> Value {
    let codes = codes.as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut named = codes.map(|code| (country_name(code, view), code)).collect::<Vec<_>>();
    named.sort();
    named.into_iter().map(|(name, code)| json!({"code": code, "name": name})).collect()
}

fn country_name(code: &str, view: &View) -> String {
    stoa_core::i18n::country_name(code, view.visitor.language).unwrap_or_else(|| code.to_owned())
}

async fn place(
    State(_): State<Storefront>,
    Uses(random): Uses<Random>,
    mut view: View,
    form: Form,
) -> ApiResult<PageResponse> {
    let mut typed = form.typed();
    if typed["idempotency_key"].as_str().is_none_or(str::is_empty) {
        typed["idempotency_key"] = json!(random.uuid().to_string());
    }
    typed["consents"] = json!(form.all("consents"));
    if form.raw("order").is_none() {
        // Only the prices are to be worked out anew.
        return show_with(view, StatusCode::OK, typed, Value::Null).await;
    }
    let is_known = !view.account().await?.is_null();
    if !is_known {
        let guest = json!({"email": form.value("email"), "name": form.value("billing.name")});
        let answer = view.visitor.post_to_root("/session/guest", &guest).await?;
        if !answer.status.is_success() {
            return refuse(view, typed, &answer, "billing.name").await;
        }
    }
    let body = order_of(&form, &typed);
    let answer = view.send(Method::POST, "/checkout", &body).await?;
    if !answer.status.is_success() {
        let total_changed = answer.json()["reason"] == "total_changed";
        if total_changed {
            typed["expected_total_amount"] = Value::Null;
        }
        return refuse(view, typed, &answer, "").await;
    }
    let order = answer.data();
    if order["total_amount"] == 0 || order["payment_status"] == "paid" {
        return Ok(thank(view, &order));
    }
    let link = OrderLink::of(order["number"].as_str().unwrap_or_default(), None);
    begin_payment(view, &order, &link, form.text("payment_method").unwrap_or("manual")).await
}

/// The body of the order.
fn order_of(form: &Form, typed: &Value) -> Value {
    let elsewhere = form.raw("ship_elsewhere").is_some();
    let answers = form.below("answers.").map(|(id, value)| (id.to_owned(), Value::from(value))).collect::<Map<_, _>>();
    let mut body = json!({
        "billing": form.object("billing."),
        "shipping": if elsewhere { form.object("shipping.") } else { Value::Null },
        "shipping_same_as_billing": !elsewhere,
        "shipping_method_id": form.value("shipping_method_id"),
        "payment_method": form.value("payment_method"),
        "discount_code": form.value("discount_code"),
        "note": form.value("note"),
        "expected_total_amount": form.number("expected_total_amount"),
        "consents": form.all("consents"),
        "idempotency_key": typed["idempotency_key"],
    });
    if form.text("vat_id").is_some() {
        body["vat_id"] = form.value("vat_id");
    }
    if !answers.is_empty() {
        body["answers"] = Value::Object(answers);
    }
    body
}

/// Shows the form once more, with what is wrong beside each field. The API calls the guest's name `name`; the form, `named`.
async fn refuse(view: View, typed: Value, answer: &ApiAnswer, named: &str) -> ApiResult<PageResponse> {
    let mut refused = refusal(answer);
    if !named.is_empty()
        && let Some(errors) = refused["errors"].as_object_mut()
        && let Some(problems) = errors.remove("name")
    {
        errors.insert(named.to_owned(), problems);
    }
    show_with(view, status_of(answer), typed, refused).await
}

/// Begins to pay an order, and sends the browser where that is done.
pub(crate) async fn begin_payment(
    mut view: View,
    order: &Value,
    link: &OrderLink,
    gateway: &str,
) -> ApiResult<PageResponse> {
    let number = order["number"].as_str().unwrap_or_default();
    let mut back = format!("{}{RETURN}?order={}", &*view.shop.base_url, encoded(number));
    if let Some((_, key)) = link.headers().into_iter().find(|(name, _)| *name == "x-order-key") {
        back.push('&');
        back.push_str(&written([("key", key)].into_iter()));
    }
    let body = json!({"gateway": gateway, "return_url": back, "cancel_url": format!("{back}&cancelled=1")});
    let answer = match link.path() {
        Some(path) => view.visitor.call(Method::POST, &format!("{path}/pay"), &body, &link.headers()).await?,
        None => view.send(Method::POST, &format!("/orders/{}/pay", order["id"]), &body).await?,
    };
    if !answer.status.is_success() {
        view.notice("storefront-notice-payment-failed");
        return Ok(view.redirect(&link.page()));
    }
    if let Some(elsewhere) = answer.data()["redirect_url"].as_str() {
        return Ok(view.redirect(elsewhere));
    }
    view.notice("storefront-notice-ordered");
    Ok(view.redirect(&link.page()))
}

fn thank(mut view: View, order: &Value) -> PageResponse {
    view.notice("storefront-notice-ordered");
    view.redirect(&OrderLink::of(order["number"].as_str().unwrap_or_default(), None).page())
}

/// The customer comes back from the provider. What has become of the payment, the order's page says.
async fn come_back(State(_): State<Storefront>, mut view: View) -> ApiResult<PageResponse> {
    let query = view.query();
    let text = |name: &str| query.get(name).and_then(Value::as_str);
    let link = OrderLink::of(text("order").unwrap_or_default(), text("key"));
    view.notice(if query.contains_key("cancelled") {
        "storefront-notice-payment-cancelled"
    } else {
        "storefront-notice-returned"
    });
    Ok(view.redirect(&link.page()))
}
