//! `stoa category`.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;
use super::shelf::{assert_refused, assert_round_trip, besides, row, shown, shown_once, stocked_shelf};
use super::stock::{serve, stop};

const SHOW: [&str; 4] = ["category", "show", "lamps", "--json"];

both_databases!(a_category_is_told_as_the_api_shows_it_with_what_only_operators_see);
async fn a_category_is_told_as_the_api_shows_it_with_what_only_operators_see(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let (shop, address) = serve(&place).await;
    let lamps = shown(&address, "/categories/lamps").await.expect("it is shown")["category"].clone();
    let roots = shown(&address, "/categories").await.expect("they are shown");
    stop(shop).await;
    assert_eq!(lamps["image"], "http://shop.test/media/lamps/all%20of%20them.svg");
    assert_eq!(lamps["products_count"], 1);
    let listed = place.run(["category", "list", "--json"]).await.succeeded().data();
    let [told_living, told_lamps, told_attic] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!(
        besides(told_lamps, &lamps),
        json!({"parent": "living", "active": true, "visible": true, "stored_image": "lamps/all of them.svg"})
    );
    assert_eq!(place.run(SHOW).await.succeeded().json(), *told_lamps);
    assert_eq!(roots.as_array().map(Vec::len), Some(1));
    assert_eq!(
        roots[0]["children"],
        json!([{"id": lamps["id"], "name": "Lamps", "slug": "lamps", "products_count": 1}])
    );
    assert_eq!(
        besides(told_living, &roots[0]),
        json!({"parent": null, "active": true, "visible": true, "stored_image": null})
    );
    let attic = json!({
        "id": told_attic["id"], "name": "Attic", "slug": "attic", "image": null, "products_count": 0, "children": [],
        "parent": null, "active": false, "visible": false, "stored_image": null,
    });
    assert_eq!(*told_attic, attic);
}

both_databases!(a_category_is_hidden_with_all_below_and_shown_again);
async fn a_category_is_hidden_with_all_below_and_shown_again(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let (shop, address) = serve(&place).await;
    let before = place.run(["category", "show", "living", "--json"]).await.succeeded().json();
    let mut inactive = before.clone();
    (inactive["active"], inactive["visible"], inactive["children"]) = (json!(false), json!(false), json!([]));
    for _ in 0..2 {
        let told = place.run(["category", "deactivate", "living", "--json"]).await.succeeded().json();
        assert_eq!(told, inactive);
    }
    for path in ["/categories/living", "/categories/lamps", "/products/desk-lamp"] {
        shown_once(&address, path, |data| data.is_none()).await;
    }
    let lamps = place.run(SHOW).await.succeeded().json();
    assert_eq!((&lamps["active"], &lamps["visible"]), (&json!(true), &json!(false)));
    assert_eq!((&lamps["products_count"], &lamps["parent"]), (&json!(0), &json!("living")));
    let listed = place.run(["category", "list"]).await.succeeded();
    assert_eq!(row(&listed, "SLUG"), ["SLUG", "ID", "NAME", "PARENT", "PRODUCTS", "STATE"]);
    assert_eq!(row(&listed, "living"), ["living", "1", "Living", "0", "inactive"]);
    assert_eq!(row(&listed, "lamps"), ["lamps", "2", "Lamps", "living", "0", "hidden"]);
    for _ in 0..2 {
        let told = place.run(["category", "activate", "living", "--json"]).await.succeeded().json();
        assert_eq!(told, before);
    }
    for path in ["/categories/living", "/categories/lamps", "/products/desk-lamp"] {
        shown_once(&address, path, |data| data.is_some()).await;
    }
    stop(shop).await;
    let listed = place.run(["category", "list"]).await.succeeded();
    assert_eq!(row(&listed, "lamps"), ["lamps", "2", "Lamps", "living", "1", "active"]);
    let told = place.run(["category", "deactivate", "lamps"]).await.succeeded().out;
    assert!(told.contains("state") && told.contains("inactive"), "{told}");
}

