//! A guest buys by the keyboard alone.

use serde_json::json;

use super::shopper::{Script, Shopper, is_called, shop_with};

const ORDER: &str = "Order with obligation to pay";

const PAYMENT: &str = "Bank transfer";

async fn buy(shopper: &Shopper) {
    shopper.go("/").await;
    for name in ["Home & Kitchen", "Market Tote", "Add to cart", "Checkout"] {
        shopper.tab_to(name).await;
        shopper.enter().await;
    }
    for (label, text) in [
        ("E-mail", "ada@example.com"),
        ("Name", "Ada Buyer"),
        ("Street and number", "Keizersgracht 1"),
        ("Postal code", "1015 AA"),
        ("City", "Amsterdam"),
    ] {
        shopper.tab_to(label).await;
        shopper.type_in(text).await;
    }
    shopper.tab_to("Country").await;
    // A letter leads to the next country that begins with it.
    while shopper.value("document.getElementById('billing.country').value").await != json!("NL") {
        shopper.press_key("N").await;
    }
    choose_payment(shopper).await;
    order(shopper).await;
    if shopper.path().await.starts_with("/checkout") {
        // Without a script, the total was not known before.
        order(shopper).await;
    }
    shopper.sees("Order O-000001").await;
}

/// Of a group of choices, Tab leads to the chosen one, and arrows to the others.
async fn choose_payment(shopper: &Shopper) {
    shopper.tab_until("one.name === 'payment_method'").await;
    let is_chosen = format!("((one) => {})(document.activeElement)", is_called(PAYMENT));
    for _ in 0..6 {
        if shopper.value(&is_chosen).await == json!(true) {
            return;
        }
        shopper.press_key("ArrowDown").await;
    }
    panic!("no arrow leads to {PAYMENT}; the page shows:\n{}", shopper.text().await);
}

async fn order(shopper: &Shopper) {
    shopper.until("the button can be pressed", "document.querySelector('[data-once]:disabled') === null").await;
    shopper.tab_to(ORDER).await;
    shopper.enter().await;
}

#[test]
fn a_guest_buys_by_the_keyboard_alone() {
    shop_with(Script::On, &[], buy);
}

#[test]
fn the_same_works_without_a_script() {
    shop_with(Script::Off, &[], buy);
}
