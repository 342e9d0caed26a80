//! The module's part of the storefront.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use stoa_storefront::StorefrontModule;

use crate::shelf::builder;

/// Where the form sends what is written.
const FORM: &str = "/do/guest-book";

both_databases!(customers_write_entries_on_the_page_of_their_account_without_script);
async fn customers_write_entries_on_the_page_of_their_account_without_script(backend: Backend) {
    let shop = builder(backend).module::<StorefrontModule>().open().await;
    let mut browser = shop.browser();
    browser.log_in(&shop.customer().await).await;
    let empty = browser.get("/account").await.expect_status(200).text();
    assert!(empty.contains(&format!("action=\"{FORM}\"")), "{empty}");
    let send = |text| [("_back", "/account"), ("text", text)];
    browser.submit(FORM, &send("A lovely shop.")).await.expect_status(303);
    let written = browser.get("/account").await.expect_status(200).text();
    assert!(written.contains("A lovely shop."), "{written}");
    let refused = browser.submit(FORM, &send("Look at https://tea.example.")).await.expect_status(422).text();
    for text in ["Please write your entry without web addresses.", "tea.example.</textarea>", "A lovely shop."] {
        assert!(refused.contains(text), "{text} is missing in {refused}");
    }
}
