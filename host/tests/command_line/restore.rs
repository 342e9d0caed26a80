//! `stoa restore` of sound backups.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{both_databases, run_test};

use super::place::{ShopFolder, search_path};
use super::stock::{PICTURE, Stocked, answers, empty_place, log_in, names, revoke, serve, snapshot, stop};

both_databases!(a_restored_shop_answers_as_before);
async fn a_restored_shop_answers_as_before(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let (before, archive) = (answers(&shop.place).await, shop.back_up().await);
    let target = empty_place(backend).await;
    let told = target.run(["restore", &archive, "--json"]).await.succeeded().json();
    assert_eq!(told["file"], archive);
    assert_eq!((told["tables"]["products"].as_u64(), told["tables"]["customers"].as_u64()), (Some(2), Some(1)));
    assert_eq!((told["media_files"].as_u64(), told["key_written"].as_bool()), (Some(2), Some(true)));
    assert_eq!((told["key_aside"].as_str(), told["pending_migrations"].as_u64()), (None, Some(0)));
    target.run(["check"]).await.succeeded();
    assert_eq!(answers(&target).await, before);

    let (running, address) = serve(&target).await;
    assert_eq!(log_in(&address).await.status, 201);
    assert_eq!(revoke(&address, &shop.token).await.status, 200);
    assert_eq!(revoke(&address, &shop.token).await.status, 401, "any token is taken");
    stop(running).await;
}

both_databases!(everything_is_put_back_as_it_was_kept);
async fn everything_is_put_back_as_it_was_kept(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let (source, target) = (&shop.place, empty_place(backend).await);
    let changed = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let picture = File::options().write(true).open(source.path().join(PICTURE)).expect("it is ours");
    picture.set_modified(changed).expect("it is ours");
    target.run(["restore", &shop.back_up().await]).await.succeeded();
    let read = |place: &ShopFolder, name: &str| fs::read(place.path().join(name)).expect("the file is there");
    for name in [PICTURE, "data/media/lamps/all.svg", "data/stoa.key"] {
        assert_eq!(read(&target, name), read(source, name), "{name}");
    }
    let modified = fs::metadata(target.path().join(PICTURE)).and_then(|metadata| metadata.modified());
    assert_eq!(modified.expect("it is there"), changed);
    let rights = fs::metadata(target.path().join("data/stoa.key")).expect("it is there").permissions().mode();
    assert_eq!(rights & 0o777, 0o600, "others may read the key");
    assert_eq!(names(&target.path().join("data")), ["media", "stoa.key"], "something is left behind");
    assert_eq!(snapshot(&target).await.tables(), snapshot(source).await.tables());
}

both_databases!(the_audit_log_goes_on_with_the_restore);
async fn the_audit_log_goes_on_with_the_restore(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let archive = shop.back_up().await;
    let audited = async |place: &ShopFolder| place.run(["audit", "list", "--json"]).await.succeeded().data();
    let before = audited(&shop.place).await;
    let target = empty_place(backend).await.variable("USER", "ada");
    let made_at = target.run(["restore", &archive, "--json"]).await.succeeded().json()["created_at"].clone();
    let rows = audited(&target).await;
    let (restored, earlier) = rows.split_first().expect("it is told");
    assert_eq!((&restored["actor"], &restored["act"]), (&json!("cli:ada"), &json!("backup.restore")));
    assert_eq!(restored["after"], json!({"file": archive, "made_at": made_at}));
    assert_eq!(earlier, before);
}

both_databases!(ids_go_on_after_those_in_the_backup);
async fn ids_go_on_after_those_in_the_backup(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let target = empty_place(backend).await;
    target.run(["restore", &shop.back_up().await]).await.succeeded();
    let create = ["customer", "create", "--email", "bob@example.com", "--name", "Bob", "--json"];
    let made = target.run(create).await.succeeded().json();
    assert_eq!(made["id"].as_i64(), Some(shop.customer + 1));
}

