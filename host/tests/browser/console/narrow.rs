//! The console on a phone.

use serde_json::json;

use super::log_in;
use crate::storefront::shopper::{Script, shop_with};

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
