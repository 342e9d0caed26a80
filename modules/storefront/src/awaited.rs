//! What an order still waits for: its payment, or what modules hand over for it.

use std::collections::BTreeSet;

use serde_json::Value;

use stoa_core::catalog::path_segment;
use stoa_core::chrono::{DateTime, TimeDelta, Utc};
use stoa_core::pages::PanelOn;
use stoa_core::prelude::*;

use crate::view::View;

/// In the address of an order's page: the customer comes back from a provider that has not said yet what became of the payment.
pub(crate) const RETURNED: &str = "returned";

/// How long after the payment something may still be on its way to its page.
const HANDED_OVER_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// What has not come yet but is about to: `payment`, or `goods` of the modules that hand something over and have not yet. What is there
/// already is `bought`, the panels of purchases.
pub(crate) async fn awaited(view: &mut View, order: &Value, bought: &[Value]) -> ApiResult<Option<&'static str>> {
    if order["payment_status"] == "pending" {
        return Ok(view.query().contains_key(RETURNED).then_some("payment"));
    }
    let paid_at = order["paid_at"].as_str().and_then(|time| time.parse::<DateTime<Utc>>().ok());
    if paid_at.is_none_or(|paid_at| view.shop.clock.now() - paid_at > HANDED_OVER_WITHIN) {
        return Ok(None);
    }
    let is_there = |module: &str| {
        let mut templates = bought.iter().filter_map(|panel| panel["template"].as_str());
        templates.any(|template| template.split('/').next() == Some(module))
    };
    let panels = view.shop.panels.iter().filter(|owned| owned.panel.on == PanelOn::Purchases);
    let missing = panels.map(|owned| owned.owner).filter(|owner| !is_there(owner)).collect::<BTreeSet<_>>();
    if missing.is_empty() {
        return Ok(None);
    }
    for slug in order["items"].as_array().into_iter().flatten().filter_map(|item| item["slug"].as_str()) {
        let product = view.visitor.get(&format!("/products/{}", path_segment(slug)), &[]).await?.data();
        let mut modules = product["details"].as_object().into_iter().flatten().map(|(module, _)| module.as_str());
        if modules.any(|module| missing.contains(module)) {
            return Ok(Some("goods"));
        }
    }
    Ok(None)
}
