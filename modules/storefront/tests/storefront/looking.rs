//! What visitors see.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use stoa_storefront::StorefrontModule;

use crate::kit::{browser, builder, goods, shop};

both_databases!(a_visitor_finds_products_by_category_search_and_filter);
async fn a_visitor_finds_products_by_category_search_and_filter(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    for (page, shows, hides) in [
        ("/", "/p/reading-book", "/p/nothing"),
        ("/c/light", "/p/desk-lamp", "/p/nothing"),
        ("/c/lamps", "/p/desk-lamp", "/p/reading-book"),
        ("/search?q=read", "/p/reading-book", "/p/desk-lamp"),
        ("/search?max=20%2C00", "/p/reading-book", "/p/desk-lamp"),
        ("/search?min=20", "/p/desk-lamp", "/p/reading-book"),
        ("/search?brand=Lumina", "/p/desk-lamp", "/p/reading-book"),
        ("/search?option.color=steel", "/p/desk-lamp", "/p/reading-book"),
    ] {
        let shown = visitor.get(page).await.expect_status(200).text();
        assert!(shown.contains(shows) && !shown.contains(hides), "{page}: {shown}");
    }
    let sorted = visitor.get("/search?sort=-price").await.expect_status(200).text();
    assert!(sorted.find("/p/desk-lamp") < sorted.find("/p/reading-book"), "{sorted}");
}

both_databases!(what_is_wrong_with_a_filter_is_told_and_nothing_is_lost);
async fn what_is_wrong_with_a_filter_is_told_and_nothing_is_lost(backend: Backend) {
    let shop = shop(backend).await;
    let page = browser(&shop).get("/search?min=cheap&q=lamp").await.expect_status(200).text();
    assert!(
        page.contains("role=\"alert\"") && page.contains("value=\"cheap\"") && page.contains("value=\"lamp\""),
        "{page}"
    );
}

both_databases!(a_list_of_nothing_says_what_helps_and_has_filters_only_where_one_is_set);
async fn a_list_of_nothing_says_what_helps_and_has_filters_only_where_one_is_set(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    for (path, says, has_filters) in [
        ("/search?q=nothing-of-this-name", "We found nothing. Try other words.", false),
        ("/search?max=1", "We found nothing. Try fewer filters.", true),
    ] {
        let page = visitor.get(path).await.expect_status(200).text();
        assert!(page.contains(says), "{path}: {page}");
        assert_eq!(page.contains("<form class=\"sieve\""), has_filters, "{path}: {page}");
    }
}

both_databases!(a_shop_without_pages_of_its_own_has_no_list_of_them_in_its_foot);
async fn a_shop_without_pages_of_its_own_has_no_list_of_them_in_its_foot(backend: Backend) {
    for (config, has_list) in [("", false), ("[shop]\nconsumer_rights = \"eu\"", true)] {
        let shop = builder(backend).config(config).open().await;
        let page = browser(&shop).get("/").await.expect_status(200).text();
        assert_eq!(page.contains("aria-label=\"About the shop\""), has_list, "{page}");
    }
}

both_databases!(markup_in_names_is_text);
async fn markup_in_names_is_text(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    for page in ["/", "/c/lamps", "/p/desk-lamp", "/search?q=%3Cscript%3E", "/feed/products.xml"] {
        let shown = visitor.get(page).await.expect_status(200).text();
        assert!(!shown.contains("<b>bright") && !shown.contains("<script>"), "{page}: {shown}");
    }
}

/// The addresses of what a page is made of.
fn theme_files(page: &str) -> Vec<String> {
    let page = page.replace("&#x2f;", "/");
    let named = page.split("/theme/").skip(1).filter_map(|rest| rest.split('"').next());
    named.map(|name| format!("/theme/{name}")).collect()
}

