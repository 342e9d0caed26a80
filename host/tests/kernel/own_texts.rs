//! The operator's folder of texts.

use std::fs;

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases, run_test};
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("it is written");
    }
    folder
}

fn builder(backend: Backend, folder: &TempDir) -> TestShopBuilder {
    TestShop::builder(backend).config(&format!("[shop]\nlocale = 'fr'\ntexts = '{}'", folder.path().display()))
}

both_databases!(texts_of_the_shops_own_take_the_place_of_ours_and_add_a_language);
async fn texts_of_the_shops_own_take_the_place_of_ours_and_add_a_language(backend: Backend) {
    let folder = folder(&[
        ("de.ftl", "error-not-found = Das gibt es bei uns nicht.\n"),
        (
            "fr.ftl",
            "error-not-found = Nous n'avons pas trouvé cela.\nfield-required = Le champ { $field } est requis.\n",
        ),
        ("README.md", "not a text of the shop"),
    ]);
    let shop = builder(backend, &folder).open().await;
    for (wish, spoken, words) in [
        ("de", "de", "Das gibt es bei uns nicht."),
        ("fr-CA, de;q=0.5", "fr", "Nous n'avons pas trouvé cela."),
        ("nl", "nl", "We konden niet vinden wat u zoekt."),
        ("it", "en", "We could not find what you asked for."),
    ] {
        let answer = shop.client().with_header("accept-language", wish).get("/products/nothing").await;
        assert_eq!(answer.header("content-language"), Some(spoken));
        assert_eq!(answer.expect_status(404).json()["message"], words);
    }
    let client = shop.client().with_header("accept-language", "fr");
    let refused = client.post("/cart", &json!({"quantity": 1})).await;
    let refused = refused.expect_status(422).json();
    assert_eq!(refused["message"], "Please check the data you sent: some of it is missing or not valid.");
    assert_eq!(refused["errors"]["product_id"], json!(["Le champ product_id est requis."]));
}

#[test]
fn wrong_texts_refuse_the_start_and_say_where() {
    run_test(Backend::Sqlite, async |backend| {
        let folder = folder(&[
            ("de.ftl", "error-not-fund = Nichts.\nerror-cart-empty = Leer, { $name }.\nerror-already-paid Bezahlt.\n"),
            ("english.ftl", ""),
        ]);
        let refused = builder(backend, &folder).freeze().err().expect("it is refused").to_string();
        for words in [
            "de.ftl:1:1: there is no text `error-not-fund`; did you mean `error-not-found`?",
            "de.ftl:2:28: `error-cart-empty` has no variable `$name`; it has no variables",
            "de.ftl:3:20: this is no Fluent: Expected a token starting with \"=\"",
            "english.ftl: the name of a file of texts is that of a language (ISO 639), such as de.ftl or fr.ftl",
        ] {
            assert!(refused.contains(words), "{words}\n{refused}");
        }
        let absent = folder.path().join("absent");
        let config = format!("[shop]\ntexts = '{}'", absent.display());
        let refused = TestShop::builder(backend).config(&config).freeze().err().expect("it is refused").to_string();
        assert!(refused.contains("`shop.texts`: the folder of texts cannot be read"), "{refused}");
    });
}
