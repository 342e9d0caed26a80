//! Bad lines of the format `stoa`: each is refused once, with what was expected.

use super::{Format, only_refusal};

/// A product line with more members.
fn product(members: &str) -> String {
    format!(r#"{{"type":"product","slug":"a",{members}}}"#)
}

fn option(members: &str) -> String {
    product(&format!(r#""options":[{{{members}}}]"#))
}

fn choice(choices: &str) -> String {
    option(&format!(r#""key":"k","label":"K","type":"select","choices":[{choices}]"#))
}

fn long(count: usize) -> String {
    "x".repeat(count)
}

fn assert_refused(cases: &[(String, &str)]) {
    for (line, expected) in cases {
        let refusal = only_refusal(line, Format::Stoa);
        assert!(refusal.contains(expected), "{line:.100}\n{refusal}\nexpected: {expected}");
        assert!(refusal.starts_with("line 1"), "{refusal}");
        assert_eq!(refusal.lines().count(), 1, "{refusal}");
    }
}

#[test]
fn lines_that_are_no_object_are_refused() {
    assert_refused(&[
        ("{not json".into(), "line 1: is not valid JSON: key must be a string (character 2)"),
        ("{".into(), "line 1: is not valid JSON: EOF while parsing an object (character 1)"),
        ("\"a string\"".into(), "line 1: is a text, but must be a JSON object"),
        ("[1]".into(), "line 1: is a list, but must be a JSON object"),
        ("{} {}".into(), "line 1: is not valid JSON: trailing characters"),
        (r#"{"a":1,"a":2}"#.into(), "line 1: the key \"a\" stands twice in one object"),
        (product(r#""modules":{"m":{"a":{"b":1,"b":2}}}"#), "the key \"b\" stands twice"),
    ]);
}

#[test]
fn members_and_types_that_are_unknown_are_refused() {
    assert_refused(&[
        (r#"{"slug":"x"}"#.into(), "line 1, member `type`: is missing"),
        (
            r#"{"type":"prodct","slug":"x"}"#.into(),
            "line 1, member `type`: is `prodct`, which is no type of record; did you mean `product`?",
        ),
        (r#"{"type":1,"slug":"x"}"#.into(), "member `type`: is a number, but must be a text"),
        (
            r#"{"type":"category","slug":"a","price_amount":1}"#.into(),
            "member `price_amount`: is unknown; there are: type, slug, name, parent, image, active",
        ),
        (product(r#""nmae":"X""#), "member `nmae`: is unknown; did you mean `name`?"),
        (product(r#""Name":"X""#), "did you mean `name`?"),
        (product(r#""price":100"#), "member `price`: is unknown; did you mean `price_amount`?"),
    ]);
}

#[test]
fn slugs_are_refused() {
    assert_refused(&[
        (r#"{"type":"spaceship","slug":"x"}"#.into(), "; there are: category, product"),
        (r#"{"type":"product","name":"X"}"#.into(), "member `slug`: is missing"),
        (r#"{"type":"product","slug":" "}"#.into(), "member `slug`: is missing"),
        (r#"{"type":"product","slug":7}"#.into(), "member `slug`: is a number, but must be a text"),
        (r#"{"type":"product","slug":"Oak"}"#.into(), "\"Oak\" is no slug because of \"O\": use lower-case letters"),
        (r#"{"type":"product","slug":"a/b"}"#.into(), "because of \"/\""),
        (r#"{"type":"product","slug":"a b"}"#.into(), "because of \" \""),
        (r#"{"type":"product","slug":"a%20"}"#.into(), "because of \"%\""),
        (r#"{"type":"product","slug":"..\/etc"}"#.into(), "starts with a dot"),
        (format!(r#"{{"type":"product","slug":"{}"}}"#, long(192)), "has 192 characters; at most 191 are allowed"),
        (r#"{"type":"category","slug":"123"}"#.into(), "only digits and could be taken for a category's id"),
        (r#"{"type":"category","slug":"a","parent":"a"}"#.into(), "member `parent`: is the category itself"),
    ]);
}

#[test]
fn texts_are_refused() {
    assert_refused(&[
        (product(r#""name":null"#), "member `name`: is null or blank, but cannot be cleared"),
        (product(r#""name":"a\u0007b""#), "member `name`: holds the control character U+0007 (character 2)"),
        (product(r#""name":"a\nb""#), "member `name`: holds a line break"),
        (product(&format!(r#""name":"{}""#, long(256))), "has 256 characters; at most 255 are allowed"),
        (product(&format!(r#""subtitle":"{}""#, long(256))), "member `subtitle`: has 256"),
        (product(&format!(r#""sku":"{}""#, long(101))), "member `sku`: has 101 characters; at most 100"),
        (
            product(&format!(r#""description":"{}""#, long(65_536))),
            "member `description`: has 65536 characters; at most 65535",
        ),
        (product(r#""description":"a\u0000b""#), "U+0000"),
        (product(r#""category":"Chairs""#), "member `category`: \"Chairs\" is no slug"),
    ]);
}

#[test]
fn prices_and_flags_are_refused() {
    assert_refused(&[
        (
            product(r#""price_amount":"100""#),
            "member `price_amount`: is the text \"100\", but must be a number of minor units",
        ),
        (
            product(r#""price_amount":9.99"#),
            "is 9.99, but must be a whole number of minor units, such as 1999 for 19.99",
        ),
        (
            product(r#""price_amount":100.0"#),
            "is 100, written with a decimal point or an exponent, but must be a whole number of minor units in digits alone",
        ),
        (product(r#""price_amount":1e2"#), "is 100, written with a decimal point or an exponent"),
        (product(r#""price_amount":1e20"#), "is too large"),
        (product(r#""price_amount":-1"#), "is -1, but a price is 0 or more"),
        (product(r#""price_amount":10000000000001"#), "at most 10000000000000 is allowed"),
        (product(r#""price_amount":99999999999999999999"#), "is too large"),
        (product(&format!(r#""price_amount":{}"#, "9".repeat(30))), "is too large"),
        (product(r#""price_amount":1e999"#), "number out of range"),
        (product(r#""price_amount":null"#), "is null, but must be a number of minor units"),
        (product(r#""active":1"#), "member `active`: is a number, but must be true or false"),
        (product(r#""active":null"#), "must be true or false"),
    ]);
}

#[test]
fn images_are_refused() {
    assert_refused(&[
        (product(r#""images":"a.jpg""#), "member `images`: is a text, but must be a list"),
        (
            product(r#""images":["a.jpg","../b.jpg"]"#),
            "member `images[1]`: \"../b.jpg\" is no image: give an absolute http(s) URL, or a path below the media folder",
        ),
        (product(r#""images":["/etc/passwd"]"#), "is no image"),
        (product(r#""images":["a//b.jpg"]"#), "is no image"),
        (product(r#""images":["a\\b.jpg"]"#), "is no image"),
        (product(r#""images":["http:a.jpg"]"#), "is no image"),
        (product(r#""images":["javascript:alert(1)"]"#), "use http or https"),
        (product(r#""images":["https://u:p@i.example/a.jpg"]"#), "holds a user name or a password"),
        (product(r#""images":["https://i.example/a b.jpg"]"#), "write it as %20"),
        (product(r#""images":["https://"]"#), "is no URL: empty host"),
        (product(r#""images":[7]"#), "member `images[0]`: is a number, but must be a text"),
        (product(r#""images":[" "]"#), "member `images[0]`: is blank"),
    ]);
}

#[test]
fn capabilities_and_modules_are_refused() {
    assert_refused(&[
        (
            product(r#""capabilities":["Digital"]"#),
            "member `capabilities[0]`: \"Digital\" is no key: use lower-case letters a to z",
        ),
        (product(r#""capabilities":["a","b","a"]"#), "holds `a` twice"),
        (product(r#""modules":[]"#), "member `modules`: is a list, but must be an object"),
        (product(r#""modules":{"stock":7}"#), "member `modules.stock`: is a number, but must be an object"),
        (product(r#""modules":{"My-Module":{}}"#), "member `modules`: \"My-Module\" is no key"),
    ]);
}

#[test]
fn options_and_choices_are_refused() {
    assert_refused(&[
        (product(r#""options":[7]"#), "member `options[0]`: is a number, but must be an object"),
        (
            option(r#""key":"k","label":"K","type":"hologram""#),
            "member `options[0].type`: is `hologram`, which is no type of option; there are: select",
        ),
        (option(r#""key":"k","label":"K","type":"selcet""#), "did you mean `select`?"),
        (option(r#""key":"k","label":"K""#), "member `options[0].type`: is missing"),
        (option(r#""label":"K","type":"text""#), "member `options[0].key`: is missing"),
        (option(r#""key":"k","type":"text""#), "member `options[0].label`: is missing"),
        (option(r#""key":"a b","label":"K","type":"text""#), "is no option key"),
        (option(&format!(r#""key":"{}","label":"K","type":"text""#, long(65))), "has 65 characters; at most 64"),
        (
            option(r#""key":"k","label":"K","type":"text","choices":[{"value":"v","label":"V"}]"#),
            "member `options[0].choices`: are given, but an option of type `text` has none",
        ),
        (
            option(r#""key":"k","label":"K","type":"radio","choices":[]"#),
            "an active option of type `radio` needs one at least",
        ),
        (
            option(r#""key":"k","label":"K","type":"text","requird":true"#),
            "member `options[0].requird`: is unknown; did you mean `required`?",
        ),
        (
            product(r#""options":[{"key":"k","label":"K","type":"text"},{"key":"k","label":"L","type":"text"}]"#),
            "member `options[1].key`: is `k`, which another option has",
        ),
        (
            choice(r#"{"value":"v","label":"V"},{"value":"v","label":"W"}"#),
            "member `options[0].choices[1].value`: is `v`, which choice 0 of this option has",
        ),
        (choice(r#"{"label":"V"}"#), "member `options[0].choices[0].value`: is missing"),
        (choice(r#"{"value":"v","label":"V","price":1}"#), "member `options[0].choices[0].price`: is unknown"),
        (choice(r#"{"value":"v","label":"V","price_adjustment_amount":1.5}"#), "must be a whole number"),
        (
            product(
                r#""price_amount":100,"options":[{"key":"k","label":"K","type":"select","choices":[{"value":"v","label":"V","price_adjustment_amount":-101}]}]"#,
            ),
            "member `options`: lower the price below 0",
        ),
    ]);
}

#[test]
fn unit_prices_and_safety_are_refused() {
    let contact =
        |members: &str| product(&format!(r#""safety":{{"manufacturer":{{"name":"A","address":"B"{members}}}}}"#));
    assert_refused(&[
        (product(r#""unit_price":"1 kg""#), "member `unit_price`: is a text, but must be an object"),
        (product(r#""unit_price":{"amount":5}"#), "member `unit_price.reference`: is missing"),
        (
            product(r#""unit_price":{"amount":-5,"reference":"1 kg"}"#),
            "member `unit_price.amount`: is -5, but a price is 0 or more",
        ),
        (
            product(r#""unit_price":{"amount":5,"reference":"1 kg","per":1}"#),
            "member `unit_price.per`: is unknown; there are: ",
        ),
        (contact(""), "member `safety.manufacturer.email`: is missing"),
        (contact(r#","email":"oaks""#), "member `safety.manufacturer.email`: \"oaks\" is no e-mail address"),
        (contact(r#","email":"a@oaks.example","phone":"1""#), "member `safety.manufacturer.phone`: is unknown"),
        (product(r#""safety":{"warning":{}}"#), "member `safety.warning`: is unknown; did you mean `warnings`?"),
        (
            product(r#""safety":{"warnings":{"English":"Hot."}}"#),
            "member `safety.warnings.English`: is no language: use a code such as `en`",
        ),
        (product(r#""safety":{"warnings":{"en":1}}"#), "member `safety.warnings.en`: is a number, but must be a text"),
    ]);
}
