//! What the operator does: commands, jobs, doctor, metrics, settings.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::doctor::State;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{self, attach, buy, bytes, command, customer, digital, newest, path, shop, write};

/// All objects in the storage.
fn objects(shop: &TestShop) -> Vec<std::path::PathBuf> {
    let Ok(folders) = std::fs::read_dir(shop.folder().join("data/downloads")) else { return Vec::new() };
    let folders = folders.map(|folder| folder.expect("a folder").path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("it can be read"));
    let mut files = files.map(|file| file.expect("a file").path()).collect::<Vec<_>>();
    files.sort();
    files
}

async fn run(shop: &TestShop, job: &str) {
    let outcome = run_job(&shop.parts, &shop.registry.jobs, job, shop.clock.clone()).await.expect("it can be run");
    assert!(matches!(outcome, RunOutcome::Done), "{outcome:?}");
}

both_databases!(what_cannot_be_attached_is_refused_with_its_reason);
async fn what_cannot_be_attached_is_refused_with_its_reason(backend: Backend) {
    let shop = shop(backend).await;
    write(&shop, "songs.zip", b"songs");
    write(&shop, "empty.zip", b"");
    std::fs::create_dir(shop.folder().join("folder")).expect("it can be made");
    for (arguments, code, expected) in [
        (&["songs", "nothing.zip"][..], 1, "nothing.zip cannot be read"),
        (&["songs", "empty.zip"], 1, "empty.zip is empty"),
        (&["songs", "folder"], 1, "is no file"),
        (&["tunes", "songs.zip"], 1, "no product `tunes`; `stoa product list` shows all"),
        (&["snogs", "songs.zip"], 1, "no product `snogs`; did you mean `songs`?"),
        (&["mug", "songs.zip"], 1, "`digital`"),
        (&["songs", "songs.zip", "--limit", "-1"], 2, "-1"),
        (&["songs", "songs.zip", "--days", "99999999999999999999"], 2, "99999999999999999999"),
        (&["songs", "songs.zip", "--limit", "many"], 2, "many"),
        (&["songs", "songs.zip", "--name", "../../etc/passwd"], 2, "without slashes"),
        (&["songs", "songs.zip", "--name", "a\\b"], 2, "without slashes"),
        (&["songs", "songs.zip", "--name", ".hidden"], 2, "begin with a dot"),
        (&["songs", "songs.zip", "--name", "a\nb"], 2, "control characters"),
        (&["songs", "songs.zip", "--name", ""], 2, "blanks"),
        (&["songs", "songs.zip", "--label", " "], 2, "--label"),
        (&["songs"], 2, "FILE"),
    ] {
        let end = shop.command(&[&["downloads", "attach"], arguments].concat()).await;
        assert!(end.code == code && end.error.contains(expected), "{arguments:?}: {end:?}");
    }
    assert_eq!(objects(&shop).len(), 0, "nothing is left behind");
    assert_eq!(command(&shop, &["list"]).await["data"], json!([]));
    for command in [&["list", "snogs"][..], &["grants", "--product", "snogs"]] {
        let told = shop.command(&[&["downloads"], command].concat()).await.expect_failure(1);
        assert!(told.contains("there is no product `snogs`; did you mean `songs`?"), "{told}");
    }
}

both_databases!(attached_files_are_listed);
async fn attached_files_are_listed(backend: Backend) {
    let shop = shop(backend).await;
    let made = attach(&shop, "songs", "songs.zip", b"songs", &["--limit", "3", "--days", "30"]).await;
    assert_eq!(
        (&made["filename"], &made["size"], &made["version"], &made["granted"], &made["product"]),
        (&json!("songs.zip"), &json!(5), &json!(1), &json!(0), &json!("songs"))
    );
    attach(&shop, "book", "book.pdf", b"book", &["--name", "The Book.pdf"]).await;
    let listed = command(&shop, &["list"]).await["data"].clone();
    assert_eq!((&listed[0]["filename"], &listed[0]["limit"]), (&json!("The Book.pdf"), &json!(null)));
    assert_eq!((&listed[1]["limit"], &listed[1]["days"], &listed[1]["problem"]), (&json!(3), &json!(30), &json!(null)));
    assert_eq!(listed[1]["sha256"], kit::sha256(b"songs"));
    let table = shop.command(&["downloads", "list", "songs"]).await.expect_success();
    assert!(table.contains("songs.zip") && !table.contains("The Book.pdf"), "{table}");
}

