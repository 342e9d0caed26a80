//! The cart is changed: in place with a script, by a new page without.

use serde_json::json;

use super::shopper::{Script, Shopper, shop_with};

async fn fill_the_cart(shopper: &Shopper) {
    for slug in ["market-tote", "dawn-recordings"] {
        shopper.go(&format!("/p/{slug}")).await;
        shopper.press("button", "Add to cart").await;
    }
    shopper.value("window.isTheSame = true").await;
}

/// What is read out to whoever does not see it.
fn is_told(text: &str) -> String {
    format!("document.querySelector('.notices[role=status]').textContent.trim() === {}", json!(text))
}

#[test]
fn the_cart_changes_in_place_says_so_and_keeps_the_focus() {
    shop_with(Script::On, &[], async |shopper| {
        fill_the_cart(shopper).await;
        assert_eq!(shopper.value("document.querySelector('.count').textContent").await, "2");
        shopper.tab_until("one.name === 'quantity'").await;
        shopper.value("document.activeElement.select()").await;
        shopper.type_in("3").await;
        shopper.press_key("Enter").await;
        shopper.until("it is told", &is_told("Your cart has changed.")).await;
        let has_focus = "document.activeElement === document.querySelector('#cart [name=quantity]')";
        shopper.until("the field has the focus", has_focus).await;
        assert_eq!(shopper.value("document.activeElement.defaultValue").await, "3");
        assert_eq!(shopper.value("document.querySelector('.count').textContent").await, "4");

        shopper.tab_until("one.name === 'remove'").await;
        shopper.press_key("Enter").await;
        shopper.until("it is told", &is_told("It is not in your cart any more.")).await;
        shopper.until("what is left has the focus", "document.activeElement.id === 'line-1'").await;
        assert_eq!(shopper.value("document.querySelectorAll('#cart .line').length").await, 1);
        shopper.tab_until("one.name === 'remove'").await;
        shopper.press_key("Enter").await;
        shopper.sees("Your cart is empty.").await;
        shopper.until("one can go on from there", "document.activeElement.closest('#cart a') !== null").await;
        assert_eq!(shopper.value("document.querySelector('.count')").await, json!(null));
        assert_eq!(shopper.value("window.isTheSame").await, json!(true), "no other page was loaded");
    });
}

#[test]
fn a_line_that_has_gone_meanwhile_is_told_in_place() {
    shop_with(Script::On, &[], async |shopper| {
        fill_the_cart(shopper).await;
        shopper.value("document.querySelector('#cart form.change').action = '/cart/nothing-of-this-name'").await;
        shopper.tab_until("one.name === 'quantity'").await;
        shopper.press_key("Enter").await;
        shopper.until("it is told", &is_told("This item is no longer in your cart.")).await;
        assert_eq!(shopper.value("document.querySelectorAll('#cart .line').length").await, 2);
        assert_eq!(shopper.value("window.isTheSame").await, json!(true), "no other page was loaded");
    });
}

#[test]
fn without_a_script_the_cart_is_changed_by_a_new_page() {
    shop_with(Script::Off, &[], async |shopper| {
        fill_the_cart(shopper).await;
        shopper.value("document.querySelector('#cart [name=quantity]').value = '3'").await;
        shopper.press("button", "Apply").await;
        shopper.sees("Your cart has changed.").await;
        assert_eq!(shopper.value("document.querySelector('.count').textContent").await, "4");
        shopper.press("button", "Remove").await;
        shopper.sees("It is not in your cart any more.").await;
        assert_eq!(shopper.value("document.querySelectorAll('#cart .line').length").await, 1);
    });
}
