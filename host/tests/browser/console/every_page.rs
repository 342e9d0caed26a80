//! Every page of the console: nothing is in its console, no link is broken, nothing is wider than the window, and axe finds no barrier.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use http::Method;
use matchit::{Match, Router};
use serde_json::json;
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::testing::TestShop;
use stoa_kernel::http::table::Access;
use tempfile::TempDir;

use super::log_in;
use super::products::choose_file;
use crate::chromium::PATIENCE;
use crate::storefront::every_page::buy_digital_goods;
use crate::storefront::leaving::withdraw;
use crate::storefront::shopper::{Script, Shopper, shop_on, shop_with, shop_with_mail};
use crate::sweep::{follow, look_at, look_at_all};

/// The modules that the demo sells with.
const MODULES: [&str; 6] = ["digital_secrets", "downloads", "event_tickets", "inventory", "services", "subscriptions"];

/// Where the walk begins: the first page, and those that a button leads to rather than a link.
const BEGINNINGS: [&str; 15] = [
    "/console",
    "/console/products/new",
    "/console/products/market-tote/delete",
    "/console/customers/new",
    "/console/discounts/new",
    "/console/support/new",
    "/console/payments/callbacks",
    "/console/webhooks/deliveries",
    "/console/webhooks/add",
    "/console/mails/test",
    "/console/m/event_tickets/events/check-in",
    "/console/m/event_tickets/events/add-event",
    "/console/m/inventory/stock/import",
    "/console/reports/oss",
    "/console/nowhere",
];

/// Pages that look otherwise than the first of their kind that links lead to.
const OTHERWISE: [&str; 2] = ["/console/health?problems=1", "/console/orders?q=nothing-of-this-name"];

/// What is no page but a file, and what only a provider's call leads to.
const NOT_SEEN: [&str; 3] =
    ["/console/documents/{number}", "/console/documents/{number}/xml", "/console/payments/callbacks/{id}"];

/// The paths of all pages behind the door, and whether each is a form that a row of a list fills in: those are seen where a link leads to them.
fn pages() -> Vec<(String, bool)> {
    let shop =
        TestShop::builder(Backend::Sqlite).all_modules().enabled(&MODULES).console(Arc::new(stoa_console::register));
    let program = shop.freeze().unwrap_or_else(|problems| panic!("{problems}"));
    let behind = program.registry.routes.entries.iter().map(|owned| &owned.route);
    let behind = behind.filter(|route| matches!(route.access, Access::Console(_))).collect::<Vec<_>>();
    let is_form = |name: &str| behind.iter().any(|route| route.method == Method::POST && route.name == name);
    let shown = behind.iter().filter(|route| route.method == Method::GET);
    shown.map(|route| (route.full_path(), is_form(route.name))).collect()
}

/// Looks at one page of each kind that links lead to.
async fn walk(shopper: &Shopper) {
    let pages = pages();
    let mut routes = Router::new();
    for (page, _) in &pages {
        routes.insert(page, page.as_str()).expect("axum routes the same paths");
    }
    let (mut seen, mut links) = (BTreeSet::from(NOT_SEEN), BTreeSet::new());
    let mut ahead = BEGINNINGS.map(str::to_owned).into_iter().collect::<VecDeque<_>>();
    while let Some(address) = ahead.pop_front() {
        let Ok(Match { value: &page, .. }) = routes.at(address.split('?').next().unwrap_or_default()) else { continue };
        if address.contains("format=csv") || !seen.insert(page) {
            continue;
        }
        let found = look_at(shopper, &address).await;
        ahead.extend(found.iter().filter(|link| link.starts_with("/console")).cloned());
        links.extend(found);
    }
    let missed = pages.iter().filter(|(page, is_form)| !is_form && !seen.contains(page.as_str())).collect::<Vec<_>>();
    assert!(missed.is_empty(), "nothing leads to {missed:?}");
    for address in OTHERWISE {
        links.extend(look_at(shopper, address).await);
    }
    shopper.go("/console").await;
    follow(shopper, &links).await;
}

