//! Products that are made and deleted on the command line.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::http::send;
use super::shelf::{import, shown, shown_once, stocked_shelf};
use super::stock::{serve, stop};

/// A picture of this width.
fn picture(width: u32, format: ImageFormat) -> Vec<u8> {
    let mut content = Vec::new();
    DynamicImage::new_rgb8(width, 2).write_to(&mut Cursor::new(&mut content), format).expect("it can be written");
    content
}

both_databases!(a_product_is_made_with_everything_that_was_said);
async fn a_product_is_made_with_everything_that_was_said(backend: Backend) {
    let place = stocked_shelf(backend).await;
    place.write("Front view.JPG", picture(4, ImageFormat::Jpeg));
    place.write("side.png", picture(4, ImageFormat::Png));
    let (shop, address) = serve(&place).await;
    let create = ["product", "create", "floor-lamp", "--name", "Floor lamp", "--price", "179.00"];
    let more = ["--category", "lamps", "--capability", "shippable", "--photo", "Front view.JPG", "--photo", "side.png"];
    let made = place.run([create.as_slice(), &more, &["--json"]].concat()).await.succeeded().json();
    assert_eq!(
        (&made["price_amount"], &made["active"], &made["capabilities"]),
        (&json!(17900), &json!(true), &json!(["shippable"]))
    );
    assert_eq!(made["stored_images"], json!(["products/floor-lamp/Front-view.jpg", "products/floor-lamp/side.png"]));
    let api = shown_once(&address, "/products/floor-lamp", |data| data.is_some()).await.expect("it is shown");
    assert_eq!((&api["name"], &api["category"]["slug"]), (&json!("Floor lamp"), &json!("lamps")));
    let photo = std::fs::read(place.path().join("data/media/products/floor-lamp/Front-view.jpg"));
    assert_eq!(photo.expect("it was copied"), picture(4, ImageFormat::Jpeg));
    stop(shop).await;

    place.run(create).await.refused(1, &["there is a product `floor-lamp` already", "`stoa product set floor-lamp`"]);
    place.write("elsewhere.jpg", picture(5, ImageFormat::Jpeg));
    std::fs::rename(place.path().join("elsewhere.jpg"), place.path().join("Front view.JPG")).expect("it is ours");
    let set = ["product", "set", "floor-lamp", "--photo", "Front view.JPG", "--photo", "side.png", "--json"];
    let told = place.run(set).await.succeeded().json();
    assert_eq!(told["stored_images"], json!(["products/floor-lamp/Front-view-2.jpg", "products/floor-lamp/side.png"]));
    let hidden = ["product", "create", "later", "--name", "Later", "--price", "100", "--inactive", "--json"];
    let told = place.run(hidden).await.succeeded().json();
    assert_eq!((&told["active"], &told["price_amount"]), (&json!(false), &json!(100)));
}

both_databases!(whether_a_new_product_is_sent_is_said_by_an_option_and_told);
async fn whether_a_new_product_is_sent_is_said_by_an_option_and_told(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let create = async |slug: &str, more: &[&str]| {
        let options = ["product", "create", slug, "--name", "Shirt", "--price", "25.00"];
        place.run([&options[..], more].concat()).await.succeeded()
    };
    let shirt = create("shirt", &["--shippable"]).await.out;
    assert!(shirt.contains("shirt is made, and shipped to whoever buys it"), "{shirt}");
    let mug = create("mug", &["--capability", "inventory", "--shippable", "--json"]).await;
    assert_eq!(mug.json()["capabilities"], json!(["inventory", "shippable"]));
    let advice = create("advice", &[]).await.out;
    assert!(
        advice.contains("sold without shipping") && advice.contains("`stoa product set advice --shippable`"),
        "{advice}"
    );

    place.run(["product", "set", "advice", "--capability", "inventory"]).await.succeeded();
    let told = place.run(["product", "set", "advice", "--shippable", "--json"]).await.succeeded().json();
    assert_eq!(told["capabilities"], json!(["inventory", "shippable"]), "what was stored stays");
}

both_databases!(nothing_is_made_of_a_product_that_cannot_be);
async fn nothing_is_made_of_a_product_that_cannot_be(backend: Backend) {
    let place = stocked_shelf(backend).await;
    place.write("photo.jpg", picture(4, ImageFormat::Jpeg));
    place.write("words.jpg", "photo");
    place.write("notes.txt", "notes");
    let cases: &[(&[&str], &[&str])] = &[
        (&["../up", "--name", "Up", "--photo", "photo.jpg"], &["slug: \"../up\" starts with a dot"]),
        (&["new", "--name", " ", "--photo", "photo.jpg"], &["--name: is null or blank"]),
        (
            &["new", "--name", "New", "--category", "nowhere", "--photo", "photo.jpg"],
            &["--category: there is no category"],
        ),
        (&["new", "--name", "New", "--photo", "nope.jpg"], &["--photo: nope.jpg: there is no such file"]),
        (&["new", "--name", "New", "--photo", "notes.txt"], &["--photo: notes.txt: this is no image", ".webp"]),
        (
            &["new", "--name", "New", "--photo", "words.jpg"],
            &["--photo: words.jpg: it is no JPEG, PNG or WebP picture"],
        ),
        (
            &["new", "--name", "New", "--image", "nope.jpg"],
            &["--image: there is no file `nope.jpg` in the media folder"],
        ),
    ];
    for (arguments, words) in cases {
        let arguments = [&["product", "create"], *arguments, &["--price", "1.00"]].concat();
        place.run(arguments).await.refused(1, words);
    }
    assert!(!place.path().join("data/media/products").exists(), "a photo was copied");
    assert_eq!(place.run(["product", "list", "--json"]).await.succeeded().data().len(), 2);
}

