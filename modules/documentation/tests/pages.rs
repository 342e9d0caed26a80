//! The documentation in a shop: read with a browser, searched, and switched off.

use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};
use stoa_documentation::DocumentationModule;

const CONFIG: &str = "[limits]\ncatalog = { requests = 0, per_seconds = 60 }";

async fn shop(backend: Backend) -> TestShop {
    TestShop::builder(backend).module::<DocumentationModule>().config(CONFIG).open().await
}

fn browser(shop: &TestShop) -> TestBrowser {
    shop.browser().with_header("accept", "text/html,application/xhtml+xml")
}

both_databases!(pages_are_read_without_script_and_without_any_other_host);
async fn pages_are_read_without_script_and_without_any_other_host(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    for path in [
        "/docs",
        "/docs/operate/backup",
        "/docs/reference/api/errors",
        "/docs/modules/guide",
        "/docs/modules/guide/data",
        "/docs/quick-start.de",
    ] {
        let answer = visitor.get(path).await.expect_status(200);
        let policy = answer.header("content-security-policy").expect("a page has a policy").to_owned();
        assert!(policy.starts_with("default-src 'none'; style-src 'self'"), "{policy}");
        assert_eq!(answer.header("x-robots-tag"), Some("noindex"), "{path}");
        let page = answer.text();
        assert!(!page.contains("<script") && !page.contains(" style="), "{path}");
        let sources = page.split("src=\"").skip(1).chain(page.split("<link rel=\"stylesheet\" href=\"").skip(1));
        let foreign = sources.filter(|rest| !rest.starts_with('/')).count();
        assert_eq!(foreign, 0, "{path}");
    }
    let contents = visitor.get("/docs").await.text();
    let sheet = contents.split("rel=\"stylesheet\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
    let sheet = visitor.get(sheet.expect("pages have a style sheet")).await.expect_status(200);
    assert_eq!(sheet.header("content-type"), Some("text/css; charset=utf-8"));
}

both_databases!(sections_are_found_by_their_words);
async fn sections_are_found_by_their_words(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    let found = visitor.get("/docs/search?q=restore+drill").await.expect_status(200).text();
    assert!(found.contains("href=\"/docs/operate/backup#"), "{found}");
    let nothing = visitor.get("/docs/search?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E").await.expect_status(200).text();
    assert!(nothing.contains("Nothing holds") && !nothing.contains("<script>"), "{nothing}");
    assert!(visitor.get("/docs/search").await.expect_status(200).text().contains("Write one word"));
}

both_databases!(agents_get_markdown);
async fn agents_get_markdown(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    let list = visitor.get("/docs/llms.txt").await.expect_status(200).text();
    assert!(list.starts_with("# Stoa\n\n> "), "{list}");
    for path in list.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        visitor.get(path).await.expect_status(200);
    }
    let page = visitor.get("/docs/operate/backup.md").await.expect_status(200);
    assert_eq!(page.header("content-type"), Some("text/markdown; charset=utf-8"));
    assert!(page.text().starts_with("# Backup and restore\n"));
}

both_databases!(what_is_not_there_is_not_found);
async fn what_is_not_there_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    for path in [
        "/docs/no-page",
        "/docs/no-page.md",
        "/docs/assets/docs.css",
        "/docs/pictures/none.webp",
        "/docs/../config.toml",
    ] {
        visitor.get(path).await.expect_error(404, "not_found");
    }
    let off = TestShop::builder(backend).open().await;
    let mut visitor = browser(&off);
    for path in ["/docs", "/docs/operate/backup", "/docs/llms.txt", "/docs/search?q=backup"] {
        visitor.get(path).await.expect_error(404, "not_found");
    }
}
