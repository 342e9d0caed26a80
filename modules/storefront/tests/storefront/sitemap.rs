//! What search engines are told of.

use serde_json::json;
use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;

use crate::kit::{browser, builder, goods, shop};

/// Skips the numbers that a part of the sitemap covers.
const MAKE_MANY: Sql = sql!(
    sqlite: "UPDATE sqlite_sequence SET seq = 49000 WHERE name = 'products'",
    postgres: "SELECT setval(pg_get_serial_sequence('products', 'id'), 49000)",
);

/// A module with a public page.
struct Reviews;

struct ListReviews;

impl ListPages for ListReviews {
    type Uses = ();

    async fn pages(&self, (): &()) -> Result<Vec<SitemapPage>, DbError> {
        Ok(vec![SitemapPage::new("/reviews?by=stars&of=lamps")])
    }
}

impl Module for Reviews {
    const NAME: &'static str = "reviews";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.sitemap(ListReviews);
        Ok(())
    }
}

/// A module that halves the price of its products from a moment on.
struct Sale;

#[derive(Deserialize)]
struct SaleSettings {
    #[serde(rename = "from")]
    _from: i64,
}

impl ProductSettings for SaleSettings {}

struct SalePrice;

impl UnitPrice for SalePrice {
    const VARIES: bool = true;

    fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64 {
        let has_begun = unit.settings["from"].as_i64().is_some_and(|from| unit.now.timestamp() >= from);
        if has_begun { unit.list_amount / 2 } else { unit.list_amount }
    }
}

impl Module for Sale {
    const NAME: &'static str = "sale";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.product_settings::<SaleSettings>();
        cx.unit_price(SalePrice);
        Ok(())
    }
}

both_databases!(a_price_that_changes_with_the_time_is_in_the_feed_an_hour_later);
async fn a_price_that_changes_with_the_time_is_in_the_feed_an_hour_later(backend: Backend) {
    let shop = builder(backend).module::<Sale>().open().await;
    shop.stock(&goods()).await;
    let settings = json!({"sale": {"from": shop.now().timestamp() + 60}});
    shop.stock(&[json!({"type": "product", "slug": "reading-book", "modules": settings})]).await;
    let mut visitor = browser(&shop);
    let before = visitor.get("/feed/products.xml").await.expect_status(200).text();
    assert!(before.contains("15.00 EUR") && !before.contains("7.50 EUR"), "{before}");
    shop.clock.advance(TimeDelta::hours(1));
    let after = visitor.get("/feed/products.xml").await.expect_status(200).text();
    assert!(after.contains("7.50 EUR") && after.contains("49.00 EUR"), "{after}");
}

both_databases!(pages_of_modules_are_in_the_sitemap);
async fn pages_of_modules_are_in_the_sitemap(backend: Backend) {
    let shop = builder(backend).module::<Reviews>().open().await;
    shop.stock(&goods()).await;
    let sitemap = browser(&shop).get("/sitemap.xml").await.expect_status(200).text();
    assert!(sitemap.contains("/reviews?by=stars&amp;of=lamps</loc>"), "{sitemap}");
    assert!(sitemap.contains("/p/desk-lamp</loc><lastmod>20"), "{sitemap}");
}

both_databases!(a_sitemap_of_many_products_is_an_index_of_several);
async fn a_sitemap_of_many_products_is_an_index_of_several(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    let parts = ["/sitemaps/pages-1.xml", "/sitemaps/products-1.xml"];
    for (part, holds) in parts.iter().zip(["/c/lamps</loc>", "/p/reading-book</loc>"]) {
        let part = visitor.get(part).await.expect_status(200);
        assert_eq!(part.header("content-type"), Some("application/xml"));
        assert!(part.text().contains(holds), "{}", part.text());
    }
    for unknown in ["products-2.xml", "products-0.xml", "products-99999999999.xml", "pages-2.xml", "products", "-1.xml"]
    {
        visitor.get(&format!("/sitemaps/{unknown}")).await.expect_status(404);
    }
    // As in a shop where many products have been made before.
    shop.parts.db.write(async |tx| tx.run(MAKE_MANY).execute().await).await.expect("numbers are skipped");
    shop.stock(&[
        json!({"type": "product", "slug": "night-ink", "name": "Night ink", "price_amount": 900, "active": true}),
    ])
    .await;
    let second = visitor.get("/sitemaps/products-2.xml").await.expect_status(200).text();
    assert!(second.contains("/p/night-ink</loc>") && !second.contains("reading-book"), "{second}");
    let whole = visitor.get("/sitemap.xml").await.expect_status(200).text();
    assert!(whole.contains("/p/night-ink</loc>") && whole.contains("/p/reading-book</loc>"), "{whole}");
}
