//! Guests buy, and find what they have bought.

use std::time::Instant;

use serde_json::json;

use super::shopper::{Script, Shopper, journey, shop_with};
use crate::chromium::PATIENCE;

/// Clicks from the home page to the order.
const MOST_CLICKS: usize = 7;

const ORDER: &str = "Order with obligation to pay";

/// Buys one thing that lies in a category, from the home page on, pays in this way, and is on the page of the order.
pub(crate) async fn buy(shopper: &Shopper, category: &str, product: &str, payment: &str) {
    let before = shopper.clicks();
    shopper.go("/").await;
    shopper.press("link", category).await;
    shopper.press("link", &format!("{product}…")).await;
    shopper.press("button", "Add to cart").await;
    shopper.press("link", "Checkout").await;
    shopper.introduce().await;
    shopper.click("radio", payment).await;
    agree(shopper).await;
    order(shopper).await;
    let clicks = shopper.clicks() - before;
    assert!(clicks <= MOST_CLICKS, "{clicks} clicks for {product}");
}

/// Agrees to what has to be agreed to, and chooses how it is sent.
async fn agree(shopper: &Shopper) {
    if shopper.has("button", "Apply").await && shopper.has("radio", "Standard…").await {
        shopper.click("radio", "Standard…").await;
    }
    shopper.value("document.querySelectorAll('input[name=consents]').forEach((box) => { box.checked = true; })").await;
}

/// Presses the last button; without a script, once more when the price was not known before.
async fn order(shopper: &Shopper) {
    shopper.press("button", ORDER).await;
    if shopper.path().await.starts_with("/checkout") {
        agree(shopper).await;
        shopper.press("button", ORDER).await;
    }
    shopper.sees("Order O-").await;
}

/// Looks at the page of the order until it has this: what follows from a payment comes a moment later.
pub(crate) async fn find(shopper: &Shopper, what: &str, expression: &str) {
    let (page, begun) = (shopper.path().await, Instant::now());
    while shopper.value(expression).await != json!(true) {
        assert!(begun.elapsed() < PATIENCE, "{page} never has {what}:\n{}", shopper.text().await);
        shopper.go(&page).await;
    }
}

async fn everything(shopper: &Shopper) {
    buy(shopper, "Home & Kitchen", "Market Tote", "Bank transfer").await;
    shopper.sees("Market Tote").await;
    shopper.sees("A shop of yours would ask for").await;
    buy(shopper, "Books & Music", "Dawn on Four Mountains", "Test payment…").await;
    find(shopper, "a download", "document.querySelector('main a[href^=\"/file/downloads/\"]') !== null").await;
    buy(shopper, "Workshops & Tickets", "Courtyard Concert", "Test payment…").await;
    find(shopper, "a ticket", "document.querySelector('.qr') !== null").await;
    shopper.value("document.querySelector('.qr').scrollIntoView()").await;
    shopper.until("the ticket's code is shown", "document.querySelector('.qr').naturalWidth > 0").await;
}

journey!(a_guest_buys_goods_a_download_and_a_ticket_and_finds_them, everything);

#[test]
fn what_is_handed_over_after_the_payment_appears_without_looking_again() {
    shop_with(Script::On, &[], async |shopper| {
        buy(shopper, "Books & Music", "Dawn on Four Mountains", "Test payment…").await;
        let is_there = "document.querySelector('main a[href^=\"/file/downloads/\"]') !== null";
        shopper.until("the download has appeared", is_there).await;
        assert_eq!(shopper.value("document.querySelectorAll('#awaited[role=status], #order').length").await, json!(2));
    });
}

#[test]
fn what_a_subscription_costs_later_stands_in_the_cart_and_beside_the_last_button() {
    shop_with(Script::On, &[], async |shopper| {
        shopper.go("/p/inkwell-notes").await;
        shopper.press("button", "Add to cart").await;
        shopper.sees("days on trial, then").await;
        shopper.press("link", "Checkout").await;
        shopper.sees("days on trial, then").await;
    });
}

#[test]
fn a_double_click_on_the_last_button_orders_once() {
    shop_with(Script::On, &[("/order/O-000002", "404")], async |shopper| {
        shopper.go("/p/market-tote").await;
        shopper.press("button", "Add to cart").await;
        shopper.press("link", "Checkout").await;
        shopper.introduce().await;
        agree(shopper).await;
        shopper.sees("Standard").await;
        shopper.press_twice("button", ORDER).await;
        shopper.sees("Order O-000001").await;
        shopper.go("/order/O-000002").await;
        shopper.sees("There is nothing here").await;
    });
}