both_databases!(everything_that_options_say_is_stored_and_shown);
async fn everything_that_options_say_is_stored_and_shown(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let (shop, address) = serve(&place).await;
    let set = ["category", "set", "lamps", "--json"];
    let options = ["--name", " Lamps & Lanterns ", "--parent", "", "--image", "https://cdn.example/lamps.jpg"];
    let told = place.run([&set[..], &options].concat()).await.succeeded().json();
    assert_eq!(place.run(SHOW).await.succeeded().json(), told);
    let noticed = |data: Option<&Value>| data.is_some_and(|data| data["category"]["name"] == "Lamps & Lanterns");
    let api = shown_once(&address, "/categories/lamps", noticed).await.expect("it is shown")["category"].clone();
    assert_eq!(api["image"], "https://cdn.example/lamps.jpg");
    let stored =
        json!({"parent": null, "active": true, "visible": true, "stored_image": "https://cdn.example/lamps.jpg"});
    assert_eq!(besides(&told, &api), stored);
    let roots = shown(&address, "/categories").await.expect("they are shown");
    assert_eq!(roots.as_array().map(Vec::len), Some(2));
    assert_round_trip(&place).await;

    let told = place.run([&set[..], &["--parent", "living", "--image", " "]].concat()).await.succeeded().json();
    let noticed = |data: Option<&Value>| data.is_some_and(|data| data["category"]["image"].is_null());
    let api = shown_once(&address, "/categories/lamps", noticed).await.expect("it is shown")["category"].clone();
    assert_eq!(
        besides(&told, &api),
        json!({"parent": "living", "active": true, "visible": true, "stored_image": null})
    );
    assert_eq!(
        shown(&address, "/categories/living").await.expect("it is shown")["category"]["children"][0]["slug"],
        "lamps"
    );
    stop(shop).await;
    assert_round_trip(&place).await;

    let told = place.run(["category", "set", "lamps", "--name", "Lamps"]).await.succeeded().out;
    for words in ["slug      lamps\n", "name      Lamps\n", "state     active\n", "parent    living\n", "products  1\n"]
    {
        assert!(told.contains(words), "{words:?} is missing in {told}");
    }
    let told = place.run(["category", "show", "living"]).await.succeeded().out;
    assert!(told.contains("children  lamps\n") && !told.contains("parent"), "{told}");
}

both_databases!(what_an_import_would_refuse_is_refused);
async fn what_an_import_would_refuse_is_refused(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let (name, slug, image) = ("x".repeat(3_000), "x".repeat(192), "x".repeat(2_049));
    let cases: &[(&[&str], &[&str])] = &[
        (&["--name", ""], &["--name: is null or blank, but cannot be cleared"]),
        (&["--name", &name], &["--name: has 3000 characters; at most 255 are allowed"]),
        (&["--name", "a\u{2}b"], &["--name: holds the control character U+0002 (character 2)"]),
        (&["--name", "two\nlines"], &["--name: holds a line break, but must be a single line"]),
        (&["--parent", "nope"], &["--parent: there is no category `nope`; a category must be there before"]),
        (&["--parent", "atic"], &["--parent: there is no category `atic`; did you mean `attic`?"]),
        (&["--parent", "living"], &["--parent: is the category itself"]),
        (&["--parent", "lamps"], &["--parent: `living` would stand below itself"]),
        (&["--parent", "12"], &["--parent: \"12\" is only digits"]),
        (&["--parent", "No Such"], &["--parent: \"No Such\" is no slug because of \"N\""]),
        (&["--parent", &slug], &["--parent: has 192 characters; at most 191 are allowed"]),
        (&["--image", "../../etc/passwd"], &["--image: \"../../etc/passwd\" is no image", "below the media folder"]),
        (&["--image", "https://"], &["--image: \"https://\" is no URL"]),
        (&["--image", "javascript:alert(1)"], &["--image: ", "has the scheme \"javascript\": use http or https"]),
        (&["--image", "https://ada:secret@cdn.example/a"], &["--image: holds a user name or a password"]),
        (&["--image", &image], &["--image: has 2049 characters; at most 2048 are allowed"]),
        (&["--image", "a.svg", "--name", ""], &["--name: is null or blank"]),
    ];
    assert_refused(&place, &["category", "set", "living"], cases).await;
    let several = place.run(["category", "set", "living", "--image", "ftp://a/b", "--name", ""]).await;
    assert_eq!(several.refused(1, &["--image: ", "--name: "]).err.lines().count(), 2);
}

