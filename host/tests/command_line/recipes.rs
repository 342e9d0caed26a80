//! What the recipes for several machines set are settings of the shop.

use std::collections::BTreeMap;
use std::fs;

use super::place::ShopFolder;
use super::readme::top;

const COMPOSE: &str = "deploy/compose";
const KUBERNETES: &str = "deploy/kubernetes";
const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const DATABASE: &str = "postgres://stoa:secret@database-rw/stoa";

fn read(path: &str) -> String {
    fs::read_to_string(top().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What somebody writes for `${NAME}`.
fn filled_in(value: &str) -> String {
    let mut parts = value.split("${");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').expect("the name ends");
        filled.push_str(match name.split(':').next().unwrap_or_default() {
            "DOMAIN" => "shop.example.com",
            "STOA_KEY" => KEY,
            "S3_ENDPOINT" => "https://s3.example.com",
            _ => "a1b2c3",
        });
        filled.push_str(rest);
    }
    filled
}

/// The settings of a file for Compose: its variables that begin with `STOA_` and name a section.
fn of_compose(path: &str) -> BTreeMap<String, String> {
    let text = read(path);
    let variables = text.lines().filter_map(|line| line.trim().split_once(": "));
    let settings = variables.filter(|(name, _)| name.starts_with("STOA_") && name.contains("__"));
    settings.map(|(name, value)| (name.to_owned(), filled_in(value))).collect()
}

/// Those of a file for Kubernetes: a line with the name, and one with the value or where it comes from.
fn of_kubernetes(path: &str) -> BTreeMap<String, String> {
    let text = read(path);
    let mut lines = text.lines();
    let mut settings = BTreeMap::new();
    while let Some(line) = lines.next() {
        let Some(name) = line.trim().strip_prefix("- name: ").filter(|name| name.starts_with("STOA_")) else {
            continue;
        };
        let value = lines.next().and_then(|line| line.trim().strip_prefix("value: ")).unwrap_or(DATABASE);
        settings.insert(name.to_owned(), value.replace("$(DATABASE_PASSWORD)", "secret"));
    }
    settings
}

/// A shop with a recipe's file of settings and these variables.
fn shop(folder: &str, settings: impl IntoIterator<Item = (String, String)>) -> ShopFolder {
    let place = ShopFolder::with(&read(&format!("{folder}/config.toml")));
    settings.into_iter().fold(place, |place, (name, value)| place.variable(&name, &value))
}

#[tokio::test]
async fn each_setting_of_the_recipe_for_compose_is_one() {
    let settings = of_compose(&format!("{COMPOSE}/compose.yaml"));
    assert!(settings.len() >= 9, "{settings:?}");
    let pooled = settings.clone().into_iter().chain(of_compose(&format!("{COMPOSE}/pooler.yaml")));
    for settings in [settings.clone().into_iter().collect::<Vec<_>>(), pooled.collect()] {
        let document = shop(COMPOSE, settings).run(["openapi"]).await.succeeded();
        assert!(document.out.contains("https://shop.example.com"), "it is the recipe's shop");
    }
    let wrong = [(String::from("STOA_SERVER__BASE_URLS"), String::from("https://shop.example.com"))];
    shop(COMPOSE, settings.into_iter().chain(wrong)).run(["openapi"]).await.refused(2, &["STOA_SERVER__BASE_URLS"]);
}

#[tokio::test]
async fn each_setting_of_the_recipe_for_kubernetes_is_one() {
    let mut settings = of_kubernetes(&format!("{KUBERNETES}/shop.yaml"));
    assert_eq!(settings.keys().collect::<Vec<_>>(), ["STOA_DATABASE__URL", "STOA_LIMITS__STORE"]);
    for line in read(&format!("{KUBERNETES}/secrets.env.example")).lines() {
        let Some((name, "")) = line.split_once('=').filter(|_| line.starts_with("STOA_")) else { continue };
        settings.insert(name.to_owned(), KEY.to_owned());
    }
    assert_eq!(settings.len(), 5, "{settings:?}");
    let pooled =
        settings.clone().into_iter().chain(of_kubernetes(&format!("{KUBERNETES}/with-pooler/kustomization.yaml")));
    for settings in [settings.clone().into_iter().collect::<Vec<_>>(), pooled.collect()] {
        let document = shop(KUBERNETES, settings).run(["openapi"]).await.succeeded();
        assert!(document.out.contains("https://shop.example.com"), "it is the recipe's shop");
    }
}
