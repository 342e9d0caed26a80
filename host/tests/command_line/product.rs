//! `stoa product`.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;
use super::shelf::{assert_refused, assert_round_trip, besides, import, row, shown, shown_once, stocked_shelf};
use super::stock::{serve, stop};

const SHOW: [&str; 4] = ["product", "show", "desk-lamp", "--json"];

both_databases!(a_product_is_told_as_the_api_shows_it_with_what_only_operators_see);
async fn a_product_is_told_as_the_api_shows_it_with_what_only_operators_see(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let told = place.run(SHOW).await.succeeded().json();
    let (shop, address) = serve(&place).await;
    let api = shown(&address, "/products/desk-lamp").await.expect("it is shown");
    stop(shop).await;
    assert_eq!(api["images"], json!(["http://shop.test/media/lamps/desk%20lamp.svg", "https://cdn.example/desk.jpg"]));
    assert_eq!(api["availability"], "low_stock");
    let choice = |value: &str, label: &str, amount: i64, active: bool| json!({"value": value, "label": label, "price_adjustment_amount": amount, "active": active});
    let mut tin = choice("tin", "Tin", -500, true);
    tin["sku"] = json!("LAMP-7-T");
    assert_eq!(
        besides(&told, &api),
        json!({
            "active": true, "visible": true, "price_amount": 4900, "stored_compare_at_amount": null, "currency": "EUR", "tax_class": "reduced",
            "stored_images": ["lamps/desk lamp.svg", "https://cdn.example/desk.jpg"],
            "stored_options": [
                {"key": "color", "label": "Color", "type": "select", "required": true, "active": true,
                 "choices": [choice("brass", "Brass", 0, true), tin, choice("gold", "Gold", 90000, false)]},
                {"key": "engraving", "label": "Engraving", "type": "text", "required": false, "active": false,
                 "choices": []},
            ],
            "modules": {"inventory": {"quantity": 3}},
        })
    );
    let listed = place.run(["product", "list", "--json"]).await.succeeded().data();
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[0], told);
    let chair = place.run(["product", "show", "oak-chair", "--json"]).await.succeeded().json();
    assert_eq!(listed[1], chair);
    assert_eq!((&chair["active"], &chair["visible"], &chair["category"]), (&json!(false), &json!(false), &json!(null)));
    assert_eq!(chair["price"]["amount"], 19900);
}

both_databases!(a_product_is_taken_off_the_shelf_and_put_back);
async fn a_product_is_taken_off_the_shelf_and_put_back(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let (shop, address) = serve(&place).await;
    let before = place.run(SHOW).await.succeeded().json();
    let mut inactive = before.clone();
    (inactive["active"], inactive["visible"]) = (json!(false), json!(false));
    for _ in 0..2 {
        let told = place.run(["product", "deactivate", "desk-lamp", "--json"]).await.succeeded().json();
        assert_eq!(told, inactive);
    }
    shown_once(&address, "/products/desk-lamp", |data| data.is_none()).await;
    for _ in 0..2 {
        let told = place.run(["product", "activate", "desk-lamp", "--json"]).await.succeeded().json();
        assert_eq!(told, before);
    }
    let api = shown_once(&address, "/products/desk-lamp", |data| data.is_some()).await.expect("it is shown");
    stop(shop).await;
    besides(&before, &api);
    let told = place.run(["product", "deactivate", "desk-lamp"]).await.succeeded().out;
    assert!(told.contains("state") && told.contains("inactive"), "{told}");
}

