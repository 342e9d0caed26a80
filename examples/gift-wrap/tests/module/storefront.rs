//! The module's parts of pages of the storefront.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_storefront::StorefrontModule;

use crate::shelf::{builder, stocked};

/// Where the form sends a wish.
const FORM: &str = "/do/gift-wraps";

both_databases!(customers_choose_the_paper_on_the_page_of_a_product_and_find_it_in_their_account);
async fn customers_choose_the_paper_on_the_page_of_a_product_and_find_it_in_their_account(backend: Backend) {
    let shop = stocked(builder(backend).module::<StorefrontModule>()).await;
    let mut browser = shop.browser();
    let page = browser.get("/p/teapot").await.expect_status(200).text();
    assert!(page.contains("Gift wrapping") && page.contains("stars, stripes") && !page.contains(FORM), "{page}");
    let page = browser.get("/p/anvil").await.expect_status(200).text();
    assert!(!page.contains("Gift wrapping"), "{page}");
    browser.log_in(&shop.customer().await).await;
    let page = browser.get("/p/teapot").await.expect_status(200).text();
    assert!(page.contains(&format!("action=\"{FORM}\"")) && page.contains("<option>stripes</option>"), "{page}");
    let send = |paper| {
        let own = [("_back", "/p/teapot"), ("_numbers", "product_id"), ("product_id", "1")];
        [own.as_slice(), &[("paper", paper), ("message", "For <Ada>")]].concat()
    };
    let refused = browser.submit(FORM, &send("gold")).await.expect_status(422).text();
    for part in ["<details open>", "id=\"paper-wrong\"", "For &lt;Ada&gt;</textarea>"] {
        assert!(refused.contains(part), "{part} is missing in {refused}");
    }
    browser.submit(FORM, &send("stars")).await.expect_status(303);
    let account = browser.get("/account").await.expect_status(200).text();
    assert!(account.contains("<strong>stars</strong> For &lt;Ada&gt;"), "{account}");
}
