//! WooCommerce's product CSV.

use super::super::{Member, OptionRecord, ProductRecord};
use super::{Format, categories, notices, only_product, only_refusal, products, read, rejections, table};

const HEADER: [&str; 24] = [
    "ID",
    "Type",
    "SKU",
    "Name",
    "Published",
    "Visibility in catalog",
    "Short description",
    "Description",
    "Date sale price starts",
    "Date sale price ends",
    "Tax class",
    "In stock?",
    "Stock",
    "Backorders allowed?",
    "Sale price",
    "Regular price",
    "Categories",
    "Images",
    "Parent",
    "Position",
    "Attribute 1 name",
    "Attribute 1 value(s)",
    "Attribute 2 name",
    "Attribute 2 value(s)",
];

pub(super) type Row<'a> = &'a [(&'a str, &'a str)];

pub(super) fn woo(rows: &[Row<'_>]) -> String {
    table(&HEADER, rows)
}

pub(super) fn with(cells: Row<'_>) -> Vec<(&str, &str)> {
    let mut row = vec![("Type", "simple"), ("Name", "Oak Chair"), ("Published", "1"), ("Regular price", "10")];
    row.retain(|(name, _)| cells.iter().all(|(other, _)| other != name));
    row.extend(cells);
    row
}

fn simple(cells: Row<'_>) -> ProductRecord {
    only_product(&woo(&[&with(cells)]), Format::Woocommerce)
}

pub(super) fn options(product: &ProductRecord) -> &[OptionRecord] {
    product.options.value().expect("options are always given")
}

#[test]
fn a_simple_product_is_read() {
    let product = simple(&[
        ("SKU", "OAK"),
        ("Name", "Salt &amp; Pepper, \"fine\""),
        ("Short description", "<b>Short</b>\\ntext"),
        ("Description", "One\\nTwo \\\\n\\n\\n<strong>Three</strong>"),
        ("Tax class", "reduced-rate"),
        ("Images", "https://i.example/a b.jpg, https://i.example/c.jpg,https://i.example/c.jpg"),
    ]);
    let text = |text: &str| Member::Value(text.to_owned());
    assert_eq!(product.slug, "salt-pepper-fine");
    assert_eq!(product.name, text("Salt & Pepper, \"fine\""));
    assert_eq!(product.sku, text("OAK"));
    assert_eq!(product.subtitle, text("Short text"));
    assert_eq!(product.description, text("One\nTwo \\n\n\nThree"));
    assert_eq!(product.tax_class, text("reduced-rate"));
    let images = ["https://i.example/a%20b.jpg", "https://i.example/c.jpg"];
    assert_eq!(product.images, Member::Value(images.map(str::to_owned).to_vec()));
    assert_eq!(product.price_amount, Member::Value(1000));
    assert_eq!(product.active, Member::Value(true));
    assert_eq!(product.category, Member::Null);
    assert_eq!(options(&product), []);
}

#[test]
fn published_and_visible_products_are_active() {
    for (cells, active) in [
        (&[("Published", "1")][..], true),
        (&[("Published", "0")], false),
        (&[("Published", "-1")], false),
        (&[("Published", "'-1")], false),
        (&[("Published", "2")], false),
        (&[("Visibility in catalog", "visible")], true),
        (&[("Visibility in catalog", "search")], true),
        (&[("Visibility in catalog", "hidden")], false),
        (&[("Published", "0"), ("Visibility in catalog", "visible")], false),
    ] {
        assert_eq!(simple(cells).active, Member::Value(active), "{cells:?}");
    }
}

#[test]
fn types_tell_what_is_shipped_and_what_is_downloaded() {
    for (kind, capabilities) in [
        ("simple", &["shippable"][..]),
        ("Simple, Virtual", &[]),
        ("simple, downloadable, virtual", &["digital"]),
        ("simple, downloadable", &["shippable", "digital"]),
        ("virtual", &[]),
    ] {
        let expected = capabilities.iter().map(ToString::to_string).collect();
        assert_eq!(simple(&[("Type", kind)]).capabilities, Member::Value(expected), "{kind}");
    }
}

#[test]
fn a_running_sale_price_is_the_price() {
    // The tests read their files on 2026-09-21 at 14:13:20 UTC.
    for (starts, ends, price) in [
        ("", "", 800),
        ("2001-01-01 00:00:00", "2101-01-01 00:00:00", 800),
        ("2001-01-01", "", 800),
        ("", "2001-01-01 0:00:00", 1000),
        ("2101-01-01 00:00:00", "", 1000),
        ("", "2026-09-21", 800),
        ("", "2026-09-20", 1000),
        ("2026-09-21", "", 800),
        ("2026-09-22", "", 1000),
        ("", "2026-09-21 14:13:20", 800),
        ("", "2026-09-21 14:13:19", 1000),
        ("2026-09-21 14:13:20", "", 800),
        ("2026-09-21 14:13:21", "", 1000),
        ("", "2026-09-21T16:13:20+02:00", 800),
        ("", "2026-09-21 16:13:19 +0200", 1000),
        ("", "9999-12-31 23:59:59", 800),
    ] {
        let product =
            simple(&[("Sale price", "8.00"), ("Date sale price starts", starts), ("Date sale price ends", ends)]);
        assert_eq!(product.price_amount, Member::Value(price), "{starts} to {ends}");
    }
}

#[test]
fn a_sale_price_that_saves_nothing_is_none() {
    assert_eq!(simple(&[("Sale price", "12")]).price_amount, Member::Value(1000));
    assert_eq!(simple(&[("Sale price", "0")]).price_amount, Member::Value(0));
    assert_eq!(simple(&[("Sale price", "7"), ("Regular price", "")]).price_amount, Member::Value(700));
}

#[test]
fn prices_with_a_decimal_comma_are_read() {
    // WooCommerce exports prices with the shop's decimal sign.
    for (text, price) in [("12,50", 1250), ("12,5", 1250), ("1234,56", 123_456)] {
        assert_eq!(simple(&[("Regular price", text)]).price_amount, Member::Value(price));
    }
    for text in ["1.234,56", "1,234", "1,2,3", "1,234.56", ",", "-1,5"] {
        let refusal = only_refusal(&woo(&[&with(&[("Regular price", text)])]), Format::Woocommerce);
        assert!(refusal.contains("is not an amount"), "{text}: {refusal}");
    }
}

#[test]
fn a_name_of_markup_alone_is_none() {
    for name in ["<p>", "<b> </b>", "&nbsp;"] {
        let refusal = only_refusal(&woo(&[&with(&[("Name", name)])]), Format::Woocommerce);
        assert!(refusal.contains("`Name`") && refusal.contains("is empty"), "{name}: {refusal}");
    }
}

#[test]
fn categories_are_a_tree_and_the_deepest_is_the_products() {
    let text = woo(&[
        &with(&[("Name", "A"), ("Categories", "Clothing > Hoodies")]),
        &with(&[("Name", "B"), ("Categories", "Sale, Clothing > Tops &amp; Shirts > Tees, Clothing > Hoodies > Zip")]),
        &with(&[("Name", "C"), ("Categories", "Men > Hoodies, Rock\\, Paper")]),
        &with(&[("Name", "D"), ("Categories", "Rock\\, Paper")]),
        &with(&[("Name", "E"), ("Categories", " > ")]),
        &with(&[("Name", "F"), ("Categories", "2026")]),
    ]);
    let items = read(&text, Format::Woocommerce);
    assert_eq!(
        categories(&items),
        [
            ("clothing", "Clothing", None),
            ("clothing-hoodies", "Hoodies", Some("clothing")),
            ("clothing-tops-shirts", "Tops & Shirts", Some("clothing")),
            ("clothing-tops-shirts-tees", "Tees", Some("clothing-tops-shirts")),
            ("sale", "Sale", None),
            ("clothing-hoodies-zip", "Zip", Some("clothing-hoodies")),
            ("men", "Men", None),
            ("men-hoodies", "Hoodies", Some("men")),
            ("rock-paper", "Rock, Paper", None),
            ("category-2026", "2026", None),
        ]
    );
    let of: Vec<Option<&str>> = products(&items).iter().map(|p| p.category.value().map(String::as_str)).collect();
    let expected = [
        Some("clothing-hoodies"),
        Some("clothing-tops-shirts-tees"),
        Some("men-hoodies"),
        Some("rock-paper"),
        None,
        Some("category-2026"),
    ];
    assert_eq!(of, expected);
}

/// A product stands in one category here, and in several there.
#[test]
fn further_categories_are_made_and_told() {
    let text = woo(&[
        &with(&[("Name", "A"), ("Categories", "Clothing, Clothing > Hoodies")]),
        &with(&[("Name", "B"), ("Categories", "Clothing > Hoodies, Music")]),
        &with(&[("Name", "C"), ("Categories", "Music, Sale, ---, New, Winter, Music")]),
    ]);
    let items = read(&text, Format::Woocommerce);
    let made: Vec<&str> = categories(&items).iter().map(|(slug, _, _)| *slug).collect();
    assert_eq!(made, ["clothing", "clothing-hoodies", "music", "sale", "new", "winter"]);
    let of: Vec<Option<&str>> = products(&items).iter().map(|p| p.category.value().map(String::as_str)).collect();
    assert_eq!(of, [Some("clothing-hoodies"), Some("clothing-hoodies"), Some("music")]);
    let told = |line, text: &str| (line, format!("column `Categories`: {text}"));
    assert_eq!(
        notices(&items),
        [
            told(3, "`b` stands in `Clothing > Hoodies` alone, since a product has one category; `Music` is left out"),
            told(
                4,
                "`c` stands in `Music` alone, since a product has one category; `Sale`, `---`, `New` and 1 more are left out"
            ),
        ]
    );
}

#[test]
fn categories_beyond_measure_are_refused() {
    let many = (0..101).map(|number| format!("C{number}")).collect::<Vec<_>>().join(", ");
    let deep = vec!["C"; 21].join(" > ");
    for (text, reason) in [(many, "has more than 100 categories"), (deep, "has a category of more than 20 levels")] {
        let refusal = only_refusal(&woo(&[&with(&[("Categories", &text)])]), Format::Woocommerce);
        assert!(refusal.contains(&format!("column `Categories`: {reason}")), "{refusal}");
    }
}

#[test]
fn categories_whose_paths_make_the_same_word_stay_apart() {
    let text = woo(&[&with(&[("Name", "A"), ("Categories", "A > B")]), &with(&[("Name", "B"), ("Categories", "A B")])]);
    let items = read(&text, Format::Woocommerce);
    let slugs: Vec<&str> = categories(&items).iter().map(|(slug, _, _)| *slug).collect();
    assert_eq!(slugs, ["a", "a-b", "a-b-2"]);
}

#[test]
fn grouped_and_external_products_are_left_out_and_told() {
    let text = woo(&[
        &with(&[("Type", "grouped"), ("Name", "Set")]),
        &with(&[]),
        &with(&[("Type", "external"), ("Name", "Far")]),
    ]);
    let items = read(&text, Format::Woocommerce);
    assert_eq!(products(&items).len(), 1);
    assert!(rejections(&items).is_empty());
    let lines: Vec<u64> = notices(&items).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 4]);
    assert_eq!(
        notices(&items)[0].1,
        "column `Type`: the grouped product \"Set\" is left out: it cannot be sold by itself"
    );
}

