//! Customers withdraw from a contract.

use super::shopper::{Shopper, journey};

/// The demo's customer orders a bag, and withdraws from that.
pub(crate) async fn withdraw(shopper: &Shopper) {
    shopper.log_in().await;
    shopper.go("/p/market-tote").await;
    shopper.press("button", "Add to cart").await;
    shopper.press("link", "Checkout").await;
    for (label, text) in [("Name", "Ada"), ("Street and number", "Weg 1"), ("Postal code", "9000"), ("City", "Gent")] {
        shopper.fill(label, text).await;
    }
    shopper.choose("Country", "Belgium").await;
    shopper.press("button", "Order with obligation to pay").await;
    if shopper.path().await.starts_with("/checkout") {
        shopper.press("button", "Order with obligation to pay").await;
    }
    shopper.sees("Order O-000001").await;
    shopper.press("link", "Withdraw from contract").await;
    shopper.sees("Choose what you withdraw from.").await;
    shopper.press("button", "Withdraw from contract").await;
    shopper.press("button", "Confirm withdrawal").await;
    shopper.sees("We have received your withdrawal.").await;
}

journey!(a_customer_withdraws_in_two_steps, withdraw);
