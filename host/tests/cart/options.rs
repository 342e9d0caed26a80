//! Selections of a product's options.

use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use crate::shelf::{
    add, builder, fill, guest, id_of, lines, read, refused_fields, rows, select, server, shop, try_select, with,
};

both_databases!(choices_change_the_price_and_are_shown);
async fn choices_change_the_price_and_are_shown(backend: Backend) {
    let shop = shop(backend).await;
    let selections = json!({"os": "ubuntu", "backup": "daily", "extras": ["panel", "ipv4"], "managed": true,
                            "hostname": "web-1", "cores": 4});
    let cart = select(&shop, &guest(&shop).await, &selections).await;
    let line = &cart["lines"][0];
    assert_eq!(line["unit_amount"], 1000 + 250 + 500 + 300 + 100);
    let mut stored = selections;
    stored["extras"] = json!(["ipv4", "panel"]);
    assert_eq!(line["selections"], stored);
    let shown = json!([
        {"key": "os", "label": "System", "display": "Ubuntu"},
        {"key": "backup", "label": "Backup", "display": "Daily"},
        {"key": "extras", "label": "Extras", "display": "Panel, IPv4"},
        {"key": "managed", "label": "Managed", "display": "Yes"},
        {"key": "hostname", "label": "Hostname", "display": "web-1"},
        {"key": "cores", "label": "Cores", "display": "4"},
    ]);
    assert_eq!(line["options"], shown);
}

both_databases!(words_of_the_shop_are_in_the_language_of_its_labels);
async fn words_of_the_shop_are_in_the_language_of_its_labels(backend: Backend) {
    let shop = builder(backend).config("[shop]\nlocale = 'de-AT'").open().await;
    fill(&shop).await;
    let cart = select(&shop, &guest(&shop).await, &json!({"os": "debian", "managed": true})).await;
    assert_eq!(cart["lines"][0]["options"][1]["display"], "Ja");
    assert_eq!(cart["lines"][0]["selections"]["managed"], true);
}

both_databases!(equal_selections_are_one_line_however_they_are_written);
async fn equal_selections_are_one_line_however_they_are_written(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let id = id_of(&shop, "server").await;
    let same = [
        r#"{"os": "debian", "extras": ["ipv4", "panel"], "cores": 4, "hostname": "web"}"#,
        r#"{"hostname": "web", "cores": 4.0, "extras": ["panel", "ipv4"], "os": "debian"}"#,
        r#"{"os": " debian ", "extras": ["ipv4", "panel", "ipv4"], "cores": 4e0, "hostname": "  web "}"#,
        r#"{"os": "debian", "extras": ["ipv4", "panel"], "cores": 40e-1, "hostname": "web", "backup": null, "managed": null}"#,
        r#"{"os": "debian", "extras": ["ipv4", "panel"], "cores": 4, "hostname": "web", "backup": " ", "managed": ""}"#,
        r#"{"os": "debian", "extras": ["ipv4", "panel"], "cores": 4, "hostname": "web", "managed": false}"#,
    ];
    for selections in same {
        let body = serde_json::from_str::<Value>(selections).expect(selections);
        visitor.post("/cart", &json!({"product_id": id, "selections": body})).await.expect_status(200);
    }
    let cart = read(&visitor).await;
    assert_eq!((lines(&cart).len(), &cart["item_count"]), (1, &json!(same.len())));
    assert_eq!(cart["lines"][0]["unit_amount"], 1400, "what is named twice is charged once");
}

both_databases!(different_selections_are_different_lines);
async fn different_selections_are_different_lines(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let different = [
        json!({"os": "debian"}),
        json!({"os": "ubuntu"}),
        json!({"os": "debian", "managed": true}),
        json!({"os": "debian", "cores": 1}),
        json!({"os": "debian", "cores": 1.5}),
        json!({"os": "debian", "cores": -1}),
        json!({"os": "debian", "hostname": "1"}),
        json!({"os": "debian", "hostname": "A"}),
        json!({"os": "debian", "hostname": "a"}),
        json!({"os": "debian", "extras": ["panel"]}),
        json!({"os": "debian", "extras": ["panel", "ipv4"]}),
        json!({"os": "debian", "backup": "none"}),
    ];
    for selections in &different {
        select(&shop, &visitor, selections).await;
    }
    let cart = read(&visitor).await;
    let stored = lines(&cart).iter().map(|line| line["selections"].clone()).collect::<Vec<_>>();
    assert_eq!(stored.len(), different.len());
    assert_eq!(stored[4], json!({"os": "debian", "cores": 1.5}));
    let other = select(&shop, &guest(&shop).await, &different[2]).await;
    assert_eq!(other["lines"][0]["line_key"], cart["lines"][2]["line_key"], "a key is the same in every cart");
}

