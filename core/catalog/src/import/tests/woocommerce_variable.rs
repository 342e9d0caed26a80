//! WooCommerce's variable products and their variations.

use super::super::{Member, OptionRecord};
use super::woocommerce::{Row, options, with, woo};
use super::{Format, notices, only_product, only_refusal, products, read, rejections};

/// A variation of the product with the SKU `p`.
fn variation<'a>(values: [&'a str; 2], price: &'a str, cells: Row<'a>) -> Vec<(&'a str, &'a str)> {
    let mut row = vec![
        ("Type", "variation"),
        ("Parent", "p"),
        ("Published", "1"),
        ("Regular price", price),
        ("Attribute 1 name", "Color"),
        ("Attribute 1 value(s)", values[0]),
        ("Attribute 2 name", "Size"),
        ("Attribute 2 value(s)", values[1]),
    ];
    row.retain(|(name, _)| cells.iter().all(|(other, _)| other != name));
    row.extend(cells);
    row
}

const PARENT: [(&str, &str); 9] = [
    ("ID", "7"),
    ("Type", "variable"),
    ("SKU", "p"),
    ("Name", "Shirt"),
    ("Published", "1"),
    ("Attribute 1 name", "Color"),
    ("Attribute 1 value(s)", "Blue, Red"),
    ("Attribute 2 name", "Size"),
    ("Attribute 2 value(s)", "S, L"),
];

fn variable(variations: &[Vec<(&str, &str)>]) -> String {
    let mut rows: Vec<Row<'_>> = vec![&PARENT];
    rows.extend(variations.iter().map(Vec::as_slice));
    woo(&rows)
}

/// Label, adjustment, SKU and whether it is on offer, of each choice.
fn choices(option: &OptionRecord) -> Vec<(&str, i64, Option<&str>, bool)> {
    let mut found = Vec::new();
    for choice in &option.choices {
        let sku = choice.sku.as_deref();
        found.push((choice.label.as_str(), choice.price_adjustment_amount, sku, choice.active));
    }
    found
}

#[test]
fn variations_may_stand_anywhere_and_name_their_product_by_sku_or_id() {
    let by_id = variation(["Red", "S"], "12", &[("Parent", "id:7")]);
    let by_sku = variation(["Blue", "S"], "10", &[]);
    let text = woo(&[&by_id, &with(&[]), &PARENT, &with(&[("Name", "Other")]), &by_sku]);
    let items = read(&text, Format::Woocommerce);
    assert!(rejections(&items).is_empty(), "{items:?}");
    let shirt = products(&items)[2];
    assert_eq!((shirt.slug.as_str(), shirt.price_amount.value()), ("shirt", Some(&1000)));
    assert_eq!(shirt.sku, Member::Value("p".to_owned()));
    assert_eq!(items.last().map(|item| item.line), Some(4));
}

#[test]
fn variations_whose_prices_add_up_become_an_option_each() {
    let product = only_product(
        &variable(&[
            variation(["Red", "S"], "12", &[]),
            variation(["Red", "L"], "15", &[]),
            variation(["Blue", "S"], "10", &[]),
            variation(["Blue", "L"], "13", &[]),
        ]),
        Format::Woocommerce,
    );
    assert_eq!(product.price_amount, Member::Value(1000));
    let [color, size] = options(&product) else { panic!("two options") };
    assert_eq!((color.key.as_str(), color.label.as_str()), ("color", "Color"));
    assert_eq!(choices(color), [("Blue", 0, None, true), ("Red", 200, None, true)]);
    assert_eq!(choices(size), [("S", 0, None, true), ("L", 300, None, true)]);
}

#[test]
fn an_open_attribute_stands_for_all_values_that_have_no_variation_of_their_own() {
    let product = only_product(
        &variable(&[
            variation(["Red", ""], "12", &[("SKU", "red")]),
            variation(["Blue", ""], "10", &[("SKU", "blue")]),
            variation(["Blue", "L"], "11", &[("SKU", "blue-l")]),
        ]),
        Format::Woocommerce,
    );
    let [variant] = options(&product) else { panic!("one option") };
    assert_eq!(
        choices(variant),
        [
            ("Blue / S", 0, Some("blue"), true),
            ("Blue / L", 100, Some("blue-l"), true),
            ("Red / S", 200, Some("red"), true),
            ("Red / L", 200, Some("red"), true),
        ]
    );
}

#[test]
fn open_attributes_with_equal_prices_stay_options_of_their_own() {
    let product = only_product(
        &variable(&[
            variation(["Red", ""], "10", &[("SKU", "red")]),
            variation(["Blue", ""], "10", &[("SKU", "blue")]),
        ]),
        Format::Woocommerce,
    );
    let [color, size] = options(&product) else { panic!("two options") };
    assert_eq!(choices(color), [("Blue", 0, Some("blue"), true), ("Red", 0, Some("red"), true)]);
    assert_eq!(choices(size), [("S", 0, None, true), ("L", 0, None, true)]);
}

