//! The key for what is encrypted at rest: nothing works with another one, and each refusal says what to do.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;
use super::stock::{Stocked, answers, empty_place, snapshot};

/// 32 bytes that are no shop's key.
const ANOTHER: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/// Commands that open the shop, each of which would go on with a wrong key if it did not look.
const COMMANDS: [&[&str]; 8] = [
    &["serve"],
    &["worker"],
    &["migrate"],
    &["check"],
    &["import", "catalog.jsonl"],
    &["backup", "another.tar.gz"],
    &["customer", "create", "--email", "bob@example.com", "--name", "Bob"],
    &["database", "copy", "--to", "sqlite://copy.db"],
];

fn key_file(place: &ShopFolder) -> std::path::PathBuf {
    place.path().join("data/stoa.key")
}

/// Every command refuses the shop with these words, changes nothing and shows no key.
async fn refuse_all(place: &ShopFolder, words: &[&str]) {
    let before = snapshot(place).await;
    for command in COMMANDS {
        let outcome = place.run(command).await.refused(1, words);
        for key in [ANOTHER, "hunter2"] {
            assert!(!outcome.err.contains(key), "{command:?} shows the key: {}", outcome.err);
        }
        assert_eq!(snapshot(place).await, before, "{command:?} has changed something");
    }
}

