//! A clerk is told of the money, sends an order and refunds one unit; whoever ordered sees it.

use crate::storefront::shopper::{Script, Shopper, shop_with};

const ORDER: &str = "Order with obligation to pay";

/// A guest orders two of a thing that is sent.
async fn order_two(shopper: &Shopper) {
    shopper.go("/p/market-tote").await;
    shopper.value("document.getElementById('quantity').value = '2'").await;
    shopper.press("button", "Add to cart").await;
    shopper.press("link", "Checkout").await;
    shopper.introduce().await;
    shopper.click("radio", "Bank transfer").await;
    shopper.press("button", ORDER).await;
    if shopper.path().await.starts_with("/checkout") {
        shopper.press("button", ORDER).await;
    }
    shopper.sees("Order O-000001").await;
}

async fn work(shopper: &Shopper) {
    order_two(shopper).await;
    shopper.go("/console/login").await;
    shopper.fill("E-mail", &shopper.visit.shop.operator).await;
    shopper.fill("Password", &shopper.visit.shop.operator_password).await;
    shopper.press("button", "Log in").await;
    shopper.go("/console/orders/O-000001").await;
    shopper.press("button", "Mark as paid").await;
    shopper.sees("The order is paid.").await;
    shopper.fill("Tracking number", "3SABC123").await;
    shopper.press("button", "Ship").await;
    shopper.sees("The shipment is recorded.").await;
    shopper.value("document.querySelector('form[action$=\"/refund\"] input[type=number]').value = '1'").await;
    shopper.fill("Reason", "A seam was open").await;
    shopper.press("button", "Refund").await;
    // What it comes to is shown first; nothing has gone back yet.
    shopper.sees("€32.00 would go back").await;
    shopper.press("button", "Refund").await;
    shopper.until("it is refunded", "document.getElementById('refund-preview') === null").await;
    shopper.go("/order/O-000001").await;
    for text in ["Partly refunded", "Your money is on its way back: €32.00", "Tracking number: 3SABC123"] {
        shopper.sees(text).await;
    }
}

#[test]
fn a_clerk_sends_an_order_and_refunds_one_unit() {
    shop_with(Script::On, &[], work);
}

#[test]
fn the_same_works_without_a_script() {
    shop_with(Script::Off, &[], work);
}
