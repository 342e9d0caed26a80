//! Bad rows of Shopify's product CSV.

use super::shopify::{shopify, with};
use super::{Format, only_refusal, products, read, rejections};

#[test]
fn a_bad_row_refuses_its_product_and_names_its_own_line() {
    let size = [("Option1 Name", "Size"), ("Option1 Value", "S")];
    let first = with(&size);
    let more = |cells: &[(&'static str, &'static str)]| {
        let mut row = vec![("Handle", "a"), ("Option1 Value", "L"), ("Variant Price", "5")];
        row.retain(|(name, _)| cells.iter().all(|(other, _)| other != name));
        row.extend(cells);
        row
    };
    for (row, expected) in [
        (
            more(&[("Variant Price", "1.234,56")]),
            "line 3, column `Variant Price`: \"1.234,56\" is not an amount: write it like 1234.56",
        ),
        (
            more(&[("Variant Price", "")]),
            "line 3, column `Variant Price`: is empty, but must be an amount such as 1234.56",
        ),
        (
            more(&[("Option1 Value", "")]),
            "line 3, column `Option1 Value`: is empty, but the product has the option `Size`",
        ),
        (
            more(&[("Option2 Value", "Red")]),
            "line 3, column `Option2 Value`: is filled, but column `Option2 Name` is empty",
        ),
        (more(&[("Option1 Value", "S")]), "line 3: this row has the same option values as line 2"),
        (
            more(&[("Variant Requires Shipping", "maybe")]),
            "line 3, column `Variant Requires Shipping`: \"maybe\" is not one of `true`, `false`",
        ),
        (more(&[("Image Src", "../x.jpg")]), "line 3, column `Image Src`: \"../x.jpg\" is no image"),
        (
            more(&[("Variant Inventory Tracker", "shopify"), ("Variant Inventory Qty", "many")]),
            "line 3, column `Variant Inventory Qty`: \"many\" is no number of pieces",
        ),
    ] {
        let items = read(&shopify(&[&first, &row, &with(&[("Handle", "b")])]), Format::Shopify);
        let [rejection] = &rejections(&items)[..] else { panic!("{items:?}") };
        assert!(rejection.to_string().starts_with(expected), "{rejection}\nexpected: {expected}");
        assert_eq!(rejection.slug.as_deref(), Some("a"));
        assert_eq!(products(&items).len(), 1, "the next product is read");
    }
}

#[test]
fn a_bad_first_row_is_refused_with_what_was_expected() {
    let long = "x".repeat(300);
    for (cells, expected) in [
        (&[("Variant Price", "")][..], "line 2, column `Variant Price`: is empty"),
        (&[("Variant Price", "-1")], "\"-1\" is negative"),
        (&[("Variant Price", "1e3")], "\"1e3\" is not an amount"),
        (&[("Title", "")], "line 2, column `Title`: is empty"),
        (&[("Title", &long)], "has 300 characters; at most 255"),
        (&[("Handle", "?!")], "line 2, column `Handle`: \"?!\" is no slug because of \"?\""),
        (&[("Handle", "")], "line 2, column `Handle`: is empty: every row names the product"),
        (&[("Published", "soon")], "column `Published`: \"soon\" is not one of"),
        (&[("Status", "gone")], "column `Status`: \"gone\" is not one of `active`, `draft`"),
    ] {
        let refusal = only_refusal(&shopify(&[&with(cells)]), Format::Shopify);
        assert!(refusal.contains(expected), "{refusal}\nexpected: {expected}");
        assert_eq!(refusal.lines().count(), 1, "{refusal}");
    }
}

#[test]
fn too_many_variants_or_images_are_refused_and_the_rest_read() {
    let mut text = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src\n".to_owned();
    text += &(0..2049).map(|number| format!("a,A,Size,{number},1,\n")).collect::<Vec<_>>().concat();
    text += &(0..2048).map(|number| format!("b,B,Size,{number},1,b.jpg\n")).collect::<Vec<_>>().concat();
    text += "c,C,,,1,0.jpg\n";
    text += &(1..251).map(|number| format!("c,,,,,{number}.jpg\n")).collect::<Vec<_>>().concat();
    let items = read(&text, Format::Shopify);
    assert_eq!(products(&items).len(), 1, "images that repeat count once");
    let refusals: Vec<String> = rejections(&items).iter().map(ToString::to_string).collect();
    assert_eq!(
        refusals,
        ["line 2: the product has more than 2048 variants", "line 4099: the product has more than 250 images"]
    );
}

#[test]
fn a_product_whose_rows_stand_apart_is_refused_whole() {
    let rows = [with(&[]), with(&[("Handle", "b")]), with(&[("Handle", "A")]), with(&[("Handle", "c")]), with(&[])];
    let items = read(&shopify(&rows.each_ref().map(Vec::as_slice)), Format::Shopify);
    assert_eq!(products(&items).iter().map(|product| product.slug.as_str()).collect::<Vec<_>>(), ["b", "c"]);
    let [refusal] = &rejections(&items)[..] else { panic!("{items:?}") };
    assert_eq!(refusal.slug.as_deref(), Some("a"));
    assert_eq!(
        refusal.to_string(),
        "line 2, column `Handle`: the rows of one product must stand together, but those of this handle go on in line 4: \
         sort the file by `Handle`"
    );
}

#[test]
fn two_handles_that_become_one_slug_are_not_laid_over_each_other() {
    let rows = [with(&[("Handle", "tac™")]), with(&[("Handle", "tactm")]), with(&[("Handle", "tac\u{2122}\u{fe0f}")])];
    let items = read(&shopify(&rows.each_ref().map(Vec::as_slice)), Format::Shopify);
    assert_eq!(products(&items).iter().map(|product| product.slug.as_str()).collect::<Vec<_>>(), ["tactm"]);
    let refusals = rejections(&items).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(refusals[0].starts_with("line 3, column `Handle`: the slug `tactm` is that of the product in line 2"));
    assert_eq!(refusals.len(), 2, "{refusals:?}");
}

#[test]
fn a_row_of_the_wrong_width_refuses_its_product() {
    let text = "Handle,Title,Option1 Name,Option1 Value,Variant Price\na,A,Size,S,1\na,,,L\nb,B,,,1\n";
    let items = read(text, Format::Shopify);
    assert_eq!(products(&items).len(), 1);
    assert_eq!(
        rejections(&items)[0].to_string(),
        "line 3: the row has 4 columns, but the header has 5 (is a quotation mark or a comma missing?)"
    );
}