both_databases!(a_page_runs_nothing_but_the_shops_own_script);
async fn a_page_runs_nothing_but_the_shops_own_script(backend: Backend) {
    let shop = builder(backend).config("[modules.storefront]\naccent = \"#1d4ed8\"").open().await;
    shop.stock(&goods()).await;
    let mut visitor = browser(&shop);
    let page = visitor.get("/p/desk-lamp").await.expect_status(200);
    let policy = page.header("content-security-policy").expect("there is a policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let text = page.text();
    assert!(!text.contains("style=") && !text.contains("onclick"), "{text}");
    let files = theme_files(&text);
    assert!(files.len() >= 3, "{text}");
    for file in files {
        let asset = visitor.get(&file).await.expect_status(200);
        assert!(asset.header("cache-control").is_some_and(|kept| kept.contains("immutable")), "{file}");
    }
}

both_databases!(what_a_page_is_made_of_is_there_also_when_no_more_pages_are);
async fn what_a_page_is_made_of_is_there_also_when_no_more_pages_are(backend: Backend) {
    let limits = "[limits]\ncatalog = { requests = 1, per_seconds = 60 }";
    let shop = TestShop::builder(backend).module::<StorefrontModule>().config(limits).open().await;
    shop.stock(&goods()).await;
    let mut visitor = browser(&shop);
    let page = visitor.get("/").await.expect_status(200).text();
    visitor.get("/").await.expect_status(429);
    visitor.get(&theme_files(&page)[0]).await.expect_status(200);
}

both_databases!(a_path_that_leads_nowhere_is_a_page_for_people_and_json_for_programs);
async fn a_path_that_leads_nowhere_is_a_page_for_people_and_json_for_programs(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    let page = visitor.get("/nowhere").await.expect_status(404);
    assert!(page.text().contains("There is nothing here"), "{}", page.text());
    assert_eq!(
        visitor.get("/p/nowhere").await.expect_status(404).header("content-type"),
        Some("text/html; charset=utf-8")
    );
    visitor.get("/api/v1/nowhere").await.expect_error(404, "not_found");
    shop.browser().get("/nowhere").await.expect_error(404, "not_found");
}

both_databases!(programs_find_all_pages_and_products);
async fn programs_find_all_pages_and_products(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    let sitemap = visitor.get("/sitemap.xml").await.expect_status(200).text();
    for address in ["/c/light", "/c/lamps", "/p/desk-lamp", "/p/reading-book"] {
        assert!(sitemap.contains(address), "{sitemap}");
    }
    assert!(visitor.get("/robots.txt").await.expect_status(200).text().contains("/sitemap.xml"));
    let icon = visitor.get("/favicon.svg").await.expect_status(200);
    assert!(icon.header("content-type") == Some("image/svg+xml") && icon.text().contains("<svg"), "{}", icon.text());
    let feed = visitor.get("/feed/products.xml").await.expect_status(200).text();
    assert!(feed.contains("49.00 EUR"), "{feed}");
    let page = visitor.get("/p/reading-book").await.expect_status(200).text();
    assert!(page.contains("\"@type\":\"Product\"") && page.contains("\"price\":\"15.00\""), "{page}");
}

both_databases!(pages_say_which_address_is_theirs_and_what_is_shown_where_they_are_shared);
async fn pages_say_which_address_is_theirs_and_what_is_shown_where_they_are_shared(backend: Backend) {
    let shop = shop(backend).await;
    let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100, "active": true,
                      "images": ["lamp.jpg"]});
    shop.stock(&[lamp]).await;
    let mut visitor = browser(&shop);
    for (asked, own, title, kind) in [
        ("/?from=mail", "/", "", "website"),
        ("/c/light?sort=price", "/c/light", "Light", "website"),
        ("/p/lamp?from=mail", "/p/lamp", "Lamp", "product"),
    ] {
        let page = visitor.get(asked).await.expect_status(200).text().replace("&#x2f;", "/");
        let (_, canonical) = page.split_once("<link rel=\"canonical\" href=\"").expect("it has an address");
        let canonical = canonical.split('"').next().unwrap_or_default();
        assert_eq!(canonical, format!("{}{own}", &*shop.parts.base_url));
        for (property, says) in [("title", title), ("type", kind)] {
            let meta = format!("<meta property=\"og:{property}\" content=\"{says}");
            assert!(page.contains(&meta), "{meta}: {page}");
        }
    }
    let page = visitor.get("/p/lamp").await.expect_status(200).text().replace("&#x2f;", "/");
    assert!(page.contains("<meta property=\"og:image\" content=\"http") && page.contains("lamp.jpg\">"), "{page}");
    let (_, told) = page.split_once("<script type=\"application/ld+json\">").expect("programs are told");
    let told = told.split("</script>").next().unwrap_or_default();
    let told = serde_json::from_str::<serde_json::Value>(told).expect("it is JSON");
    assert_eq!(told["offers"]["@type"], "Offer");
    assert_eq!(told["offers"]["priceCurrency"], "EUR");
    assert_eq!(told["offers"]["availability"], "https://schema.org/InStock");
}

