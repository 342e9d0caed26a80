//! Files that modules keep, in backups and when they come back.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;
use super::stock::empty_place;

const PRODUCT: &str =
    r#"{"type": "product", "slug": "songs", "name": "Songs", "price_amount": 0, "capabilities": ["digital"]}"#;

/// A place whose shop sells files, in a state of the module `downloads`.
async fn place(backend: Backend, enabled: &str) -> ShopFolder {
    empty_place(backend).await.variable("STOA_MODULES__DOWNLOADS__ENABLED", enabled)
}

/// The same with a file that is attached.
async fn stocked(backend: Backend) -> ShopFolder {
    let place = place(backend, "true").await;
    place.write("catalog.jsonl", PRODUCT);
    place.write("songs.zip", "the songs");
    place.run(["import", "catalog.jsonl"]).await.succeeded();
    place.run(["downloads", "attach", "songs", "songs.zip"]).await.succeeded();
    place
}

/// All files of the module's folder.
fn objects(place: &ShopFolder) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.expect("it can be read").path()).collect::<Vec<_>>()
    };
    entries(&place.path().join("data/downloads")).iter().flat_map(|folder| entries(folder)).collect()
}

both_databases!(files_of_modules_come_back_from_a_backup_for_their_owner_alone);
async fn files_of_modules_come_back_from_a_backup_for_their_owner_alone(backend: Backend) {
    let source = stocked(backend).await;
    let folder = source.path().join("data/downloads");
    fs::write(folder.join("ab#1"), "half a file").expect("it is ours");
    let told = source.run(["backup", "shop.tar.gz", "--json"]).await.succeeded().json();
    assert_eq!((told["module_files"].as_u64(), told["media_files"].as_u64()), (Some(1), Some(0)));
    let archive = source.path().join("shop.tar.gz");
    let archive = archive.to_str().expect("UTF-8");

    let target = place(backend, "true").await;
    let told = target.run(["restore", archive, "--json"]).await.succeeded().json();
    assert_eq!(told["module_files"].as_u64(), Some(1));
    let restored = objects(&target);
    assert_eq!(restored.len(), 1, "what is on its way is no part of a backup");
    assert_eq!(fs::read_to_string(&restored[0]).expect("it is there"), "the songs");
    let rights = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let folder = target.path().join("data/downloads");
    assert_eq!((rights(&folder), rights(&restored[0])), (0o700, 0o600));
    target.run(["downloads", "check"]).await.succeeded();
    target.run(["verify"]).await.succeeded();

    // A module that is off keeps what it has.
    let off = place(backend, "false").await;
    off.run(["restore", archive]).await.succeeded();
    assert_eq!(objects(&off).len(), 1);
    let again = off.run(["backup", "again.tar.gz", "--json"]).await.succeeded().json();
    assert_eq!(again["module_files"].as_u64(), Some(1));
}

both_databases!(files_without_a_folder_are_not_lost_silently);
async fn files_without_a_folder_are_not_lost_silently(backend: Backend) {
    let source = stocked(backend).await;
    source.run(["backup", "shop.tar.gz"]).await.succeeded();
    source.run(["backup", "data/downloads/shop.tar.gz"]).await.refused(1, &["`downloads`", "another place"]);
    let archive = source.path().join("shop.tar.gz");
    let target = place(backend, "true").await;
    let s3 = |name: &str| format!("STOA_MODULES__DOWNLOADS__S3__{name}");
    let target = target.variable(&s3("BUCKET"), "b").variable(&s3("ACCESS_KEY_ID"), "a");
    let target = target.variable(&s3("SECRET_ACCESS_KEY"), "s");
    let told = ["restore", archive.to_str().expect("UTF-8")];
    target.run(told).await.refused(1, &["`downloads`", "no folder"]);
    assert_eq!(objects(&target).len(), 0);
}
