//! A day of who works there: an order is paid, sent and refunded in part, a question is answered, a code is made, and somebody is let in.

use super::log_in;
use crate::storefront::buying::{buy, find};
use crate::storefront::shopper::{Shopper, journey};

/// Says that one unit of the first item goes back.
const ONE_UNIT: &str = "document.querySelector(\"form[action$='/refund'] input[type=number]\").value = '1'";

async fn work(shopper: &Shopper) {
    buy(shopper, "Home & Kitchen", "Market Tote", "Bank transfer").await;
    buy(shopper, "Workshops & Tickets", "Courtyard Concert", "Test payment…").await;
    find(shopper, "a ticket", "document.querySelector('.qr') !== null").await;

    log_in(shopper).await;
    shopper.press("link", "Orders").await;
    shopper.press("link", "O-000001").await;
    shopper.press("button", "Mark as paid").await;
    shopper.sees("The order is paid.").await;
    shopper.press("button", "Ship").await;
    shopper.sees("The shipment is recorded.").await;
    shopper.value(ONE_UNIT).await;
    shopper.fill("Reason", "It came late").await;
    shopper.press("button", "Refund").await;
    shopper.sees("would go back").await;
    shopper.press("button", "Refund").await;
    shopper.sees("went back.").await;

    shopper.press("link", "Support").await;
    shopper.press("button", "Create ticket").await;
    shopper.fill("Customer: e-mail or id", "ada@example.com").await;
    shopper.fill("Subject", "The strap").await;
    shopper.fill("What the customer says", "It is too short.").await;
    shopper.press("button", "Save").await;
    shopper.fill("Your reply", "A longer one is on its way.").await;
    shopper.press("button", "Reply").await;
    shopper.sees("A longer one is on its way.").await;

    shopper.press("link", "Discounts").await;
    shopper.press("button", "Create discount").await;
    shopper.fill("Code", "SPRING").await;
    shopper.fill("How much", "10").await;
    shopper.press("button", "Save").await;
    shopper.sees("The discount can be used.").await;

    shopper.press("link", "Reports").await;
    shopper.sees("Tax by country and rate").await;

    // At the door, on a phone.
    shopper.resize(390).await;
    shopper.go("/console/m/event_tickets/events/check-in").await;
    shopper.fill("Code or number", "ET-000001").await;
    shopper.press("button", "Check in").await;
    shopper.sees("Checked in").await;
}

journey!(what_a_day_brings_is_done_in_the_console, work);
