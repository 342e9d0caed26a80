//! The pages as a whole: each can be reached, and each link leads somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use crate::library::LIBRARY;
use crate::links::address_of;
use crate::search::search;
use crate::sources;

/// The values of an attribute in a document.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!("{attribute}=\"");
    html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_leads_to_a_page_and_to_a_heading_there() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for page in LIBRARY.pages() {
        for link in values(&page.html, "href").into_iter().chain(values(&page.html, "src")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let to = match path.strip_prefix("/docs") {
                Some(rest) => rest.trim_start_matches('/'),
                None if path.is_empty() => &page.address,
                None => continue,
            };
            seen += 1;
            let is_there = if let Some(picture) = to.strip_prefix("pictures/") {
                sources::is_there(&format!("docs/pictures/{picture}"))
            } else {
                let named = LIBRARY.page(to);
                named.is_some_and(|page| anchor.is_empty() || values(&page.html, "id").contains(&anchor))
            };
            if !is_there {
                wrong.push(format!("{}: {link}", page.source));
            }
        }
    }
    assert!(seen > 500, "links are not found any more: {seen}");
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_named_in_the_contents() {
    let forgotten = LIBRARY.pages().filter(|page| !page.address.is_empty() && !LIBRARY.is_listed(&page.address));
    let forgotten = forgotten.map(|page| page.source.as_str()).collect::<Vec<_>>();
    assert!(forgotten.is_empty(), "link these in docs/README.md: {forgotten:?}");
}

/// What is linked to in the repository is there; a package does not bring it.
#[test]
fn what_is_no_page_is_in_the_repository() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !top.join("core/ARCHITECTURE.md").exists() {
        return;
    }
    let start = format!("{}/blob/v{}/", env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
    let linked = LIBRARY.pages().flat_map(|page| values(&page.html, "href"));
    let linked = linked.filter_map(|link| link.strip_prefix(start.as_str())?.split('#').next());
    let linked = linked.collect::<BTreeSet<_>>();
    assert!(linked.contains("core/ARCHITECTURE.md"), "{linked:?}");
    let missing = linked.iter().filter(|path| !top.join(path).exists()).collect::<Vec<_>>();
    assert!(missing.is_empty(), "these files are not there: {missing:?}");
}

#[test]
fn no_two_files_are_the_same_page() {
    let addresses = sources::paths().filter_map(address_of).collect::<Vec<_>>();
    let different = addresses.iter().collect::<BTreeSet<_>>();
    assert_eq!(addresses.len(), different.len(), "{addresses:?}");
}

#[test]
fn whoever_searches_finds_the_page_about_it() {
    for (question, path) in [
        ("backup", "/docs/operate/backup"),
        ("RESTORE drill", "/docs/operate/backup"),
        ("steuersatze", "/docs/quick-start.de"),
        ("import shopify", "/docs/sell/catalog"),
        ("reverse charge", "/docs/sell/tax"),
        ("simulate failed payment", "/docs/storefront#try-payments-that-fail"),
        ("browse", "/docs/storefront/practice#browse-products"),
        ("migrations foreign keys", "/docs/modules/guide/data#migrations"),
        ("foreign_origin", "/docs/storefront/practice#pages-of-another-origin"),
    ] {
        let found = search(question);
        let paths = found.iter().take(3).map(|found| found.path.as_str()).collect::<Vec<_>>();
        assert!(paths.iter().any(|found| found.starts_with(path)), "{question}: {paths:?}");
    }
    assert_eq!(search("browse")[0].path, "/docs/storefront/practice#browse-products", "before pages about browsers");
    for found in &search("port")[..3] {
        let has_word =
            found.excerpt.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("port"));
        assert!(has_word, "before support and export: {}: {}", found.path, found.excerpt);
    }
    assert!(search("backup qqqqq").is_empty());
    assert!(search("   ").is_empty());
}
