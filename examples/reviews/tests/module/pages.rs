//! The storefront: the list below the product, and the form of those who have bought it.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{builder, buyer, open};

const FORM: &str = "action=\"/do/own-reviews/lamp\"";

both_databases!(buyers_review_on_the_page_of_the_product_and_markup_is_text);
async fn buyers_review_on_the_page_of_the_product_and_markup_is_text(backend: Backend) {
    let shop = open(builder(backend).config("[modules.reviews]\nmoderation = 'after'")).await;
    let (customer, _) = buyer(&shop).await;
    let anybody = shop.browser().get("/p/lamp").await.expect_status(200).text();
    assert!(anybody.contains("Nobody has written a review yet.") && !anybody.contains(FORM), "{anybody}");
    let mut stranger = shop.browser();
    stranger.log_in(&shop.customer().await).await;
    assert!(!stranger.get("/p/lamp").await.expect_status(200).text().contains(FORM), "only buyers review");

    let mut browser = shop.browser();
    browser.log_in(&customer).await;
    assert!(browser.get("/p/lamp").await.expect_status(200).text().contains(FORM));
    let fields = |stars: &'static str| {
        [("_back", "/p/lamp"), ("_numbers", "stars"), ("stars", stars), ("text", "<b>Warm</b>"), ("name", "A & B")]
    };
    let wrong = browser.submit("/do/own-reviews/lamp", &fields("9")).await.expect_status(422).text();
    assert!(wrong.contains("&lt;b&gt;Warm&lt;&#x2f;b&gt;</textarea>"), "what was typed is kept: {wrong}");
    let sent = browser.submit("/do/own-reviews/lamp", &fields("4")).await.expect_status(303);
    assert_eq!(sent.header("location"), Some("/p/lamp"));
    shop.refresh_catalog().await;
    let page = shop.browser().get("/p/lamp").await.expect_status(200).text();
    assert!(page.contains("4.0 of 5 stars, one review") && page.contains("&lt;b&gt;Warm"), "{page}");
    assert!(!page.contains("<b>Warm") && page.contains("A &amp; B"), "{page}");
    let account = browser.get("/account").await.expect_status(200).text();
    assert!(account.contains("Your reviews") && account.contains("4 of 5 stars"), "{account}");

    let withdraw = [("_back", "/p/lamp"), ("_method", "DELETE")];
    browser.submit("/do/own-reviews/lamp", &withdraw).await.expect_status(303);
    shop.refresh_catalog().await;
    let page = browser.get("/p/lamp").await.expect_status(200).text();
    assert!(page.contains("Nobody has written a review yet."), "{page}");
}