both_databases!(who_restores_is_told_that_numbers_may_be_given_twice_and_what_prevents_it);
async fn who_restores_is_told_that_numbers_may_be_given_twice_and_what_prevents_it(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let archive = shop.back_up().await;
    let target = empty_place(backend).await;
    let told = target.run(["restore", &archive]).await.succeeded().err;
    for words in ["numbers of orders, invoices and credit notes go on from 20", "second time", "`invoices.prefix`"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

both_databases!(a_shop_that_is_there_is_kept_without_force);
async fn a_shop_that_is_there_is_kept_without_force(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let archive = shop.back_up().await;
    let before = snapshot(&shop.place).await;
    shop.place.run(["restore", &archive]).await.refused(1, &["products: 2", "customers: 1", "--force"]);
    assert_eq!(snapshot(&shop.place).await, before);
}

both_databases!(a_shop_is_replaced_with_force);
async fn a_shop_is_replaced_with_force(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let (before, archive) = (snapshot(&shop.place).await, shop.back_up().await);
    shop.place.run(["product", "set", "desk-lamp", "--price", "1", "--name", "Cheap"]).await.succeeded();
    shop.place.run(["customer", "create", "--email", "bob@example.com", "--name", "Bob"]).await.succeeded();
    shop.place.write(PICTURE, "another picture");
    shop.place.write("data/media/new.svg", "<svg/>");
    assert_ne!(snapshot(&shop.place).await.tables(), before.tables());
    shop.place.run(["restore", &archive, "--force"]).await.succeeded();
    assert_eq!(snapshot(&shop.place).await.tables(), before.tables());
    let picture = fs::read_to_string(shop.place.path().join(PICTURE)).expect("it is there");
    assert!(picture.starts_with("<svg"), "{picture}");
    assert!(shop.place.path().join("data/media/new.svg").exists(), "other files stay");
    assert_eq!(names(&shop.place.path().join("data")), ["media", "stoa.key"], "the key was the backup's already");
}

both_databases!(a_shop_without_anything_in_it_is_replaced);
async fn a_shop_without_anything_in_it_is_replaced(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let archive = shop.back_up().await;
    let target = empty_place(backend).await;
    target.run(["migrate"]).await.succeeded();
    let own_key = fs::read(target.path().join("data/stoa.key")).expect("`migrate` made it");
    let told = target.run(["restore", &archive]).await.succeeded();
    assert!(told.out.contains("the key that was here before is kept as"), "{}", told.out);
    let aside = names(&target.path().join("data"));
    let aside = aside.iter().find(|name| name.starts_with("stoa.key.replaced-")).expect("the other key is kept");
    assert_eq!(fs::read(target.path().join("data").join(aside)).expect("it can be read"), own_key);
    target.run(["check"]).await.succeeded();
}

both_databases!(a_backup_without_its_key_needs_the_shops_key);
async fn a_backup_without_its_key_needs_the_shops_key(backend: Backend) {
    let shop = Stocked::on(backend).await;
    shop.place.run(["backup", "keyless.tar.gz", "--without-key"]).await.succeeded();
    let archive = shop.place.path().join("keyless.tar.gz");
    let archive = archive.to_str().expect("UTF-8");
    let target = empty_place(backend).await;
    let before = snapshot(&target).await;
    target.run(["restore", archive]).await.refused(1, &["without its key", "stoa.key", "is missing", "put the key"]);
    assert_eq!(snapshot(&target).await, before);
    fs::create_dir(target.path().join("data")).expect("the folder is ours");
    fs::copy(shop.place.path().join("data/stoa.key"), target.path().join("data/stoa.key")).expect("it can be copied");
    let told = target.run(["restore", archive, "--json"]).await.succeeded().json();
    assert_eq!(told["key_written"], false);
    target.run(["check"]).await.succeeded();
}

both_databases!(a_shop_that_is_served_is_not_replaced);
async fn a_shop_that_is_served_is_not_replaced(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let (before, archive) = (answers(&shop.place).await, shop.back_up().await);
    let (running, address) = serve(&shop.place).await;
    shop.place.run(["restore", &archive, "--force"]).await.refused(1, &["stop", "`stoa serve`"]);
    assert_eq!(log_in(&address).await.status, 201, "the shop works on");
    stop(running).await;
    assert_eq!(answers(&shop.place).await, before);
    shop.place.run(["restore", &archive, "--force"]).await.succeeded();
}

both_databases!(a_picture_that_cannot_be_placed_changes_nothing);
async fn a_picture_that_cannot_be_placed_changes_nothing(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let archive = shop.back_up().await;
    let target = Stocked::on(backend).await.place;
    fs::remove_file(target.path().join(PICTURE)).expect("it is there");
    fs::create_dir(target.path().join(PICTURE)).expect("the folder is ours");
    let before = snapshot(&target).await;
    target.run(["restore", &archive, "--force"]).await.refused(1, &["desk.svg"]);
    assert_eq!(snapshot(&target).await, before);
}

#[test]
fn a_backup_of_the_other_database_is_refused_with_the_way_out() {
    run_test(Backend::Postgres, async |postgres| {
        for (from, to, hint) in [
            (Backend::Sqlite, postgres, "STOA_DATABASE__URL=sqlite://PATH"),
            (postgres, Backend::Sqlite, "STOA_DATABASE__URL=postgres://"),
        ] {
            let archive = Stocked::on(from).await;
            let file = archive.back_up().await;
            let target = Stocked::on(to).await.place;
            let before = snapshot(&target).await;
            target.run(["restore", &file, "--force"]).await.refused(1, &[hint, "stoa database copy --to"]);
            assert_eq!(snapshot(&target).await, before);
        }
    });
}

#[tokio::test]
async fn nothing_is_restored_into_memory() {
    let shop = Stocked::on(Backend::Sqlite).await;
    let archive = shop.back_up().await;
    let target = ShopFolder::with("[database]\nurl = \"sqlite::memory:\"\n");
    target.run(["restore", &archive]).await.refused(1, &["memory", "sqlite://PATH"]);
    assert_eq!(names(target.path()), ["config.toml"]);
}

#[test]
fn tables_of_others_are_not_removed_from_postgres() {
    run_test(Backend::Postgres, async |backend| {
        use stoa_core::db::{DbError, Sql};
        const STRANGERS: Sql = stoa_core::sql!("CREATE TABLE strangers (id BIGINT)");
        let archive = Stocked::on(backend).await;
        let file = archive.back_up().await;
        let target = Stocked::on(backend).await.place;
        let db = target.db().await;
        let made = db.write(async |tx| -> Result<u64, DbError> { tx.run(STRANGERS).execute().await });
        made.await.expect("the table is made");
        db.close().await;
        let before = snapshot(&target).await;
        target.run(["restore", &file, "--force"]).await.refused(1, &["strangers", "database of its own"]);
        assert_eq!(snapshot(&target).await, before);
    });
}

/// A shop of a configuration with secrets, and its backup.
async fn configured(options: &[&str]) -> (ShopFolder, String) {
    let place = ShopFolder::with(
        "# Our shop\n[server]\nlisten = \"127.0.0.1:0\"\n\n[shop]\nname = \"Lamps & Co\"\n\n[media]\nfolder = \"/srv/elsewhere\"\n\n\
         [payments.mollie]\nenabled = true\napi_key = \"live_a_secret_of_ours_0123456789ab\"\n\n[modules.event_tickets]\nenabled = true\n",
    );
    let place = place.variable("STOA_SHOP__LOCALE", "de").variable("STOA_MEDIA__FOLDER", "data/media");
    place.run(["migrate"]).await.succeeded();
    let told = place.run([&["backup", "shop.tar.gz"], options].concat()).await.succeeded().out;
    assert!(
        told.contains("config.toml") && told.contains("keep them yourself: STOA_MEDIA__FOLDER, STOA_SHOP__LOCALE"),
        "{told}"
    );
    let archive = place.path().join("shop.tar.gz").to_str().expect("UTF-8").to_owned();
    (place, archive)
}

#[tokio::test]
async fn a_restored_shop_has_its_configuration_and_reaches_nobody() {
    let (_source, archive) = configured(&[]).await;
    let drill = ShopFolder::empty();
    let told = drill.run(["restore", &archive]).await.succeeded().out;
    assert!(told.contains("worker.enabled = false") && told.contains("STOA_SHOP__LOCALE"), "{told}");
    assert!(told.contains("left out of it") && told.contains("media.folder"), "{told}");
    let brought = fs::read_to_string(drill.path().join("config.toml")).expect("it was brought along");
    assert!(
        brought.starts_with("# Our shop") && brought.contains("live_a_secret") && !brought.contains("/srv"),
        "{brought}"
    );
    assert!(brought.contains("[worker]\nenabled = false"), "{brought}");
    let modules = drill.run(["modules", "--json"]).await.succeeded().data();
    assert!(modules.iter().any(|module| module["key"] == "event_tickets" && module["enabled"] == true), "{modules:?}");
    drill.run(["verify"]).await.succeeded();
}

#[tokio::test]
async fn without_the_key_a_backup_has_no_secrets_of_the_configuration_either() {
    let (source, archive) = configured(&["--without-key"]).await;
    let drill = ShopFolder::empty();
    fs::create_dir(drill.path().join("data")).expect("the folder is ours");
    fs::copy(source.path().join("data/stoa.key"), drill.path().join("data/stoa.key")).expect("the key was kept");
    drill.run(["restore", &archive]).await.refused(2, &["payments.mollie", "api_key"]);
    assert_eq!(names(drill.path()), ["data"], "what cannot be used is taken back");
    let drill = drill.variable("STOA_PAYMENTS__MOLLIE__API_KEY", "live_a_secret_of_ours_0123456789ab");
    drill.run(["restore", &archive]).await.succeeded();
    let brought = fs::read_to_string(drill.path().join("config.toml")).expect("it was brought along");
    assert!(brought.contains("Lamps & Co") && !brought.contains("live_a_secret"), "{brought}");
}

#[tokio::test]
async fn a_configuration_that_is_there_stays_when_a_backup_comes_back() {
    let (_source, archive) = configured(&[]).await;
    let own = "[shop]\nname = \"Mine\"\n";
    let target = ShopFolder::with(own);
    let told = target.run(["restore", &archive]).await.succeeded().out;
    assert!(told.contains("STOA_WORKER__ENABLED=false"), "{told}");
    assert_eq!(fs::read_to_string(target.path().join("config.toml")).expect("it is there"), own);
}

/// On SQLite the last step is one renaming, which nothing here can make fail.
#[test]
fn a_restore_whose_last_step_fails_on_postgresql_puts_files_and_key_back() {
    run_test(Backend::Postgres, async |backend| {
        let shop = Stocked::on(backend).await;
        let archive = shop.back_up().await;
        let target = Stocked::on(backend).await.place;
        let before = snapshot(&target).await;
        let psql = "#!/bin/sh\ncase \"$1\" in --version) echo 'psql (PostgreSQL) 99.0' ;; *) exit 3 ;; esac\n";
        let programs = shop.place.path().join("programs");
        fs::create_dir(&programs).expect("the folder is ours");
        shop.place.write("programs/psql", psql);
        fs::set_permissions(programs.join("psql"), fs::Permissions::from_mode(0o755)).expect("it is ours");
        let machines = search_path().and_then(|path| path.into_string().ok()).expect("there is a search path");
        let target = target.variable("PATH", &format!("{}:{machines}", programs.display()));
        target.run(["restore", &archive, "--force"]).await.refused(1, &["psql"]);
        assert_eq!(snapshot(&target).await, before);
    });
}

#[tokio::test]
async fn a_restore_that_is_refused_leaves_no_configuration_behind() {
    let (_source, archive) = configured(&[]).await;
    let drill = ShopFolder::empty();
    drill.run(["migrate"]).await.succeeded();
    drill.run(["customer", "create", "--email", "ada@example.com", "--name", "Ada"]).await.succeeded();
    let before = names(drill.path());
    drill.run(["restore", &archive]).await.refused(1, &["there is a shop already", "customers: 1"]);
    assert_eq!(names(drill.path()), before);
}

#[tokio::test]
async fn a_damaged_backup_leaves_no_configuration_behind() {
    let (source, archive) = configured(&[]).await;
    let sound = fs::read(&archive).expect("it is there");
    let drill = ShopFolder::empty();
    for position in [10, sound.len() / 2, sound.len() - 40] {
        let mut bytes = sound.clone();
        bytes[position] ^= 0x10;
        source.write("damaged.tar.gz", bytes);
        let damaged = source.path().join("damaged.tar.gz").to_str().expect("UTF-8").to_owned();
        drill.run(["restore", &damaged]).await.refused(1, &["damaged.tar.gz is damaged"]);
        assert_eq!(names(drill.path()), Vec::<String>::new());
    }
}
