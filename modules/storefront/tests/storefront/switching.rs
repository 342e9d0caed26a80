//! Off, and with what operators change.

use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{CONFIG, browser, builder, goods};

both_databases!(without_the_module_there_are_no_pages);
async fn without_the_module_there_are_no_pages(backend: Backend) {
    let shop = TestShop::builder(backend).config(CONFIG).open().await;
    let mut visitor = browser(&shop);
    assert!(visitor.get("/").await.expect_status(200).text().contains("/development/api"));
    for path in ["/cart", "/checkout", "/login", "/p/desk-lamp", "/sitemap.xml", "/robots.txt"] {
        visitor.get(path).await.expect_error(404, "not_found");
    }
    visitor.get("/api/v1/products").await.expect_status(200);
}

both_databases!(a_theme_with_one_template_and_one_colour_of_ones_own_changes_these_and_nothing_else);
async fn a_theme_with_one_template_and_one_colour_of_ones_own_changes_these_and_nothing_else(backend: Backend) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("templates")).expect("a folder");
    let own = "{% extends 'base.html' %}{% block main %}<h1>Welcome to our lamps</h1>{% endblock %}";
    std::fs::write(folder.path().join("templates/home.html"), own).expect("it is written");
    std::fs::write(folder.path().join("sign.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .expect("it is written");
    let place = folder.path().display();
    let config =
        format!("[modules.storefront]\ntheme = \"{place}\"\nlogo = \"{place}/sign.svg\"\naccent = \"#b91c1c\"");
    let shop = builder(backend).config(&config).open().await;
    shop.stock(&goods()).await;
    let mut visitor = browser(&shop);
    let home = visitor.get("/").await.expect_status(200).text().replace("&#x2f;", "/");
    assert!(home.contains("<h1>Welcome to our lamps</h1>") && home.contains("Cart</a>"), "{home}");
    assert!(!home.contains("/p/reading-book"), "{home}");
    for (file, holds) in
        [("accent.", "--accent:#b91c1c;--accent-text:#fff"), ("logo.", "<svg"), ("shop.", "--accent: ")]
    {
        let (_, rest) = home.split_once(&format!("/theme/{file}")).unwrap_or_else(|| panic!("no {file}: {home}"));
        let name = rest.split('"').next().unwrap_or_default();
        let content = visitor.get(&format!("/theme/{file}{name}")).await.expect_status(200).text();
        assert!(content.contains(holds), "{file}: {content}");
    }
    let page = visitor.get("/p/reading-book").await.expect_status(200).text();
    assert!(page.contains("Add to cart"), "{page}");
}

both_databases!(pages_of_the_operators_own_are_linked_at_the_foot_of_every_page_in_the_visitors_language);
async fn pages_of_the_operators_own_are_linked_at_the_foot_of_every_page_in_the_visitors_language(backend: Backend) {
    let folder = tempfile::tempdir().expect("a folder");
    let terms = "---\ntitle: Terms\n---\n\nWe **sell** lamps.\n";
    std::fs::write(folder.path().join("terms.md"), terms).expect("it is written");
    let terms = "---\ntitle: \"AGB & mehr\"\n---\n\nWir **verkaufen** Lampen.\n";
    std::fs::write(folder.path().join("terms.de.md"), terms).expect("it is written");
    let config = format!("[modules.storefront]\npages = \"{}\"", folder.path().display());
    let shop = builder(backend).config(&config).open().await;
    shop.stock(&goods()).await;
    // A program reads the pages before it serves; here, whoever comes first has them read.
    browser(&shop).get("/robots.txt").await.expect_status(200);
    for (language, title, says) in [
        ("en", "Terms", "We <strong>sell</strong> lamps."),
        ("de", "AGB &amp; mehr", "Wir <strong>verkaufen</strong> Lampen."),
        ("nl", "Terms", "We <strong>sell</strong> lamps."),
    ] {
        let mut visitor = browser(&shop).with_header("accept-language", language);
        for page in ["/", "/p/reading-book", "/cart", "/login"] {
            let shown = visitor.get(page).await.expect_status(200).text();
            assert!(shown.contains(&format!("<a href=\"/pages/terms\">{title}</a>")), "{language}, {page}: {shown}");
        }
        let page = visitor.get("/pages/terms").await.expect_status(200).text();
        assert!(page.contains(&format!("<h1>{title}</h1>")) && page.contains(says), "{language}: {page}");
    }
    let mut visitor = browser(&shop);
    visitor.get("/pages/imprint").await.expect_status(404);
    let sitemap = visitor.get("/sitemap.xml").await.expect_status(200).text();
    assert!(sitemap.contains("/pages/terms</loc>"), "{sitemap}");
}
