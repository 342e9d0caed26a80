//! Looks at pages: nothing is wider than the window, axe finds no barrier, and no link is broken.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::storefront::shopper::Shopper;

const AXE: &str = include_str!("axe/axe.min.js.txt");

/// The window's widths in pixels.
const WIDTHS: [i64; 5] = [320, 390, 768, 1024, 1440];

/// What stands out of the window.
const WIDEST: &str = "[...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((one) => one.outerHTML.slice(0, 120)).slice(0, 5).join('\\n')";

/// Where the page leads within the shop, and what it is made of.
const LINKS: &str = "[...document.querySelectorAll('a[href], img[src], link[href], script[src]')]
    .filter((one) => !one.getAttribute('href')?.startsWith('#')).map((one) => one.href || one.src).filter((url) => url.startsWith(location.origin))
    .map((url) => url.slice(location.origin.length).split('#')[0])";

/// What axe finds against WCAG 2.2 AA in light and in dark, where nothing but the colours is another.
fn rules() -> [(&'static str, Value); 2] {
    let tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    let colours = ["color-contrast", "link-in-text-block"];
    [("light", json!({"type": "tag", "values": tags})), ("dark", json!({"type": "rule", "values": colours}))]
}

/// Looks at a page, and returns where it leads within the shop and what it is made of.
pub(crate) async fn look_at(shopper: &Shopper, path: &str) -> Vec<String> {
    shopper.go(path).await;
    for width in WIDTHS {
        shopper.resize(width).await;
        let wide = shopper.value("document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
        assert_eq!(wide, json!(0), "{path} is too wide for {width} pixels: {}", shopper.value(WIDEST).await);
    }
    shopper.visit.evaluate::<Value>(&format!("if (!window.axe) {{ {AXE} }} return null;")).await;
    for (scheme, rules) in rules() {
        shopper.visit.prefer(scheme).await;
        let look = format!(
            "await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)));
             const {{ violations }} = await axe.run(document, {{ runOnly: {rules}, resultTypes: ['violations'] }});
             return violations.map((one) => `${{one.id}}: ${{one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')}}`);"
        );
        let found = shopper.visit.evaluate::<Value>(&look).await;
        assert_eq!(found, json!([]), "{path}, {scheme}");
    }
    let found = shopper.value(LINKS).await;
    found.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Follows links from the page that is open, and fails when one leads nowhere.
pub(crate) async fn follow(shopper: &Shopper, links: &BTreeSet<String>) {
    let body = format!(
        "const broken = [];
         for (const link of {}) {{
             const answer = await fetch(link, {{ headers: {{ accept: 'text/html' }} }});
             await answer.arrayBuffer();
             if (!answer.ok) broken.push(`${{answer.status}} ${{link}}`);
         }}
         return broken;",
        json!(links)
    );
    assert_eq!(shopper.visit.evaluate::<Value>(&body).await, json!([]));
}

/// Looks at pages, and follows their links from the first.
pub(crate) async fn look_at_all(shopper: &Shopper, pages: &[&str]) {
    let mut links = BTreeSet::new();
    for path in pages {
        links.extend(look_at(shopper, path).await);
    }
    if let Some(first) = pages.first() {
        shopper.go(first).await;
    }
    follow(shopper, &links).await;
}
