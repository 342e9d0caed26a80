//! The configuration file in a backup: which settings go into it, and which come back.

use std::path::{Component, Path};

use toml_edit::{DocumentMut, Item, TableLike, Value, value};
use url::Url;

use super::manifest::CONFIGURATION;
use super::{BackupError, archive};

/// Settings that say where a shop keeps things. Outside of its folder, in a drill they would lead to the shop that was
/// backed up.
const PLACES: [&[&str]; 3] = [&["database", "url"], &["media", "folder"], &["secrets", "key_file"]];

/// Settings that name files which no backup holds; without these, nothing would start.
const FILES: [&[&str]; 4] =
    [&["shop", "texts"], &["mail", "templates"], &["mail", "smtp", "extra_ca_file"], &["webhooks", "extra_ca_file"]];

/// The same of every module.
const PLACE_OF_MODULE: &str = "folder";

/// A configuration file that was made from the one in a backup.
pub(crate) struct BroughtConfiguration {
    /// The text of the file.
    pub(crate) text: String,
    /// The settings that were left out of it.
    pub(crate) left_out: Vec<String>,
}

/// The text of a configuration file without its secrets: what is encrypted with the key stays as useless without it.
pub(super) fn without_secrets(text: &str) -> Result<String, BackupError> {
    let mut document = parse(text)?;
    remove_secrets(document.as_table_mut());
    Ok(document.to_string())
}

fn remove_secrets(table: &mut dyn TableLike) {
    let secret = table.iter().filter(|(name, item)| item.as_str().is_some_and(|text| is_secret(name, text)));
    let secret = secret.map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    for name in secret {
        table.remove(&name);
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| remove_secrets(table)),
            Item::Value(Value::Array(values)) => {
                values.iter_mut().filter_map(Value::as_inline_table_mut).for_each(|table| remove_secrets(table));
            }
            item => {
                if let Some(table) = item.as_table_like_mut() {
                    remove_secrets(table);
                }
            }
        }
    }
}

/// Whether a setting is a secret, by its name, or by a password in an address. Modules name theirs in the same way.
fn is_secret(name: &str, text: &str) -> bool {
    let by_name = name == "key"
        || name.ends_with("_key")
        || ["secret", "password", "token"].iter().any(|word| name.contains(word));
    by_name || text.contains("password=") || Url::parse(text).is_ok_and(|url| url.password().is_some())
}

/// The configuration in an archive, made for a folder that has none; nothing when the archive has none either.
///
/// Places outside of its folder and files that no backup holds are left out, and there is no background work until the operator switches it
/// on: two shops that send the same mails and charge the same customers would be worse than one that waits.
pub(crate) fn brought(file: &Path) -> Result<Option<BroughtConfiguration>, BackupError> {
    read(file)?.map(|text| localized(&text)).transpose()
}

fn localized(text: &str) -> Result<BroughtConfiguration, BackupError> {
    let mut document = parse(text)?;
    let mut left_out = Vec::new();
    let modules = document.get("modules").and_then(Item::as_table_like);
    let modules = modules.map(|modules| modules.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>());
    let modules = modules.unwrap_or_default();
    let of_modules = modules.iter().map(|name| vec!["modules", name.as_str(), PLACE_OF_MODULE]);
    for path in PLACES.iter().map(|path| path.to_vec()).chain(of_modules) {
        if remove(document.as_table_mut(), &path, leads_elsewhere) {
            left_out.push(path.join("."));
        }
    }
    for path in FILES {
        if remove(document.as_table_mut(), path, |_| true) {
            left_out.push(path.join("."));
        }
    }
    let worker = document.entry("worker").or_insert_with(toml_edit::table);
    if let Some(worker) = worker.as_table_like_mut() {
        worker.insert("enabled", value(false));
    }
    Ok(BroughtConfiguration { text: document.to_string(), left_out })
}

