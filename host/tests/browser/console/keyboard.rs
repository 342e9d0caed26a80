//! The console by the keyboard, and lists that answer while somebody types.

use serde_json::json;

use super::log_in;
use crate::storefront::shopper::{Script, shop_with};

/// Presses a key where one is.
const PRESS: &str = "((key) => document.activeElement
    .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))";

const IS_IN_SEARCH: &str = "document.activeElement.matches('[data-search]')";

const ROWS: &str = "document.querySelectorAll('.rows tbody tr').length";

/// The row whose link one is on, from 0.
const AT: &str = "[...document.querySelectorAll('.rows tbody th > a')].indexOf(document.activeElement)";

#[test]
fn a_slash_leads_to_the_search_which_answers_while_one_types_and_arrows_go_through_the_rows() {
    shop_with(Script::On, &[], async |shopper| {
        log_in(shopper).await;
        shopper.go("/console/products").await;
        let all = shopper.value(ROWS).await;
        assert!(all.as_i64().is_some_and(|rows| rows > 2), "{all}");
        shopper.value(&format!("{PRESS}('/')")).await;
        assert_eq!(shopper.value(IS_IN_SEARCH).await, json!(true));

        let typed = "(() => {
            const search = document.querySelector('[data-search]');
            search.value = 'colonnade-armchair';
            search.dispatchEvent(new Event('input', { bubbles: true }));
        })()";
        shopper.value("document.activeElement.blur()").await;
        shopper.value("window.wasHere = true").await;
        shopper.value(typed).await;
        shopper.until("the list has what was looked for", &format!("{ROWS} === 1")).await;
        assert_eq!(shopper.path().await, "/console/products?q=colonnade-armchair");
        assert_eq!(shopper.value("window.wasHere").await, json!(true), "the page was not loaded anew");

        shopper.go("/console/products").await;
        shopper.value("document.querySelector('.rows tbody th > a').focus()").await;
        for (key, row) in [("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("ArrowUp", 0), ("ArrowUp", 0)] {
            shopper.value(&format!("{PRESS}('{key}')")).await;
            assert_eq!(shopper.value(AT).await, json!(row), "{key}");
        }
    });
}