both_databases!(everything_that_options_say_is_stored_and_shown);
async fn everything_that_options_say_is_stored_and_shown(backend: Backend) {
    let place = stocked_shelf(backend).await;
    std::fs::create_dir_all(place.path().join("data/media/lamps")).expect("it is ours");
    place.write("data/media/lamps/größer.svg", "<svg/>");
    let (shop, address) = serve(&place).await;
    let options = [
        ["--price", "5900"],
        ["--compare-at", "7900"],
        ["--brand", "Lumina"],
        ["--gtin", "4006381333931"],
        ["--weight-grams", "1250"],
        ["--name", " Reading lamp "],
        ["--subtitle", "Cold light"],
        ["--sku", "LAMP-8"],
        ["--description", "One line\r\nand \t another."],
        ["--category", "living"],
        ["--tax-class", "standard"],
        ["--image", "lamps/größer.svg"],
        ["--image", "https://cdn.example/b.jpg"],
        ["--capability", "shippable"],
    ];
    let told = place.run([&["product", "set", "desk-lamp", "--json"], options.as_flattened()].concat()).await;
    let told = told.succeeded().json();
    assert_eq!(place.run(SHOW).await.succeeded().json(), told);
    let noticed = |data: Option<&serde_json::Value>| data.is_some_and(|data| data["name"] == "Reading lamp");
    let api = shown_once(&address, "/products/desk-lamp", noticed).await.expect("it is shown");
    assert_eq!(api["price"], json!({"amount": 5900, "currency": "EUR", "formatted": "€59.00"}));
    assert_eq!((&api["subtitle"], &api["sku"]), (&json!("Cold light"), &json!("LAMP-8")));
    assert_eq!((&api["brand"], &api["gtin"]), (&json!("Lumina"), &json!("4006381333931")));
    assert_eq!((&api["compare_at_amount"], &api["weight_grams"]), (&json!(7900), &json!(1250)));
    assert_eq!(api["description"], "One line\nand \t another.");
    assert_eq!(api["category"]["slug"], "living");
    assert_eq!(
        api["images"],
        json!(["http://shop.test/media/lamps/gr%C3%B6%C3%9Fer.svg", "https://cdn.example/b.jpg"])
    );
    assert_eq!(api["capabilities"], json!(["shippable"]));
    let more = besides(&told, &api);
    assert_eq!((&more["tax_class"], &more["price_amount"]), (&json!("standard"), &json!(5900)));
    assert_eq!(more["stored_images"], json!(["lamps/größer.svg", "https://cdn.example/b.jpg"]));
    assert_eq!(more["modules"], json!({"inventory": {"quantity": 3}}), "what is not named stays");
    assert_round_trip(&place).await;

    let cleared = ["--subtitle", "--sku", "--description", "--category", "--tax-class", "--image", "--capability"];
    let facts = ["--compare-at", "--brand", "--gtin", "--weight-grams"];
    let cleared = [&cleared[..], &facts].concat().into_iter().map(|option| [option, " "]).collect::<Vec<_>>();
    let told = place.run([&["product", "set", "desk-lamp", "--json"], cleared.as_flattened()].concat()).await;
    let told = told.succeeded().json();
    let noticed = |data: Option<&serde_json::Value>| data.is_some_and(|data| data["sku"].is_null());
    let api = shown_once(&address, "/products/desk-lamp", noticed).await.expect("it is shown");
    stop(shop).await;
    for name in ["subtitle", "sku", "description", "category", "compare_at_amount", "brand", "gtin", "weight_grams"] {
        assert_eq!(api[name], json!(null), "{name}");
    }
    assert_eq!((&api["images"], &api["capabilities"]), (&json!([]), &json!([])));
    assert_eq!((&api["name"], &api["price"]["amount"]), (&json!("Reading lamp"), &json!(5900)));
    let more = besides(&told, &api);
    assert_eq!((&more["tax_class"], &more["stored_images"]), (&json!(null), &json!([])));
    assert_round_trip(&place).await;
    place.run(["product", "set", "desk-lamp", "--image", "", "--capability", ""]).await.succeeded();
    assert_eq!(place.run(SHOW).await.succeeded().json(), told);
}

both_databases!(what_an_import_would_refuse_is_refused);
async fn what_an_import_would_refuse_is_refused(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let long = ["x".repeat(65), "x".repeat(101), "x".repeat(256), "x".repeat(2_049), "x".repeat(65_536)];
    let [key, sku, name, image, description] = long.each_ref().map(String::as_str);
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["--price", "9223372036854775807"],
            &["--price: is 9223372036854775807, but at most 10000000000000 is allowed"],
        ),
        (
            &["--price", "499"],
            &["--price: some selection would cost less than nothing", "price is 499", "up to 500 off"],
        ),
        (&["--name", ""], &["--name: is null or blank, but cannot be cleared"]),
        (&["--name", "a\u{2}b"], &["--name: holds the control character U+0002 (character 2)"]),
        (&["--name", "two\nlines"], &["--name: holds a line break, but must be a single line"]),
        (&["--name", name], &["--name: has 256 characters; at most 255 are allowed"]),
        (&["--subtitle", name], &["--subtitle: has 256 characters; at most 255 are allowed"]),
        (&["--subtitle", "\u{1b}[31m"], &["--subtitle: holds the control character U+001B"]),
        (&["--sku", sku], &["--sku: has 101 characters; at most 100 are allowed"]),
        (&["--description", description], &["--description: has 65536 characters; at most 65535 are allowed"]),
        (&["--description", "bell\u{7}"], &["--description: holds the control character U+0007"]),
        (&["--tax-class", key], &["--tax-class: has 65 characters; at most 64 are allowed"]),
        (&["--tax-class", "a\tb"], &["--tax-class: holds a tab character"]),
        (&["--category", "nope"], &["--category: there is no category `nope`; a category must be there before"]),
        (&["--category", "lampz"], &["--category: there is no category `lampz`; did you mean `lamps`?"]),
        (&["--category", "No Such"], &["--category: \"No Such\" is no slug because of \"N\""]),
        (&["--category", "12"], &["--category: \"12\" is only digits"]),
        (&["--image", "../../etc/passwd"], &["--image: \"../../etc/passwd\" is no image", "below the media folder"]),
        (&["--image", "https://"], &["--image: \"https://\" is no URL"]),
        (&["--image", "javascript:alert(1)"], &["--image: ", "has the scheme \"javascript\": use http or https"]),
        (&["--image", image], &["--image: has 2049 characters; at most 2048 are allowed"]),
        (&["--image", "a.jpg", "--image", "/b.jpg"], &["--image, value 2: \"/b.jpg\" is no image"]),
        (&["--image", "a.jpg", "--image", ""], &["--image, value 2: is blank"]),
        (&["--capability", "Bogus Cap"], &["--capability: \"Bogus Cap\" is no key", "beginning with a letter"]),
        (&["--capability", "digital", "--capability", "digital"], &["--capability: holds `digital` twice"]),
        (
            &["--name", " ", "--image", "ftp://a/b", "--sku", "fine"],
            &["--name: is null or blank", "\n--image: \"ftp://a/b\" has the scheme \"ftp\""],
        ),
    ];
    assert_refused(&place, &["product", "set", "desk-lamp"], cases).await;
    let several = place.run(["product", "set", "desk-lamp", "--image", "ftp://a/b", "--name", ""]).await;
    assert_eq!(several.refused(1, &[]).err.lines().count(), 2);
}

