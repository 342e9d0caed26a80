//! From the cart to the order.

use serde_json::json;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use crate::kit::{browser, builder, buy_a_book, goods, guest, leads_to, shop, value_of};

both_databases!(a_guest_buys_without_script_and_sees_the_order);
async fn a_guest_buys_without_script_and_sees_the_order(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    let place = buy_a_book(&mut ada).await;
    assert_eq!(place, "/order/O-000001");
    let page = ada.get(&place).await.expect_status(200).text();
    assert!(page.contains("Order O-000001") && page.contains("Reading book") && page.contains("€15.00"), "{page}");
    assert!(ada.get("/cart").await.expect_status(200).text().contains("Your cart is empty."));
    // Nobody else sees it.
    browser(&shop).get(&place).await.expect_status(404);
}

both_databases!(an_order_that_is_sent_twice_is_one);
async fn an_order_that_is_sent_twice_is_one(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let page = ada.get("/checkout").await.expect_status(200).text();
    let key = value_of(&page, "idempotency_key");
    let first = ada.submit("/checkout", &guest(&key, "1500")).await;
    let again = ada.submit("/checkout", &guest(&key, "1500")).await;
    assert_eq!(leads_to(&first), leads_to(&again));
    ada.get("/order/O-000002").await.expect_status(404);
}

both_databases!(what_was_typed_wrongly_is_told_beside_its_field_and_nothing_is_lost);
async fn what_was_typed_wrongly_is_told_beside_its_field_and_nothing_is_lost(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let typed = [
        ("order", "1"),
        ("idempotency_key", "k-1"),
        ("email", "no address"),
        ("billing.name", "Ada <Buyer>"),
        ("billing.city", "Gent"),
    ];
    let page = ada.submit("/checkout", &typed).await.expect_status(422).text();
    assert!(page.contains("id=\"email-wrong\"") && page.contains("role=\"alert\""), "{page}");
    assert!(page.contains("value=\"no address\"") && page.contains("value=\"Ada &lt;Buyer&gt;\""), "{page}");
    assert!(page.contains("value=\"Gent\"") && page.contains("value=\"k-1\""), "{page}");
}

both_databases!(nothing_is_ordered_at_a_price_that_was_not_shown);
async fn nothing_is_ordered_at_a_price_that_was_not_shown(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let key = value_of(&ada.get("/checkout").await.text(), "idempotency_key");
    let page = ada.submit("/checkout", &guest(&key, "1400")).await.expect_status(409).text();
    assert_eq!(value_of(&page, "expected_total_amount"), "1500");
    assert!(page.contains("role=\"alert\"") && page.contains("The total has changed in the meantime."), "{page}");
    assert_eq!(leads_to(&ada.submit("/checkout", &guest(&key, "1500")).await), "/order/O-000001");
}

both_databases!(whoever_goes_back_from_an_order_and_changes_the_form_orders_nothing_again_unasked);
async fn whoever_goes_back_from_an_order_and_changes_the_form_orders_nothing_again_unasked(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let key = value_of(&ada.get("/checkout").await.text(), "idempotency_key");
    ada.submit("/checkout", &guest(&key, "1500")).await.expect_status(303);
    assert_eq!(leads_to(&ada.get("/checkout").await), "/cart");
    let changed = [guest(&key, "1500").as_slice(), &[("note", "Ring twice")]].concat();
    assert_eq!(leads_to(&ada.submit("/checkout", &changed).await), "/account/orders");
    let orders = ada.get("/account/orders").await.expect_status(200).text();
    assert!(orders.contains("You have placed this order already.") && orders.contains("O-000001"), "{orders}");
    // With something new in the cart, the form is another order.
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let page = ada.submit("/checkout", &changed).await.expect_status(200).text();
    assert!(page.contains("Here is the total with everything you have chosen."), "{page}");
    let fresh = value_of(&page, "idempotency_key");
    assert_ne!(fresh, key);
    assert_eq!(leads_to(&ada.submit("/checkout", &guest(&fresh, "1500")).await), "/order/O-000002");
    ada.get("/order/O-000003").await.expect_status(404);
}

both_databases!(two_tabs_with_one_cart_order_it_once_and_the_second_says_so);
async fn two_tabs_with_one_cart_order_it_once_and_the_second_says_so(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let mut keys = Vec::new();
    for _tab in 0..2 {
        keys.push(value_of(&ada.get("/checkout").await.text(), "idempotency_key"));
    }
    assert_ne!(keys[0], keys[1]);
    ada.submit("/checkout", &guest(&keys[0], "1500")).await.expect_status(303);
    let page = ada.submit("/checkout", &guest(&keys[1], "1500")).await.expect_status(422).text();
    assert!(page.contains("role=\"alert\"") && page.contains("Your cart is empty."), "{page}");
    ada.get("/order/O-000002").await.expect_status(404);
}

