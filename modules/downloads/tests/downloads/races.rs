//! What happens at once: the last download, attaching while orders are paid. With a control that shows that it matters.

use std::sync::Arc;

use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::sql;
use stoa_core::testing::both_databases;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::kit::{self, attach, buy, bytes, customer, downloads, newest, order, path, shop};

/// How many do something at once.
const MANY: usize = 16;

const COUNTED: Sql = sql!("SELECT download_count FROM downloads_grants ORDER BY id LIMIT 1");
const SET_COUNTED: Sql = sql!("UPDATE downloads_grants SET download_count = $1");

both_databases!(nobody_gets_more_downloads_by_asking_at_once);
async fn nobody_gets_more_downloads_by_asking_at_once(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(1000), &["--limit", "5"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let mut answered = 0;
    for _ in 0..8 {
        let mut tasks = JoinSet::new();
        for _ in 0..MANY {
            let (ada, file) = (ada.clone(), file.clone());
            tasks.spawn(async move { ada.get(&file).await.status.as_u16() });
        }
        answered += tasks.join_all().await.into_iter().filter(|status| *status == 200).count();
    }
    let count = shop.parts.db.read(COUNTED).scalar::<i64>().await.expect("it can be read");
    assert_eq!((count, answered), (5, 5));
    assert_eq!(shop.breaches().await, [""; 0]);

    // The control: who reads, decides and writes counts too little, and so gives too much.
    let db = &shop.parts.db;
    let reset = db.write(async |tx| tx.run(SET_COUNTED).bind(0_i64).execute().await).await;
    let _: u64 = reset.map_err(|error: DbError| error).expect("it is written");
    let (barrier, mut tasks) = (Arc::new(Barrier::new(MANY)), JoinSet::new());
    for _ in 0..MANY {
        let (db, barrier) = (shop.parts.db.clone(), Arc::clone(&barrier));
        tasks.spawn(async move {
            let count = db.read(COUNTED).scalar::<i64>().await.expect("it can be read");
            barrier.wait().await;
            let set = db.write(async |tx| tx.run(SET_COUNTED).bind(count + 1).execute().await).await;
            let _: u64 = set.map_err(|error: DbError| error).expect("it is written");
            count < 5
        });
    }
    let let_in = tasks.join_all().await.into_iter().filter(|let_in| *let_in).count();
    assert!(let_in > 5, "the race cannot happen here, so the test above proves nothing");
}

both_databases!(no_buyer_is_missed_while_a_file_is_attached);
async fn no_buyer_is_missed_while_a_file_is_attached(backend: Backend) {
    let shop = shop(backend).await;
    let (_, ada) = customer(&shop).await;
    let other = kit::builder(backend).on(shop.database()).clock(&shop.clock).seed(7).open().await;
    for round in 0..6 {
        let id = order(&ada, "songs", 1).await["id"].as_i64().expect("an id");
        record_payment(&Payments::from_shop(&shop.parts), id).await.expect("it is paid");
        let name = format!("part-{round}.zip");
        kit::write(&shop, &name, format!("part {round}").as_bytes());
        let arguments = ["downloads", "attach", "songs", &name];
        let ((), end) = tokio::join!(other.run_jobs(), shop.command(&arguments));
        assert_eq!(end.code, 0, "{end:?}");
    }
    other.run_jobs().await;
    let total = ada.get("/downloads").await.expect_status(200).json()["meta"]["total"].clone();
    assert_eq!(total, 36, "each of six units has each of six files");
    assert_eq!(downloads(&ada).await.len(), 20);
    assert_eq!(shop.breaches().await, [""; 0]);
}
