//! The console on a phone, and what assistive programs find their way by.

use serde_json::{Value, json};

use super::log_in;
use crate::storefront::shopper::{Script, shop_with};

const AXE: &str = include_str!("../axe/axe.min.js.txt");

/// Landmarks that are called the same.
const DOUBLE: &str = "
    const { violations } = await axe.run(document, { runOnly: { type: 'rule', values: ['landmark-unique'] } });
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);";

const WIDER: &str = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/// Tables of which a part has to be scrolled to.
const CUT_OFF: &str =
    "[...document.querySelectorAll('.scroll')].filter((table) => table.scrollWidth > table.clientWidth + 1)
    .map((table) => table.getAttribute('aria-label'))";

/// The entries of the menu that can be seen.
const ENTRIES: &str = "[...document.querySelectorAll('.menu li a')].filter((entry) => entry.checkVisibility()).length";

#[test]
fn on_a_phone_the_menu_opens_without_a_script() {
    shop_with(Script::Off, &[], async |shopper| {
        log_in(shopper).await;
        let all = shopper.value(ENTRIES).await;
        assert!(all.as_i64().is_some_and(|number| number > 20), "{all}");
        shopper.resize(390).await;
        assert_eq!(shopper.value(ENTRIES).await, json!(0));
        assert_eq!(shopper.value(WIDER).await, json!(0));
        shopper.value("document.querySelector('.menu summary').click()").await;
        assert_eq!(shopper.value(ENTRIES).await, all);
        assert_eq!(shopper.value(WIDER).await, json!(0));
        shopper.press("link", "Products").await;
        shopper.sees("Create product").await;
    });
}

#[test]
fn on_a_phone_no_page_and_no_table_scrolls_sideways() {
    shop_with(Script::On, &[], async |shopper| {
        log_in(shopper).await;
        shopper.resize(390).await;
        for path in [
            "/console/security",
            "/console/products/colonnade-armchair",
            "/console/categories",
            "/console/reports",
            "/console/m/event_tickets/door",
            "/console/m/event_tickets/types",
        ] {
            shopper.go(path).await;
            assert_eq!(shopper.value(WIDER).await, json!(0), "{path}");
            assert_eq!(shopper.value(CUT_OFF).await, json!([]), "{path}");
        }
    });
}

/// Whether the form says that a photo sends itself, where the browser reads no codes of its own.
const SENDS_ITSELF: &str = "'BarcodeDetector' in window
    || document.querySelector('[data-photo] .hint').textContent.includes('Nothing has to be pressed')";

#[test]
fn a_photo_at_the_door_says_that_nothing_has_to_be_pressed() {
    shop_with(Script::On, &[], async |shopper| {
        log_in(shopper).await;
        shopper.go("/console/m/event_tickets/events/check-in").await;
        assert_eq!(shopper.value(SENDS_ITSELF).await, json!(true));
    });
}

#[test]
fn no_two_landmarks_of_a_page_are_called_the_same() {
    shop_with(Script::On, &[], async |shopper| {
        log_in(shopper).await;
        for path in ["/console", "/console/products/colonnade-armchair", "/console/security", "/console/audit"] {
            shopper.go(path).await;
            shopper.visit.evaluate::<Value>(&format!("if (!window.axe) {{ {AXE} }} return null;")).await;
            assert_eq!(shopper.visit.evaluate::<Value>(DOUBLE).await, json!([]), "{path}");
        }
    });
}