both_databases!(a_total_that_was_not_on_the_page_is_shown_before_it_is_charged);
async fn a_total_that_was_not_on_the_page_is_shown_before_it_is_charged(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let key = value_of(&ada.get("/checkout").await.text(), "idempotency_key");
    let page = ada.submit("/checkout", &guest(&key, "")).await.expect_status(200).text();
    assert!(page.contains("Here is the total with everything you have chosen."), "{page}");
    assert_eq!(
        (value_of(&page, "expected_total_amount"), value_of(&page, "idempotency_key")),
        ("1500".into(), key.clone())
    );
    assert_eq!(leads_to(&ada.submit("/checkout", &guest(&key, "1500")).await), "/order/O-000001");
}

both_databases!(everything_that_is_missing_is_said_at_once_and_by_what_people_read);
async fn everything_that_is_missing_is_said_at_once_and_by_what_people_read(backend: Backend) {
    let consent =
        "[[shop.consents]]\nid = \"terms\"\nversion = \"1\"\nlabel = { en = \"I accept the terms.\" }\nrequired = true";
    let shop = builder(backend).config(consent).open().await;
    shop.stock(&goods()).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let page = ada.submit("/checkout", &[("order", "1")]).await.expect_status(422).text();
    for said in [
        "Enter your e-mail address.",
        "Enter the name.",
        "Enter the street and number.",
        "Enter the postal code.",
        "Enter the city.",
        "Choose the country.",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(page.contains("Please agree to this first: I accept the terms."), "{page}");
}

both_databases!(an_option_that_is_missing_is_asked_for_on_the_products_page);
async fn an_option_that_is_missing_is_asked_for_on_the_products_page(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    let page = ada.submit("/cart", &[("slug", "desk-lamp"), ("quantity", "3")]).await.expect_status(422).text();
    assert!(page.contains("id=\"selections.color-wrong\"") && page.contains("value=\"3\""), "{page}");
    let added = ada.submit("/cart", &[("slug", "desk-lamp"), ("quantity", "3"), ("selections.color", "brass")]).await;
    assert_eq!(leads_to(&added), "/cart");
    let cart = ada.get("/cart").await.text();
    assert!(cart.contains("€154.50") && cart.contains("Color: Brass"), "{cart}");
}

both_databases!(what_is_refused_on_a_products_page_stands_beside_its_field_and_every_box_stays_ticked);
async fn what_is_refused_on_a_products_page_stands_beside_its_field_and_every_box_stays_ticked(backend: Backend) {
    let shop = shop(backend).await;
    let choices =
        json!([{"value": "foam", "label": "Foam"}, {"value": "oat", "label": "Oat"}, {"value": "rye", "label": "Rye"}]);
    let extras =
        json!([{"key": "extras", "label": "Extras", "type": "checkbox", "required": false, "choices": choices}]);
    shop.stock(&[json!({"type": "product", "slug": "cup", "name": "Cup", "price_amount": 300, "active": true,
                        "options": extras})])
        .await;
    let typed = [("slug", "cup"), ("quantity", "many"), ("selections.extras", "foam"), ("selections.extras", "rye")];
    let page = browser(&shop).submit("/cart", &typed).await.expect_status(422).text();
    assert!(page.contains("id=\"quantity-wrong\"") && page.contains("aria-describedby=\"quantity-wrong\""), "{page}");
    for (value, is_ticked) in [("foam", true), ("oat", false), ("rye", true)] {
        let (_, rest) = page.split_once(&format!("name=\"selections.extras\" value=\"{value}\"")).expect("a box");
        let tag = rest.split('>').next().unwrap_or_default();
        assert_eq!(tag.contains(" checked"), is_ticked, "{value}: {tag}");
    }
}

both_databases!(a_line_is_changed_and_removed);
async fn a_line_is_changed_and_removed(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let cart = ada.get("/cart").await.text();
    let line = cart.split("action=\"/cart/").nth(1).and_then(|rest| rest.split('"').next()).expect("a line");
    let path = format!("/cart/{line}");
    assert!(!cart.contains("€15.00 each"), "{cart}");
    ada.submit(&path, &[("quantity", "2")]).await.expect_status(303);
    let cart = ada.get("/cart").await.text();
    assert!(cart.contains("€30.00") && cart.contains("€15.00 each"), "{cart}");
    let refused = ada.submit(&path, &[("quantity", "many")]).await.expect_status(422).text();
    assert!(refused.contains("value=\"many\"") && refused.contains("role=\"alert\""), "{refused}");
    // The summary leads to the field of this line, which says it too.
    for part in ["href=\"#quantity\"", "<input id=\"quantity\"", "id=\"quantity-wrong\""] {
        assert_eq!(refused.matches(part).count(), 1, "{part}: {refused}");
    }
    ada.submit(&path, &[("quantity", "2"), ("remove", "1")]).await.expect_status(303);
    // Removed in another tab already.
    ada.submit(&path, &[("quantity", "2"), ("remove", "1")]).await.expect_status(303);
    assert!(ada.get("/cart").await.text().contains("Your cart is empty."));
    // So is one that was to be changed; the cart says so.
    assert_eq!(leads_to(&ada.submit(&path, &[("quantity", "2")]).await), "/cart");
    let cart = ada.get("/cart").await.text();
    assert!(cart.contains("role=\"alert\"") && cart.contains("This item is no longer in your cart."), "{cart}");
}

both_databases!(a_code_that_nobody_gave_is_told_plainly);
async fn a_code_that_nobody_gave_is_told_plainly(backend: Backend) {
    let shop = shop(backend).await;
    for (language, said) in [
        ("en", "This code is not valid."),
        ("de", "Dieser Code ist nicht gültig."),
        ("nl", "Deze code is niet geldig."),
    ] {
        let mut ada = browser(&shop).with_header("accept-language", language);
        ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
        let page =
            ada.submit("/checkout", &[("update", "1"), ("discount_code", "NONE")]).await.expect_status(200).text();
        assert!(page.contains(said) && !page.contains("discount_code”"), "{page}");
        let order = [guest("k-1", "1500").as_slice(), &[("discount_code", "NONE")]].concat();
        let page = ada.submit("/checkout", &order).await.expect_status(422).text();
        assert!(page.contains(said), "{page}");
    }
}

both_databases!(fields_are_called_in_dutch_as_well_what_people_read_beside_them);
async fn fields_are_called_in_dutch_as_well_what_people_read_beside_them(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop).with_header("accept-language", "nl");
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let page = ada.submit("/checkout", &[("order", "1")]).await.expect_status(422).text();
    assert!(!page.contains("‘billing.") && !page.contains("‘email’"), "{page}");
}

