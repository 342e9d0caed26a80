//! `stoa backup`.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{both_databases, run_test};

use super::place::ShopFolder;
use super::stock::{Stocked, empty_place, log_in, names, serve, stop};

/// The members of an archive with their contents, in their order.
fn unpack(file: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(MultiGzDecoder::new(File::open(file).expect("there is an archive")));
    let entries = archive.entries().expect("it is a tar archive");
    let unpacked = entries.map(|entry| {
        let mut entry = entry.expect("it can be read");
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("it can be read");
        (entry.path().expect("it has a name").display().to_string(), content)
    });
    unpacked.collect()
}

both_databases!(a_backup_holds_the_whole_shop_in_one_file_for_its_owner);
async fn a_backup_holds_the_whole_shop_in_one_file_for_its_owner(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let told = shop.place.run(["backup", "shop.tar.gz", "--json"]).await.succeeded().json();
    let file = shop.place.path().join("shop.tar.gz");
    let metadata = fs::metadata(&file).expect("there is an archive");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    assert_eq!(told["file"], "shop.tar.gz");
    assert_eq!(told["size"], metadata.len());
    assert_eq!((&told["tables"]["products"], &told["tables"]["customers"]), (&Value::from(2), &Value::from(1)));
    assert_eq!((&told["media_files"], &told["key"]), (&Value::from(2), &Value::from(true)));

    let members = unpack(&file);
    let database = if backend == Backend::Sqlite { "database.sqlite" } else { "database.pgdump" };
    let found = members.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
    let pictures = ["media/lamps/all.svg", "media/lamps/desk.svg"];
    assert_eq!(found, ["config.toml", database, pictures[0], pictures[1], "secrets.key", "manifest.json"]);
    assert_eq!(members[0].1, fs::read(shop.place.path().join("config.toml")).expect("there is a configuration"));
    assert_eq!(members[4].1, fs::read(shop.place.path().join("data/stoa.key")).expect("there is a key"));
    let manifest: Value = serde_json::from_slice(&members[5].1).expect("the manifest is JSON");
    assert_eq!(manifest["tables"], told["tables"]);
    assert_eq!(manifest["created_at"], told["created_at"]);
}

both_databases!(a_backup_without_the_key_holds_it_nowhere);
async fn a_backup_without_the_key_holds_it_nowhere(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let told = shop.place.run(["backup", "with.tar.gz"]).await.succeeded();
    assert!(told.out.contains("with the key"), "{}", told.out);
    let told = shop.place.run(["backup", "without.tar.gz", "--without-key", "--json"]).await.succeeded();
    assert_eq!(told.json()["key"], false);
    let key = fs::read_to_string(shop.place.path().join("data/stoa.key")).expect("there is a key");
    let holds = |name: &str| {
        let members = unpack(&shop.place.path().join(name));
        members.iter().any(|(_, content)| content.windows(key.trim().len()).any(|part| part == key.trim().as_bytes()))
    };
    assert!(holds("with.tar.gz"), "the key is not found where it must be");
    assert!(!holds("without.tar.gz"));
}

both_databases!(an_existing_file_is_never_overwritten);
async fn an_existing_file_is_never_overwritten(backend: Backend) {
    let shop = Stocked::on(backend).await;
    shop.place.write("notes.txt", "mine");
    let before = names(shop.place.path());
    shop.place.run(["backup", "notes.txt"]).await.refused(1, &["notes.txt", "exists already"]);
    shop.place.run(["backup", "data"]).await.refused(1, &["data", "exists already"]);
    assert_eq!(fs::read_to_string(shop.place.path().join("notes.txt")).expect("it is there"), "mine");
    assert_eq!(names(shop.place.path()), before, "something is left behind");
}

both_databases!(a_backup_that_cannot_be_written_is_told);
async fn a_backup_that_cannot_be_written_is_told(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let before = names(shop.place.path());
    shop.place.run(["backup", "missing/shop.tar.gz"]).await.refused(1, &["there is no folder", "missing"]);
    shop.place.run(["backup", "catalog.jsonl/shop.tar.gz"]).await.refused(1, &["there is no folder", "catalog.jsonl"]);
    shop.place.run(["backup"]).await.refused(2, &["<FILE>"]);
    assert_eq!(names(shop.place.path()), before, "something is left behind");
}

