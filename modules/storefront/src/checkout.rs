//! The checkout: one page, with the totals of what has been typed so far.

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use stoa_core::catalog::path_segment;
use stoa_core::http::rules::is_email;
use stoa_core::pages::ApiAnswer;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::account::{SESSION_ENDED, log_in_keeping};
use crate::catalog::written;
use crate::forms::{Form, QUOTES, named_countries, refusal, status_of};
use crate::orders::{OrderLink, known_order};
use crate::saved_addresses;
use crate::view::{Storefront, View};

/// Where customers are to come back to after they have paid elsewhere.
const RETURN: &str = "/checkout/return";

/// The page of the checkout.
const CHECKOUT: &str = "/checkout";

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.checkout", CHECKOUT, show).post("storefront.checkout.place", CHECKOUT, place).get(
        "storefront.checkout.return",
        RETURN,
        come_back,
    )
}

async fn show(State(_): State<Storefront>, Uses(random): Uses<Random>, mut view: View) -> ApiResult<PageResponse> {
    if view.cart().await?["lines"].as_array().is_none_or(Vec::is_empty) {
        return Ok(view.redirect("/cart"));
    }
    // The key goes with the form, so that a second click on the button is the same order.
    let mut typed = json!({"idempotency_key": random.uuid().to_string()});
    saved_addresses::begin_with_default(&mut view, &mut typed).await?;
    // Most customers of a shop live where it is.
    if typed["billing.country"].is_null() {
        let config = &view.shop.config;
        let region = config.shop.locale.id.region.map(|region| region.to_string());
        let own = config.seller.country.map(|country| country.to_string()).or(region);
        typed["billing.country"] = json!(own);
    }
    show_with(view, StatusCode::OK, typed, Value::Null).await
}

/// What was typed into a field.
fn text<'a>(typed: &'a Value, name: &str) -> Option<&'a str> {
    typed[name].as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Asks what the order needs, and what it costs with what has been typed.
async fn ask_requirements(view: &mut View, typed: &Value) -> ApiResult<ApiAnswer> {
    let elsewhere = text(typed, "ship_elsewhere").is_some();
    let asked = [
        ("country", text(typed, if elsewhere { "shipping.country" } else { "billing.country" })),
        ("shipping_method_id", text(typed, "shipping_method_id")),
        ("discount_code", text(typed, "discount_code")),
        ("vat_id", text(typed, "vat_id")),
    ];
    let asked = written(asked.into_iter().filter_map(|(name, value)| Some((name, value?))));
    view.ask(&format!("/checkout/requirements?{asked}")).await
}

/// The page with what has been typed. Where a way of shipping has to be chosen and none is, the first is, so that the total is the one
/// that is charged.
async fn show_with(
    mut view: View,
    status: StatusCode,
    mut typed: Value,
    mut refusal: Value,
) -> ApiResult<PageResponse> {
    let mut answer = ask_requirements(&mut view, &typed).await?;
    if answer.status.is_success() {
        let requirements = answer.data();
        let first = &requirements["shipping_methods"][0]["id"];
        if requirements["totals"]["complete"] == false
            && requirements["requires_shipping"] == true
            && first.is_string()
            && text(&typed, "shipping_method_id").is_none()
        {
            typed["shipping_method_id"] = first.clone();
            answer = ask_requirements(&mut view, &typed).await?;
        }
    }
    let mut requirements = if answer.status.is_success() {
        answer.data()
    } else {
        // What was typed is refused already by the preview; the page shows the prices without that, and with all the rest.
        let refused = crate::forms::refusal(&answer);
        let again = ask_requirements(&mut view, &without_refused(&typed, &refused)).await?;
        if refusal.is_null() {
            refusal = refused;
        }
        if again.status.is_success() { again.data() } else { view.ask("/checkout/requirements").await?.data() }
    };
    let account = view.account().await?;
    if status != StatusCode::OK && refusal["errors"].is_object() {
        add_missing(&mut refusal, &typed, &requirements, account.is_null(), &view);
    }
    say_plainly(&mut refusal, &mut requirements, &view);
    let saved = if account.is_null() { Vec::new() } else { saved_addresses::saved(&mut view).await? };
    let countries = named_countries(&requirements["countries"], &view);
    view.show_as(
        status,
        "checkout.html",
        json!({
            "requirements": requirements, "countries": countries, "typed": typed, "refusal": refusal,
            "saved_addresses": saved,
        }),
    )
    .await
}

/// What was typed, but for the fields that were refused.
fn without_refused(typed: &Value, refused: &Value) -> Value {
    let mut accepted = typed.clone();
    for field in refused["errors"].as_object().into_iter().flatten().map(|(field, _)| field.as_str()) {
        match field {
            "country" => {
                accepted["billing.country"] = Value::Null;
                accepted["shipping.country"] = Value::Null;
            }
            _ => accepted[field] = Value::Null,
        }
    }
    accepted
}