both_databases!(nothing_is_made_for_a_slug_that_nobody_has);
async fn nothing_is_made_for_a_slug_that_nobody_has(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let words: &[&str] = &["there is no product `floor-lamp`", "`stoa product list` shows all"];
    for action in ["show", "activate", "deactivate"] {
        assert_refused(&place, &["product", action], &[(&["floor-lamp"], words), (&["floor-lamp", "--json"], words)])
            .await;
    }
    let set: &[&str] = &["floor-lamp", "--name", "Floor lamp", "--price", "1"];
    assert_refused(&place, &["product", "set"], &[(set, words), (set, &["`stoa product create floor-lamp` makes it"])])
        .await;
    let steering: &[&str] = &["a\u{1b}[31mb"];
    assert_refused(&place, &["product", "show"], &[(steering, &["no product `a\\u{1b}[31mb`"])]).await;
}

#[tokio::test]
async fn wrong_usage_is_told() {
    let place = ShopFolder::empty();
    place.run(["product"]).await.refused(2, &["Usage", "list"]);
    place.run(["product", "remove", "desk-lamp"]).await.refused(2, &["remove"]);
    for action in ["show", "set", "activate", "deactivate"] {
        place.run(["product", action]).await.refused(2, &["<SLUG>"]);
        place.run(["product", action, "desk-lamp", "superfluous"]).await.refused(2, &["superfluous"]);
    }
    place.run(["product", "set", "desk-lamp"]).await.refused(2, &["--price", "--name", "--capability"]);
    place.run(["product", "set", "desk-lamp", "--json"]).await.refused(2, &["--price", "--name", "--capability"]);
    place.run(["product", "set", "desk-lamp", "--price", "1", "--price", "2"]).await.refused(2, &["--price"]);
    place.run(["product", "set", "desk-lamp", "--colour", "red"]).await.refused(2, &["--colour"]);
}

#[tokio::test]
async fn a_slip_with_money_is_explained() {
    let place = stocked_shelf(Backend::Sqlite).await;
    for price in ["", "ten", "1,50", "-1.5", "-5", "1.505", "49 EUR", "1e3", "99999999999999999999"] {
        let refused = place.run(["product", "set", "desk-lamp", "--price", price]).await;
        let refused = refused.refused(2, &["stoa: --price: ", price, ".", "€"]);
        assert!(!refused.err.contains("invalid digit"), "{refused:?}");
    }
    place.run(["product", "set", "desk-lamp", "--price", "1,50"]).await.refused(2, &["did you mean 1.50 (€1.50)?"]);
    assert_eq!(place.run(SHOW).await.succeeded().json()["price_amount"], 4900);
}

