//! Shopify's product CSV.

use super::super::{Member, OptionRecord, ProductRecord};
use super::{Format, categories, notices, only_product, products, read, table};

const HEADER: [&str; 21] = [
    "Handle",
    "Title",
    "Body (HTML)",
    "Type",
    "Published",
    "Status",
    "Gift Card",
    "Option1 Name",
    "Option1 Value",
    "Option2 Name",
    "Option2 Value",
    "Option3 Name",
    "Option3 Value",
    "Variant SKU",
    "Variant Price",
    "Variant Requires Shipping",
    "Variant Inventory Tracker",
    "Variant Inventory Qty",
    "Variant Inventory Policy",
    "Image Src",
    "Image Position",
];

pub(super) type Row<'a> = &'a [(&'a str, &'a str)];

pub(super) fn shopify(rows: &[Row<'_>]) -> String {
    table(&HEADER, rows)
}

/// A first row with these cells besides handle, title and price.
fn single(cells: Row<'_>) -> ProductRecord {
    only_product(&shopify(&[&with(cells)]), Format::Shopify)
}

pub(super) fn with(cells: Row<'_>) -> Vec<(&str, &str)> {
    let mut row = vec![("Handle", "a"), ("Title", "A"), ("Variant Price", "5")];
    row.retain(|(name, _)| cells.iter().all(|(other, _)| other != name));
    row.extend(cells);
    row
}

fn options(product: &ProductRecord) -> &[OptionRecord] {
    product.options.value().expect("options are always given")
}

/// Label, adjustment and SKU of each choice.
fn choices(option: &OptionRecord) -> Vec<(&str, i64, Option<&str>)> {
    let row = |choice: &'_ super::super::ChoiceRecord| choice.price_adjustment_amount;
    option.choices.iter().map(|c| (c.label.as_str(), row(c), c.sku.as_deref())).collect()
}

#[test]
fn a_product_without_options_has_none() {
    for cells in [
        &[("Option1 Name", "Title"), ("Option1 Value", "Default Title"), ("Variant SKU", "S")][..],
        &[("Variant SKU", "S")],
    ] {
        let product = single(cells);
        assert_eq!(options(&product), []);
        assert_eq!(product.sku, Member::Value("S".to_owned()));
        assert_eq!(product.price_amount, Member::Value(500));
    }
}

#[test]
fn variants_of_one_option_become_its_choices() {
    let text = shopify(&[
        &with(&[("Option1 Name", "Size"), ("Option1 Value", "L"), ("Variant Price", "30.00"), ("Variant SKU", "S-L")]),
        &[("Handle", "a"), ("Option1 Value", "S"), ("Variant Price", "10"), ("Variant SKU", "S-S")],
    ]);
    let product = only_product(&text, Format::Shopify);
    assert_eq!(product.price_amount, Member::Value(1000));
    assert_eq!(product.sku, Member::Null);
    let [option] = options(&product) else { panic!("one option") };
    assert_eq!((option.key.as_str(), option.label.as_str(), option.required), ("size", "Size", true));
    assert_eq!(choices(option), [("L", 2000, Some("S-L")), ("S", 0, Some("S-S"))]);
    assert_eq!(option.choices[0].value, "l");
}

fn two_options<'a>(variants: &[(&'a str, &'a str, &'a str, &'a str)]) -> String {
    let rows: Vec<Vec<(&str, &str)>> = variants
        .iter()
        .enumerate()
        .map(|(index, (size, color, price, sku))| {
            let mut row = vec![
                ("Handle", "a"),
                ("Option1 Value", *size),
                ("Option2 Value", *color),
                ("Variant Price", *price),
                ("Variant SKU", *sku),
            ];
            if index == 0 {
                row.extend([("Title", "A"), ("Option1 Name", "Size"), ("Option2 Name", "Colour")]);
            }
            row
        })
        .collect();
    let rows: Vec<Row<'_>> = rows.iter().map(Vec::as_slice).collect();
    shopify(&rows)
}

#[test]
fn prices_that_add_up_become_an_option_each() {
    let text = two_options(&[
        ("S", "Red", "10", ""),
        ("S", "Blue", "11", ""),
        ("L", "Red", "12.50", ""),
        ("L", "Blue", "13.50", ""),
    ]);
    let product = only_product(&text, Format::Shopify);
    assert_eq!(product.price_amount, Member::Value(1000));
    let [size, color] = options(&product) else { panic!("two options") };
    assert_eq!((size.key.as_str(), color.key.as_str()), ("size", "colour"));
    assert_eq!(choices(size), [("S", 0, None), ("L", 250, None)]);
    assert_eq!(choices(color), [("Red", 0, None), ("Blue", 100, None)]);
}