/// The field of a discount code, as the API calls it.
const CODE: &str = "discount_code";

/// What is wrong with a discount code, as customers say it: they know of no field that “must be a code”.
fn say_plainly(refusal: &mut Value, requirements: &mut Value, view: &View) {
    let (texts, language) = (&view.shop.texts, view.visitor.language);
    let unknown = texts.say(&Violation::DiscountUnknown.on(CODE), language);
    let label = texts.say(&text!("storefront-discount-code"), language);
    let plain = |said: &str| {
        if said == unknown {
            return texts.say(&text!("storefront-discount-unknown"), language);
        }
        QUOTES.iter().fold(said.to_owned(), |text, (open, close)| {
            text.replace(&format!("{open}{CODE}{close}"), &format!("{open}{label}{close}"))
        })
    };
    let errors = refusal.pointer_mut("/errors/discount_code").and_then(Value::as_array_mut);
    let problem = requirements.pointer_mut("/totals/discount_problem");
    for message in errors.into_iter().flatten().chain(problem) {
        if let Some(said) = message.as_str() {
            *message = json!(plain(said));
        }
    }
}

/// What an address cannot do without.
const NEEDED: [&str; 5] = ["name", "line1", "postal_code", "city", "country"];

/// Says everything that is missing at once: a guest is asked for before the API sees the order, and says nothing of the rest.
fn add_missing(refusal: &mut Value, typed: &Value, requirements: &Value, is_guest: bool, view: &View) {
    let (texts, language) = (&view.shop.texts, view.visitor.language);
    let elsewhere = text(typed, "ship_elsewhere").is_some();
    let addresses = std::iter::once("billing").chain(elsewhere.then_some("shipping"));
    let fields = addresses.flat_map(|address| NEEDED.iter().map(move |name| format!("{address}.{name}")));
    let mut missing = Vec::new();
    if is_guest {
        let problem = match text(typed, "email") {
            None => Some(Violation::Required),
            Some(email) if !is_email(email) => Some(Violation::Email),
            Some(_) => None,
        };
        missing.extend(problem.map(|problem| ("email".to_owned(), problem.on("email"))));
    }
    let fields = fields.filter(|field| text(typed, field).is_none());
    missing.extend(fields.map(|field| (field.clone(), Violation::Required.on(field))));
    let given = typed["consents"].as_array().cloned().unwrap_or_default();
    let consents = requirements["consents"].as_array().into_iter().flatten();
    let is_given = |consent: &&Value| {
        let (id, version) =
            (consent["id"].as_str().unwrap_or_default(), consent["version"].as_str().unwrap_or_default());
        given.iter().any(|given| *given == id || *given == format!("{id}@{version}"))
    };
    let lacking = consents.filter(|consent| consent["required"] == true).find(|consent| !is_given(consent));
    if let Some(label) = lacking.and_then(|consent| consent["label"].as_str()) {
        missing.push(("consents".to_owned(), text!("checkout-consent-missing", label = label)));
    }
    for (field, message) in missing {
        if refusal["errors"][&field].is_null() {
            refusal["errors"][field] = json!([texts.say(&message, language)]);
        }
    }
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
    typed["consents"] = json!(form.all("consents").collect::<Vec<_>>());
    if form.raw("log_in").is_some() || cart_went_with_its_session(&mut view).await? {
        // The total may be another one then: it is shown before it is charged.
        typed[EXPECTED] = json!("");
        let said = view.visitor.has_session().then_some(SESSION_ENDED);
        return log_in_keeping(view, &typed, CHECKOUT, said).await;
    }
    if let Some(part) = form.get("use") {
        saved_addresses::use_chosen(&mut view, &mut typed, part).await?;
    }
    if form.raw("order").is_none() {
        // Only the prices are to be worked out anew.
        return show_with(view, StatusCode::OK, typed, Value::Null).await;
    }
    let is_known = !view.account().await?.is_null();
    if !is_known && !view.shop.config.accounts.guests {
        // The page says who may order.
        return Ok(view.redirect(CHECKOUT));
    }
    if !is_known {
        // A guest begins with the order: what is typed wrongly can be corrected until then.
        let requirements = ask_requirements(&mut view, &typed).await?.data();
        let message = view.shop.texts.say(&text!("error-validation-error"), view.visitor.language);
        let mut refusal = json!({"message": message, "errors": {}});
        add_missing(&mut refusal, &typed, &requirements, true, &view);
        if refusal["errors"].as_object().is_some_and(|errors| !errors.is_empty()) {
            return show_with(view, StatusCode::UNPROCESSABLE_ENTITY, typed, refusal).await;
        }
        let guest = json!({"email": form.value("email"), "name": form.value("billing.name")});
        let answer = view.visitor.post_to_root("/session/guest", &guest).await?;
        if !answer.status.is_success() {
            return refuse(view, typed, &answer, "billing.name").await;
        }
    }
    let body = order_of(&form, &typed);
    let answer = view.send(Method::POST, "/checkout", &body).await?;
    if !answer.status.is_success() {
        if !is_known {
            // Whoever has ordered nothing is no guest yet, and may still correct the address.
            view.visitor.send_to_root(Method::DELETE, "/session", &json!({})).await?;
        }
        if answer.json()["reason"] == "idempotency_key_reused" {
            return come_from_an_order(view, typed, &random).await;
        }
        let total_changed = answer.json()["reason"] == "total_changed";
        if total_changed && form.get(EXPECTED).is_none() {
            // Everything else is right: now that the total is known, it is shown before it is charged.
            typed["check_total"] = json!(true);
            return show_with(view, StatusCode::OK, typed, Value::Null).await;
        }
        if total_changed {
            typed[EXPECTED] = Value::Null;
        }
        return refuse(view, typed, &answer, "").await;
    }
    let order = answer.data();
    if order["total_amount"] == 0 || order["payment_status"] == "paid" {
        return Ok(thank(view, &order));
    }
    let link = OrderLink::of(order["number"].as_str().unwrap_or_default(), None);
    begin_payment(view, &order, &link, form.get("payment_method").unwrap_or("manual")).await
}

