//! Every page of the console: nothing is in its console, no link is broken, nothing is wider than the window, and axe finds no barrier.

use serde_json::Value;

use super::log_in;
use crate::storefront::buying::buy;
use crate::storefront::every_page::look_at_all;
use crate::storefront::shopper::{Script, Shopper, shop_with};

/// The window's widths in pixels.
const WIDTHS: [i64; 3] = [390, 768, 1440];

/// Where the menu leads.
const MENU: &str = "[...document.querySelectorAll('.menu li a')].map((entry) => entry.pathname)";

/// Pages that the menu does not lead to: single things, and forms.
const BELOW: [&str; 18] = [
    "/console/security",
    "/console/orders/O-000001",
    "/console/products/new",
    "/console/products/colonnade-armchair",
    "/console/categories/pantry",
    "/console/customers/new",
    "/console/support/new",
    "/console/discounts/new",
    "/console/reports/oss",
    "/console/webhooks/add",
    "/console/webhooks/deliveries",
    "/console/mails/test",
    "/console/health?problems=1",
    "/console/orders?q=nothing-of-this-name",
    "/console/m/event_tickets/events/check-in",
    "/console/m/event_tickets/events/add-event",
    "/console/m/event_tickets/types",
    "/console/m/inventory/stock/import",
];

/// A shop that has sold something, and somebody who works there.
async fn open(shopper: &Shopper) {
    buy(shopper, "Home & Kitchen", "Market Tote", "Bank transfer").await;
    log_in(shopper).await;
}

#[test]
fn every_page_of_the_menu_is_whole_and_without_barriers() {
    shop_with(Script::On, &[], async |shopper| {
        open(shopper).await;
        let menu = shopper.value(MENU).await;
        let pages = menu.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
        assert!(pages.len() > 20, "{menu}");
        look_at_all(shopper, &pages, &WIDTHS).await;
    });
}

#[test]
fn every_page_below_the_menu_is_whole_and_without_barriers() {
    shop_with(Script::On, &[], async |shopper| {
        open(shopper).await;
        look_at_all(shopper, &BELOW, &WIDTHS).await;
    });
}
