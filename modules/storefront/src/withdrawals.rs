//! Withdrawing from a contract, without a login (directive 2023/2673).

use axum::extract::State;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use stoa_core::http::rules::is_email;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::forms::{Form, refusal, status_of};
use crate::orders::{OrderLink, known_order};
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.withdrawal", "/withdrawal", show).post(
        "storefront.withdrawal.declare",
        "/withdrawal",
        declare,
    )
}

/// What a page of the withdrawal shows.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Which order, and what of it.
    Choose,
    /// The question whether that is meant.
    Confirm,
    /// It was declared.
    Received,
    /// It was asked for with an address: nobody is told whether the order is theirs.
    Requested,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Self::Choose => "choose",
            Self::Confirm => "confirm",
            Self::Received => "received",
            Self::Requested => "requested",
        }
    }
}

/// What is shown beside the step.
#[derive(Default)]
struct Shown {
    typed: Value,
    /// The order, where the visitor may see it.
    order: Value,
    refusal: Value,
    withdrawal: Value,
}

/// A page that the law of the European Union wants; there is none where it does not count.
async fn show(State(_): State<Storefront>, mut view: View) -> ApiResult<PageResponse> {
    let typed = Value::Object(view.query());
    let known = find(&mut view, &typed).await?;
    let order = known.map_or(Value::Null, |(order, _)| order);
    show_step(view, StatusCode::OK, Step::Choose, Shown { typed, order, ..Shown::default() }).await
}

async fn show_step(view: View, status: StatusCode, step: Step, shown: Shown) -> ApiResult<PageResponse> {
    if !view.offers_withdrawal() {
        return Err(ApiError::not_found());
    }
    let Shown { typed, order, refusal, withdrawal } = shown;
    let values =
        json!({"typed": typed, "order": order, "refusal": refusal, "withdrawal": withdrawal, "step": step.name()});
    view.show_as(status, "withdrawal.html", values).await
}

/// The order that is named, where the visitor comes by its link or is logged in as whoever placed it.
async fn find(view: &mut View, typed: &Value) -> ApiResult<Option<(Value, OrderLink)>> {
    let text = |name: &str| typed[name].as_str().map(str::trim).filter(|text| !text.is_empty());
    let Some(number) = text("order_number") else { return Ok(None) };
    let known = known_order(view, number, text("key")).await?;
    Ok(known.filter(|(order, _)| order["withdrawal"].is_object()))
}

