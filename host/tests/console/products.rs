//! Products in the console: found, made, changed together, and deleted.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use serde_json::{Value, json};
use stoa_core::catalog::export_product;
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestResponse, TestShop, both_databases};

use crate::shelf::{audit, browser, builder, csrf_of, filled, shop, submit, told};

/// A picture in a file.
fn picture(format: ImageFormat) -> Vec<u8> {
    let mut content = Vec::new();
    DynamicImage::new_rgb8(6, 4).write_to(&mut Cursor::new(&mut content), format).expect("it can be written");
    content
}

/// The slugs that a list shows, in their order.
fn slugs(page: &str) -> Vec<&str> {
    let links = page.split("<a href=\"/console/products/").skip(1).filter_map(|rest| rest.split('"').next());
    links.filter(|slug| *slug != "new").collect()
}

/// What the fields of a page's form hold that a browser would send, as far as tests look at them.
pub(crate) fn held(page: &str, name: &str) -> String {
    let (_, rest) =
        page.split_once(&format!(" name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name} in {page}"));
    rest.split('"').next().expect("it ends").to_owned()
}

/// Sends the form of a page as it stands there, with some fields in place of others.
async fn send(
    browser: &mut TestBrowser,
    page: &str,
    fields: &[(&str, &str)],
    files: &[(&str, &str, &[u8])],
) -> TestResponse {
    let shown = browser.get(page).await.expect_status(200).text();
    let csrf = csrf_of(&shown);
    let mut all = vec![("csrf", csrf)];
    if shown.contains("name=\"seen\"") {
        all.push(("seen", held(&shown, "seen")));
    }
    all.extend(fields.iter().map(|(name, text)| (*name, (*text).to_owned())));
    let all = all.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>();
    let path = if page == "/console/products/new" { "/console/products" } else { page };
    browser.upload(path, &all, files).await
}

async fn record(shop: &TestShop, slug: &str) -> Value {
    let product = export_product(&shop.parts.db, slug).await.expect("it can be read").expect("it is there");
    serde_json::to_value(product).expect("a record has a JSON form")
}

/// The acts that the audit log tells of, the newest first.
pub(crate) async fn acts(shop: &TestShop) -> Vec<String> {
    audit(shop).await.into_iter().map(|row| format!("{} {}", row.act, row.subject)).collect()
}

both_databases!(a_product_is_created_with_all_that_is_typed_and_its_photos);
async fn a_product_is_created_with_all_that_is_typed_and_its_photos(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&[json!({"type": "category", "slug": "tables", "name": "Tables"})]).await;
    let mut owner = browser(&shop, "owner").await;
    let fields = [
        ("name", "Oak table"),
        ("price_amount", "249.50"),
        ("compare_at_amount", "300.00"),
        ("description", "Solid.\nHeavy."),
        ("category", "tables"),
        ("weight_grams", "21000"),
        ("unit_price.amount", "10.00"),
        ("unit_price.reference", "1 kg"),
        ("safety.manufacturer.name", "Oak & Co"),
        ("safety.manufacturer.address", "Main street 1"),
        ("safety.manufacturer.email", "safety@oak.example"),
        ("active", "1"),
        ("capabilities", "shippable"),
        ("options[0].label", "Size"),
        ("options[0].type", "select"),
        ("options[0].required", "1"),
        ("options[0].active", "1"),
        ("options[0].choices[0].label", "Small"),
        ("options[0].choices[0].active", "1"),
        ("options[0].choices[1].label", "Large"),
        ("options[0].choices[1].price_adjustment_amount", "+50.00"),
        ("options[0].choices[1].active", "1"),
        ("options[0].choices[2].label", ""),
    ];
    let (front, side) = (picture(ImageFormat::Jpeg), picture(ImageFormat::Png));
    let files = [("photos", "Front view.JPG", &front[..]), ("photos", "side.png", &side[..])];
    let made = send(&mut owner, "/console/products/new", &fields, &files).await.expect_status(303);
    assert_eq!(made.header("location"), Some("/console/products/oak-table"));
    assert_eq!(told(&mut owner, made).await, "The product is created.");
    let product = record(&shop, "oak-table").await;
    assert_eq!(product["price_amount"], 24950);
    assert_eq!(product["images"], json!(["products/oak-table/Front-view.jpg", "products/oak-table/side.png"]));
    assert_eq!(product["options"][0]["key"], "size");
    assert_eq!(product["options"][0]["choices"][1]["price_adjustment_amount"], 5000);
    assert_eq!(product["options"][0]["choices"].as_array().map(Vec::len), Some(2));
    assert_eq!(product["safety"]["manufacturer"]["email"], "safety@oak.example");
    assert_eq!(product["unit_price"], json!({"amount": 1000, "reference": "1 kg"}));
    assert_eq!(acts(&shop).await[0], "products.create product:oak-table");
    // What is shown is what is stored: sent as it is, it changes nothing.
    let page = owner.get("/console/products/oak-table").await.expect_status(200).text();
    for (name, value) in [("price_amount", "249.50"), ("options[0].choices[1].price_adjustment_amount", "50.00")] {
        let shown = page.split(&format!("name=\"{name}\"")).nth(1).expect("the field");
        assert!(shown.split('>').next().expect("it ends").contains(&format!("value=\"{value}\"")), "{name}: {page}");
    }
    let media = shop.parts.config.media.folder.join("products/oak-table/side.png");
    assert_eq!(std::fs::read(media).expect("it was kept"), side);
    send(&mut owner, "/console/products/new", &fields, &[]).await.expect_status(409);
}