/// The form has ordered before and is another one now: somebody has gone back from the order. Nothing is ordered again unasked.
async fn come_from_an_order(mut view: View, mut typed: Value, random: &Random) -> ApiResult<PageResponse> {
    if view.cart().await?["lines"].as_array().is_none_or(Vec::is_empty) {
        view.notice("storefront-notice-ordered-already");
        return Ok(view.redirect("/account/orders"));
    }
    typed["idempotency_key"] = json!(random.uuid().to_string());
    typed["check_total"] = json!(true);
    show_with(view, StatusCode::OK, typed, Value::Null).await
}

/// Whether the session has ended while the customer was typing, and the cart can be seen by logging in alone.
async fn cart_went_with_its_session(view: &mut View) -> ApiResult<bool> {
    let has_ended = view.visitor.has_session() && view.account().await?.is_null();
    Ok(has_ended && view.cart().await?["lines"].as_array().is_none_or(Vec::is_empty))
}

/// The total that the customer has seen.
const EXPECTED: &str = "expected_total_amount";

/// What nothing costs. It stands for a total that was not on the page yet, so that nothing is charged that nobody has seen.
const NO_TOTAL: i64 = i64::MAX;

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
        EXPECTED: form.get(EXPECTED).map_or(json!(NO_TOTAL), |_| form.number(EXPECTED)),
        "consents": form.all("consents").collect::<Vec<_>>(),
        "idempotency_key": typed["idempotency_key"],
    });
    if form.get("vat_id").is_some() {
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
    let mut back = format!("{}{RETURN}?order={}", &*view.shop.base_url, path_segment(number));
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
        // The provider may have said so meanwhile; the page tells it.
        if answer.json()["reason"] != "already_paid" {
            view.notice("storefront-notice-payment-failed");
        }
        return Ok(view.redirect(&link.page()));
    }
    if let Some(elsewhere) = answer.data()["redirect_url"].as_str() {
        return Ok(view.redirect(elsewhere));
    }
    view.notice(thanks(&view));
    Ok(view.redirect(&link.page()))
}

/// What is said after an order. A confirmation is promised only where mails are sent.
fn thanks(view: &View) -> &'static str {
    if view.shop.config.mail.smtp.host.is_some() { "storefront-notice-ordered" } else { "storefront-notice-thanks" }
}

fn thank(mut view: View, order: &Value) -> PageResponse {
    view.notice(thanks(&view));
    view.redirect(&OrderLink::of(order["number"].as_str().unwrap_or_default(), None).page())
}

/// The customer comes back from the provider. What has become of the payment, the order's page says.
async fn come_back(State(_): State<Storefront>, mut view: View) -> ApiResult<PageResponse> {
    let query = view.query();
    let text = |name: &str| query.get(name).and_then(Value::as_str);
    let Some(number) = text("order") else { return Ok(view.redirect("/cart")) };
    let link = OrderLink::of(number, text("key"));
    let order = known_order(&mut view, number, text("key")).await?.map(|(order, _)| order).unwrap_or_default();
    let (notice, page) = match order["payment_status"].as_str() {
        Some("paid") => (Some(thanks(&view)), link.page()),
        Some("failed") => (Some("storefront-notice-payment-refused"), link.page()),
        _ if query.contains_key("cancelled") => (Some("storefront-notice-payment-cancelled"), link.page()),
        // The page says itself that it waits.
        _ => (None, link.page_after_return()),
    };
    if let Some(notice) = notice {
        view.notice(notice);
    }
    Ok(view.redirect(&page))
}
