//! Entries that come with what is bought.

use stoa_core::db::Backend;
use stoa_core::serde_json::json;
use stoa_core::testing::both_databases;

use crate::shelf::{NAME, builder, buy_tea, texts};

both_databases!(what_is_bought_adds_one_entry_however_often_the_event_comes);
async fn what_is_bought_adds_one_entry_however_often_the_event_comes(backend: Backend) {
    let shop = builder(backend).open().await;
    let ada = shop.customer().await;
    let client = shop.client().token(&ada, &["*"]).await;
    buy_tea(&shop, &client, json!({NAME: {"text": "Thank you for the tea."}})).await;
    for _ in 0..2 {
        shop.run_jobs().await;
        assert_eq!(texts(&shop, ada.id).await, ["Thank you for the tea."]);
    }
}
