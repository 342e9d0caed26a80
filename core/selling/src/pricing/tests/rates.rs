//! Tests of rates and shipping methods, as the configuration says them.

use stoa_kernel::config::{Config, CountryCode, Sources};

use crate::pricing::{shipping_methods_for, shipping_tax_rate, tax_rate};

fn config(text: &str) -> Config {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("config.toml"), text).expect("the file can be written");
    Config::load(Sources::new(folder.path())).expect("the settings are right").config
}

fn country(code: &str) -> CountryCode {
    CountryCode::parse(code).expect("a country")
}

#[test]
fn a_tax_class_overrides_the_standard_rate_of_the_countries_it_names() {
    let tax = config(
        "[tax]\nrates = { NL = 2100, DE = 1900 }\n[tax.classes]\nreduced = { NL = 900, BE = 600 }\nexempt = { NL = 0 }\n",
    )
    .tax;
    for (class, code, rate) in [
        (None, "NL", 2_100),
        (None, "DE", 1_900),
        (None, "US", 0),
        (Some("reduced"), "NL", 900),
        (Some("reduced"), "BE", 600),
        (Some("reduced"), "DE", 1_900),
        (Some("reduced"), "US", 0),
        (Some("exempt"), "NL", 0),
        (Some("unheard-of"), "NL", 2_100),
        (Some(""), "DE", 1_900),
    ] {
        assert_eq!(tax_rate(&tax, class, country(code)).get(), rate, "{class:?} to {code}");
    }
    assert_eq!(shipping_tax_rate(&tax, country("NL")).get(), 2_100);
    assert_eq!(shipping_tax_rate(&tax, country("BE")).get(), 0);
}

const METHODS: &str = "
    [[shipping.methods]]
    id = 'standard'
    label = 'Standard'
    amount = 495
    countries = ['NL', 'BE']
    free_from = 5000
    [[shipping.methods]]
    id = 'world'
    label = 'Worldwide'
    amount = 1500
";

#[test]
fn ways_of_shipping_depend_on_the_country_and_the_subtotal() {
    let shipping = config(METHODS).shipping;
    let offered = |code: Option<&str>, subtotal| {
        let methods = shipping_methods_for(&shipping, code.map(country), subtotal);
        methods.into_iter().map(|method| (method.id, method.amount)).collect::<Vec<_>>()
    };
    let (standard, world) = (("standard".to_owned(), 495), ("world".to_owned(), 1_500));
    assert_eq!(offered(Some("NL"), 4_999), [standard.clone(), world.clone()]);
    assert_eq!(offered(Some("BE"), 5_000), [("standard".to_owned(), 0), world.clone()]);
    assert_eq!(offered(Some("US"), 5_000), [("world".to_owned(), 1_500)]);
    assert_eq!(offered(None, 0), [standard, world]);
}

#[test]
fn the_default_ships_everywhere_for_free() {
    let methods = shipping_methods_for(&config("").shipping, Some(country("AQ")), 1);
    assert_eq!(
        methods.into_iter().map(|method| (method.id, method.amount)).collect::<Vec<_>>(),
        [("standard".to_owned(), 0)]
    );
}