/// As carts have kept it before a toggle that is off was the same as nothing.
const KEEP_OFF: Sql = sql!("UPDATE cart_lines SET selections = $1");

both_databases!(a_required_toggle_that_an_older_cart_keeps_as_off_is_not_on);
async fn a_required_toggle_that_an_older_cart_keeps_as_off_is_not_on(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    select(&shop, &visitor, &json!({"os": "debian"})).await;
    let kept = json!({"os": "debian", "managed": false});
    let keep = shop.parts.db.write(async |tx| tx.run(KEEP_OFF).bind(Json(&kept)).execute().await);
    assert_eq!(keep.await.expect("it is written"), 1);
    assert_eq!(read(&visitor).await["lines"][0]["available"], true, "nobody has to have it");
    let mut strict = server();
    strict["options"][3]["required"] = json!(true);
    shop.stock(&[strict]).await;
    assert_eq!(read(&visitor).await["lines"][0]["available"], false);
}

both_databases!(a_required_option_must_be_selected);
async fn a_required_option_must_be_selected(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    for selections in [json!(null), json!({}), json!({"backup": "daily"}), json!({"os": null}), json!({"os": "  "})] {
        assert_eq!(refused_fields(try_select(&shop, &visitor, &selections).await), ["selections.os"], "{selections}");
    }
    let without = visitor.post("/cart", &json!({"product_id": id_of(&shop, "server").await})).await;
    assert_eq!(refused_fields(without), ["selections.os"]);
    let mut strict = server();
    strict["options"][2]["required"] = json!(true);
    strict["options"][3]["required"] = json!(true);
    shop.stock(&[strict]).await;
    for nothing in [json!({"os": "debian", "extras": []}), json!({"os": "debian", "extras": null, "managed": false})] {
        let empty = try_select(&shop, &visitor, &nothing).await;
        assert_eq!(refused_fields(empty), ["selections.extras", "selections.managed"]);
    }
    select(&shop, &visitor, &json!({"os": "debian", "extras": ["ipv4"], "managed": true})).await;
}

both_databases!(values_that_an_option_does_not_take_are_refused);
async fn values_that_an_option_does_not_take_are_refused(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let wrong = [
        ("os", json!("windows")),
        ("os", json!("retired")),
        ("os", json!("Debian")),
        ("os", json!(5)),
        ("os", json!(true)),
        ("os", json!(["debian"])),
        ("os", json!({"value": "debian"})),
        ("backup", json!("hourly")),
        ("backup", json!(["daily"])),
        ("extras", json!("ipv4")),
        ("extras", json!(["ipv4", "nope"])),
        ("extras", json!([5])),
        ("extras", json!([["ipv4"]])),
        ("extras", json!([null])),
        ("extras", json!([""])),
        ("extras", json!({"0": "ipv4"})),
        ("managed", json!("true")),
        ("managed", json!(1)),
        ("managed", json!([true])),
        ("hostname", json!(5)),
        ("hostname", json!(["x"])),
        ("hostname", json!({})),
        ("hostname", json!("bell\u{7}")),
        ("hostname", json!("nul\u{0}")),
        ("hostname", json!("x".repeat(256))),
        ("cores", json!("4")),
        ("cores", json!(true)),
        ("cores", json!([4])),
        ("cores", json!({})),
        ("gone", json!("x")),
        ("unknown", json!("x")),
        ("OS", json!("debian")),
        ("__proto__", json!("x")),
        ("", json!("x")),
        ("unknown", json!(null)),
    ];
    for (key, value) in wrong {
        let selections = with(json!({"os": "debian"}), &json!({key: value}));
        let answer = try_select(&shop, &visitor, &selections).await;
        assert_eq!(refused_fields(answer), [format!("selections.{key}")], "{selections}");
    }
    assert_eq!(rows(&shop).await, (0, 0));
}