both_databases!(a_visitor_reads_the_shop_in_the_language_that_was_chosen);
async fn a_visitor_reads_the_shop_in_the_language_that_was_chosen(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    visitor.submit("/language", &[("language", "de"), ("next", "/cart")]).await.expect_status(303);
    assert!(visitor.get("/cart").await.expect_status(200).text().contains("Ihr Warenkorb ist leer."));
    let dutch = browser(&shop).with_header("accept-language", "nl-BE").get("/cart").await.expect_status(200).text();
    assert!(dutch.contains("Uw winkelwagen is leeg."), "{dutch}");
}

both_databases!(errors_are_told_in_the_language_that_was_chosen);
async fn errors_are_told_in_the_language_that_was_chosen(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop).with_header("accept-language", "en");
    visitor.submit("/language", &[("language", "nl"), ("next", "/cart")]).await.expect_status(303);
    for path in ["/nowhere", "/p/nowhere", "/order/O-000001"] {
        let page = visitor.get(path).await.expect_status(404).text();
        assert!(page.contains("<html lang=\"nl\">"), "{path}: {page}");
    }
    // Programs say by their header what they want.
    let told = visitor.get("/api/v1/nowhere").await.expect_error(404, "not_found").text();
    assert!(told.contains("We could not find"), "{told}");
}

both_databases!(documents_for_programs_are_made_anew_when_the_catalog_changes);
async fn documents_for_programs_are_made_anew_when_the_catalog_changes(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    for path in ["/sitemap.xml", "/feed/products.xml"] {
        let first = visitor.get(path).await.expect_status(200).text();
        assert_eq!(visitor.get(path).await.expect_status(200).text(), first);
        assert!(first.contains("reading-book"), "{first}");
    }
    shop.stock(&[serde_json::json!({"type": "product", "slug": "night-ink", "name": "Night ink", "price_amount": 900,
                                    "active": true, "category": "light"})])
        .await;
    for path in ["/sitemap.xml", "/feed/products.xml"] {
        let changed = visitor.get(path).await.expect_status(200).text();
        assert!(changed.contains("night-ink"), "{changed}");
    }
    let squeezed = visitor.with_header("accept-encoding", "gzip").get("/sitemap.xml").await.expect_status(200);
    assert!(squeezed.body.len() < 1024 || squeezed.header("content-encoding") == Some("gzip"));
}

both_databases!(a_slip_in_a_template_of_the_theme_keeps_nobody_from_buying);
async fn a_slip_in_a_template_of_the_theme_keeps_nobody_from_buying(backend: Backend) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("templates")).expect("a folder");
    std::fs::write(folder.path().join("templates/product.html"), "{{ product.name|bogus }}").expect("it is written");
    let theme = format!("[modules.storefront]\ntheme = \"{}\"", folder.path().display());
    let shop = builder(backend).config(&theme).open().await;
    shop.stock(&goods()).await;
    let page = browser(&shop).get("/p/reading-book").await.expect_status(200).text();
    assert!(page.contains("Add to cart"), "{page}");
}