both_databases!(what_cannot_be_taken_is_said_beside_its_field_and_nothing_is_lost);
async fn what_cannot_be_taken_is_said_beside_its_field_and_nothing_is_lost(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let new = "/console/products/new";
    for (name, text, told) in [
        ("name", "", "Name is missing."),
        ("price_amount", "", "Price is missing."),
        ("price_amount", "abc", "such as 179.00 or 179"),
        ("price_amount", "4,900", "did you mean 4900.00"),
        ("slug", "Not A Slug", "is no slug"),
        ("gtin", "123", "is no GTIN"),
        ("weight_grams", "heavy", "must be a whole number of grams"),
        ("category", "nowhere", "there is no category"),
        ("unit_price.amount", "1.00", "Of is missing."),
        ("safety.manufacturer.name", "Oak", "Manufacturer: address is missing."),
    ] {
        let typed = [("name", "Oak <table>"), ("price_amount", "1.00"), ("subtitle", "So & so")];
        let mut typed = typed.into_iter().filter(|(known, _)| *known != name).collect::<Vec<_>>();
        typed.push((name, text));
        let page = send(&mut owner, new, &typed, &[]).await.expect_status(422).text();
        assert!(
            page.to_lowercase().contains(&told.to_lowercase()) && page.contains("role=\"alert\""),
            "{name}: {page}"
        );
        assert!(page.contains("So &#38; so") && page.contains("aria-invalid=\"true\""), "{name}: {page}");
    }
    let dear = [("name", "Oak"), ("price_amount", "abc")];
    let side = picture(ImageFormat::Png);
    let page = send(&mut owner, new, &dear, &[("photos", "side.png", &side)]).await.expect_status(422).text();
    assert!(page.contains("choose the photos again"), "{page}");
    let typed = [("name", "Oak"), ("price_amount", "1.00")];
    for (content, told) in
        [(&b"no picture"[..], "is no JPEG, PNG or WebP picture"), (b"\xff\xd8\xff\xe0 ", "is broken")]
    {
        let page = send(&mut owner, new, &typed, &[("photos", "a.jpg", content)]).await.expect_status(422).text();
        assert!(page.contains(told), "{page}");
    }
    assert!(!shop.parts.config.media.folder.join("products").exists(), "a photo was kept");
    assert_eq!(acts(&shop).await.iter().filter(|act| act.starts_with("products.")).count(), 0);
}

