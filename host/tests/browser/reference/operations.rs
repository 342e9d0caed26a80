//! The operations: all of them, found by the index, the filter and their addresses.

use crate::visit::visit;

/// Method and path of every operation in `openapi.json`, sorted.
const DOCUMENTED: &str = "
    const source = await (await fetch('/api/v1/openapi.json')).json();
    const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
    return Object.entries(source.paths)
        .flatMap(([path, item]) => methods.filter((method) => item[method]).map((method) => `${method} ${path}`))
        .sort();";

/// The same of what the page shows.
const SHOWN: &str = "
    return [...document.querySelectorAll('#operations .opblock')].map((block) => {
        const method = block.querySelector('.opblock-summary-method').textContent.toLowerCase();
        return `${method} ${block.querySelector('.opblock-summary-path').dataset.path}`;
    }).sort();";

/// The same of what the index beside it lists.
const LISTED: &str = "
    return [...document.querySelectorAll('nav.index li a')].map((link) =>
        `${link.querySelector('.method').textContent} ${link.querySelector('.index-path').textContent}`).sort();";

#[test]
fn every_operation_of_the_document_is_shown_and_listed() {
    visit(async |visit| {
        let documented = visit.evaluate::<Vec<String>>(DOCUMENTED).await;
        assert!(documented.contains(&String::from("get /products/{slug}")), "{documented:?}");
        assert_eq!(visit.evaluate::<Vec<String>>(SHOWN).await, documented);
        assert_eq!(visit.evaluate::<Vec<String>>(LISTED).await, documented);
    });
}

#[test]
fn every_operation_opens_with_a_curl_line() {
    visit(async |visit| {
        let shown = visit.evaluate::<Vec<String>>(SHOWN).await;
        // All at once would keep the browser busy for minutes.
        for begin in (0..shown.len()).step_by(10) {
            let few = shown.len().min(begin + 10) - begin;
            let click = format!(
                "[...document.querySelectorAll('.opblock-summary-control')].slice({begin}, {begin} + {few})
                     .forEach((it) => it.click());"
            );
            let lines = "document.querySelectorAll('.opblock .curl-line code')";
            visit.evaluate::<Option<()>>(&click).await;
            visit.until("these operations are open", &format!("{lines}.length === {few}")).await;
            let texts = format!("return [...{lines}].map((line) => line.textContent);");
            for line in visit.evaluate::<Vec<String>>(&texts).await {
                assert!(line.starts_with("curl ") && line.contains(&visit.shop.origin), "{line}");
            }
            visit.evaluate::<Option<()>>(&click).await;
            visit.until("they are closed again", &format!("{lines}.length === 0")).await;
        }
    });
}

#[test]
fn the_index_opens_an_operation_whose_address_can_be_passed_on() {
    const OPEN: &str = "document.querySelector('#operations-products-products_show.is-open')";
    visit(async |visit| {
        visit.until("it is closed", &format!("!{OPEN}")).await;
        visit.click("nav.index a[href='#/products/products_show']").await;
        visit.until("it is open", OPEN).await;
        visit.until("its address is shown", "location.hash === '#/products/products_show'").await;
        visit.reload().await;
        visit.until("it is open again", OPEN).await;
    });
}

#[test]
fn the_filter_keeps_what_it_is_asked_for() {
    visit(async |visit| {
        visit.enter("#filter", "post auth/tokens").await;
        visit.until("one is left", "document.querySelectorAll('#operations .opblock').length === 1").await;
        assert_eq!(visit.evaluate::<Vec<String>>(SHOWN).await, ["post /auth/tokens"]);
        assert_eq!(visit.evaluate::<Vec<String>>(LISTED).await, ["post /auth/tokens"]);
        visit.enter("#filter", "no such words").await;
        assert_eq!(visit.text(".nothing-found").await, "No operation matches the filter.");
    });
}
