//! What a shop makes on the disk is for its owner only.

use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use super::place::ShopFolder;

/// The rights of a file or folder in the place.
fn rights(place: &ShopFolder, name: &str) -> u32 {
    let metadata = std::fs::metadata(place.path().join(name)).expect("it was made");
    metadata.permissions().mode() & 0o777
}

#[tokio::test]
async fn nobody_else_can_look_into_the_folder_and_the_database() {
    let place = ShopFolder::with("[server]\nlisten = \"127.0.0.1:0\"");
    let mut shop = place.start(["serve"]);
    shop.line("listening on http://").await;
    let files = ["data/stoa.db", "data/stoa.db-wal", "data/stoa.db-shm", "data/stoa.key"];
    assert_eq!(files.map(|file| rights(&place, file)), [0o600; 4]);
    assert_eq!(rights(&place, "data"), 0o700);
    let (code, _) = shop.stop(Signal::TERM).await;
    assert_eq!(code, Some(0));
}

#[tokio::test]
async fn a_folder_that_was_there_keeps_its_rights() {
    let place = ShopFolder::with("");
    let folder = place.path().join("data");
    std::fs::create_dir(&folder).expect("it is ours");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    place.run(["migrate"]).await.succeeded();
    assert_eq!((rights(&place, "data"), rights(&place, "data/stoa.db")), (0o755, 0o600));
}

#[tokio::test]
async fn whoever_is_not_the_shops_user_is_told_so() {
    let place = ShopFolder::with("[server]\nlisten = \"127.0.0.1:0\"\n");
    let set = |name: &str, mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(place.path().join(name), rights).expect("it is ours");
    };
    set("config.toml", 0o644);
    set("", 0o555);
    let words = ["you may not write ", "run the command as the user whom it belongs to"];
    let refused = place.run_as_anybody(["migrate"]).await.refused(1, &words);
    assert!(!refused.err.contains("Permission denied"), "{refused:?}");
    set("", 0o755);
    place.run(["migrate"]).await.succeeded();
    for (name, mode) in [("data/stoa.db", 0o444), ("data/stoa.key", 0o444), ("data", 0o555)] {
        set(name, mode);
    }
    for command in ["serve", "migrate", "check"] {
        let refused = place.run_as_anybody([command]).await.refused(1, &words);
        assert!(refused.err.contains("/data;") && !refused.err.contains("readonly database"), "{refused:?}");
    }
    // Whoever made the folder wants to remove it again.
    set("data", 0o700);
}
