//! Whoever waits for a product hears when it can be had again, whichever module says so.

use serde_json::json;
use stoa_core::catalog::{Availability, AvailabilityChanged, Frame, availability_of, set_availability};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::product;

const MAKE_TOLD: Sql = sql!("CREATE TABLE waiting_told (product_id BIGINT NOT NULL, state TEXT NOT NULL)");
const TELL: Sql = sql!("INSERT INTO waiting_told (product_id, state) VALUES ($1, $2)");
const TOLD: Sql = sql!("SELECT product_id, state FROM waiting_told ORDER BY product_id");
const FORGET: Sql = sql!("DELETE FROM waiting_told");
const IDS: Sql = sql!("SELECT id FROM products ORDER BY id");

/// A module that listens, and says itself what can be had.
struct Waiting;

impl Module for Waiting {
    const NAME: &'static str = "waiting";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_committed::<AvailabilityChanged>("waiting.tell", Self);
        Ok(())
    }
}

impl AfterCommit<AvailabilityChanged> for Waiting {
    type Uses = (Db, Frame);

    async fn after_commit(&self, event: &AvailabilityChanged, (db, frame): &Self::Uses) -> Result<(), ListenerError> {
        for (id, now) in availability_of(db, frame, event.product_ids.iter().copied()).await? {
            db.write(async |tx| tx.run(TELL).bind(id).bind(now.as_str()).execute().await).await?;
        }
        Ok(())
    }
}

/// What the listener was told since it was asked last.
async fn told(shop: &TestShop) -> Vec<(i64, String)> {
    shop.run_jobs().await;
    let told = shop.parts.db.read(TOLD).all().await.expect("it can be read");
    shop.parts.db.write(async |tx| tx.run(FORGET).execute().await).await.expect("it can be written");
    told
}

both_databases!(a_module_hears_what_can_be_had_otherwise_than_before);
async fn a_module_hears_what_can_be_had_otherwise_than_before(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Waiting>().open().await;
    shop.stock(&[product("lamp", &json!({})), product("vase", &json!({}))]).await;
    let db = &shop.parts.db;
    db.write(async |tx| tx.run(MAKE_TOLD).execute().await).await.expect("the table is made");
    let ids = db.read(IDS).scalars::<i64>().await.expect("they can be read");
    let [lamp, vase] = ids[..] else { panic!("{ids:?}") };
    let say = async |module: &'static str, states: &[(i64, Option<Availability>)]| {
        db.write(async |tx| set_availability(tx, module, states).await).await.expect("it is said")
    };
    let out = Some(Availability::OutOfStock);
    assert!(say("waiting", &[(lamp, out), (vase, Some(Availability::LowStock))]).await);
    assert_eq!(told(&shop).await, [(lamp, "out_of_stock".to_owned()), (vase, "low_stock".to_owned())]);
    assert!(!say("waiting", &[(lamp, out)]).await);
    assert_eq!(told(&shop).await, []);
    assert!(say("waiting", &[(lamp, None), (vase, Some(Availability::LowStock))]).await);
    assert_eq!(told(&shop).await, [(lamp, "in_stock".to_owned())]);
    // What a module says that is not on does not count.
    assert!(say("somebody", &[(vase, out)]).await);
    assert_eq!(told(&shop).await, [(vase, "low_stock".to_owned())]);
}
