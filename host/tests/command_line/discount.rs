//! `stoa discount`.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;

both_databases!(a_percentage_is_made_shown_and_listed);
async fn a_percentage_is_made_shown_and_listed(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let create = ["discount", "create", "Summer-10", "--percent", "12.5", "--json"];
    let limits = ["--minimum", "2500", "--max-uses", "100", "--max-uses-per-customer", "1"];
    let window = ["--from", "2099-06-01", "--until", "2099-09-01T00:00:00+02:00"];
    let made = place.run([create.as_slice(), &limits, &window].concat()).await.succeeded().json();
    let created_at = made["created_at"].as_str().expect("a time");
    assert_eq!(
        made,
        json!({
            "id": 1, "code": "Summer-10", "percent": 12.5, "amount": null, "minimum_amount": 2500, "max_uses": 100,
            "max_uses_per_customer": 1, "uses": 0, "valid_from": "2099-06-01T00:00:00Z",
            "valid_until": "2099-08-31T22:00:00Z", "active": true, "state": "not_yet", "created_at": created_at, "customer_id": null,
        })
    );
    assert_eq!(place.run(["discount", "show", "SUMMER-10", "--json"]).await.succeeded().json(), made);
    assert_eq!(place.run(["discount", "list", "--json"]).await.succeeded().data(), [made]);

    let shown = place.run(["discount", "show", "summer-10"]).await.succeeded().out;
    for words in ["Summer-10", "12.5 %", "25.00 EUR", "0 of 100", "2099-06-01T00:00:00Z", "not yet"] {
        assert!(shown.contains(words), "{words:?} is missing in {shown}");
    }
    let listed = place.run(["discount", "list"]).await.succeeded().out;
    assert!(listed.contains("CODE") && listed.contains("Summer-10") && listed.contains("not yet"), "{listed}");
}

both_databases!(an_amount_is_switched_off_and_on_and_removed);
async fn an_amount_is_switched_off_and_on_and_removed(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let made = place.run(["discount", "create", "WELCOME", "--amount", "500"]).await.succeeded().out;
    assert!(made.contains("5.00 EUR") && made.contains("active"), "{made}");
    let state = async |action: &'static str| {
        let changed = place.run(["discount", action, "welcome", "--json"]).await.succeeded().json();
        (changed["active"].clone(), changed["state"].clone())
    };
    assert_eq!(state("disable").await, (json!(false), json!("disabled")));
    assert_eq!(state("disable").await, (json!(false), json!("disabled")));
    assert_eq!(state("enable").await, (json!(true), json!("active")));
    let removed = place.run(["discount", "remove", "welcome"]).await.succeeded().out;
    assert_eq!(removed, "WELCOME is removed\n");
    place.run(["discount", "create", "SHORT", "--amount", "500"]).await.succeeded();
    let removed = place.run(["discount", "remove", "short", "--json"]).await.succeeded().json();
    assert_eq!((&removed["code"], &removed["amount"]), (&json!("SHORT"), &json!(500)));
    place.run(["discount", "remove", "welcome"]).await.refused(1, &["no discount `welcome`", "stoa discount list"]);
    for action in ["show", "enable", "disable"] {
        place.run(["discount", action, "welcome"]).await.refused(1, &["no discount `welcome`"]);
    }
    assert_eq!(place.run(["discount", "list", "--json"]).await.succeeded().data().len(), 0);
}

