//! Every page: nothing is in its console, no link is broken, nothing is wider than the window, and axe finds no barrier.

use std::fs;
use std::time::Instant;

use stoa_core::testing::smtp_fake::SmtpFake;
use tempfile::TempDir;

use super::shopper::{LOOK, Script, Shopper, shop_with, shop_with_mail};
use crate::chromium::PATIENCE;
use crate::sweep::look_at_all;

/// Pages for everybody.
const OPEN: [&str; 31] = [
    "/",
    "/c/home-and-kitchen",
    "/c/home-and-kitchen?page=2",
    "/c/pantry",
    "/c/workshops-and-tickets",
    "/search?q=tea",
    "/search?q=nothing-of-this-name",
    "/search?min=cheap",
    "/p/colonnade-armchair",
    "/p/beeswax-pillars",
    "/p/copper-jam-pan",
    "/p/crepe-pan",
    "/p/linen-tea-towels",
    "/p/dawn-recordings",
    "/p/coffee-club",
    "/p/inkwell-notes",
    "/p/agora-hosting-small",
    "/p/agora-sans",
    "/p/courtyard-concert",
    "/cart",
    "/login",
    "/register",
    "/forgot",
    "/withdrawal",
    "/pages/delivery",
    "/docs",
    "/docs/quick-start",
    "/docs/reference/api/errors",
    "/docs/search?q=backup",
    "/pages-end",
    "/p/none",
];

/// Pages of a customer who has bought something.
const OWN: [&str; 11] = [
    "/cart",
    "/checkout",
    "/account",
    "/account/orders",
    "/account/orders/O-000001",
    "/order/O-000001",
    "/order/O-000001?returned=1",
    "/account/purchases",
    "/account/addresses",
    "/account/security",
    "/account/support",
];

/// Pages that are not there, on purpose.
const MISSING: [(&str, &str); 2] = [("/pages-end", "404"), ("/p/none", "404")];

/// Buys one of each that no parcel is needed for, as the customer who is logged in.
pub(crate) async fn buy_digital_goods(shopper: &Shopper) {
    for slug in ["dawn-recordings", "agora-sans", "courtyard-concert", "inkwell-notes", "agora-hosting-small"] {
        shopper.go(&format!("/p/{slug}")).await;
        if shopper.has("textbox", "Domain name").await {
            shopper.fill("Domain name", "stoa.example").await;
        }
        shopper.press("button", "Add to cart").await;
    }
    shopper.press("link", "Checkout").await;
    for (label, text) in [("Name", "Ada"), ("Street and number", "Weg 1"), ("Postal code", "9000"), ("City", "Gent")] {
        shopper.fill(label, text).await;
    }
    shopper.choose("Country", "Belgium").await;
    order(shopper).await;
}

/// Agrees to what has to be agreed to, and presses the last button; once more when the price was not known before.
async fn order(shopper: &Shopper) {
    shopper.value("document.querySelectorAll('input[name=consents]').forEach((box) => { box.checked = true; })").await;
    shopper.press("button", "Order with obligation to pay").await;
    if shopper.path().await.starts_with("/checkout") {
        shopper.press("button", "Order with obligation to pay").await;
    }
    shopper.sees("Order O-").await;
}

/// The path with its key by which the mail about an order opens it.
async fn link_in(mails: &SmtpFake) -> String {
    let begun = Instant::now();
    loop {
        for mail in mails.collect() {
            let text = mail.text();
            let link = text.split_whitespace().find_map(|word| word.find("/order/").map(|at| word[at..].to_owned()));
            if let Some(link) = link.filter(|link| link.contains("?key=")) {
                return link;
            }
        }
        assert!(begun.elapsed() <= PATIENCE, "no mail has the link of an order");
        tokio::time::sleep(LOOK).await;
    }
}

/// A page of the operator's own.
const DELIVERY: &str = "---
title: Delivery
---

We send on the same day.

| To | Days |
| --- | --- |
| Belgium | 2 |

Whoever changes their mind [withdraws](/withdrawal).
";

#[test]
fn every_page_for_everybody_is_whole_and_without_barriers() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    fs::write(folder.path().join("delivery.md"), DELIVERY).expect("the folder is ours");
    let pages = folder.path().display().to_string();
    // The demo switches on what no setting is about.
    let settings = [("STOA_MODULES__STOREFRONT__ENABLED", "true"), ("STOA_MODULES__STOREFRONT__PAGES", pages.as_str())];
    shop_with_mail(&settings, &MISSING, async |shopper, mails| {
        look_at_all(shopper, &OPEN).await;
        shopper.go("/p/market-tote").await;
        shopper.press("button", "Add to cart").await;
        shopper.press("link", "Checkout").await;
        shopper.introduce().await;
        order(shopper).await;
        let link = link_in(mails).await;
        look_at_all(shopper, &[link.as_str()]).await;
    });
}

#[test]
fn every_page_of_a_customer_is_whole_and_without_barriers() {
    shop_with(Script::On, &[], async |shopper| {
        shopper.log_in().await;
        buy_digital_goods(shopper).await;
        shopper.go("/account/support").await;
        shopper.fill("Subject", "The lamp hums").await;
        shopper.fill("Your message", "Since yesterday.").await;
        shopper.press("button", "Send").await;
        shopper.go("/p/market-tote").await;
        shopper.press("button", "Add to cart").await;
        look_at_all(shopper, &OWN).await;
    });
}