both_databases!(caches_outside_keep_pages_by_what_stands_on_them_and_never_a_visitors_own);
async fn caches_outside_keep_pages_by_what_stands_on_them_and_never_a_visitors_own(backend: Backend) {
    let cache = "[catalog]\ncache = { shared_seconds = 3600, stale_seconds = 60 }";
    let shop = builder(backend).config(cache).open().await;
    shop.stock(&goods()).await;
    let control = "public, max-age=0, s-maxage=3600, stale-while-revalidate=60";
    let mut visitor = browser(&shop);
    for (page, key) in [
        ("/", "list"),
        ("/c/lamps", "category-"),
        ("/p/desk-lamp", "product-"),
        ("/search?q=read", "list"),
        ("/sitemap.xml", "list"),
        ("/feed/products.xml", "products"),
    ] {
        // The second time it comes from memory.
        for _ in 0..2 {
            let shown = visitor.get(page).await.expect_status(200);
            assert_eq!(shown.header("cache-control"), Some(control), "{page}");
            let keys = shown.header("surrogate-key").unwrap_or_default();
            assert!(keys.contains(key) && keys.contains("catalog"), "{page}: {keys}");
            assert_eq!(shown.header("cache-tag"), Some(keys.replace(' ', ",").as_str()), "{page}");
        }
    }
    let live = visitor.get("/search?available=1").await.expect_status(200);
    assert_eq!(
        (live.header("cache-control"), live.header("surrogate-key")),
        (Some("public, max-age=0, must-revalidate"), None)
    );
    let customer = shop.customer().await;
    let mut own = [browser(&shop), browser(&shop), browser(&shop)];
    own[0].log_in(&customer).await;
    own[1].set_cookie("cart", "abc");
    own[2].set_cookie("notice", "added");
    for browser in &mut own {
        for page in ["/", "/p/desk-lamp"] {
            let own = browser.get(page).await;
            assert_eq!(own.header("surrogate-key"), None, "{page}");
            assert!(own.header("cache-control").is_some_and(|control| !control.contains("s-maxage")), "{page}");
        }
    }
}

both_databases!(products_of_no_category_are_found_without_a_search);
async fn products_of_no_category_are_found_without_a_search(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    let way = "<a href=\"/search\">All products</a>";
    let page = visitor.get("/").await.expect_status(200).text();
    assert!(!page.contains(way), "{page}");
    let loose =
        json!({"type": "product", "slug": "gift-card", "name": "Gift card", "price_amount": 2500, "active": true});
    shop.stock(&[loose]).await;
    let page = visitor.get("/cart").await.expect_status(200).text();
    assert!(page.contains(way), "{page}");
    let page = visitor.get("/search").await.expect_status(200).text();
    assert!(page.contains("Gift card") && page.contains("aria-current=\"page\">All products</a>"), "{page}");
}

/// The values of attributes of the first thing in a page that begins so.
fn attributes(page: &str, start: &str, names: [&str; 3]) -> [String; 3] {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("no {start} in {page}"));
    let (own, _) = rest.split_once('>').expect("it ends");
    names.map(|name| {
        let value = own.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        value.unwrap_or_else(|| panic!("no {name} in {own}")).0.to_owned()
    })
}