/// Removes a setting whose value is like that, and tells whether it did.
fn remove(table: &mut dyn TableLike, path: &[&str], is_like_that: fn(&str) -> bool) -> bool {
    match path {
        [] => false,
        [name] => {
            let found = table.get(name).and_then(Item::as_str).is_some_and(is_like_that);
            found && table.remove(name).is_some()
        }
        [name, rest @ ..] => {
            let inner = table.get_mut(name).and_then(Item::as_table_like_mut);
            inner.is_some_and(|inner| remove(inner, rest, is_like_that))
        }
    }
}

/// Whether a place is not in the folder of the configuration itself.
fn leads_elsewhere(place: &str) -> bool {
    let path = place.strip_prefix("sqlite://").unwrap_or(place);
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    path.contains(':') || !Path::new(path).components().all(is_inside)
}

/// The configuration in a sealed archive as it stands there. Its members are checked by whoever restores it.
fn read(file: &Path) -> Result<Option<String>, BackupError> {
    let archive = super::verify::open(file)?;
    let mut found = None;
    archive::read_members(&archive, |entry| {
        if entry.name == CONFIGURATION {
            let mut text = String::new();
            entry.content.read_to_string(&mut text)?;
            found = Some(text);
        }
        Ok(())
    })?;
    Ok(found)
}

fn parse(text: &str) -> Result<DocumentMut, BackupError> {
    text.parse().map_err(|error| BackupError(format!("the configuration in the backup cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = r#"# My shop
[shop]
name = "Lamps" # ours

[database]
url = "postgres://stoa:hunter2@db/stoa"

[payments.stripe]
enabled = true
secret_key = "sk_live_1"
webhook_secret = "whsec_1"

[[webhooks.endpoints]]
url = "https://example.com"
secret = "whsec_2"

[limits]
store = "redis://:hunter3@cache"
token_creation = { requests = 5, per_seconds = 60 }

[modules.downloads]
enabled = true
folder = "/srv/files"
s3 = { bucket = "b", secret_access_key = "hunter4" }
"#;

    #[test]
    fn secrets_are_left_out_wherever_they_stand_and_nothing_else() {
        let left = without_secrets(FULL).expect("it is TOML");
        for secret in ["hunter", "sk_live", "whsec"] {
            assert!(!left.contains(secret), "{left}");
        }
        for kept in [
            "# My shop",
            "name = \"Lamps\" # ours",
            "enabled = true",
            "https://example.com",
            "token_creation",
            "bucket",
        ] {
            assert!(left.contains(kept), "{kept} is missing in {left}");
        }
    }

    #[test]
    fn what_comes_back_leads_to_no_other_machine_and_does_no_work() {
        let brought = localized(FULL).expect("it is TOML");
        assert_eq!(brought.left_out, ["database.url", "modules.downloads.folder"]);
        assert!(!brought.text.contains("@db/") && !brought.text.contains("/srv/files"), "{}", brought.text);
        assert!(brought.text.contains("[worker]\nenabled = false"), "{}", brought.text);
        let again = localized("[worker]\nenabled = true\n").expect("it is TOML");
        assert_eq!(again.text, "[worker]\nenabled = false\n");
    }

    #[test]
    fn files_that_no_backup_holds_are_left_out_wherever_they_are() {
        let brought = localized(
            "[mail]\ntemplates = \"texts\"\n\n[mail.smtp]\nhost = \"mail.example.com\"\nextra_ca_file = \"ca.pem\"\n\n\
             [webhooks]\nextra_ca_file = \"/etc/ca.pem\"\n",
        );
        let brought = brought.expect("it is TOML");
        assert_eq!(brought.left_out, ["mail.templates", "mail.smtp.extra_ca_file", "webhooks.extra_ca_file"]);
        assert!(!brought.text.contains("texts") && !brought.text.contains("ca.pem"), "{}", brought.text);
        assert!(brought.text.contains("host = \"mail.example.com\""), "{}", brought.text);
    }

    #[test]
    fn places_in_the_shops_own_folder_stay() {
        for place in ["data/media", "./media", "sqlite://data/stoa.db"] {
            assert!(!leads_elsewhere(place), "{place}");
        }
        for place in ["/srv/media", "../media", "sqlite:///var/lib/stoa.db", "sqlite::memory:", "postgres://db/stoa"] {
            assert!(leads_elsewhere(place), "{place}");
        }
    }
}