both_databases!(what_the_shop_knows_nothing_of_is_told_when_it_is_set);
async fn what_the_shop_knows_nothing_of_is_told_when_it_is_set(backend: Backend) {
    let place = stocked_shelf(backend).await;
    place.configure("[tax.classes.reduced]\nNL = 900\n");
    let set = async |option: &str, value: &str| place.run(["product", "set", "desk-lamp", option, value]).await;
    let told = set("--tax-class", "redcued").await.succeeded().err;
    assert!(told.starts_with("stoa: warning: --tax-class: there is no `tax.classes.redcued`"), "{told}");
    assert!(told.contains("did you mean `reduced`?") && told.contains("the standard rates hold"), "{told}");
    let told = set("--capability", "shipable").await.succeeded().err;
    assert!(
        told.contains("--capability: nothing in this program provides `shipable`, so the product cannot be bought; did you mean `shippable`?"),
        "{told}"
    );
    let told = set("--capability", "subscribable").await.succeeded().err;
    assert!(told.contains("`subscribable` needs `modules.subscriptions.enabled = true`"), "{told}");
    set("--image", "nope.jpg").await.refused(1, &["--image: there is no file `nope.jpg` in the media folder"]);
    for (option, value) in
        [("--tax-class", "reduced"), ("--capability", "shippable"), ("--image", "https://cdn.example/a.jpg")]
    {
        assert_eq!(set(option, value).await.succeeded().err, "", "{option}");
    }
    place.write("more.jsonl", concat!(
        r#"{"type": "product", "slug": "one", "name": "One", "price_amount": 1, "tax_class": "redcued", "images": ["a.jpg"]}"#, "\n",
        r#"{"type": "product", "slug": "two", "name": "Two", "price_amount": 1, "tax_class": "redcued", "capabilities": ["digital"]}"#, "\n",
    ));
    let told = place.run(["import", "more.jsonl"]).await.succeeded();
    assert_eq!(told.out, "created 2 products, updated 0, unchanged 0, refused 0, notices 2\n");
    let lines = told.err.lines().collect::<Vec<_>>();
    assert!(
        lines[0].starts_with("more.jsonl: line 1, tax_class: notice: there is no `tax.classes.redcued`"),
        "{lines:?}"
    );
    assert!(
        lines[0].ends_with("(named once more)") && lines[1].contains("images[0]: notice: there is no file `a.jpg`"),
        "{lines:?}"
    );
    assert_eq!(place.run(["import", "more.jsonl"]).await.succeeded().err, "", "nothing is set anew");
}

both_databases!(a_product_that_nobody_has_ordered_is_deleted_from_carts_too);
async fn a_product_that_nobody_has_ordered_is_deleted_from_carts_too(backend: Backend) {
    let place = stocked_shelf(backend).await;
    place.configure("[modules.downloads]\nenabled = true\n\n[modules.event_tickets]\nenabled = true\n");
    let event = json!({"event": "Fair", "venue": "Hall", "starts_at": "2099-05-01T10:00:00Z", "capacity": 10});
    let ticket = json!({"type": "product", "slug": "ticket", "name": "Ticket", "price_amount": 100, "category": "lamps",
                        "capabilities": ["event_ticket"], "modules": {"event_tickets": event}});
    import(
        &place,
        &format!(
            "{ticket}\n{}\n",
            json!({"type": "product", "slug": "book", "name": "Book", "price_amount": 100, "capabilities": ["digital"]})
        ),
    )
    .await;
    place.write("book.epub", "once upon a time");
    place.run(["downloads", "attach", "book", "book.epub"]).await.succeeded();
    let (shop, address) = serve(&place).await;
    let id = shown(&address, "/products/book").await.expect("it is shown")["id"].as_i64().expect("an id");
    let json = [("Content-Type", "application/json")];
    let added = send(&address, "POST /api/v1/cart", &json, &json!({"product_id": id}).to_string()).await;
    assert!(added.status.is_success(), "{added:?}");

    let told = place.run(["product", "delete", "book"]).await.succeeded();
    assert_eq!(told.out, "book is deleted, and gone from 1 cart\n");
    shown_once(&address, "/products/book", |data| data.is_none()).await;
    assert_eq!(place.run(["product", "delete", "ticket", "--yes"]).await.succeeded().out, "ticket is deleted\n");
    shown_once(&address, "/products/ticket", |data| data.is_none()).await;
    stop(shop).await;
    for slug in ["book", "ticket"] {
        place.run(["product", "show", slug]).await.refused(1, &["there is no product"]);
        place.run(["product", "delete", slug]).await.refused(1, &["there is no product"]);
    }
    import(&place, &format!("{ticket}\n")).await;
    place.run(["verify"]).await.succeeded();
}