both_databases!(a_grant_can_be_extended_revoked_and_given_back);
async fn a_grant_can_be_extended_revoked_and_given_back(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"songs", &["--limit", "1", "--days", "1"]).await;
    let (record, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let listed = newest(&ada).await;
    let (token, file) = (listed["token"].as_str().expect("text"), path(&listed));
    ada.get(&file).await.expect_status(200);
    ada.get(&file).await.expect_error(409, "invalid_state");

    let more = command(&shop, &["extend", token]).await;
    assert_eq!((&more["download_limit"], &more["can_download"]), (&json!(2), &json!(true)));
    shop.advance(TimeDelta::days(2));
    assert_eq!(ada.get(&file).await.expect_error(409, "invalid_state").json()["reason"], "expired");
    let longer = command(&shop, &["extend", token, "--days", "30"]).await;
    assert_eq!(longer["expires_at"], "2026-02-16T12:00:00Z");
    ada.get(&file).await.expect_status(200);
    let refused = shop.command(&["downloads", "extend", token, "--limit", "1"]).await.expect_failure(1);
    assert!(refused.contains("--limit"), "{refused}");
    let free = command(&shop, &["extend", token, "--limit", "0", "--days", "0"]).await;
    assert_eq!((&free["download_limit"], &free["expires_at"]), (&json!(null), &json!(null)));

    let id = free["id"].to_string();
    let revoked = command(&shop, &["revoke", &id, "--reason", "charge back"]).await;
    assert_eq!((&revoked["revoked_reason"], &revoked["can_download"]), (&json!("charge back"), &json!(false)));
    assert_eq!(ada.get(&file).await.expect_error(409, "invalid_state").json()["reason"], "revoked");
    command(&shop, &["revoke", &id, "--undo"]).await;
    ada.get(&file).await.expect_status(200);

    let by_mail = command(&shop, &["grants", "--customer", &record.email.to_uppercase()]).await;
    assert_eq!(by_mail["data"][0]["token"], token);
    assert_eq!(command(&shop, &["grants", "--product", "book"]).await["data"], json!([]));
    let table = shop.command(&["downloads", "grants"]).await.expect_success();
    assert!(table.contains("songs.zip") && !table.contains(token), "tokens are keys: {table}");
    let log = command(&shop, &["log", &id]).await;
    let counted = log["data"].as_array().into_iter().flatten().filter(|one| one["counted"] == true).count();
    assert_eq!(counted, 3, "{log}");
    for unknown in ["4711", "nobody"] {
        shop.command(&["downloads", "extend", unknown]).await.expect_failure(1);
        shop.command(&["downloads", "revoke", unknown]).await.expect_failure(1);
        shop.command(&["downloads", "log", unknown]).await.expect_failure(1);
    }
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(earlier_versions_go_after_their_time);
async fn earlier_versions_go_after_their_time(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"one", &[]).await;
    attach(&shop, "songs", "songs.zip", b"two", &[]).await;
    attach(&shop, "songs", "songs.zip", b"two", &[]).await;
    assert_eq!(objects(&shop).len(), 2, "the same content is stored once");
    shop.advance(TimeDelta::days(29));
    run(&shop, "downloads.cleanup").await;
    assert_eq!(objects(&shop).len(), 2);
    shop.advance(TimeDelta::days(2));
    run(&shop, "downloads.cleanup").await;
    assert_eq!(objects(&shop).len(), 1);
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    assert_eq!(ada.get(&path(&newest(&ada).await)).await.expect_status(200).text(), "two");
    assert_eq!(attach(&shop, "songs", "songs.zip", b"one", &[]).await["version"], 3, "numbers are not given again");
}

both_databases!(what_a_crash_leaves_of_an_upload_is_removed);
async fn what_a_crash_leaves_of_an_upload_is_removed(backend: Backend) {
    const INTERRUPTED: stoa_core::db::Sql =
        stoa_core::sql!("INSERT INTO downloads_uploads (storage_key, started_at) VALUES ($1, $2)");
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"songs", &[]).await;
    let (complete, half) = ("ab".repeat(32), "cd".repeat(32));
    for key in [&complete, &half] {
        let folder = shop.folder().join("data/downloads").join(&key[..2]);
        std::fs::create_dir_all(&folder).expect("it can be made");
        let name = if key == &half { format!("{key}#1") } else { key.clone() };
        std::fs::write(folder.join(name), "left behind").expect("it can be written");
        let (db, now) = (&shop.parts.db, shop.now());
        let noted = db.write(async |tx| tx.run(INTERRUPTED).bind(key).bind(now).execute().await).await;
        let _: u64 = noted.map_err(|error: stoa_core::db::DbError| error).expect("it is written");
    }
    run(&shop, "downloads.cleanup").await;
    assert_eq!(objects(&shop).len(), 3, "they may be on their way");
    shop.advance(TimeDelta::days(3));
    run(&shop, "downloads.cleanup").await;
    assert_eq!(objects(&shop).len(), 1);
}