both_databases!(a_discount_is_changed_in_what_is_said_and_nothing_else);
async fn a_discount_is_changed_in_what_is_said_and_nothing_else(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let create = ["discount", "create", "SUMMER", "--percent", "10", "--minimum", "25.00", "--max-uses", "5"];
    place.run(create).await.succeeded();
    let set =
        ["discount", "set", "summer", "--amount", "5.00", "--max-uses", "none", "--until", "2099-09-01", "--json"];
    let changed = place.run(set).await.succeeded().json();
    let parts = ["percent", "amount", "minimum_amount", "max_uses", "valid_until"].map(|name| changed[name].clone());
    assert_eq!(parts, [json!(null), json!(500), json!(2500), json!(null), json!("2099-09-02T00:00:00Z")]);
    let early = ["discount", "set", "SUMMER", "--from", "2099-10-01"];
    place.run(early).await.refused(2, &["--until", "2099-10-01"]);
    place.run(["discount", "set", "SUMMER"]).await.refused(2, &["--percent"]);
    place.run(["discount", "set", "SUMMER", "--max-uses", "0"]).await.refused(2, &["above zero"]);
    place.run(["discount", "set", "WINTER", "--percent", "1"]).await.refused(1, &["no discount `WINTER`"]);
    let rows = place.run(["audit", "list", "--act", "discounts.set", "--json"]).await.succeeded().data();
    assert_eq!(
        (rows.len(), &rows[0]["before"]["percent"], &rows[0]["after"]["amount"]),
        (1, &json!(1000), &json!(500))
    );
}

both_databases!(a_code_is_given_once_whatever_its_case);
async fn a_code_is_given_once_whatever_its_case(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.run(["discount", "create", "WELCOME", "--amount", "500"]).await.succeeded();
    let again = place.run(["discount", "create", "welcome", "--percent", "5"]).await;
    again.refused(1, &["`welcome`", "already", "case does not matter"]);
}

#[tokio::test]
async fn what_no_discount_can_have_is_refused() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let create = async |arguments: &[&str]| place.run([&["discount", "create"], arguments].concat()).await;
    for percent in ["0", "101", "100.01", "-5", "1.234", "12,5", "ten", ""] {
        create(&["X", "--percent", percent]).await.refused(2, &["--percent", "up to 100"]);
    }
    for option in ["--max-uses", "--max-uses-per-customer"] {
        for number in ["0", "-1", "1.5", "many", "9223372036854775808"] {
            create(&["X", "--percent", "5", option, number]).await.refused(2, &[option]);
        }
    }
    for amount in ["0", "0.00", "-1", "5,00", "5.005", "many", "9223372036854775808"] {
        create(&["X", "--amount", amount]).await.refused(2, &["--amount: ", "€"]);
        create(&["X", "--percent", "5", "--minimum", amount]).await.refused(2, &["--minimum: ", "€"]);
    }
    create(&["X"]).await.refused(2, &["--percent", "--amount"]);
    create(&["X", "--percent", "5", "--amount", "5"])
        .await
        .refused(2, &["--percent", "--amount", "cannot be used with"]);
    let long = "x".repeat(41);
    for code in ["", " ", "two words", "tab\there", long.as_str()] {
        create(&[code, "--percent", "5"]).await.refused(2, &["1 to 40", "no blanks"]);
    }
    create(&["X", "--percent", "5", "--from", "soon"]).await.refused(2, &["--from", "2027-01-31"]);
    let ends = async |from: &str, until: &str| create(&["X", "--percent", "5", "--from", from, "--until", until]).await;
    for until in ["2099-01-01T00:00:00Z", "2098-12-31"] {
        ends("2099-01-01", until).await.refused(2, &["--until", "after --from", "2099-01-01"]);
    }
    create(&["X", "--percent", "5", "--until", "2020-01-01"]).await.refused(2, &["--until", "past", "2020-01-02"]);
    assert_eq!(place.run(["discount", "list", "--json"]).await.succeeded().data().len(), 0);
}

#[tokio::test]
async fn amounts_are_typed_with_decimals_or_in_the_smallest_unit() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let create = ["discount", "create", "WELCOME", "--amount", "5.00", "--minimum", "2500", "--json"];
    let made = place.run(create).await.succeeded().json();
    assert_eq!((&made["amount"], &made["minimum_amount"]), (&json!(500), &json!(2500)));
}