both_databases!(nothing_is_made_for_a_slug_that_nobody_has);
async fn nothing_is_made_for_a_slug_that_nobody_has(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let words: &[&str] = &["there is no category `cellar`", "`stoa category list` shows all"];
    for action in ["show", "activate", "deactivate"] {
        assert_refused(&place, &["category", action], &[(&["cellar"], words), (&["cellar", "--json"], words)]).await;
    }
    let set: &[&str] = &["cellar", "--name", "Cellar"];
    assert_refused(&place, &["category", "set"], &[(set, words), (set, &["`stoa category create cellar` makes it"])])
        .await;
    assert_refused(&place, &["category", "show"], &[(&["a\u{9b}2J"], &["no category `a\\u{9b}2J`"])]).await;
}

#[tokio::test]
async fn wrong_usage_is_told() {
    let place = ShopFolder::empty();
    place.run(["category"]).await.refused(2, &["Usage", "list"]);
    place.run(["category", "remove", "lamps"]).await.refused(2, &["remove"]);
    for action in ["show", "set", "activate", "deactivate"] {
        place.run(["category", action]).await.refused(2, &["<SLUG>"]);
        place.run(["category", action, "lamps", "superfluous"]).await.refused(2, &["superfluous"]);
    }
    place.run(["category", "set", "lamps"]).await.refused(2, &["--name", "--parent", "--image"]);
    place.run(["category", "set", "lamps", "--json"]).await.refused(2, &["--name", "--parent", "--image"]);
    place.run(["category", "set", "lamps", "--price", "1"]).await.refused(2, &["--price"]);
    place.run(["category", "set", "lamps", "--image", "a", "--image", "b"]).await.refused(2, &["--image"]);
}

both_databases!(a_category_is_made_and_deleted_once_it_is_empty);
async fn a_category_is_made_and_deleted_once_it_is_empty(backend: Backend) {
    let place = stocked_shelf(backend).await;
    let create = ["category", "create", "floor", "--name", "Floor lamps", "--parent", "lamps", "--json"];
    let made = place.run(create).await.succeeded().json();
    assert_eq!(
        (&made["name"], &made["parent"], &made["active"]),
        (&json!("Floor lamps"), &json!("lamps"), &json!(true))
    );
    place.run(create).await.refused(1, &["there is a category `floor` already", "`stoa category set floor`"]);
    place
        .run(["category", "create", "x", "--name", "X", "--parent", "nope"])
        .await
        .refused(1, &["--parent: there is no"]);
    place
        .run(["category", "create", "x", "--name", "X", "--image", "nope.jpg"])
        .await
        .refused(1, &["--image: there is no file"]);
    let filled = ["`lamps` is not empty", "1 product and 1 category", "`stoa category deactivate lamps`"];
    place.run(["category", "delete", "lamps"]).await.refused(1, &filled);
    place
        .run(["category", "delete", "living"])
        .await
        .refused(1, &["1 category", "`stoa category set SLUG --parent OTHER`"]);
    assert_eq!(place.run(["category", "delete", "floor"]).await.succeeded().out, "floor is deleted\n");
    place.run(["category", "delete", "floor"]).await.refused(1, &["there is no category `floor`"]);
    place.run(["product", "set", "desk-lamp", "--category", "attic"]).await.succeeded();
    place.run(["category", "delete", "lamps", "--yes"]).await.succeeded();
    let listed = place.run(["category", "list", "--json"]).await.succeeded().data();
    assert_eq!(listed.iter().map(|row| row["slug"].clone()).collect::<Vec<_>>(), ["living", "attic"]);
}