both_databases!(all_that_is_wrong_is_told_at_once);
async fn all_that_is_wrong_is_told_at_once(backend: Backend) {
    let shop = shop(backend).await;
    let selections = json!({"extras": 1, "cores": "four", "paint": "red"});
    let answer = try_select(&shop, &guest(&shop).await, &selections).await;
    let expected = ["selections.cores", "selections.extras", "selections.os", "selections.paint"];
    assert_eq!(refused_fields(answer), expected);
}

both_databases!(a_refused_choice_names_those_that_are_offered);
async fn a_refused_choice_names_those_that_are_offered(backend: Backend) {
    let shop = shop(backend).await;
    let answer = try_select(&shop, &guest(&shop).await, &json!({"os": "windows"})).await;
    let told = answer.json()["errors"]["selections.os"][0].as_str().expect("a sentence").to_owned();
    assert!(told.contains("debian") && told.contains("ubuntu") && !told.contains("retired"), "{told}");
}

both_databases!(selections_are_an_object);
async fn selections_are_an_object(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let many = (0..101).map(|number| (number.to_string(), json!("x"))).collect::<serde_json::Map<_, _>>();
    for wrong in [json!("text"), json!(5), json!(true), json!(["os"]), json!([{"os": "debian"}]), Value::Object(many)] {
        assert_eq!(refused_fields(try_select(&shop, &visitor, &wrong).await), ["selections"], "{wrong}");
    }
}

both_databases!(a_product_without_options_knows_no_key);
async fn a_product_without_options_knows_no_key(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let body = json!({"product_id": id_of(&shop, "book").await, "selections": {"os": "debian"}});
    assert_eq!(refused_fields(visitor.post("/cart", &body).await), ["selections.os"]);
    add(&shop, &visitor, "book", 1).await;
}

both_databases!(a_text_is_kept_as_it_was_sent);
async fn a_text_is_kept_as_it_was_sent(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let kept = [
        "Ünïcødé 茶",
        "<script>alert(1)</script>",
        "a'b\"c\\",
        "{{x}}",
        "line\nbreak\ttab",
        "\u{202e}txet",
        "null",
        "4",
        "e\u{301}",
    ];
    for text in kept.map(str::to_owned).into_iter().chain(["é".repeat(255)]) {
        let cart = select(&shop, &visitor, &json!({"os": "debian", "hostname": text})).await;
        let line = lines(&cart).last().expect("a line").clone();
        assert_eq!((&line["selections"]["hostname"], &line["options"][1]["display"]), (&json!(text), &json!(text)));
    }
}

both_databases!(a_number_is_kept_as_it_was_sent);
async fn a_number_is_kept_as_it_was_sent(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    for number in
        [json!(0), json!(-3), json!(2.5), json!(0.1), json!(-1e-9), json!(i64::MAX), json!(i64::MIN), json!(u64::MAX)]
    {
        let cart = select(&shop, &visitor, &json!({"os": "debian", "cores": number})).await;
        assert_eq!(lines(&cart).last().expect("a line")["selections"]["cores"], number);
    }
    let zero = select(&shop, &visitor, &json!({"os": "debian", "cores": -0.0})).await;
    assert_eq!(zero["lines"][0]["quantity"], 2, "there is one zero");
    let huge = select(&shop, &visitor, &json!({"os": "debian", "cores": 1e300})).await;
    let kept = lines(&huge).last().expect("a line")["selections"]["cores"].as_f64().expect("a number");
    assert!((kept / 1e300 - 1.0).abs() < 1e-12, "{kept}");
}

both_databases!(a_number_that_is_none_is_refused);
async fn a_number_that_is_none_is_refused(backend: Backend) {
    let shop = shop(backend).await;
    let id = id_of(&shop, "server").await;
    for number in ["1e999", "-1e999", "NaN", "Infinity"] {
        let client = shop.client().with_header("content-type", "application/json");
        let body = format!(r#"{{"product_id": {id}, "selections": {{"os": "debian", "cores": {number}}}}}"#);
        let answer = client.send(client.request(http::Method::POST, "/cart", body)).await;
        answer.expect_error(422, "validation_error");
    }
}
