//! Off, and with what operators change.

use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{CONFIG, browser};

both_databases!(without_the_module_there_are_no_pages);
async fn without_the_module_there_are_no_pages(backend: Backend) {
    let shop = TestShop::builder(backend).config(CONFIG).open().await;
    let mut visitor = browser(&shop);
    assert!(visitor.get("/").await.expect_status(200).text().contains("/development/api"));
    for path in ["/cart", "/checkout", "/login", "/p/desk-lamp", "/sitemap.xml", "/robots.txt"] {
        visitor.get(path).await.expect_error(404, "not_found");
    }
}