/// Has something on every list.
async fn fill(shopper: &Shopper) {
    log_in(shopper).await;
    shopper.go("/console/webhooks/add").await;
    shopper.fill("URL", &format!("{}/nobody-listens", shopper.visit.shop.origin)).await;
    shopper.value("document.querySelector('input[name=events]').checked = true").await;
    shopper.press("button", "Add endpoint").await;
    shopper.sees("is told of events from now on.").await;
    shopper.go("/console/discounts/new").await;
    shopper.fill("Code", "SUMMER-10").await;
    shopper.fill("How much", "10%").await;
    shopper.press("button", "Save").await;
    shopper.sees("SUMMER-10").await;
    let folder = TempDir::new().expect("a temporary folder can be made");
    let file = folder.path().join("more.jsonl");
    let product = r#"{"type": "product", "slug": "desk", "name": "Desk", "price_amount": 9900}"#;
    std::fs::write(&file, format!("{product}\n")).expect("the folder is ours");
    shopper.go("/console/imports").await;
    choose_file(shopper, "file", &file.display().to_string()).await;
    shopper.press("button", "Import").await;
    shopper.sees("1 product would be created").await;
    withdraw(shopper).await;
    buy_digital_goods(shopper).await;
    shopper.go("/account/support").await;
    shopper.fill("Subject", "The lamp hums").await;
    shopper.fill("Your message", "Since yesterday.").await;
    shopper.press("button", "Send").await;
    for (list, row) in [("/console/mails", "/console/mails/"), ("/console/webhooks/deliveries", "/deliveries/")] {
        wait_for_row(shopper, list, row).await;
    }
}

/// Opens a list again and again until it has a row that leads to such an address.
async fn wait_for_row(shopper: &Shopper, list: &str, address: &str) {
    let begun = Instant::now();
    let row =
        format!("document.querySelector('main td a[href*=\"{address}\"], main th a[href*=\"{address}\"]') !== null");
    loop {
        shopper.go(list).await;
        if shopper.value(&row).await == json!(true) {
            return;
        }
        assert!(begun.elapsed() <= PATIENCE, "{list} stays empty:\n{}", shopper.text().await);
    }
}

#[test]
fn every_page_behind_the_door_is_whole_and_without_barriers() {
    // Without its address a shop writes no electronic invoices.
    let settings = [
        ("STOA_WEBHOOKS__ALLOW_PRIVATE_DESTINATIONS", "true"),
        ("STOA_SELLER__NAME", "Example Lighting GmbH"),
        ("STOA_SELLER__STREET", "Lampenweg 5"),
        ("STOA_SELLER__POSTAL_CODE", "\"10115\""),
        ("STOA_SELLER__CITY", "Berlin"),
        ("STOA_SELLER__COUNTRY", "DE"),
        ("STOA_SELLER__TAX_ID", "DE136695976"),
        ("STOA_SELLER__EMAIL", "office@example.com"),
        ("STOA_SELLER__PHONE", "+49 30 1234567"),
    ];
    shop_with_mail(&settings, &[("/console/nowhere", "404")], async |shopper, _| {
        fill(shopper).await;
        walk(shopper).await;
    });
}

#[test]
fn the_door_is_whole_and_without_barriers() {
    shop_with(Script::On, &[("/console/login/link?token=none", "404")], async |shopper| {
        look_at_all(shopper, &["/console/login", "/console/login?unsaved=1", "/console/login/link?token=none"]).await;
    });
}

/// What is shown of the database itself is another with each.
#[test]
fn what_tells_of_the_database_is_whole_and_without_barriers_with_postgres_too() {
    shop_on(Backend::Postgres, Script::On, async |shopper| {
        log_in(shopper).await;
        look_at_all(shopper, &["/console/health", "/console/settings"]).await;
    });
}
