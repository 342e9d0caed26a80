//! Every page: nothing is in its console, no link is broken, nothing is wider than the window, and axe finds no barrier.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::shopper::{Script, Shopper, shop_with};

const AXE: &str = include_str!("../axe/axe.min.js.txt");

/// The window's widths in pixels.
const WIDTHS: [i64; 5] = [320, 390, 768, 1024, 1440];

/// Pages for everybody.
const OPEN: [&str; 25] = [
    "/",
    "/c/home-and-kitchen",
    "/c/pantry",
    "/c/workshops-and-tickets",
    "/search?q=tea",
    "/search?q=nothing-of-this-name",
    "/search?min=cheap",
    "/p/colonnade-armchair",
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

async fn look_at(shopper: &Shopper, path: &str, widths: &[i64], links: &mut BTreeSet<String>) {
    shopper.go(path).await;
    for &width in widths {
        shopper.resize(width).await;
        let wide = shopper.value("document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
        assert_eq!(wide, json!(0), "{path} is too wide for {width} pixels: {}", shopper.value(WIDEST).await);
    }
    shopper.visit.evaluate::<Value>(&format!("if (!window.axe) {{ {AXE} }} return null;")).await;
    for scheme in ["light", "dark"] {
        shopper.visit.prefer(scheme).await;
        let found = shopper.visit.evaluate::<Value>(LOOK).await;
        assert_eq!(found, json!([]), "{path}, {scheme}");
    }
    let found = shopper.value(LINKS).await;
    links.extend(found.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
}

/// What axe finds against WCAG 2.2 AA.
const LOOK: &str = "
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)));
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);";

/// What stands out of the window.
const WIDEST: &str = "[...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((one) => one.outerHTML.slice(0, 120)).slice(0, 5).join('\\n')";

/// Where the page leads within the shop, and what it is made of.
const LINKS: &str = "[...document.querySelectorAll('a[href], img[src], link[href], script[src]')]
    .filter((one) => !one.getAttribute('href')?.startsWith('#')).map((one) => one.href || one.src).filter((url) => url.startsWith(location.origin))
    .map((url) => url.slice(location.origin.length).split('#')[0])";

/// Those of some addresses that are not there.
async fn broken(shopper: &Shopper, links: &BTreeSet<String>) -> Value {
    let body = format!(
        "const broken = [];
         for (const link of {}) {{
             const answer = await fetch(link, {{ headers: {{ accept: 'text/html' }} }});
             if (!answer.ok) broken.push(`${{answer.status}} ${{link}}`);
         }}
         return broken;",
        json!(links)
    );
    shopper.visit.evaluate(&body).await
}

/// Looks at these pages in windows of these widths, and follows their links within the shop.
pub(crate) async fn look_at_all(shopper: &Shopper, pages: &[&str], widths: &[i64]) {
    let mut links = BTreeSet::new();
    for path in pages {
        look_at(shopper, path, widths, &mut links).await;
    }
    shopper.go("/").await;
    assert_eq!(broken(shopper, &links).await, json!([]));
}

#[test]
fn every_page_for_everybody_is_whole_and_without_barriers() {
    shop_with(Script::On, &MISSING, async |shopper| look_at_all(shopper, &OPEN, &WIDTHS).await);
}

#[test]
fn every_page_of_a_customer_is_whole_and_without_barriers() {
    shop_with(Script::On, &[], async |shopper| {
        shopper.log_in().await;
        for slug in ["dawn-recordings", "agora-sans", "courtyard-concert", "inkwell-notes", "agora-hosting-small"] {
            shopper.go(&format!("/p/{slug}")).await;
            if shopper.has("textbox", "Domain name").await {
                shopper.fill("Domain name", "stoa.example").await;
            }
            shopper.press("button", "Add to cart").await;
        }
        shopper.press("link", "Checkout").await;
        for (label, text) in
            [("Name", "Ada"), ("Street and number", "Weg 1"), ("Postal code", "9000"), ("City", "Gent")]
        {
            shopper.fill(label, text).await;
        }
        shopper.choose("Country", "Belgium").await;
        shopper
            .value("document.querySelectorAll('input[name=consents]').forEach((box) => { box.checked = true; })")
            .await;
        shopper.press("button", "Order with obligation to pay").await;
        if shopper.path().await.starts_with("/checkout") {
            shopper.press("button", "Order with obligation to pay").await;
        }
        shopper.sees("Order O-000001").await;
        shopper.go("/account/support").await;
        shopper.fill("Subject", "The lamp hums").await;
        shopper.fill("Your message", "Since yesterday.").await;
        shopper.press("button", "Send").await;
        shopper.go("/p/market-tote").await;
        shopper.press("button", "Add to cart").await;
        look_at_all(shopper, &OWN, &WIDTHS).await;
    });
}