const COUNT_GUESTS: Sql = sql!("SELECT COUNT(*) FROM users WHERE guest = TRUE");

both_databases!(a_guest_corrects_the_address_of_an_order_that_was_refused);
async fn a_guest_corrects_the_address_of_an_order_that_was_refused(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let key = value_of(&ada.get("/checkout").await.text(), "idempotency_key");
    let refused = ada.submit("/checkout", &guest(&key, "1400")).await.expect_status(409).text();
    assert!(refused.contains("name=\"email\" type=\"email\" value=\"ada@example.com\""), "{refused}");
    let mut corrected = guest(&key, "1500");
    for field in corrected.iter_mut().filter(|(name, _)| *name == "email") {
        field.1 = "ada.buyer@example.com";
    }
    assert_eq!(leads_to(&ada.submit("/checkout", &corrected).await), "/order/O-000001");
    let page = ada.get("/account/security").await.text();
    assert!(page.contains("ada.buyer@example.com"), "{page}");
    let guests = shop.parts.db.read(COUNT_GUESTS).scalar::<i64>().await.expect("they are counted");
    assert_eq!(guests, 1, "nobody is left of the order that was refused");
}

both_databases!(a_vat_number_that_is_none_hides_no_price);
async fn a_vat_number_that_is_none_hides_no_price(backend: Backend) {
    let config = "[seller]\ntax_id = \"NL004495445B01\"\n[tax]\nrates = { NL = 2100 }";
    let shop = builder(backend).config(config).open().await;
    shop.stock(&goods()).await;
    for (language, tax) in [("en", "VAT 21%"), ("de", "USt. 21\u{a0}%")] {
        let mut ada = browser(&shop).with_header("accept-language", language);
        ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
        let typed = [("update", "1"), ("billing.country", "NL"), ("vat_id", "DE123"), ("email", "ada@example.com")];
        let page = ada.submit("/checkout", &typed).await.expect_status(200).text();
        assert!(page.contains("id=\"vat_id-wrong\"") && page.contains(tax), "{page}");
        // Nobody has ordered yet: what is still empty is not wrong.
        assert!(!page.contains("id=\"billing.name-wrong\""), "{page}");
    }
}