both_databases!(the_head_of_a_page_asks_for_its_largest_picture_as_the_page_does);
async fn the_head_of_a_page_asks_for_its_largest_picture_as_the_page_does(backend: Backend) {
    let shop = builder(backend).open().await;
    let lamps = json!({"type": "category", "slug": "lamps", "name": "Lamps"});
    let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100, "active": true,
                      "category": "lamps", "images": ["lamp.jpg", "shade.jpg"]});
    let plain = json!({"type": "product", "slug": "plain", "name": "Plain", "price_amount": 100, "active": true});
    shop.stock(&[lamps, plain, lamp]).await;
    for path in ["/c/lamps", "/p/lamp", "/search?q=lamp"] {
        let page = browser(&shop).get(path).await.expect_status(200).text();
        assert_eq!(page.matches("rel=\"preload\"").count(), 1, "{path}: {page}");
        let asked = attributes(&page, "<link rel=\"preload\" as=\"image\"", ["href", "imagesrcset", "imagesizes"]);
        assert_eq!(asked, attributes(&page, "<img", ["src", "srcset", "sizes"]), "{path}");
    }
    // Nothing is asked for where the page has no picture.
    for path in ["/p/plain", "/search?q=plain", "/search?q=nothing-of-this-name"] {
        let page = browser(&shop).get(path).await.expect_status(200).text();
        assert!(!page.contains("preload"), "{path}: {page}");
    }
}

both_databases!(the_home_page_asks_for_the_picture_of_what_is_newest);
async fn the_home_page_asks_for_the_picture_of_what_is_newest(backend: Backend) {
    let shop = builder(backend).open().await;
    let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100, "active": true,
                      "images": ["lamp.jpg"]});
    let home = browser(&shop).get("/").await.expect_status(200).text();
    assert!(!home.contains("preload"), "{home}");
    shop.stock(&[lamp]).await;
    let home = browser(&shop).get("/").await.expect_status(200).text();
    let asked = attributes(&home, "<link rel=\"preload\" as=\"image\"", ["href", "imagesrcset", "imagesizes"]);
    assert_eq!(asked, attributes(&home, "<img", ["src", "srcset", "sizes"]));
}

both_databases!(phones_take_no_wider_copies_than_640_pixels);
async fn phones_take_no_wider_copies_than_640_pixels(backend: Backend) {
    let shop = builder(backend).open().await;
    let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100, "active": true,
                      "images": ["lamp.jpg"]});
    shop.stock(&[lamp]).await;
    for path in ["/", "/p/lamp", "/search"] {
        let page = browser(&shop).get(path).await.expect_status(200).text();
        let (_, sizes) = page.split_once("sizes=\"").expect("a picture in several widths");
        let sizes = sizes.split('"').next().unwrap_or_default();
        let of_phones = sizes.rsplit(", ").next().and_then(|share| share.strip_suffix("vw"));
        let share = of_phones.and_then(|share| share.parse::<u32>().ok()).expect("a share of the screen");
        // The widest phones, of three pixels for each that style counts.
        assert!(430 * 3 * share / 100 <= 640, "{path}: {sizes}");
    }
}

both_databases!(what_the_catalog_has_answered_once_is_not_asked_of_the_database_for_the_next_page);
async fn what_the_catalog_has_answered_once_is_not_asked_of_the_database_for_the_next_page(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    visitor.get("/search").await.expect_status(200);
    let before = shop.parts.db.statements();
    visitor.get("/search?sort=price").await.expect_status(200);
    assert_eq!(shop.parts.db.statements(), before);
}

both_databases!(a_colour_of_ones_own_is_a_style_sheet_and_without_one_there_is_none);
async fn a_colour_of_ones_own_is_a_style_sheet_and_without_one_there_is_none(backend: Backend) {
    let plain = browser(&builder(backend).open().await).get("/").await.expect_status(200).text();
    assert!(!plain.contains("accent."), "{plain}");
    let shop = builder(backend).config("[modules.storefront]\naccent = \"#1d4ed8\"").open().await;
    let coloured = browser(&shop).get("/").await.expect_status(200).text();
    assert!(theme_files(&coloured).iter().any(|file| file.starts_with("/theme/accent.")), "{coloured}");
}