both_databases!(a_new_shop_gets_a_key_for_its_owner_only);
async fn a_new_shop_gets_a_key_for_its_owner_only(backend: Backend) {
    let (place, other) = (ShopFolder::migrated(backend).await, ShopFolder::migrated(backend).await);
    let read = |place: &ShopFolder| fs::read_to_string(key_file(place)).expect("`migrate` made the key");
    assert_eq!(fs::metadata(key_file(&place)).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert_ne!(read(&place), read(&other), "all shops have the same key");
    let key = read(&place);
    place.run(["migrate"]).await.succeeded();
    assert_eq!(read(&place), key, "the key was made anew");
}

both_databases!(a_lost_key_is_never_made_anew);
async fn a_lost_key_is_never_made_anew(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let (file, aside) = (key_file(&shop.place), shop.place.path().join("aside.key"));
    fs::rename(&file, &aside).expect("`migrate` made the key");
    refuse_all(&shop.place, &["stoa.key", "is missing", "a backup holds it", "STOA_SECRETS__KEY"]).await;
    assert!(!file.exists());
    fs::rename(&aside, &file).expect("the folder is ours");
    shop.place.run(["check"]).await.succeeded();
}

both_databases!(another_shops_key_is_refused);
async fn another_shops_key_is_refused(backend: Backend) {
    let (shop, other) = (Stocked::on(backend).await, ShopFolder::migrated(backend).await);
    let key = fs::read(key_file(&shop.place)).expect("`migrate` made the key");
    fs::copy(key_file(&other), key_file(&shop.place)).expect("the folder is ours");
    refuse_all(&shop.place, &["stoa.key", "is not this shop's", "a backup holds it"]).await;
    fs::write(key_file(&shop.place), key).expect("the folder is ours");
    shop.place.run(["check"]).await.succeeded();
}

both_databases!(another_key_in_the_environment_is_refused);
async fn another_key_in_the_environment_is_refused(backend: Backend) {
    let mut shop = Stocked::on(backend).await;
    shop.place = shop.place.variable("STOA_SECRETS__KEY", ANOTHER);
    refuse_all(&shop.place, &["STOA_SECRETS__KEY", "is not this shop's"]).await;
}

both_databases!(the_shops_key_in_the_environment_needs_no_file);
async fn the_shops_key_in_the_environment_needs_no_file(backend: Backend) {
    let mut shop = Stocked::on(backend).await;
    let before = answers(&shop.place).await;
    let key = fs::read_to_string(key_file(&shop.place)).expect("`migrate` made the key");
    fs::remove_file(key_file(&shop.place)).expect("it is there");
    shop.place = shop.place.variable("STOA_SECRETS__KEY", key.trim());
    shop.place.run(["check"]).await.succeeded();
    assert_eq!(answers(&shop.place).await, before);
    assert!(!key_file(&shop.place).exists(), "the key is written into a file");
}

both_databases!(a_file_that_holds_no_key_is_refused);
async fn a_file_that_holds_no_key_is_refused(backend: Backend) {
    let shop = Stocked::on(backend).await;
    for content in ["", "hunter2", "aHVudGVyMg=="] {
        fs::write(key_file(&shop.place), content).expect("the folder is ours");
        refuse_all(&shop.place, &["stoa.key", "32 bytes in base64", "a backup holds it"]).await;
    }
    fs::remove_file(key_file(&shop.place)).expect("it is there");
    fs::create_dir(key_file(&shop.place)).expect("the folder is ours");
    refuse_all(&shop.place, &["cannot read the key file", "stoa.key"]).await;
}

both_databases!(a_key_that_others_may_read_is_refused);
async fn a_key_that_others_may_read_is_refused(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let file = key_file(&shop.place);
    let allow = |rights| fs::set_permissions(&file, Permissions::from_mode(rights)).expect("it is ours");
    for rights in [0o644, 0o620] {
        allow(rights);
        let command = format!("chmod 600 {}", file.display());
        refuse_all(&shop.place, &["open to other users", &format!("rights {rights:o}"), &command]).await;
    }
    // The group may read: that is how service managers hand out secrets.
    allow(0o640);
    shop.place.run(["check"]).await.succeeded();
}

#[tokio::test]
async fn a_setting_that_is_no_key_is_wrong_configuration() {
    for text in ["hunter2", "aHVudGVyMg==", ""] {
        let place = ShopFolder::empty().variable("STOA_SECRETS__KEY", text);
        for command in ["serve", "check", "migrate"] {
            let outcome = place.run([command]).await.refused(2, &["STOA_SECRETS__KEY", "32 bytes in base64"]);
            assert!(!outcome.err.contains("hunter2") && !outcome.err.contains("aHVudGVyMg"), "{}", outcome.err);
        }
        assert!(!place.path().join("data").exists());
    }
}

both_databases!(a_backup_is_not_restored_under_a_key_that_cannot_read_it);
async fn a_backup_is_not_restored_under_a_key_that_cannot_read_it(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let archive = shop.back_up().await;
    let target = empty_place(backend).await.variable("STOA_SECRETS__KEY", ANOTHER);
    let before = snapshot(&target).await;
    let outcome = target.run(["restore", &archive]).await;
    let outcome = outcome.refused(1, &["STOA_SECRETS__KEY", "belongs to another key"]);
    assert!(!outcome.err.contains(ANOTHER));
    assert_eq!(snapshot(&target).await, before);
}

both_databases!(a_restore_looks_at_the_key_file_that_is_there);
async fn a_restore_looks_at_the_key_file_that_is_there(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let archive = shop.back_up().await;
    shop.place.run(["backup", "keyless.tar.gz", "--without-key"]).await.succeeded();
    let keyless = shop.place.path().join("keyless.tar.gz");
    let keyless = keyless.to_str().expect("UTF-8");
    let target = ShopFolder::migrated(backend).await;
    fs::set_permissions(key_file(&target), Permissions::from_mode(0o644)).expect("it is ours");
    let before = snapshot(&target).await;
    target.run(["restore", &archive]).await.refused(1, &["chmod 600", "stoa.key"]);
    assert_eq!(snapshot(&target).await, before);
    fs::set_permissions(key_file(&target), Permissions::from_mode(0o600)).expect("it is ours");
    target.run(["restore", keyless]).await.refused(1, &["without its key", "holds another key", "stoa.key"]);

    // What cannot be used is put aside as well, in case it is worth something to somebody.
    fs::write(key_file(&target), "half a k").expect("it is ours");
    target.run(["restore", keyless]).await.refused(1, &["without its key", "stoa.key"]);
    let told = target.run(["restore", &archive, "--json"]).await.succeeded().json();
    let aside = told["key_aside"].as_str().expect("the file is put aside");
    assert_eq!(fs::read_to_string(aside).expect("it is there"), "half a k");
    target.run(["check"]).await.succeeded();
}
