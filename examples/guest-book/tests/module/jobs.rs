//! Scheduled work, and its setting.

use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{NAME, builder, give_entry, texts};

/// The operator's settings.
fn keeping(days: u32) -> String {
    format!("[modules.{NAME}]\nkeep_days = {days}")
}

both_databases!(old_entries_are_forgotten);
async fn old_entries_are_forgotten(backend: Backend) {
    let shop = builder(backend).config(&keeping(30)).open().await;
    let ada = shop.customer().await;
    give_entry(&shop, ada.id).await;
    shop.advance(TimeDelta::days(29));
    shop.run_jobs().await;
    assert_eq!(texts(&shop, ada.id).await.len(), 1);
    shop.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    assert_eq!(texts(&shop, ada.id).await.len(), 0);
}

#[test]
fn a_setting_that_makes_no_sense_stops_the_start() {
    let refused = builder(Backend::Sqlite).config(&keeping(0)).freeze();
    let Err(problems) = refused else { panic!("it is accepted") };
    assert!(problems.to_string().contains(&format!("`modules.{NAME}.keep_days`")), "{problems}");
}