both_databases!(a_whole_number_is_one_of_the_currency_and_a_comma_may_stand_for_the_point);
async fn a_whole_number_is_one_of_the_currency_and_a_comma_may_stand_for_the_point(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    for (typed, amount) in [("49", 4900), ("12,50", 1250)] {
        let fields = [("name", "Lamp"), ("price_amount", typed)];
        send(&mut owner, "/console/products/lamp", &fields, &[]).await.expect_status(303);
        assert_eq!(record(&shop, "lamp").await["price_amount"], amount, "{typed}");
    }
}

both_databases!(amounts_have_the_decimals_of_the_shops_currency);
async fn amounts_have_the_decimals_of_the_shops_currency(backend: Backend) {
    for (currency, typed, amount, wrong) in
        [("JPY", "1250", 1250, "12.50"), ("KWD", "1.005", 1005, "1.0005"), ("EUR", "12.5", 1250, "12.505")]
    {
        let shop = filled(builder(backend).config(&format!("[shop]\ncurrency = '{currency}'\n"))).await;
        let mut owner = browser(&shop, "owner").await;
        let page = "/console/products/lamp";
        let fields = |price| [("name", "Lamp"), ("price_amount", price)];
        send(&mut owner, page, &fields(typed), &[]).await.expect_status(303);
        assert_eq!(record(&shop, "lamp").await["price_amount"], amount, "{currency}");
        let refused = send(&mut owner, page, &fields(wrong), &[]).await.expect_status(422).text();
        assert!(refused.contains(&format!("value=\"{wrong}\"")) && refused.contains("role=\"alert\""), "{refused}");
        assert_eq!(record(&shop, "lamp").await["price_amount"], amount, "{currency}");
    }
}

both_databases!(a_product_that_was_changed_meanwhile_is_not_written_over);
async fn a_product_that_was_changed_meanwhile_is_not_written_over(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let here = "/console/products/lamp";
    let old = held(&owner.get(here).await.expect_status(200).text(), "seen");
    let fields = |name: &'static str| {
        [("name", name), ("price_amount", "20.00"), ("active", "1"), ("capabilities", "shippable")]
    };
    send(&mut owner, here, &fields("Bright lamp"), &[]).await.expect_status(303);
    let csrf = csrf_of(&owner.get(here).await.text());
    let stale = [&[("csrf", csrf.as_str()), ("seen", old.as_str())], &fields("Dark lamp")[..]].concat();
    let page = owner.upload(here, &stale, &[]).await.expect_status(409).text();
    assert!(
        page.contains("Dark lamp") && page.contains("name is “Bright lamp” now, saving makes it “Dark lamp”"),
        "{page}"
    );
    assert_eq!(record(&shop, "lamp").await["name"], "Bright lamp");
    // Whoever has read that may do so all the same.
    let now = held(&page, "seen");
    let fresh = [&[("csrf", csrf.as_str()), ("seen", now.as_str())], &fields("Dark lamp")[..]].concat();
    owner.upload(here, &fresh, &[]).await.expect_status(303);
    assert_eq!(record(&shop, "lamp").await["name"], "Dark lamp");
}

both_databases!(a_base_price_that_is_left_as_it_is_follows_the_price);
async fn a_base_price_that_is_left_as_it_is_follows_the_price(backend: Backend) {
    let shop = shop(backend).await;
    let unit = json!({"amount": 1000, "reference": "1 kg"});
    shop.stock(&[json!({"type": "product", "slug": "lamp", "unit_price": unit})]).await;
    let mut owner = browser(&shop, "owner").await;
    for (price, amount, kept) in [("40.00", "10.00", 2000), ("20.00", "30.00", 3000)] {
        let fields = [
            ("name", "Lamp"),
            ("price_amount", price),
            ("unit_price.amount", amount),
            ("unit_price.reference", "1 kg"),
        ];
        send(&mut owner, "/console/products/lamp", &fields, &[]).await.expect_status(303);
        assert_eq!(record(&shop, "lamp").await["unit_price"]["amount"], kept, "{price}");
    }
}