#[test]
fn private_variations_are_not_on_offer_and_do_not_make_the_price() {
    let product = only_product(
        &variable(&[
            variation(["Red", "S"], "5", &[("Published", "0")]),
            variation(["Blue", "S"], "10", &[]),
            variation(["Blue", "L"], "12", &[("Published", "-1")]),
        ]),
        Format::Woocommerce,
    );
    assert_eq!(product.price_amount, Member::Value(1000));
    assert_eq!(
        choices(&options(&product)[0]),
        [("Blue / S", 0, None, true), ("Blue / L", 200, None, true), ("Red / S", -500, None, false)]
    );
}

#[test]
fn variations_without_a_price_are_left_out_and_told() {
    let text = variable(&[variation(["Red", "S"], "", &[]), variation(["Blue", "S"], "10", &[])]);
    let items = read(&text, Format::Woocommerce);
    assert_eq!(products(&items).len(), 1);
    assert_eq!(
        notices(&items),
        [(
            3,
            "column `Regular price`: this variation of `shirt` is left out: without a price nobody can buy it"
                .to_owned()
        )]
    );
}

#[test]
fn capabilities_of_variations_are_those_of_their_product() {
    let product = only_product(
        &variable(&[
            variation(["Red", "S"], "5", &[("Type", "variation, downloadable, virtual")]),
            variation(["Blue", "S"], "10", &[]),
        ]),
        Format::Woocommerce,
    );
    assert_eq!(product.capabilities, Member::Value(vec!["shippable".to_owned(), "digital".to_owned()]));
}

#[test]
fn a_variation_on_sale_costs_its_sale_price() {
    let product = only_product(
        &variable(&[variation(["Red", "S"], "12", &[("Sale price", "9")]), variation(["Blue", "S"], "10", &[])]),
        Format::Woocommerce,
    );
    assert_eq!(product.price_amount, Member::Value(900));
}

#[test]
fn a_bad_variation_refuses_its_product_and_names_its_own_line() {
    let long = (0..2100).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    let good = variation(["Blue", "S"], "10", &[]);
    let refusal = |rows: &[Row<'_>]| only_refusal(&woo(rows), Format::Woocommerce);
    for (bad, expected) in [
        (variation(["Red", "S"], "1.234,56", &[]), "line 4, column `Regular price`: \"1.234,56\" is not an amount"),
        (variation(["Blue", "S"], "10", &[]), "line 4: this variation has the same attribute values as line 3"),
        (variation(["blue", "S"], "10", &[]), "line 4: this variation has the same attribute values as line 3"),
        (variation(["Red", "S"], "5", &[("Published", "x")]), "line 4, column `Published`: \"x\" is not one of"),
    ] {
        let found = refusal(&[&PARENT, &good, &bad]);
        assert!(found.starts_with(expected), "{found}");
    }
    let mut listless = PARENT.to_vec();
    listless[8].1 = "";
    let open = variation(["Red", ""], "5", &[]);
    assert!(
        refusal(&[&listless, &open]).contains("line 3, column `Attribute value(s)`: the attribute `Size` is left open")
    );
    let mut endless = PARENT.to_vec();
    endless[8].1 = &long;
    assert!(refusal(&[&endless, &open]).contains("more than 2048"));
}

#[test]
fn a_variable_product_that_nobody_can_buy_yet_is_taken_over_inactive() {
    let items =
        read(&variable(&[variation(["Red", "S"], "", &[]), variation(["Blue", "S"], "", &[])]), Format::Woocommerce);
    let product = products(&items)[0];
    assert_eq!((product.active, product.price_amount), (Member::Value(false), Member::Value(0)));
    assert_eq!(options(product)[0].choices.len(), 2, "the choices are there when it gets a price");
    let told = "`shirt` has no price and is taken over inactive: give it a price, then activate it";
    assert_eq!(notices(&items), [(2, told.to_owned())]);
    let items = read(&variable(&[]), Format::Woocommerce);
    assert_eq!((products(&items)[0].active, options(products(&items)[0]).len()), (Member::Value(false), 0));
    let told = "the variable product `shirt` has no variations in this file and is taken over inactive";
    assert_eq!(notices(&items), [(2, told.to_owned())]);
}

#[test]
fn too_many_variations_are_refused() {
    let variations: Vec<_> = (0..2049).map(|_| variation(["Red", "S"], "5", &[])).collect();
    let refusal = only_refusal(&variable(&variations), Format::Woocommerce);
    assert_eq!(refusal, "line 2: the product has more than 2048 variations");
}

#[test]
fn two_variable_products_with_one_sku_are_told() {
    let mut second = PARENT.to_vec();
    second[0].1 = "8";
    let items = read(&woo(&[&PARENT, &second, &variation(["Red", "S"], "5", &[])]), Format::Woocommerce);
    assert_eq!(products(&items).len(), 1);
    assert!(rejections(&items)[0].to_string().starts_with("line 3: the variable product in line 2 has `p` too"));
}

#[test]
fn an_only_variation_keeps_its_sku_beside_that_of_its_product() {
    let product = only_product(&variable(&[variation(["Red", ""], "10", &[("SKU", "p-red")])]), Format::Woocommerce);
    assert_eq!(product.sku, Member::Value("p".to_owned()));
    let skus = options(&product).iter().flat_map(choices).filter_map(|(_, _, sku, _)| sku).collect::<Vec<_>>();
    assert!(!skus.is_empty() && skus.iter().all(|sku| *sku == "p-red"), "{skus:?}");
}