both_databases!(unknown_objects_are_removed_only_when_the_operator_says_so);
async fn unknown_objects_are_removed_only_when_the_operator_says_so(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"songs", &[]).await;
    let folder = shop.folder().join("data/downloads");
    let key = "ef".repeat(32);
    std::fs::create_dir_all(folder.join("ef")).expect("it can be made");
    std::fs::write(folder.join("ef").join(&key), "another shop's").expect("it can be written");
    std::fs::write(folder.join("README"), "the operator's").expect("it can be written");
    shop.advance(TimeDelta::days(100));
    run(&shop, "downloads.cleanup").await;
    run(&shop, "downloads.check").await;
    assert_eq!(command(&shop, &["check"]).await["unknown_objects"], json!([key]));
    assert_eq!(objects(&shop).len(), 2);
    command(&shop, &["check", "--remove-unknown", "--quick"]).await;
    assert_eq!((objects(&shop).len(), folder.join("README").exists()), (1, true));
}

both_databases!(the_log_is_forgotten_after_its_time);
async fn the_log_is_forgotten_after_its_time(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"songs", &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    ada.get(&path(&newest(&ada).await)).await.expect_status(200);
    let id = command(&shop, &["grants"]).await["data"][0]["id"].to_string();
    shop.advance(TimeDelta::days(364));
    run(&shop, "downloads.cleanup").await;
    assert_eq!(command(&shop, &["log", &id]).await["data"].as_array().map(Vec::len), Some(1));
    shop.advance(TimeDelta::days(2));
    run(&shop, "downloads.cleanup").await;
    assert_eq!(command(&shop, &["log", &id]).await["data"], json!([]));
}

/// What the doctor finds, by check.
async fn findings(shop: &TestShop) -> Vec<(&'static str, State, String)> {
    let found = shop.examined().await;
    found.into_iter().map(|finding| (finding.check, finding.state, finding.message)).collect()
}

both_databases!(the_doctor_finds_missing_files_and_open_folders);
async fn the_doctor_finds_missing_files_and_open_folders(backend: Backend) {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop(backend).await;
    let before = findings(&shop).await;
    let bad = before.iter().filter(|(_, state, _)| *state != State::Ok).collect::<Vec<_>>();
    assert!(bad.len() == 1 && bad[0].2.contains("book, songs"), "both lack a file: {before:?}");
    attach(&shop, "songs", "songs.zip", b"songs", &[]).await;
    attach(&shop, "book", "book.pdf", b"book", &[]).await;
    assert!(findings(&shop).await.iter().all(|(_, state, _)| *state == State::Ok));

    std::fs::remove_file(&objects(&shop)[0]).expect("it can be removed");
    run(&shop, "downloads.check").await;
    let folder = shop.folder().join("data/downloads");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("they can be set");
    let after = findings(&shop).await;
    let of = |check: &str| after.iter().find(|(name, ..)| *name == check).expect("it is told");
    assert_eq!((of("downloads.files").1, of("downloads.storage").1), (State::Failure, State::Warning));
    assert!(of("downloads.files").2.contains("is missing"));
}