#[test]
fn slugs_of_equal_names_differ_the_same_way_each_time() {
    let text = woo(&[
        &with(&[("ID", "1"), ("SKU", "A-1")]),
        &with(&[("ID", "2"), ("SKU", "A-2")]),
        &with(&[("ID", "3"), ("Regular price", "nonsense")]),
        &with(&[("ID", "4")]),
        &with(&[]),
        &with(&[]),
        &with(&[("Name", "☕"), ("SKU", "COFFEE")]),
    ]);
    let slugs = |text: &str| -> Vec<String> {
        products(&read(text, Format::Woocommerce)).iter().map(|product| product.slug.clone()).collect()
    };
    let expected = ["oak-chair", "oak-chair-a-2", "oak-chair-4", "oak-chair-2", "oak-chair-3-2", "coffee"];
    let found = slugs(&text);
    assert_eq!(found[..4], expected[..4]);
    assert_eq!(found.last().map(String::as_str), Some("coffee"));
    assert_eq!(found, slugs(&text));
    let mended = slugs(&text.replace("nonsense", "5"));
    assert!(found.iter().all(|slug| mended.contains(slug)), "a mended row changes no other slug: {mended:?}");
}

#[test]
fn stock_is_kept_where_woocommerce_counts_it() {
    let stock = |cells: Row<'_>| simple(cells).modules.value().map(|all| all["stock"].to_string());
    assert_eq!(stock(&[("In stock?", "1")]), None);
    assert_eq!(
        stock(&[("Stock", "7"), ("Backorders allowed?", "notify")]).as_deref(),
        Some(r#"{"quantity":7,"backorder":true}"#)
    );
    assert_eq!(stock(&[("Stock", "'-2"), ("In stock?", "0")]).as_deref(), Some(r#"{"quantity":0,"backorder":false}"#));
    assert_eq!(stock(&[("In stock?", "0")]).as_deref(), Some(r#"{"quantity":0,"backorder":false}"#));
    assert_eq!(stock(&[("In stock?", "backorder")]).as_deref(), Some(r#"{"quantity":0,"backorder":true}"#));
}

#[test]
fn a_long_short_description_begins_the_description() {
    let long = "word ".repeat(80);
    let product = simple(&[("Short description", &long), ("Description", "More.")]);
    assert_eq!(product.subtitle, Member::Null);
    assert_eq!(product.description, Member::Value(format!("{}\n\nMore.", long.trim())));
}

#[test]
fn a_product_without_a_price_is_taken_over_inactive_and_told() {
    let items = read(&woo(&[&with(&[("Regular price", "")])]), Format::Woocommerce);
    let product = products(&items)[0];
    assert_eq!((product.active, product.price_amount), (Member::Value(false), Member::Value(0)));
    let told = "column `Regular price`: `oak-chair` has no price and is taken over inactive: give it a price, then activate it";
    assert_eq!(notices(&items), [(2, told.to_owned())]);
}

#[test]
fn rows_may_lack_the_columns_that_were_met_after_them_but_none_that_every_product_has() {
    let whole = woo(&[&with(&[("Name", "One")]), &with(&[("Name", "Two")])]);
    let mut lines = whole.lines().map(str::to_owned).collect::<Vec<_>>();
    let shorter = |line: &str, fields: usize| line.split(',').take(fields).collect::<Vec<_>>().join(",");
    // Without attributes and position.
    lines[1] = shorter(&lines[1], 19);
    assert_eq!(products(&read(&lines.join("\n"), Format::Woocommerce)).len(), 2);
    // Without the parent, which stands before them.
    lines[1] = shorter(&lines[1], 18);
    let items = read(&lines.join("\n"), Format::Woocommerce);
    assert_eq!(products(&items).len(), 1);
    assert_eq!(
        rejections(&items)[0].to_string(),
        "line 2: the row has 18 columns, but the header has 24 (is a quotation mark or a comma missing?)"
    );
}

#[test]
fn a_bad_row_is_refused_with_what_was_expected() {
    let long = "x".repeat(300);
    for (cells, expected) in [
        (&[("Regular price", "abc")][..], "line 2, column `Regular price`: \"abc\" is not an amount"),
        (&[("Regular price", "-1")], "\"-1\" is negative"),
        (&[("Sale price", "x")], "column `Sale price`: \"x\" is not an amount"),
        (
            &[("Date sale price ends", "tomorrow")],
            "column `Date sale price ends`: \"tomorrow\" is no date: write it like 2026-11-27",
        ),
        (&[("Date sale price starts", "31.12.2026")], "is no date"),
        (&[("Name", "")], "column `Name`: is empty"),
        (&[("Name", &long)], "column `Name`: has more than 255 characters"),
        (&[("Name", "☕")], "column `Name`: has no letter and no digit to make an address from"),
        (
            &[("Type", "subscription")],
            "column `Type`: products of the type \"subscription\" are not known: expected simple",
        ),
        (&[("Published", "perhaps")], "column `Published`: \"perhaps\" is not one of `1`, `0`, `-1`"),
        (&[("Visibility in catalog", "everywhere")], "column `Visibility in catalog`: \"everywhere\" is not one of"),
        (
            &[("Images", "https://i.example/a.jpg, ftp://x/y.jpg")],
            "column `Images`: \"ftp://x/y.jpg\" has the scheme \"ftp\"",
        ),
        (&[("SKU", &long)], "column `SKU`: has 300 characters; at most 100"),
        (&[("Categories", &long)], "column `Categories`: has a category name of more than 255 characters"),
        (&[("Stock", "some")], "column `Stock`: \"some\" is no number of pieces"),
        (
            &[("Type", "variation")],
            "line 2, column `Parent`: is empty: a variation names its product by SKU or as id:N",
        ),
        (
            &[("Type", "variation"), ("Parent", "gone")],
            "column `Parent`: there is no variable product `gone` in this file",
        ),
    ] {
        let refusal = only_refusal(&woo(&[&with(cells)]), Format::Woocommerce);
        assert!(refusal.contains(expected), "{refusal}\nexpected: {expected}");
        assert_eq!(refusal.lines().count(), 1, "{refusal}");
    }
}

#[test]
fn columns_that_a_file_does_not_have_leave_their_members_alone() {
    let product = only_product("Type,Name,Regular price\nsimple,Oak,1\n", Format::Woocommerce);
    let expected = ProductRecord {
        slug: "oak".to_owned(),
        name: Member::Value("Oak".to_owned()),
        price_amount: Member::Value(100),
        capabilities: Member::Value(vec!["shippable".to_owned()]),
        options: Member::Value(vec![]),
        ..ProductRecord::default()
    };
    assert_eq!(product, expected);
}
