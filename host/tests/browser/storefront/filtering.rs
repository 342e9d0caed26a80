//! Filters of a category, on every window.

use serde_json::json;

use super::shopper::{Script, Shopper, shop_with};

/// Whether the first product is seen without scrolling.
const SEES_A_PRODUCT: &str = "document.querySelector('.card').getBoundingClientRect().bottom < innerHeight";

/// Whether the field can be seen and used.
const SEES_THE_PRICE: &str = "document.getElementById('max').checkVisibility({ contentVisibilityAuto: true })";

async fn filter(shopper: &Shopper) {
    for (width, has_room) in [(390, false), (768, false), (1024, true), (1440, true)] {
        shopper.resize(width).await;
        shopper.go("/c/home-and-kitchen").await;
        assert_eq!(shopper.value(SEES_A_PRODUCT).await, json!(true), "a product at {width} pixels");
        assert_eq!(
            shopper.value(SEES_THE_PRICE).await,
            json!(has_room),
            "filters beside the products at {width} pixels"
        );
        if !has_room {
            shopper.value("document.querySelector('.fold > summary').click()").await;
            shopper.until("filters open", SEES_THE_PRICE).await;
        }
        shopper.fill("to", "20").await;
        shopper.value("document.querySelector('form.sieve').requestSubmit()").await;
        shopper.until("fewer are found", "location.search.includes('max=20')").await;
        shopper
            .until("it can be undone", "document.querySelector('.found a[href=\"/c/home-and-kitchen\"]') !== null")
            .await;
    }
}

#[test]
fn filters_stand_beside_the_products_or_fold_above_them() {
    shop_with(Script::On, &[], filter);
}

#[test]
fn the_same_works_without_a_script() {
    shop_with(Script::Off, &[], async |shopper| {
        filter(shopper).await;
        shopper.until("a button applies them", "document.querySelector('.act button').checkVisibility()").await;
    });
}
