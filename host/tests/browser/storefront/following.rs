//! What the script shows while somebody chooses and types: the price of what is chosen, the category one is in, and products of what is
//! searched for.

use super::shopper::{Script, shop_with};

#[test]
fn the_price_of_a_product_follows_its_options_to_the_cart() {
    shop_with(Script::On, &[], async |shopper| {
        let says = |price: &str| format!("document.querySelector('[data-price] strong').textContent === '{price}'");
        shopper.go("/p/aegean-blanket").await;
        shopper.until("the price is that of the smallest", &says("€129.00")).await;
        for (size, price) in [("King", "€227.00"), ("Double", "€181.00"), ("Throw", "€129.00"), ("King", "€227.00")]
        {
            shopper.choose("Size", size).await;
            shopper.until("the price follows", &says(price)).await;
        }
        shopper.press("button", "Add to cart").await;
        shopper.sees("€227.00").await;
    });
}

#[test]
fn in_another_language_it_is_written_as_before() {
    shop_with(Script::On, &[], async |shopper| {
        shopper.go("/p/aegean-blanket").await;
        shopper.choose("Language", "Deutsch").await;
        let is_german = "document.documentElement.lang === 'de' && document.readyState === 'complete'";
        shopper.until("the page is in German", is_german).await;
        shopper.choose("Size", "King").await;
        let is_followed = "document.querySelector('[data-price] strong').textContent === '€227.00'";
        shopper.until("the price follows", is_followed).await;
    });
}

#[test]
fn the_category_one_is_in_is_seen_on_a_phone() {
    shop_with(Script::On, &[], async |shopper| {
        shopper.resize(390).await;
        shopper.go("/c/workshops-and-tickets").await;
        let place = "document.querySelector('.kinds [aria-current]').getBoundingClientRect()";
        let is_seen = format!("((place) => place.left >= 0 && place.right <= innerWidth)({place})");
        shopper.until("its name is in the window", &is_seen).await;
    });
}

#[test]
fn products_are_suggested_while_one_types_and_reached_by_keys() {
    shop_with(Script::On, &[], async |shopper| {
        let are_shown = "document.querySelectorAll('.suggest a').length > 0";
        let is_first = "document.activeElement === document.querySelector('.suggest a')";
        let is_in_the_field = "document.activeElement.id === 'find'";
        shopper.go("/").await;
        shopper.tab_until("true").await;
        shopper.press_key("/").await;
        shopper.until("a key leads to the search", is_in_the_field).await;
        shopper.type_in("tea").await;
        shopper.until("products are suggested", are_shown).await;
        shopper.press_key("Escape").await;
        shopper.until("they are gone", "document.querySelector('.suggest') === null").await;
        // Chromium empties a field of searches with that key.
        shopper.type_in("tea").await;
        shopper.until("products are suggested again", are_shown).await;
        shopper.press_key("ArrowDown").await;
        shopper.until("the first can be followed", is_first).await;
        shopper.press_key("ArrowUp").await;
        shopper.until("one can go on typing", is_in_the_field).await;
        shopper.press_key("ArrowDown").await;
        shopper.until("the first can be followed", is_first).await;
        shopper.enter().await;
        assert!(shopper.path().await.starts_with("/p/"), "{}", shopper.path().await);
    });
}
