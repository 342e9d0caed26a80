//! One order: for whoever placed it, or holds its link.

use axum::extract::State;
use http::StatusCode;
use serde_json::{Value, json};

use stoa_core::catalog::path_segment;
use stoa_core::config::Config;
use stoa_core::http::extract::Name;
use stoa_core::orders::carriers_of_shipments;
use stoa_core::pages::PanelOn;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::acts::Refused;
use crate::awaited::{RETURNED, awaited};
use crate::catalog::written;
use crate::checkout::begin_payment;
use crate::forms::Form;
use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.order", "/order/{number}", show).post("storefront.order.pay", "/order/{number}", pay)
}

/// What names an order to the API, and opens it where the visitor has a key.
pub(crate) struct OrderLink {
    number: String,
    key: Option<String>,
}

impl OrderLink {
    pub(crate) fn of(number: &str, key: Option<&str>) -> Self {
        let key = key.filter(|key| !key.is_empty()).map(str::to_owned);
        Self { number: number.to_owned(), key }
    }

    /// What a request to the API says of the order.
    pub(crate) fn headers(&self) -> Vec<(&'static str, &str)> {
        let number = Some(self.number.as_str()).filter(|number| !number.is_empty());
        let number = number.map(|number| ("x-order-number", number));
        number.into_iter().chain(self.key.as_deref().map(|key| ("x-order-key", key))).collect()
    }

    /// The order's page.
    pub(crate) fn page(&self) -> String {
        let path = format!("/order/{}", path_segment(&self.number));
        match &self.key {
            Some(key) => format!("{path}?{}", written([("key", key.as_str())].into_iter())),
            None => path,
        }
    }

    /// The order's page for whoever comes back from a provider that has not said yet what became of the payment.
    pub(crate) fn page_after_return(&self) -> String {
        let page = self.page();
        let joint = if page.contains('?') { '&' } else { '?' };
        format!("{page}{joint}{RETURNED}=1")
    }

    /// What follows in the address of a file that was bought with the order; nothing for whoever is logged in.
    fn file_key(&self) -> String {
        let parts = |key| written([("order", self.number.as_str()), ("key", key)].into_iter());
        self.key.as_deref().map_or_else(String::new, |key| format!("&{}", parts(key)))
    }

    /// Where the API has what can be done with the order without a login; none without a key.
    pub(crate) fn path(&self) -> Option<String> {
        self.key.as_ref().map(|_| format!("/guest-orders/{}", path_segment(&self.number)))
    }
}

/// An own order by its number.
async fn own_order(view: &mut View, number: &str) -> ApiResult<Option<Value>> {
    let Some(id) = number.strip_prefix("O-").and_then(|digits| digits.parse::<u64>().ok()) else { return Ok(None) };
    if !view.visitor.has_session() {
        return Ok(None);
    }
    let answer = view.ask(&format!("/orders/{id}")).await?;
    Ok(answer.status.is_success().then(|| answer.data()))
}

/// The order of a number, with the key of its link or as the customer's own; none of anybody else's.
pub(crate) async fn known_order(
    view: &mut View,
    number: &str,
    key: Option<&str>,
) -> ApiResult<Option<(Value, OrderLink)>> {
    let link = OrderLink::of(number, key);
    if let Some(path) = link.path() {
        let answer = view.visitor.get(&path, &link.headers()).await?;
        if answer.status.is_success() {
            return Ok(Some((answer.data(), link)));
        }
    }
    let own = own_order(view, number).await?;
    Ok(own.map(|order| (order, OrderLink::of(number, None))))
}

/// The order that the address names.
async fn find(view: &mut View, number: &str) -> ApiResult<(Value, OrderLink)> {
    let query = view.query();
    let key = query.get("key").and_then(Value::as_str);
    known_order(view, number, key).await?.ok_or_else(ApiError::not_found)
}

async fn show(State(_): State<Storefront>, Name(number): Name, mut view: View) -> ApiResult<PageResponse> {
    let (order, link) = find(&mut view, &number).await?;
    show_found(view, order, &link, None).await
}

