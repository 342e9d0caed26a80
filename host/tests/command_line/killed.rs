//! A restore that is stopped or killed: the shop is as it was, and nothing is left behind.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::{ShopFolder, found};
use super::stock::{PICTURE, Stocked, empty_place, names, snapshot};

/// So many pictures that a restore takes a while.
const PICTURES: usize = 600;

/// The backup of a shop with many pictures, and the place that it was made in.
async fn archive(backend: Backend) -> (Stocked, String) {
    let shop = Stocked::on(backend).await;
    for number in 0..PICTURES {
        let noise = (0..2000_u32).map(|byte| (byte.wrapping_mul(2_654_435_761) >> (number % 24)).to_le_bytes()[0]);
        shop.place.write(&format!("data/media/lamps/{number}.png"), noise.collect::<Vec<_>>());
    }
    let archive = shop.back_up().await;
    (shop, archive)
}

/// Temporary files anywhere in a place.
fn temporary(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(".stoa-") {
            found.push(name);
        } else if entry.path().is_dir() {
            found.extend(temporary(&entry.path()));
        }
    }
    found
}

fn pictures(place: &ShopFolder) -> usize {
    fs::read_dir(place.path().join("data/media/lamps")).map_or(0, Iterator::count)
}

/// Ends a restore with this signal once so many new pictures are unpacked or in their places; says whether it came so far.
async fn cut_off(place: &ShopFolder, archive: &str, signal: Signal, after: usize) -> bool {
    let mut restore = place.start(["restore", archive, "--force"]);
    let media = place.path().join("data/media");
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_mins(1), "it does not come so far");
        let unpacked = fs::read_dir(&media)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(".stoa-restore-"));
        let unpacked = unpacked.map(|folder| fs::read_dir(folder.path().join("lamps")).map_or(0, Iterator::count));
        if unpacked.max().unwrap_or(0) >= after || pictures(place) > after {
            break;
        }
        if restore.has_ended() {
            return false;
        }
        tokio::task::yield_now().await;
    }
    let (code, _) = restore.stop(signal).await;
    code != Some(0)
}

/// Waits until nothing temporary is left, which another process sees to after a kill.
async fn cleaned(place: &ShopFolder) {
    let begun = Instant::now();
    while !temporary(place.path()).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20), "left behind: {:?}", temporary(place.path()));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

both_databases!(a_restore_that_is_stopped_or_killed_leaves_the_shop_as_it_was_and_nothing_behind);
async fn a_restore_that_is_stopped_or_killed_leaves_the_shop_as_it_was_and_nothing_behind(backend: Backend) {
    let (_source, archive) = archive(backend).await;
    let target = Stocked::on(backend).await.place;
    target.write(PICTURE, "a picture of its own");
    target.run(["product", "set", "desk-lamp", "--price", "1"]).await.succeeded();
    let before = snapshot(&target).await;
    let mut cut = 0;
    for (signal, after) in
        [(Signal::KILL, 1), (Signal::TERM, 100), (Signal::KILL, 300), (Signal::INT, 500), (Signal::KILL, 600)]
    {
        if cut_off(&target, &archive, signal, after).await {
            cut += 1;
            cleaned(&target).await;
            assert_eq!(snapshot(&target).await, before, "{signal:?} after {after}");
        }
    }
    assert!(cut >= 3, "only {cut} of 5 restores were cut off");
    // What was cut off can be done after all.
    target.run(["restore", &archive, "--force"]).await.succeeded();
    assert_eq!((pictures(&target), temporary(target.path())), (PICTURES + 2, Vec::<String>::new()));
}

both_databases!(a_restore_that_is_killed_in_a_new_place_leaves_it_empty);
async fn a_restore_that_is_killed_in_a_new_place_leaves_it_empty(backend: Backend) {
    let (_source, archive) = archive(backend).await;
    let target = empty_place(backend).await;
    let before = names(target.path());
    assert!(cut_off(&target, &archive, Signal::KILL, 10).await, "it was too fast to be killed");
    let begun = Instant::now();
    while names(target.path()) != before {
        assert!(begun.elapsed() < Duration::from_secs(20), "left behind: {:?}", names(target.path()));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    target.run(["restore", &archive]).await.succeeded();
    target.run(["check"]).await.succeeded();
}

#[tokio::test]
async fn what_a_power_cut_has_left_of_a_restore_is_found_by_the_doctor() {
    let place = ShopFolder::with("");
    place.run(["migrate"]).await.succeeded();
    let told = async || place.run(["doctor", "--json"]).await.data();
    assert!(found(&told().await, "disk.leftovers", "ok"));
    fs::create_dir_all(place.path().join("data/media/.stoa-replaced-abc/lamps")).expect("the folder is ours");
    fs::create_dir_all(place.path().join("data/media/.stoa-restore-abc")).expect("the folder is ours");
    place.write("data/.stoa-restore-def", "");
    let told = told().await;
    let findings = told.iter().filter(|finding| finding["check"] == "disk.leftovers").collect::<Vec<_>>();
    let text = format!("{findings:?}");
    assert!(findings.len() == 2 && findings.iter().all(|finding| finding["state"] == "warning"), "{text}");
    for words in ["data/.stoa-restore-def", "media/.stoa-restore-abc", "rm -r", "cp -a", ".stoa-replaced-abc/."] {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
}

/// Nobody is asked on a terminal that the guard was started from.
#[tokio::test]
async fn a_guard_that_hears_nothing_ends_by_itself() {
    let place = ShopFolder::with("");
    let mut guard = std::process::Command::new(env!("CARGO_BIN_EXE_stoa"));
    let ended = guard.arg("restore-guard").current_dir(place.path()).stdin(Stdio::null()).status();
    assert!(ended.expect("it starts").success());
}