both_databases!(photos_are_put_in_order_and_taken_out);
async fn photos_are_put_in_order_and_taken_out(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&[
        json!({"type": "product", "slug": "lamp", "images": ["https://cdn.example/a.jpg", "b.jpg", "c.jpg"]}),
    ])
    .await;
    let mut owner = browser(&shop, "owner").await;
    let fields = [
        ("name", "Lamp"),
        ("price_amount", "20.00"),
        ("images[0].path", "https://cdn.example/a.jpg"),
        ("images[0].place", "9"),
        ("images[1].path", "b.jpg"),
        ("images[1].place", "2"),
        ("images[1].remove", "1"),
        ("images[2].path", "c.jpg"),
        ("images[2].place", "1"),
    ];
    let new = picture(ImageFormat::WebP);
    send(&mut owner, "/console/products/lamp", &fields, &[("photos", "d.webp", &new)]).await.expect_status(303);
    let lamp = record(&shop, "lamp").await;
    assert_eq!(lamp["images"], json!(["c.jpg", "https://cdn.example/a.jpg", "products/lamp/d.webp"]));
    assert_eq!(lamp["active"], false, "a mark that was taken off");
}

both_databases!(settings_of_modules_that_are_on_are_fields_of_the_form);
async fn settings_of_modules_that_are_on_are_fields_of_the_form(backend: Backend) {
    let shop = filled(builder(backend).all_modules().config("[modules.inventory]\nenabled = true\n")).await;
    let mut owner = browser(&shop, "owner").await;
    let here = "/console/products/lamp";
    let page = owner.get(here).await.expect_status(200).text();
    assert!(page.contains("name=\"modules.inventory.quantity\"") && !page.contains("modules.downloads"), "{page}");
    let set = |text: &'static str| {
        [("name", "Lamp"), ("price_amount", "20.00"), ("active", "1"), ("modules.inventory.quantity", text)]
    };
    for (text, told) in [("many", "must be a whole number"), ("-1", "must be a number of pieces")] {
        let page = send(&mut owner, here, &set(text), &[]).await.expect_status(422).text();
        assert!(page.contains(told), "{page}");
    }
    send(&mut owner, here, &set("7"), &[]).await.expect_status(303);
    assert_eq!(record(&shop, "lamp").await["modules"], json!({"inventory": {"quantity": 7}}));
    let page = owner.get(here).await.text();
    assert_eq!(page.split("id=\"modules.inventory.quantity\"").count(), 2);
    send(&mut owner, here, &set(""), &[]).await.expect_status(303);
    assert_eq!(record(&shop, "lamp").await["modules"], json!({}));
}

both_databases!(products_are_found_and_changed_together);
async fn products_are_found_and_changed_together(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&[
        json!({"type": "category", "slug": "light", "name": "Light"}),
        json!({"type": "product", "slug": "old-lamp", "name": "Old 100% lamp", "sku": "OL-1", "price_amount": 999, "active": false, "category": "light"}),
    ])
    .await;
    let mut owner = browser(&shop, "owner").await;
    for (query, found) in [
        ("", vec!["old-lamp", "chair", "lamp"]),
        ("q=lamp", vec!["old-lamp", "lamp"]),
        ("q=LAMP", vec!["old-lamp", "lamp"]),
        ("q=ol-1", vec!["old-lamp"]),
        ("q=100%25", vec!["old-lamp"]),
        ("q=_", vec![]),
        ("state=inactive", vec!["old-lamp"]),
        ("state=active&type=shippable", vec!["chair", "lamp"]),
        ("category=light", vec!["old-lamp"]),
        ("type=digital", vec![]),
    ] {
        let page = owner.get(&format!("/console/products?{query}")).await.expect_status(200).text();
        assert_eq!(slugs(&page), found, "{query}");
        assert!(page.contains(&format!("of {}", found.len())), "{query}: {page}");
    }
    let list = owner.get("/console/products").await.expect_status(200).text();
    assert!(list.contains("value=\"shippable\">shipped goods</option>"), "{list}");
    assert!(!list.contains("Days begin"), "only where there are any: {list}");
    let bulk = "/console/bulk/products";
    let reprice = [("row", "chair"), ("row", "no such"), ("do", "price"), ("percent", "-10")];
    let asked = submit(&mut owner, "/console/products", bulk, &reprice).await.expect_status(200).text();
    assert!(asked.contains("Change these prices?") && asked.contains("€50.00 → €45.00"), "{asked}");
    assert_eq!(record(&shop, "chair").await["price_amount"], 5000, "nothing is changed before the answer");
    for (fields, expected) in [
        (&[("do", "activate")][..], "choose products first"),
        (&[("row", "lamp")], "choose what is to be done"),
        (&[("row", "lamp"), ("do", "price"), ("percent", "a lot")], "whole number of percent"),
        (&[("row", "old-lamp"), ("row", "lamp"), ("do", "activate"), ("query", "q=lamp")], "1 product is changed"),
        (&[("row", "chair"), ("row", "lamp"), ("do", "category"), ("category", "light")], "2 products are changed"),
        (
            &[
                ("row", "chair=5000"),
                ("row", "lamp=1"),
                ("row", "no such=1"),
                ("do", "price"),
                ("percent", "-10"),
                ("confirm", "1"),
            ],
            "1 product is changed, 1 not: the price of lamp is",
        ),
    ] {
        let answer = submit(&mut owner, "/console/products", bulk, fields).await;
        let said = told(&mut owner, answer).await;
        assert!(said.contains(expected), "{fields:?}: {said}");
    }
    assert_eq!(record(&shop, "old-lamp").await["active"], true);
    let chair = record(&shop, "chair").await;
    assert_eq!((&chair["price_amount"], &chair["category"]), (&json!(4500), &json!("light")));
    assert_eq!(acts(&shop).await.iter().filter(|act| act.starts_with("products.edit")).count(), 4);
}

