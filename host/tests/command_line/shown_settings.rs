//! The settings that the documentation shows are settings of the shop.

use std::fs;

use super::place::ShopFolder;
use super::readme::{page, pages_below};

/// What it shows is for a program with a module of its own.
const OF_ANOTHER_PROGRAM: &str = "docs/modules.md";

/// The blocks of settings on a page.
fn settings(page: &str) -> Vec<String> {
    let blocks = page.split("```toml\n").skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

/// A shop with these settings, with the secrets whose variables they name, and with a folder for texts of its own.
fn shop(settings: &str) -> ShopFolder {
    let place = ShopFolder::with(settings);
    fs::create_dir(place.path().join("mail")).expect("the folder is ours");
    let words = settings.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    words.filter(|word| word.starts_with("STOA_")).fold(place, |place, name| place.variable(name, "secret"))
}

#[tokio::test]
async fn each_setting_that_the_documentation_shows_is_one() {
    let pages = pages_below("docs").into_iter().filter(|path| path != OF_ANOTHER_PROGRAM);
    let pages = pages.chain(pages_below("modules").into_iter().filter(|path| path.ends_with("/README.md")));
    let mut shown = 0;
    for path in pages {
        for settings in settings(&page(&path)) {
            let outcome = shop(&settings).run(["openapi"]).await;
            assert_eq!(outcome.code, 0, "{path} shows\n{settings}\n{}", outcome.err);
            shown += 1;
        }
    }
    assert!(shown >= 25, "{shown} blocks were found");
}

#[tokio::test]
async fn a_setting_that_is_none_would_be_noticed() {
    shop("[mail]\nform = \"shop@example.com\"\n").run(["openapi"]).await.refused(2, &["mail.form"]);
}
