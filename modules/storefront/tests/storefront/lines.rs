//! What modules say of products and of the lines of a cart.

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;

use crate::kit::{browser, builder, goods};

/// A module that knows in how many months a product is paid for.
struct Instalments;

struct TellMonths;

impl TellDetails for TellMonths {
    type Uses = ();
    type Details = u64;

    async fn details(&self, products: &[ShownProduct<'_>], (): &()) -> Result<Vec<Option<u64>>, DbError> {
        Ok(products.iter().map(|product| (product.slug == "reading-book").then_some(3)).collect())
    }
}

impl Module for Instalments {
    const NAME: &'static str = "instalments";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.product_details(TellMonths);
        let template = "{% if product.details.instalments %}<i>{{ product.name }} in {{ product.details.instalments }} months</i>{% endif %}";
        cx.storefront_panel(Panel::new(PanelOn::Line, template));
        Ok(())
    }
}

both_databases!(what_is_paid_later_stands_in_the_cart_and_beside_the_last_button);
async fn what_is_paid_later_stands_in_the_cart_and_beside_the_last_button(backend: Backend) {
    let shop = builder(backend).module::<Instalments>().open().await;
    shop.stock(&goods()).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    ada.submit("/cart", &[("slug", "desk-lamp"), ("quantity", "1"), ("selections.color", "steel")]).await;
    for page in ["/cart", "/checkout"] {
        let shown = ada.get(page).await.expect_status(200).text();
        assert_eq!(shown.matches("<i>Reading book in 3 months</i>").count(), 1, "{page}: {shown}");
        assert_eq!(shown.matches("<i>").count(), 1, "{page}: {shown}");
    }
}

/// A module whose part of a page says a text that nobody has.
struct Slip;

impl Module for Slip {
    const NAME: &'static str = "slip";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.storefront_panel(Panel::new(PanelOn::Product, "<i>slip</i>{{ t('slip-no-such-text') }}"));
        cx.storefront_panel(Panel::new(PanelOn::Card, "<i>slip</i>{{ t('slip-no-such-text') }}"));
        Ok(())
    }
}

struct Neighbor;

impl Module for Neighbor {
    const NAME: &'static str = "neighbor";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.storefront_panel(Panel::new(PanelOn::Product, "<i>neighbor</i>"));
        cx.storefront_panel(Panel::new(PanelOn::Card, "<i>neighbor</i>"));
        Ok(())
    }
}

both_databases!(a_part_of_a_page_that_cannot_be_shown_is_left_out_and_the_page_stays);
async fn a_part_of_a_page_that_cannot_be_shown_is_left_out_and_the_page_stays(backend: Backend) {
    let shop = builder(backend).module::<Slip>().module::<Neighbor>().open().await;
    shop.stock(&goods()).await;
    // A card is filled by a macro.
    for page in ["/p/reading-book", "/"] {
        let shown = browser(&shop).get(page).await.expect_status(200).text();
        assert!(shown.contains("Reading book") && shown.contains("<i>neighbor</i>"), "{page}: {shown}");
        assert!(!shown.contains("<i>slip</i>"), "{page}: {shown}");
    }
}