#[test]
fn prices_that_do_not_add_up_become_one_option_of_combinations() {
    let text = two_options(&[
        ("S", "Red", "12", "1"),
        ("S", "Blue", "11", "2"),
        ("L", "Red", "10", "3"),
        ("L", "Blue", "20", "4"),
    ]);
    let product = only_product(&text, Format::Shopify);
    let [variant] = options(&product) else { panic!("one option") };
    assert_eq!((variant.key.as_str(), variant.required), ("variant", true));
    assert_eq!(product.price_amount, Member::Value(1000));
    assert_eq!(
        choices(variant),
        [
            ("S / Red", 200, Some("1")),
            ("S / Blue", 100, Some("2")),
            ("L / Red", 0, Some("3")),
            ("L / Blue", 1000, Some("4"))
        ]
    );
    assert_eq!(variant.choices[3].value, "l-blue");
}

#[test]
fn missing_combinations_become_one_option_of_combinations() {
    let text = two_options(&[("S", "Red", "10", ""), ("S", "Blue", "10", ""), ("L", "Red", "10", "")]);
    let product = only_product(&text, Format::Shopify);
    assert_eq!(options(&product)[0].key, "variant");
    assert_eq!(options(&product)[0].choices.len(), 3);
}

#[test]
fn stock_keeping_units_stay_where_one_option_decides_them() {
    let text = two_options(&[
        ("S", "Red", "10", "R"),
        ("S", "Blue", "10", "B"),
        ("L", "Red", "10", "R"),
        ("L", "Blue", "10", "B"),
    ]);
    let product = only_product(&text, Format::Shopify);
    assert_eq!(choices(&options(&product)[0]), [("S", 0, None), ("L", 0, None)]);
    assert_eq!(choices(&options(&product)[1]), [("Red", 0, Some("R")), ("Blue", 0, Some("B"))]);
}

#[test]
fn a_stock_keeping_unit_that_all_variants_share_is_the_products() {
    let text = two_options(&[("S", "Red", "10", "X"), ("L", "Red", "12", "X")]);
    assert_eq!(only_product(&text, Format::Shopify).sku, Member::Value("X".to_owned()));
}

#[test]
fn lost_stock_keeping_units_are_told() {
    let text = two_options(&[
        ("S", "Red", "10", "1"),
        ("S", "Blue", "10", "2"),
        ("L", "Red", "10", "3"),
        ("L", "Blue", "10", "4"),
    ]);
    let items = read(&text, Format::Shopify);
    assert_eq!(products(&items).len(), 1);
    let [(2, notice)] = &notices(&items)[..] else { panic!("{items:?}") };
    assert!(notice.starts_with("column `Variant SKU`: the variants' stock keeping units of `a` are left out"));
}

#[test]
fn images_of_all_rows_stand_in_their_order_without_repeats() {
    let image = |name: &str| format!("https://i.example/{name}.jpg");
    let (a, b, c) = (image("a"), image("b"), image("c"));
    let text = shopify(&[
        &with(&[("Image Src", &b), ("Image Position", "2")]),
        &[("Handle", "a"), ("Image Src", &a), ("Image Position", "1")],
        &[("Handle", "a"), ("Image Src", &b), ("Image Position", "3")],
        &[("Handle", "a"), ("Image Src", &c)],
    ]);
    let product = only_product(&text, Format::Shopify);
    assert_eq!(product.images, Member::Value(vec![a, b, c]));
    assert_eq!(options(&product), []);
}

#[test]
fn types_become_categories_before_the_first_product_that_needs_them() {
    let text = shopify(&[
        &with(&[("Type", "Indoor Plants")]),
        &with(&[("Handle", "b"), ("Type", "indoor plants")]),
        &with(&[("Handle", "c"), ("Type", "2026")]),
        &with(&[("Handle", "d")]),
        &with(&[("Handle", "e"), ("Type", "-")]),
        &with(&[("Handle", "f"), ("Type", "Refused"), ("Variant Price", "x")]),
    ]);
    let items = read(&text, Format::Shopify);
    assert_eq!(categories(&items), [("indoor-plants", "Indoor Plants", None), ("category-2026", "2026", None)]);
    let of: Vec<Option<&String>> = products(&items).iter().map(|p| p.category.value()).collect();
    assert_eq!(
        of,
        [
            Some(&"indoor-plants".to_owned()),
            Some(&"indoor-plants".to_owned()),
            Some(&"category-2026".to_owned()),
            None,
            None
        ]
    );
    assert_eq!(
        notices(&items),
        [(6, "column `Type`: `-` has a name without letter and digit, so that `e` gets no category".to_owned())]
    );
    assert!(matches!(items[0].outcome, super::super::Outcome::Record(super::super::Record::Category(_))));
}

#[test]
fn unpublished_products_are_inactive() {
    for (cells, active) in [
        (&[("Published", "true"), ("Status", "active")][..], true),
        (&[("Published", "TRUE")], true),
        (&[("Published", "")], true),
        (&[("Published", "false")], false),
        (&[("Published", "true"), ("Status", "draft")], false),
        (&[("Status", "archived")], false),
        (&[("Status", "unlisted")], false),
    ] {
        assert_eq!(single(cells).active, Member::Value(active), "{cells:?}");
    }
}

