//! What stays at hand on a long page: the menu, and what can be done with rows that are chosen.

use serde_json::json;

use super::log_in;
use crate::storefront::shopper::{Script, shop_with};

/// Whether what can be done with chosen rows is in the window.
const IS_OFFERED: &str = "(() => {
    const bulk = document.querySelector('#bulk');
    return bulk.checkVisibility() && bulk.getBoundingClientRect().bottom <= innerHeight + 1;
})()";

/// Presses the boxes of so many rows, from the first on.
const CHOOSE: &str =
    "((rows) => [...document.querySelectorAll('[name=row]')].slice(0, rows).forEach((box) => box.click()))";

/// Whether the current entry of the menu can be seen.
const IS_IN_SIGHT: &str = "(() => {
    const entry = document.querySelector('.menu [aria-current]').getBoundingClientRect();
    return entry.top >= 0 && entry.bottom <= innerHeight;
})()";

#[test]
fn what_can_be_done_with_products_is_offered_while_some_are_chosen() {
    shop_with(Script::Off, &[], async |shopper| {
        log_in(shopper).await;
        for width in [390, 1440] {
            shopper.resize(width).await;
            shopper.go("/console/products").await;
            assert_eq!(shopper.value(IS_OFFERED).await, json!(false), "{width}");
            shopper.value(&format!("{CHOOSE}(2)")).await;
            assert_eq!(shopper.value(IS_OFFERED).await, json!(true), "{width}");
            shopper.value(&format!("{CHOOSE}(2)")).await;
            assert_eq!(shopper.value(IS_OFFERED).await, json!(false), "{width}");
        }
        shopper.value(&format!("{CHOOSE}(2)")).await;
        shopper.choose("With the chosen", "deactivate").await;
        shopper.press("button", "Apply to the chosen").await;
        shopper.sees("2 products are changed").await;
    });
}

#[test]
fn the_menu_stays_beside_a_long_page_and_begins_where_one_is() {
    shop_with(Script::On, &[], async |shopper| {
        log_in(shopper).await;
        for path in ["/console/settings", "/console/health", "/console/products"] {
            shopper.go(path).await;
            assert_eq!(shopper.value(IS_IN_SIGHT).await, json!(true), "{path}");
            shopper.value("scrollTo(0, document.body.scrollHeight)").await;
            assert_eq!(shopper.value(IS_IN_SIGHT).await, json!(true), "{path}, at its end");
        }
    });
}