both_databases!(people_read_tables);
async fn people_read_tables(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let listed = place.run(["product", "list"]).await.succeeded();
    assert_eq!(row(&listed, "SLUG"), ["SLUG", "ID", "NAME", "PRICE", "CATEGORY", "STATE"]);
    assert_eq!(row(&listed, "desk-lamp"), ["desk-lamp", "1", "Desk", "lamp", "€49.00", "lamps", "active"]);
    assert_eq!(row(&listed, "oak-chair"), ["oak-chair", "2", "OAK", "Chair", "€199.00", "inactive"]);
    place.run(["category", "deactivate", "living"]).await.succeeded();
    let listed = place.run(["product", "list"]).await.succeeded();
    assert_eq!(row(&listed, "desk-lamp").last().map(String::as_str), Some("hidden"));
    let told = place.run(SHOW).await.succeeded().json();
    assert_eq!((&told["active"], &told["visible"]), (&json!(true), &json!(false)));
    assert_eq!(told["price"]["formatted"], "€49.00");

    let shown = place.run(["product", "show", "desk-lamp"]).await.succeeded().out;
    for words in [
        "name          Desk lamp\n",
        "state         hidden\n",
        "price         €49.00\n",
        "tax class     reduced\n",
        "category      Lamps (lamps)\n",
        "capabilities  shippable, inventory\n",
        "availability  low stock\n",
        "\nDescription:\n  For late evenings.\n\n  Made of brass.\n",
        "\nImages:\n  http://shop.test/media/lamps/desk%20lamp.svg\n  https://cdn.example/desk.jpg\n",
        "\n  color: Color, select, required\n",
        "\n    tin: Tin, -€5.00, SKU LAMP-7-T\n",
        "\n    gold: Gold, +€900.00, inactive\n",
        "\n  engraving: Engraving, text, inactive\n",
        "\nSettings of modules:\n  inventory: {\"quantity\":3}\n",
    ] {
        assert!(shown.contains(words), "{words:?} is missing in {shown}");
    }
    let bare = place.run(["product", "show", "oak-chair"]).await.succeeded().out;
    assert!(!bare.contains("Images") && !bare.contains("subtitle"), "{bare}");
}

both_databases!(a_list_is_narrowed_by_a_text_in_any_case);
async fn a_list_is_narrowed_by_a_text_in_any_case(backend: Backend) {
    let place = stocked_shelf(backend).await;
    import(&place, r#"{"type": "product", "slug": "street", "name": "Straße am Eck", "price_amount": 1}"#).await;
    let found = async |q: &str| {
        let listed = place.run(["product", "list", "--q", q, "--json"]).await.succeeded().data();
        listed.iter().map(|product| product["slug"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("LAMP").await, ["desk-lamp"]);
    assert_eq!(found(" oak chair ").await, ["oak-chair"], "by its name");
    assert_eq!(found("OAK-ch").await, ["oak-chair"], "by its slug");
    assert_eq!(found("STRASSE").await, ["street"]);
    assert_eq!(found("a").await, ["desk-lamp", "oak-chair", "street"]);
    assert_eq!(found("").await.len(), 3);
    assert_eq!(found("warm light").await, [""; 0], "neither name nor slug");
    let table = place.run(["product", "list", "--q", "lamp"]).await.succeeded().out;
    assert!(table.contains("desk-lamp") && !table.contains("oak-chair"), "{table}");
    let none = place.run(["product", "list", "--q", "nothing"]).await.succeeded().out;
    let come_from = "`stoa product create` makes a product, `stoa import` reads many from a file";
    assert_eq!(none, format!("there is nothing to list: {come_from}\n"));
}

both_databases!(a_long_list_is_whole);
async fn a_long_list_is_whole(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let line = |number: u32| {
        json!({"type": "product", "slug": format!("screw-{number}"), "name": "Screw", "price_amount": number,
               "modules": {"inventory": {"quantity": number}}})
    };
    import(&place, &(1..=1_001).map(|number| line(number).to_string() + "\n").collect::<String>()).await;
    let listed = place.run(["product", "list", "--q", "screw", "--json"]).await.succeeded().data();
    assert_eq!(listed.len(), 1_001);
    for (product, number) in listed.iter().zip(1..) {
        assert_eq!(product["slug"], format!("screw-{number}"));
        assert_eq!(product["modules"]["inventory"]["quantity"], number);
    }
}

both_databases!(prices_are_typed_with_decimals_and_what_they_were_is_told);
async fn prices_are_typed_with_decimals_and_what_they_were_is_told(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let set = async |price: &str| place.run(["product", "set", "desk-lamp", "--price", price]).await.succeeded();
    assert!(set("179.00").await.out.starts_with("the price of desk-lamp is €179.00 now; it was €49.00\n"));
    assert!(set("5000").await.out.starts_with("the price of desk-lamp is €50.00 now; it was €179.00\n"));
    assert!(set("50.0").await.out.starts_with("the price of desk-lamp is €50.00, as before\n"));
    let told = place.run(["product", "set", "desk-lamp", "--price", "49.00", "--json"]).await.succeeded();
    assert_eq!(
        (&told.json()["price_amount"], told.err.as_str()),
        (&json!(4900), "stoa: the price of desk-lamp is €49.00 now; it was €50.00\n")
    );
}