#[test]
fn what_is_shipped_is_shippable() {
    let shippable = || Member::Value(vec!["shippable".to_owned()]);
    assert_eq!(single(&[("Variant Requires Shipping", "true")]).capabilities, shippable());
    assert_eq!(single(&[("Variant Requires Shipping", "false")]).capabilities, Member::Value(vec![]));
    let text = shopify(&[
        &with(&[("Option1 Name", "Kind"), ("Option1 Value", "E-book"), ("Variant Requires Shipping", "false")]),
        &[("Handle", "a"), ("Option1 Value", "Book"), ("Variant Price", "5"), ("Variant Requires Shipping", "true")],
    ]);
    assert_eq!(only_product(&text, Format::Shopify).capabilities, shippable());
}

#[test]
fn stock_is_kept_only_where_shopify_counts_it() {
    let stock = |cells: Row<'_>| single(cells).modules.value().map(|all| all["stock"].to_string());
    let counted = [
        ("Variant Inventory Tracker", "shopify"),
        ("Variant Inventory Qty", "8"),
        ("Variant Inventory Policy", "deny"),
    ];
    assert_eq!(stock(&counted).as_deref(), Some(r#"{"quantity":8,"backorder":false}"#));
    let oversold = [
        ("Variant Inventory Tracker", "shopify"),
        ("Variant Inventory Qty", "-3"),
        ("Variant Inventory Policy", "continue"),
    ];
    assert_eq!(stock(&oversold).as_deref(), Some(r#"{"quantity":0,"backorder":true}"#));
    assert_eq!(stock(&[("Variant Inventory Qty", "8")]), None);
    assert_eq!(single(&counted).capabilities, Member::Value(vec![]));
}

#[test]
fn without_a_module_for_it_stock_is_not_read() {
    let text = shopify(&[&with(&[("Variant Inventory Tracker", "shopify"), ("Variant Inventory Qty", "8")])]);
    let settings = super::super::ReadSettings { stock_module: None, ..super::settings() };
    let reader = super::super::RecordReader::open(std::io::Cursor::new(text), None, "x", settings).expect("readable");
    let items: Vec<_> = reader.map(|item| item.expect("readable")).collect();
    assert_eq!(products(&items)[0].modules, Member::Absent);
}

#[test]
fn gift_cards_are_left_out_and_told() {
    let items = read(
        &shopify(&[&with(&[("Gift Card", "true")]), &with(&[("Handle", "b"), ("Gift Card", "false")])]),
        Format::Shopify,
    );
    assert_eq!(products(&items).len(), 1);
    assert_eq!(
        notices(&items),
        [(2, "column `Gift Card`: the gift card `a` is left out: gift cards are not supported".to_owned())]
    );
}

#[test]
fn columns_that_a_file_does_not_have_leave_their_members_alone() {
    let product = only_product("Handle,Title,Variant Price\nA,Oak,1\n", Format::Shopify);
    let expected = ProductRecord {
        slug: "a".to_owned(),
        name: Member::Value("Oak".to_owned()),
        price_amount: Member::Value(100),
        options: Member::Value(vec![]),
        ..ProductRecord::default()
    };
    assert_eq!(product, expected);
}

#[test]
fn the_column_names_of_newer_exports_are_read() {
    let header = "Title,URL handle,Description,Type,Published on online store,Status,SKU,Option1 name,Option1 value,Price,\
        Inventory tracker,Inventory quantity,Continue selling when out of stock,Requires shipping,Product image URL,Image position,Gift card";
    let row = "Oak,a,<p>Text</p>,Chairs,TRUE,Active,S,,,9.99,shopify,3,DENY,TRUE,https://i.example/a.jpg,1,FALSE";
    let product = only_product(&format!("{header}\n{row}\n"), Format::Shopify);
    assert_eq!(product.description, Member::Value("Text".to_owned()));
    assert_eq!(product.sku, Member::Value("S".to_owned()));
    assert_eq!(product.active, Member::Value(true));
    assert_eq!(product.capabilities, Member::Value(vec!["shippable".to_owned()]));
    assert_eq!(product.category, Member::Value("chairs".to_owned()));
    assert!(product.modules.value().is_some());
    assert!(product.images.value().is_some());
}

#[test]
fn descriptions_become_plain_text() {
    let product =
        single(&[("Body (HTML)", "<p onclick=\"x()\">Nice <b>pot</b></p><script>alert(2)</script><p>&lt;b&gt;</p>")]);
    assert_eq!(product.description, Member::Value("Nice pot\n\n‹b›".to_owned()));
    assert_eq!(single(&[("Body (HTML)", "<p> </p>")]).description, Member::Null);
}