both_databases!(a_backup_is_not_put_where_everybody_may_read_it);
async fn a_backup_is_not_put_where_everybody_may_read_it(backend: Backend) {
    let shop = Stocked::on(backend).await;
    std::os::unix::fs::symlink("data/media/lamps", shop.place.path().join("link")).expect("the folder is ours");
    for file in ["data/media/shop.tar.gz", "data/media/lamps/shop.tar.gz", "link/shop.tar.gz"] {
        shop.place.run(["backup", file]).await.refused(1, &[file, "media.folder", "open to everybody"]);
    }
    assert_eq!(names(&shop.place.path().join("data/media/lamps")), ["all.svg", "desk.svg"]);
    shop.place.run(["backup", "data/shop.tar.gz"]).await.succeeded();
}

both_databases!(a_database_without_a_shop_is_not_backed_up);
async fn a_database_without_a_shop_is_not_backed_up(backend: Backend) {
    let place = empty_place(backend).await;
    place.run(["backup", "shop.tar.gz"]).await.refused(1, &["no ", "stoa migrate"]);
    assert_eq!(names(place.path()), ["config.toml"]);
}

#[test]
fn a_backup_of_postgres_says_which_program_it_needs() {
    run_test(Backend::Postgres, async |backend| {
        let place = ShopFolder::migrated(backend).await.variable("PATH", "/nowhere");
        place.run(["backup", "shop.tar.gz"]).await.refused(1, &["`pg_dump`", "PATH", "postgresql-client"]);
        assert!(!place.path().join("shop.tar.gz").exists());
    });
}

const INSERT_USER: Sql = sql!("INSERT INTO users (email, created_at, updated_at) VALUES ($1, $2, $2) RETURNING id");
const INSERT_CUSTOMER: Sql =
    sql!("INSERT INTO customers (user_id, name, created_at, updated_at) VALUES ($1, $2, $3, $3)");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM users WHERE email LIKE 'guest%'");
const COUNT_WHOLE: Sql = sql!(
    "SELECT COUNT(*) FROM users u JOIN customers c ON c.user_id = u.id
     WHERE u.email = 'guest' || c.name || '@example.com'"
);
const LAST: Sql = sql!("SELECT CAST(MAX(CAST(c.name AS BIGINT)) AS BIGINT) FROM customers c WHERE c.name <> 'Ada'");

both_databases!(a_backup_of_a_shop_that_sells_on_is_of_one_moment);
async fn a_backup_of_a_shop_that_sells_on_is_of_one_moment(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let (running, address) = serve(&shop.place).await;
    let db = shop.place.db().await;
    let register = async |number: i64| {
        let registered = db.write(async |tx| -> Result<(), DbError> {
            let now = tx.now();
            let user = tx.run(INSERT_USER).bind(format!("guest{number}@example.com")).bind(now).scalar::<i64>().await?;
            tx.run(INSERT_CUSTOMER).bind(user).bind(number.to_string()).bind(now).execute().await.map(drop)
        });
        registered.await.expect("customers register while the backup is made");
    };
    for number in 1..=20 {
        register(number).await;
    }
    let told = shop.place.run(["backup", "quiet.tar.gz", "--json"]).await.succeeded().json();
    assert_eq!(told["tables"]["customers"], 21, "what was written last is not in it");
    let backup = shop.place.run(["backup", "shop.tar.gz"]);
    tokio::pin!(backup);
    let mut registered = 20;
    let told = loop {
        tokio::select! {
            told = &mut backup => break told,
            () = register(registered + 1) => registered += 1,
        }
    };
    told.succeeded();
    assert!(registered > 20, "nobody registered meanwhile");
    assert_eq!(log_in(&address).await.status, 201, "the shop works on");
    db.close().await;
    stop(running).await;

    let target = empty_place(backend).await;
    let archive = shop.place.path().join("shop.tar.gz");
    target.run(["restore", archive.to_str().expect("UTF-8")]).await.succeeded();
    let db = target.db().await;
    let restored = db.read(COUNT).scalar::<i64>().await.expect("it is read");
    assert!((20..=registered).contains(&restored), "{restored} of {registered} customers");
    assert_eq!(db.read(COUNT_WHOLE).scalar::<i64>().await.expect("it is read"), restored, "half a customer");
    assert_eq!(db.read(LAST).scalar::<i64>().await.expect("it is read"), restored, "an earlier customer is missing");
    db.close().await;
}