both_databases!(what_was_sent_is_measured);
async fn what_was_sent_is_measured(backend: Backend) {
    let shop = kit::builder(backend).config("[server]\nmetrics = true").open().await;
    shop.stock(&[digital("songs", &json!({}))]).await;
    attach(&shop, "songs", "songs.zip", &bytes(1234), &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    ada.get(&path(&newest(&ada).await)).await.expect_status(200);
    let metrics = shop.client().site_request(http::Method::GET, "/metrics", "");
    let metrics = shop.client().send(metrics).await.expect_status(200).text();
    for line in
        ["stoa_downloads_stored_bytes 1234", "stoa_downloads_sent_bytes_total 1234", "stoa_downloads_transfers_total 1"]
    {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
}

both_databases!(settings_of_a_product_are_checked_on_import);
async fn settings_of_a_product_are_checked_on_import(backend: Backend) {
    let shop = kit::builder(backend).open().await;
    for (settings, expected) in [
        (json!({"limit": -1}), "`limit`"),
        (json!({"days": 9_000_000_000_000_000_000_i64}), "`days`"),
        (json!({"limit": "three"}), "three"),
        (json!({"copies": 1}), "`copies`"),
    ] {
        let refused = shop.import(&[digital("songs", &settings)]).await.remove(0).expect_err("it is refused");
        assert!(refused.iter().any(|problem| problem.reason.contains(expected)), "{refused:?}");
    }
    shop.stock(&[digital("songs", &json!({"limit": 0, "days": null}))]).await;
}

#[test]
fn impossible_settings_stop_the_start() {
    for (settings, key) in [
        ("window_minutes = 60", "window_minutes"),
        ("default_limit = -1", "default_limit"),
        ("folder = ''", "folder"),
        ("fodler = 'x'", "fodler"),
        ("s3 = { bucket = 'b' }", "s3"),
        ("s3 = { bucket = '', access_key_id = 'a', secret_access_key = 's' }", "s3.bucket"),
        ("s3 = { bucket = 'b', access_key_id = 'a', secret_access_key = 's', endpoint = 'ftp://x' }", "s3.endpoint"),
        ("s3 = { bucket = 'b', access_key_id = 'a', secret_access_key = 's', prefix = '../x' }", "s3.prefix"),
    ] {
        let config = format!("[modules.downloads]\n{settings}");
        let builder = TestShop::builder(Backend::Sqlite).module::<stoa_downloads::Downloads>();
        let Err(problems) = builder.config(&config).freeze() else { panic!("{settings} is accepted") };
        let told = problems.to_string();
        assert!(told.contains(&format!("modules.downloads.{key}")) && !told.contains("'s'"), "{told}");
    }
}

#[test]
fn the_folder_goes_into_backups_and_a_bucket_does_not() {
    let folders = |config: &str| {
        let builder = TestShop::builder(Backend::Sqlite).module::<stoa_downloads::Downloads>();
        let program = builder.config(config).freeze().unwrap_or_else(|problems| panic!("{problems}"));
        program.registry.backup_folders
    };
    let own = folders("[modules.downloads]\nfolder = 'files'");
    assert!(own.len() == 1 && own[0].module == "downloads" && own[0].folder.is_absolute(), "{own:?}");
    assert!(own[0].folder.ends_with("files"));
    let bucket = "[modules.downloads.s3]\nbucket = 'b'\naccess_key_id = 'a'\nsecret_access_key = 's'";
    assert!(folders(bucket).is_empty());
}

both_databases!(a_folder_that_everybody_can_read_is_refused);
async fn a_folder_that_everybody_can_read_is_refused(backend: Backend) {
    let shop = kit::builder(backend).config("[modules.downloads]\nfolder = 'data/media/files'").open().await;
    shop.stock(&[digital("songs", &Value::Null)]).await;
    write(&shop, "songs.zip", b"songs");
    let refused = shop.command(&["downloads", "attach", "songs", "songs.zip"]).await.expect_failure(2);
    assert!(refused.contains("modules.downloads.folder"), "{refused}");
}

both_databases!(a_product_tells_its_files_as_they_come_and_go);
async fn a_product_tells_its_files_as_they_come_and_go(backend: Backend) {
    let shop = shop(backend).await;
    let told = async || {
        shop.refresh_catalog().await;
        let shown = shop.client().get("/products/songs").await.expect_status(200).json();
        shown["data"]["details"].clone()
    };
    assert_eq!(told().await, json!({}), "there is nothing to tell yet");
    attach(&shop, "songs", "songs.zip", &bytes(1234), &[]).await;
    assert_eq!(told().await, json!({"downloads": {"files": [{"label": "The songs", "size": 1234}]}}));
    attach(&shop, "songs", "booklet.pdf", &bytes(10), &["--label", "The booklet"]).await;
    attach(&shop, "songs", "songs.zip", &bytes(4321), &[]).await;
    let both = json!([{"label": "The booklet", "size": 10}, {"label": "The songs", "size": 4321}]);
    assert_eq!(told().await["downloads"]["files"], both);
    command(&shop, &["detach", "songs", "booklet.pdf"]).await;
    assert_eq!(told().await["downloads"]["files"], json!([{"label": "The songs", "size": 4321}]));
    let mug = shop.client().get("/products/mug").await.json();
    assert_eq!(mug["data"]["details"], json!({}));
}
