//! What is no sound backup is never restored.

use std::fs;
use std::path::Path;

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;
use super::stock::{ShopSnapshot, Stocked, empty_place, snapshot};

/// Bytes of the seal behind an archive.
const SEAL: usize = 104;

/// A shop, another one that is to be replaced, and an empty place, with what each keeps.
struct Targets {
    filled: (ShopFolder, ShopSnapshot),
    empty: (ShopFolder, ShopSnapshot),
}

impl Targets {
    async fn on(backend: Backend) -> Self {
        let (filled, empty) = (Stocked::on(backend).await.place, empty_place(backend).await);
        filled.run(["product", "set", "desk-lamp", "--price", "1"]).await.succeeded();
        let (filled_before, empty_before) = (snapshot(&filled).await, snapshot(&empty).await);
        Self { filled: (filled, filled_before), empty: (empty, empty_before) }
    }

    /// Neither takes this file, for this reason, and neither is changed.
    async fn refuse(&self, file: &Path, reason: &str) {
        let archive = file.to_str().expect("UTF-8");
        let name = file.file_name().and_then(|name| name.to_str()).expect("it has a name");
        for (target, before) in [&self.filled, &self.empty] {
            target.run(["restore", archive, "--force"]).await.refused(1, &[name, reason]);
            assert_eq!(snapshot(target).await, *before, "{name} has changed something");
        }
    }
}

both_databases!(a_flipped_bit_is_found_wherever_it_is);
async fn a_flipped_bit_is_found_wherever_it_is(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let sound = fs::read(shop.back_up().await).expect("there is an archive");
    let targets = Targets::on(backend).await;
    let end = sound.len();
    for (position, reason) in [
        (0, "is no backup"),
        (2, "is damaged"),
        // Flags, time and system in the head of a gzip file, which gzip itself does not check.
        (3, "is damaged"),
        (4, "is damaged"),
        (9, "is damaged"),
        (10, "is damaged"),
        (end / 4, "is damaged"),
        (end / 2, "is damaged"),
        (end / 4 * 3, "is damaged"),
        // The end of the archive, then the seal's head, hash and tail.
        (end - SEAL - 1, "is damaged"),
        (end - SEAL, "is damaged"),
        (end - SEAL / 2, "is damaged"),
        (end - 1, "is damaged"),
    ] {
        let mut damaged = sound.clone();
        damaged[position] ^= 0x10;
        let file = shop.place.path().join(format!("flipped-{position}.tar.gz"));
        fs::write(&file, damaged).expect("the folder is ours");
        targets.refuse(&file, reason).await;
    }
    shop.place.run(["restore", "shop.tar.gz", "--force"]).await.succeeded();
}

both_databases!(a_backup_that_was_cut_or_added_to_is_refused);
async fn a_backup_that_was_cut_or_added_to_is_refused(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let sound = fs::read(shop.back_up().await).expect("there is an archive");
    let targets = Targets::on(backend).await;
    for length in [2, 20, sound.len() / 2, sound.len() - SEAL, sound.len() - 1] {
        let file = shop.place.path().join(format!("cut-{length}.tar.gz"));
        fs::write(&file, &sound[..length]).expect("the folder is ours");
        targets.refuse(&file, "is damaged").await;
    }
    let file = shop.place.path().join("longer.tar.gz");
    fs::write(&file, [&sound[..], b"\0"].concat()).expect("the folder is ours");
    targets.refuse(&file, "is damaged").await;
}

both_databases!(a_file_that_is_no_backup_is_refused);
async fn a_file_that_is_no_backup_is_refused(backend: Backend) {
    let targets = Targets::on(backend).await;
    let folder = tempfile::TempDir::new().expect("a temporary folder can be made");
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("the folder is ours");
        path
    };
    targets.refuse(&file("empty.tar.gz", b""), "is no backup").await;
    targets.refuse(&file("letter.txt", b"Dear diary, today I opened a shop."), "is no backup").await;
    targets.refuse(&file("other.tar.gz", &other_archive()), "is damaged").await;
    targets.refuse(folder.path(), "is no file").await;
    targets.refuse(&folder.path().join("missing.tar.gz"), "missing.tar.gz: there is no such file or folder").await;
    let (target, before) = &targets.empty;
    target.run(["restore"]).await.refused(2, &["<FILE>"]);
    target.run(["restore", ""]).await.refused(2, &["<FILE>"]);
    assert_eq!(snapshot(target).await, *before);
}

/// An archive that somebody else has packed.
fn other_archive() -> Vec<u8> {
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(5);
    tar.append_data(&mut header, "hello.txt", &b"hello"[..]).expect("memory can be written");
    tar.into_inner().and_then(flate2::write::GzEncoder::finish).expect("memory can be written")
}
