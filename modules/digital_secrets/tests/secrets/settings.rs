//! Settings of products and of the module.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{builder, keyed};

both_databases!(settings_of_a_product_are_checked_on_import);
async fn settings_of_a_product_are_checked_on_import(backend: Backend) {
    let shop = builder(backend).open().await;
    for (settings, expected) in [
        (json!({"pool": ""}), "`pool`"),
        (json!({"pool": " keys"}), "`pool`"),
        (json!({"pool": "k".repeat(101)}), "`pool`"),
        (json!({"pool": 7}), "expected a string"),
        (json!({"pattern": "KEY-99"}), "`pattern`"),
        (json!({"pattern": "XXXXXXXX\\"}), "`pattern`"),
        (json!({"max_per_customer": 0}), "`max_per_customer`"),
        (json!({"max_per_customer": -3}), "`max_per_customer`"),
        (json!({"backorder": "yes"}), "expected a boolean"),
        (json!({"pol": "keys"}), "`pol`"),
    ] {
        let outcomes = shop.import(&[keyed("font", &settings)]).await;
        let problems = outcomes.into_iter().filter_map(Result::err).flatten();
        let problems = problems.map(|problem| format!("{}: {}", problem.member, problem.reason)).collect::<Vec<_>>();
        assert!(problems.len() == 1 && problems[0].contains(expected), "{settings}: {problems:?}");
    }
    let all = json!({"pool": "keys", "pattern": null, "backorder": true, "max_per_customer": 3});
    shop.stock(&[keyed("font", &all), keyed("game", &json!({}))]).await;
}

#[test]
fn impossible_settings_stop_the_start() {
    for (setting, key) in [
        ("low_water = -1", "low_water"),
        ("keep_reveals_days = 40000", "keep_reveals_days"),
        ("backorder = 1", "backorder"),
        ("low_watr = 1", "low_watr"),
    ] {
        let config = format!("[modules.digital_secrets]\n{setting}");
        let Err(problems) = builder(Backend::Sqlite).config(&config).freeze() else { panic!("{setting} is accepted") };
        assert!(problems.to_string().contains(&format!("modules.digital_secrets.{key}")), "{problems}");
    }
}