/// An own order, on its page in the account.
pub(crate) async fn show_own(mut view: View, number: &str) -> ApiResult<PageResponse> {
    let order = own_order(&mut view, number).await?.ok_or_else(ApiError::not_found)?;
    show_found(view, order, &OrderLink::of(number, None), None).await
}

/// An own order, with what was refused of a form on its page.
pub(crate) async fn show_again(mut view: View, number: &str, refused: &Refused) -> ApiResult<PageResponse> {
    let order = own_order(&mut view, number).await?.ok_or_else(ApiError::not_found)?;
    show_found(view, order, &OrderLink::of(number, None), Some(refused)).await
}

/// How else an order can be paid than as it was to be paid. A transfer needs to be told where to.
fn payment_methods(view: &View, order: &Value) -> Vec<Value> {
    let amount = Money::new(order["total_amount"].as_i64().unwrap_or_default(), view.shop.money.currency());
    let text = |name: &str| order[name].as_str().unwrap_or_default();
    let usable = view.shop.gateways.enabled().filter(|gateway| {
        gateway.id() != text("payment_method")
            && gateway.accepts(amount)
            && (gateway.id() != "manual" || gateway.instructions(text("number"), text("total_formatted")).is_some())
    });
    let say = |message: Message| view.shop.texts.say(&message, view.visitor.language);
    usable.map(|gateway| json!({"id": gateway.id(), "label": say(gateway.label())})).collect()
}

/// Names the carrier of each shipment, and the page that follows the parcel: the API has neither.
async fn name_carriers(db: &Db, config: &Config, order: &mut Value) -> ApiResult<()> {
    let id = order["id"].as_i64().unwrap_or_default();
    let Some(shipments) = order["shipments"].as_array_mut().filter(|shipments| !shipments.is_empty()) else {
        return Ok(());
    };
    let carriers = carriers_of_shipments(db, id).await?;
    for shipment in shipments {
        let own = carriers.iter().find(|(id, _)| shipment["id"] == *id);
        let carrier = own.and_then(|(_, id)| config.shipping.carrier(id));
        let tracking = shipment["tracking"].as_str().unwrap_or_default();
        let url = carrier.and_then(|carrier| carrier.tracking_url(tracking));
        shipment["carrier"] = json!(carrier.map(|carrier| &carrier.label));
        shipment["tracking_url"] = json!(url);
    }
    Ok(())
}

/// The order with what was bought with it, which each module shows by its own panel.
async fn show_found(
    mut view: View,
    mut order: Value,
    link: &OrderLink,
    refused: Option<&Refused>,
) -> ApiResult<PageResponse> {
    name_carriers(&view.shop.db, &view.shop.config, &mut order).await?;
    let bought = if order["payment_status"] == "pending" { Vec::new() } else { view.bought(&link.headers()).await? };
    let panels = view.panels(PanelOn::Order);
    let awaits = awaited(&mut view, &order, &bought).await?;
    let returned = view.query().contains_key(RETURNED);
    let methods = payment_methods(&view, &order);
    let values = json!({
        "payment_methods": methods, "instructions": order["payment_instructions"], "order": order, "key": link.key, "panels": panels, "bought": bought, "file_key": link.file_key(),
        "can_act": link.key.is_none(), "awaits": awaits, "returned": returned,
        "refusal": refused.map(|refused| &refused.refusal), "typed": refused.map(|refused| &refused.typed),
    });
    view.show_as(refused.map_or(StatusCode::OK, |refused| refused.status), "order.html", values).await
}

/// Pays an order that is not paid yet.
async fn pay(State(_): State<Storefront>, Name(number): Name, mut view: View, form: Form) -> ApiResult<PageResponse> {
    let (order, link) = find(&mut view, &number).await?;
    let chosen = order["payment_method"].as_str().unwrap_or("manual").to_owned();
    let gateway = form.get("gateway").map_or(chosen, str::to_owned);
    begin_payment(view, &order, &link, &gateway).await
}
