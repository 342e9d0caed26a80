//! Journeys through the operator's console.

mod at_hand;
mod every_page;
mod keyboard;
mod narrow;
mod orders;
mod passkeys;
mod products;
mod working;
mod zones;

use crate::storefront::shopper::Shopper;

/// Logs in as who works there.
async fn log_in(shopper: &Shopper) {
    shopper.go("/console/login").await;
    shopper.fill("E-mail", &shopper.visit.shop.operator).await;
    shopper.fill("Password", &shopper.visit.shop.operator_password).await;
    shopper.press("button", "Log in").await;
}