both_databases!(what_a_product_is_is_said_in_words_with_what_it_means);
async fn what_a_product_is_is_said_in_words_with_what_it_means(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/products/lamp").await.expect_status(200).text();
    let sent = "value=\"shippable\" checked aria-describedby=\"means-shippable\"> shipped goods</label>";
    let means = "id=\"means-shippable\">It is sent by post: customers are asked for an address and a shipping method.<";
    assert!(page.contains(sent) && page.contains(means), "{page}");
}

both_databases!(a_product_is_saved_at_the_end_of_its_form);
async fn a_product_is_saved_at_the_end_of_its_form(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/products/lamp").await.expect_status(200).text();
    let (form, end) = page.split_once("<button form=\"product\">Save</button>").expect("a button");
    assert!(form.contains("Add an option") && !end.contains("<section"), "{page}");
    // What Enter presses is the first button of a form.
    let (_, inside) = form.split_once("id=\"product\"").expect("the form");
    let first = inside.split("<button").nth(1).expect("a button");
    assert!(first.starts_with(" hidden>Save</button>"), "{first}");
    let mut viewer = browser(&shop, "viewer").await;
    let page = viewer.get("/console/products/lamp").await.expect_status(200).text();
    assert!(!page.contains(">Save</button>") && !page.contains("Add an option"), "{page}");
    assert!(page.contains("You may look at this product, not change it."), "{page}");
}

both_databases!(a_product_is_deleted_after_a_question);
async fn a_product_is_deleted_after_a_question(backend: Backend) {
    let shop = shop(backend).await;
    crate::shelf::paid_order(&shop, 1).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/products/lamp/delete").await.expect_status(200).text();
    assert!(page.contains("Delete Lamp?") && page.contains(">Delete</button>"), "{page}");
    let delete = async |owner: &mut TestBrowser, slug: &str, confirm: &[(&str, &str)]| {
        let page = format!("/console/products/{slug}/delete");
        submit(owner, &page, &page, confirm).await
    };
    delete(&mut owner, "chair", &[]).await.expect_status(200);
    let kept = delete(&mut owner, "lamp", &[("confirm", "1")]).await.expect_status(409).text();
    assert!(kept.contains("1 order has this product"), "{kept}");
    delete(&mut owner, "chair", &[("confirm", "1")]).await.expect_status(303);
    owner.get("/console/products/chair").await.expect_status(404);
    assert_eq!(acts(&shop).await[0], "products.delete product:chair");
}
