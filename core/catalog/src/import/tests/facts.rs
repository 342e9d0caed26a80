//! Brand, GTIN, weight and the price before a reduction, as other systems write them.

use super::super::variant_facts::grams;
use super::super::{FactsRecord, Member, ProductRecord};
use super::{Format, notices, only_product, products, read, table};

const SHOPIFY: [&str; 11] = [
    "Handle",
    "Title",
    "Vendor",
    "Option1 Name",
    "Option1 Value",
    "Variant SKU",
    "Variant Grams",
    "Variant Price",
    "Variant Compare At Price",
    "Variant Barcode",
    "Variant Image",
];

fn shopify(variants: &[[&str; 4]]) -> ProductRecord {
    let row = |(index, [price, compare_at, grams, barcode]): (usize, &[&'static str; 4])| {
        let size = ["S", "M", "L"][index];
        let first = if index == 0 {
            [("Title", "A"), ("Vendor", "Acme"), ("Option1 Name", "Size")]
        } else {
            [("Title", ""); 3]
        };
        let cells = [
            ("Handle", "a"),
            ("Option1 Value", size),
            ("Variant Price", *price),
            ("Variant Compare At Price", *compare_at),
            ("Variant Grams", *grams),
            ("Variant Barcode", *barcode),
        ];
        [&first[..], &cells].concat()
    };
    // The texts of the tests live as long as the program.
    let variants = variants.iter().map(|cells| cells.map(|cell| &*cell.to_owned().leak())).collect::<Vec<_>>();
    let rows = variants.iter().enumerate().map(row).collect::<Vec<_>>();
    only_product(&table(&SHOPIFY, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>()), Format::Shopify)
}

/// Price before the reduction, weight and GTIN.
fn facts(product: &ProductRecord) -> (Option<i64>, Option<i64>, Option<&str>) {
    let FactsRecord { gtin, weight_grams, compare_at_amount, .. } = &product.facts;
    (compare_at_amount.value().copied(), weight_grams.value().copied(), gtin.value().map(String::as_str))
}

#[test]
fn facts_of_shopify_are_those_that_its_variants_have_in_common() {
    let one = shopify(&[["10.00", "15.00", "500", "'4006381333931"]]);
    assert_eq!(facts(&one), (Some(1500), Some(500), Some("4006381333931")));
    assert_eq!(one.facts.brand, Member::Value("Acme".to_owned()));
    assert_eq!(
        facts(&shopify(&[["10", "15", "500", "96385074"], ["12", "", "500", "96385074"]])),
        (Some(1500), Some(500), Some("96385074"))
    );
    assert_eq!(facts(&shopify(&[["10", "15", "500", "96385074"], ["12", "", "600", ""]])), (Some(1500), None, None));
}

#[test]
fn the_price_before_a_reduction_is_that_of_what_is_sold_at_the_products_price() {
    let compare_at = |variants: &[[&str; 4]]| facts(&shopify(variants)).0;
    for (before, expected) in [("15", Some(1500)), ("10", None), ("9.99", None), ("", None), ("0", None)] {
        assert_eq!(compare_at(&[["10", before, "", ""]]), expected, "{before}");
    }
    assert_eq!(compare_at(&[["12", "20", "", ""], ["10", "", "", ""]]), None, "the cheapest is not reduced");
    assert_eq!(
        compare_at(&[["10", "20", "", ""], ["10", "", "", ""]]),
        None,
        "one that costs the same never cost more"
    );
    assert_eq!(compare_at(&[["10", "20", "", ""], ["10", "15", "", ""]]), Some(1500), "no more is promised than holds");
}

#[test]
fn images_of_variants_come_after_those_of_the_product() {
    let text = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src,Image Position,Variant Image\n\
                a,A,Size,S,1,p.jpg,1,s.jpg\na,,,L,1,,,q.jpg\na,,,,,q.jpg,2,\n";
    let images = ["p.jpg", "q.jpg", "s.jpg"].map(str::to_owned).to_vec();
    assert_eq!(only_product(text, Format::Shopify).images, Member::Value(images));
}

const WOO: [&str; 13] = [
    "ID",
    "Type",
    "SKU",
    "GTIN, UPC, EAN, or ISBN",
    "Name",
    "Weight (lbs)",
    "Sale price",
    "Regular price",
    "Parent",
    "Brands",
    "Attribute 1 name",
    "Attribute 1 value(s)",
    "Attribute 1 visible",
];

#[test]
fn facts_of_woocommerce_are_read() {
    let row = [
        ("Type", "simple"),
        ("Name", "Cap"),
        ("GTIN, UPC, EAN, or ISBN", "978-0-306-40615-7"),
        ("Weight (lbs)", "1,5"),
        ("Sale price", "15"),
        ("Regular price", "20"),
        ("Brands", "Head > Acme &amp; Co, Other"),
    ];
    let items = read(&table(&WOO, &[&row]), Format::Woocommerce);
    let product = products(&items)[0];
    assert_eq!(facts(product), (Some(2000), Some(680), Some("9780306406157")));
    assert_eq!(product.facts.brand, Member::Value("Acme & Co".to_owned()));
    assert_eq!(notices(&items).len(), 1, "the second brand: {items:?}");
    let bad = [
        ("Type", "simple"),
        ("Name", "Cap"),
        ("Regular price", "20"),
        ("Weight (lbs)", "light"),
        ("GTIN, UPC, EAN, or ISBN", "ABC"),
    ];
    let items = read(&table(&WOO, &[&bad]), Format::Woocommerce);
    assert_eq!(facts(products(&items)[0]), (None, None, None));
    let mut told = notices(&items).into_iter().map(|(_, told)| told).collect::<Vec<_>>();
    told.sort();
    assert_eq!(
        told,
        [
            "column `GTIN, UPC, EAN, or ISBN`: \"ABC\" is no GTIN and is left out",
            "column `Weight (lbs)`: \"light\" is no weight and is left out"
        ]
    );
}

#[test]
fn a_variation_weighs_as_much_as_its_product_unless_it_says_otherwise() {
    let parent = [
        ("Type", "variable"),
        ("SKU", "p"),
        ("Name", "Cap"),
        ("Weight (lbs)", "2"),
        ("Attribute 1 name", "Size"),
        ("Attribute 1 value(s)", "S, L"),
    ];
    let variation = |size: &'static str, weight: &'static str, sale: &'static str| {
        [
            ("Type", "variation"),
            ("Parent", "p"),
            ("Regular price", "20"),
            ("Sale price", sale),
            ("Weight (lbs)", weight),
            ("Attribute 1 name", "Size"),
            ("Attribute 1 value(s)", size),
        ]
    };
    for (rows, expected) in [
        ([variation("S", "", "15"), variation("L", "", "")], (Some(2000), Some(907))),
        ([variation("S", "4", "15"), variation("L", "4", "15")], (Some(2000), Some(1814))),
        ([variation("S", "4", ""), variation("L", "", "")], (None, Some(907))),
    ] {
        let product = only_product(&table(&WOO, &[&parent, &rows[0], &rows[1]]), Format::Woocommerce);
        assert_eq!((facts(&product).0, facts(&product).1), expected);
    }
}

#[test]
fn weights_are_whole_grams() {
    let (kg, lbs, oz) = ((1_000, 1), (45_359_237, 100_000), (28_349_523_125, 1_000_000_000));
    for (text, unit, expected) in [
        ("0.25", kg, Ok(Some(250))),
        ("0,250", kg, Ok(Some(250))),
        ("1", lbs, Ok(Some(454))),
        ("1", oz, Ok(Some(28))),
        ("0.0004", kg, Ok(None)),
        ("0.0005", kg, Ok(Some(1))),
        ("0", kg, Ok(None)),
        (".5", kg, Ok(Some(500))),
        ("1000000", kg, Ok(Some(1_000_000_000))),
    ] {
        assert_eq!(grams(text, unit), expected, "{text}");
    }
    for bad in ["x", "-1", "1.2.3", "1000001", "9999999999999999999", "1e3", ".", "1 kg"] {
        assert!(grams(bad, kg).is_err(), "{bad}");
    }
}