both_databases!(the_page_of_an_order_waits_for_a_payment_that_is_on_its_way);
async fn the_page_of_an_order_waits_for_a_payment_that_is_on_its_way(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    let page = buy_a_book(&mut ada).await;
    let shown = ada.get(&page).await.expect_status(200).text();
    assert!(!shown.contains("data-waits") && shown.contains("What you ordered"), "{shown}");
    let back = ada.get("/checkout/return?order=O-000001").await;
    assert_eq!(leads_to(&back), "/order/O-000001?returned=1");
    let shown = ada.get("/order/O-000001?returned=1").await.expect_status(200).text();
    assert!(
        shown.contains("data-waits=\"payment\"") && shown.contains("As soon as the payment has arrived"),
        "{shown}"
    );
    assert!(shown.contains(">Look again</a>"), "{shown}");
    assert_eq!(leads_to(&ada.get("/checkout/return?order=O-000001&cancelled=1").await), "/order/O-000001");
}

both_databases!(a_saved_address_is_chosen_at_the_checkout_and_nothing_else_is_lost);
async fn a_saved_address_is_chosen_at_the_checkout_and_nothing_else_is_lost(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.log_in(&shop.customer().await).await;
    for (line, city, postal_code, country) in [("Weg 1", "Gent", "9000", "BE"), ("Markt 2", "Delft", "2611 GV", "NL")] {
        let address =
            [("name", "Ada"), ("line1", line), ("city", city), ("postal_code", postal_code), ("country", country)];
        ada.submit("/account/addresses", &address).await.expect_status(303);
    }
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let page = ada.get("/checkout").await.expect_status(200).text();
    let (before, _) = page.split_once(">Ada, Markt 2, 2611 GV Delft</option>").expect("the address can be chosen");
    let id = before.rsplit("value=\"").next().and_then(|rest| rest.split('"').next()).expect("it has an id");
    let chosen = [("use", "billing"), ("saved_billing", id), ("note", "Ring twice"), ("billing.line1", "Elsewhere 3")];
    let page = ada.submit("/checkout", &chosen).await.expect_status(200).text();
    assert_eq!(value_of(&page, "note\" type=\"text"), "Ring twice");
    assert_eq!(value_of(&page, "billing.line1\" type=\"text"), "Markt 2");
    assert!(page.contains("<option value=\"NL\" selected>"), "{page}");
}

both_databases!(a_form_of_another_site_orders_nothing);
async fn a_form_of_another_site_orders_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let mut lured =
        browser(&shop).with_header("origin", "https://evil.example").with_header("sec-fetch-site", "cross-site");
    for path in ["/cart", "/checkout", "/login", "/logout", "/language", "/do/addresses"] {
        lured.submit(path, &[("slug", "reading-book")]).await.expect_status(403);
    }
}

both_databases!(an_address_is_shown_with_the_name_of_its_country_and_shipping_only_where_something_is_sent);
async fn an_address_is_shown_with_the_name_of_its_country_and_shipping_only_where_something_is_sent(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let later = "Shipping is added at the checkout.";
    let page = ada.get("/cart").await.expect_status(200).text();
    assert!(!page.contains(later), "{page}");
    let mut ada = browser(&shop);
    let place = buy_a_book(&mut ada).await;
    let page = ada.get(&place).await.expect_status(200).text();
    assert!(page.contains("Netherlands<br>") && !page.contains("NL<br>"), "{page}");
    shop.stock(&[json!({"type": "product", "slug": "vase", "name": "Vase", "price_amount": 900, "active": true,
                        "capabilities": ["shippable"]})])
        .await;
    ada.submit("/cart", &[("slug", "vase"), ("quantity", "1")]).await;
    let page = ada.get("/cart").await.expect_status(200).text();
    assert!(page.contains(later), "{page}");
}

both_databases!(the_fields_of_the_two_addresses_are_called_apart);
async fn the_fields_of_the_two_addresses_are_called_apart(backend: Backend) {
    let method = "[[shipping.methods]]\nid = \"standard\"\nlabel = \"Standard\"\namount = 495\n";
    let shop = builder(backend).config(method).open().await;
    shop.stock(&[json!({"type": "product", "slug": "vase", "name": "Vase", "price_amount": 900, "active": true,
                        "capabilities": ["shippable"]})])
        .await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "vase"), ("quantity", "1")]).await;
    let page = ada.get("/checkout").await.expect_status(200).text();
    let label = |name: &str| {
        let (_, rest) = page.split_once(&format!("<label for=\"{name}\">")).unwrap_or_else(|| panic!("{name}: {page}"));
        rest.split("</label>").next().unwrap_or_default().to_owned()
    };
    for (field, called) in [
        ("line1", "Street and number"),
        ("postal_code", "Postal code"),
        ("city", "City"),
        ("country", "Country"),
        ("name", "Name"),
    ] {
        assert_eq!(label(&format!("billing.{field}")), called);
        let other = label(&format!("shipping.{field}"));
        assert!(other.starts_with(called) && other.contains("(Delivery address)"), "{other}");
    }
}