/// The two steps of a withdrawal: which order, then the confirmation. Whoever comes by the order's link or is logged in chooses what of it;
/// whoever types its number and an address hears the same whether there is such an order or not.
async fn declare(
    State(_): State<Storefront>,
    Uses(random): Uses<Random>,
    mut view: View,
    form: Form,
) -> ApiResult<PageResponse> {
    let typed = form.typed();
    let known = find(&mut view, &typed).await?;
    let order = known.as_ref().map_or(Value::Null, |(order, _)| order.clone());
    let mut shown = Shown { typed, order, ..Shown::default() };
    if form.raw("back").is_some() {
        return show_step(view, StatusCode::OK, Step::Choose, shown).await;
    }
    if known.is_none()
        && let Some(refusal) = missing(&view, &shown.typed)
    {
        return show_step(view, StatusCode::UNPROCESSABLE_ENTITY, Step::Choose, Shown { refusal, ..shown }).await;
    }
    let lines = match named(&form) {
        // A second click on the last button means the same units, though the first has left fewer.
        lines if form.raw("confirm").is_some() && !lines.is_empty() => lines,
        _ => chosen(&form, &shown.order),
    };
    if known.is_some() && lines.is_empty() {
        let nothing = view.shop.texts.say(&text!("storefront-withdrawal-nothing"), view.visitor.language);
        let refusal = json!({"message": nothing, "errors": {"lines": [nothing]}});
        return show_step(view, StatusCode::UNPROCESSABLE_ENTITY, Step::Choose, Shown { refusal, ..shown }).await;
    }
    if form.raw("confirm").is_none() {
        // The key goes with the form, so that a second click on the button is the same withdrawal.
        shown.typed[KEY] = json!(random.uuid().to_string());
        for line in &lines {
            shown.typed[format!("{QUANTITY}{}", line["item_id"])] = json!(line["quantity"].to_string());
        }
        return show_step(view, StatusCode::OK, Step::Confirm, shown).await;
    }
    let (answer, done) = if let Some((order, link)) = &known {
        let mut body = json!({"statement": form.value("statement"), "lines": lines, KEY: form.value(KEY)});
        let answer = if let Some(order) = link.path() {
            view.visitor.call(Method::POST, &format!("{order}/withdrawals"), &body, &link.headers()).await?
        } else {
            body["order_id"] = order["id"].clone();
            view.visitor.call(Method::POST, "/withdrawals", &body, &[]).await?
        };
        (answer, Step::Received)
    } else {
        let body = json!({
            "order_number": form.value("order_number"), "email": form.value("email"), "statement": form.value("statement"),
        });
        (view.visitor.call(Method::POST, "/withdrawal-requests", &body, &[]).await?, Step::Requested)
    };
    if answer.status.is_success() {
        let withdrawal = answer.data();
        return show_step(view, StatusCode::OK, done, Shown { withdrawal, ..shown }).await;
    }
    let (status, mut refusal) = (status_of(&answer), refusal(&answer));
    // The API counts the lines; the form names them by what was bought.
    let counted = lines.iter().enumerate();
    let places = counted.map(|(place, line)| (line["item_id"].to_string(), json!(format!("lines.{place}.quantity"))));
    refusal["places"] = Value::Object(places.collect());
    show_step(view, status, Step::Choose, Shown { refusal, ..shown }).await
}

/// Names the declaration, so that it is made once.
const KEY: &str = "idempotency_key";

/// How the fields begin that say how many of a line are withdrawn.
const QUANTITY: &str = "quantity.";

/// What the number and the address of whoever is unknown lack, told beside them before anything is confirmed.
fn missing(view: &View, typed: &Value) -> Option<Value> {
    let text = |name: &str| typed[name].as_str().map(str::trim).filter(|text| !text.is_empty());
    let number = text("order_number").is_none().then_some(("order_number", Violation::Required));
    let email = match text("email") {
        None => Some(("email", Violation::Required)),
        Some(email) if !is_email(email) => Some(("email", Violation::Email)),
        Some(_) => None,
    };
    let say = |message: &Message| view.shop.texts.say(message, view.visitor.language);
    let problems = number.into_iter().chain(email);
    let errors = problems.map(|(field, problem)| (field.to_owned(), json!([say(&problem.on(field))])));
    let errors = errors.collect::<serde_json::Map<_, _>>();
    (!errors.is_empty()).then(|| json!({"message": say(&text!("error-validation-error")), "errors": errors}))
}

/// A whole number; what is none stays a text, so that the API says so.
fn count(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| Value::from(text), Value::from)
}

/// The lines that the form names.
fn named(form: &Form) -> Vec<Value> {
    let lines = form.below(QUANTITY).filter_map(|(item, quantity)| Some((item.parse::<i64>().ok()?, count(quantity))));
    lines
        .filter(|(_, quantity)| *quantity != 0)
        .map(|(item, quantity)| json!({"item_id": item, "quantity": quantity}))
        .collect()
}

/// The lines that are withdrawn; of one that the form does not name, all that can be.
fn chosen(form: &Form, order: &Value) -> Vec<Value> {
    let lines = order["withdrawal"]["lines"].as_array().into_iter().flatten();
    let lines = lines.filter(|line| line["quantity"].as_i64().is_some_and(|quantity| quantity > 0));
    let line = |line: &Value| {
        let item = &line["item_id"];
        let quantity = form.get(&format!("{QUANTITY}{item}")).map_or_else(|| line["quantity"].clone(), count);
        (quantity != 0).then(|| json!({"item_id": item, "quantity": quantity}))
    };
    lines.filter_map(line).collect()
}
