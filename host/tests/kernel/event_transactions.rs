//! Listeners before and inside a transaction: their order, their vetoes, what they write along.

use serde_json::json;
use stoa_core::clock::Clock;
use stoa_core::config::Config;
use stoa_core::db::Backend;
use stoa_core::module::{Given, Linked, ModuleEntry, Registry};
use stoa_core::outbound::HttpClient;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, both_databases};

use crate::recorder::Recorder;

texts! { en: "parcel-fragile = Too fragile.", de: "parcel-fragile = Zu zerbrechlich.", nl: "parcel-fragile = Te breekbaar." }

const PUT: Sql = sql!("INSERT INTO installation (name, value) VALUES ($1, $2)");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM installation");

/// Announced before a parcel is packed.
struct Packing {
    recorder: Recorder,
    checks: Vec<&'static str>,
}

impl Event for Packing {
    const NAME: &'static str = "Packing";
}

impl PreflightEvent for Packing {}

/// Announced while a parcel is packed.
struct Packed {
    recorder: Recorder,
    fragile: bool,
}

impl Event for Packed {
    const NAME: &'static str = "Packed";
}

impl TransactionEvent for Packed {}

/// A listener that notes its name, writes a row, and refuses what is fragile if it is told to.
struct Packer {
    name: &'static str,
    careful: bool,
}

impl Preflight<Packing> for Packer {
    async fn preflight(&self, event: &mut Packing, _: &Db) -> Result<(), ListenerError> {
        event.recorder.note(self.name);
        event.checks.push(self.name);
        Ok(())
    }
}

impl InTransaction<Packed> for Packer {
    async fn in_transaction(&self, event: &Packed, tx: &mut Tx) -> Result<(), ListenerError> {
        event.recorder.note(self.name);
        tx.run(PUT).bind(self.name).bind("packed").execute().await?;
        if self.careful && event.fragile {
            let message = text!("parcel-fragile");
            return Err(Veto { field: String::from("items"), message, reason: Some("fragile") }.into());
        }
        Ok(())
    }
}

fn listen(cx: &mut ModuleContext<'_>, name: &'static str, careful: bool) {
    cx.on_preflight::<Packing>(name, Packer { name, careful });
}

fn listen_inside(cx: &mut ModuleContext<'_>, name: &'static str, careful: bool) {
    cx.on_transaction::<Packed>(name, Packer { name, careful });
}

/// The module `alpha`, whose second listener is careful.
struct Alpha;

impl Module for Alpha {
    const NAME: &'static str = "alpha";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        listen(cx, "alpha.zebra", false);
        listen(cx, "alpha.ant", false);
        listen_inside(cx, "alpha.pack.zebra", false);
        listen_inside(cx, "alpha.pack.ant", true);
        cx.ability("parcels", "alpha.pack")?;
        cx.routes((), routes().post("parcels.store", "/parcels", pack))
    }
}

/// The module `beta`.
struct Beta;

impl Module for Beta {
    const NAME: &'static str = "beta";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        listen(cx, "beta.only", false);
        listen_inside(cx, "beta.pack.only", false);
        Ok(())
    }
}

#[derive(Deserialize)]
struct Parcel {
    recorder: u64,
    fragile: bool,
}

impl Input for Parcel {
    const NAME: &'static str = "AlphaParcel";

    fn rules() -> Rules {
        Rules::new([field("recorder").required().integer(1, i64::MAX), field("fragile").required().boolean()])
    }
}

async fn pack(db: Db, Body(parcel): Body<Parcel>) -> ApiResult<Done> {
    let event = Packed { recorder: Recorder::of(parcel.recorder), fragile: parcel.fragile };
    db.write(async |tx| -> ApiResult<()> {
        tx.run(PUT).bind("parcel").bind("packed").execute().await?;
        Ok(tx.announce(&event).await?)
    })
    .await?;
    Ok(Done::new())
}

/// A registry in which core listens too, registered in the wrong order on purpose.
fn registry() -> Registry {
    let mut config = Config::default();
    config.apply_demo(&["alpha", "beta"]);
    let entries = [ModuleEntry::of::<Beta>("beta-crate", "0.0.0"), ModuleEntry::of::<Alpha>("alpha-crate", "0.0.0")];
    let http = HttpClient::new().expect("a client is made");
    let given = Given { clock: Clock::system(), http, console: None, bucket: None };
    let registry = Registry::build(&Linked::of(entries), &config, &[], &given, |cx| {
        for name in ["core.zebra", "core.ant"] {
            listen(cx, name, false);
        }
        for name in ["core.pack.zebra", "core.pack.ant"] {
            listen_inside(cx, name, false);
        }
        Ok(())
    });
    registry.unwrap_or_else(|problems| panic!("{problems}"))
}

both_databases!(listeners_run_in_the_order_core_modules_by_name_registration);
async fn listeners_run_in_the_order_core_modules_by_name_registration(backend: Backend) {
    let registry = registry();
    let database = TestDatabase::new(backend).await;
    let db = database.open(Clock::system()).await.with_events(registry.events.clone());

    let recorder = Recorder::new();
    let mut packing = Packing { recorder: recorder.clone(), checks: Vec::new() };
    registry.events.preflight(&mut packing, &db).await.expect("nobody refuses");
    let order = ["core.zebra", "core.ant", "alpha.zebra", "alpha.ant", "beta.only"];
    assert_eq!(recorder.lines(), order);
    assert_eq!(packing.checks, order, "what they add to the event stays in that order");

    let packed = Packed { recorder: Recorder::new(), fragile: false };
    db.write(async |tx| tx.announce(&packed).await).await.expect("nobody refuses");
    let order = ["core.pack.zebra", "core.pack.ant", "alpha.pack.zebra", "alpha.pack.ant", "beta.pack.only"];
    assert_eq!(packed.recorder.lines(), order);
}

both_databases!(what_listeners_write_is_committed_with_the_transaction);
async fn what_listeners_write_is_committed_with_the_transaction(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Alpha>().module::<Beta>().open().await;
    let client = shop.client().token(&shop.customer().await, &["alpha.pack"]).await;
    let before = count(&shop).await;
    let recorder = Recorder::new();
    let body = json!({"recorder": recorder.number(), "fragile": false});
    client.post("/parcels", &body).await.expect_status(200);
    assert_eq!(recorder.lines(), ["alpha.pack.zebra", "alpha.pack.ant", "beta.pack.only"]);
    assert_eq!(count(&shop).await, before + 4);
}

both_databases!(a_veto_undoes_everything_and_is_told_to_the_client);
async fn a_veto_undoes_everything_and_is_told_to_the_client(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Alpha>().module::<Beta>().open().await;
    let client = shop.client().token(&shop.customer().await, &["alpha.pack"]).await;
    let before = count(&shop).await;
    let recorder = Recorder::new();
    let body = json!({"recorder": recorder.number(), "fragile": true});
    let answer = client.with_header("accept-language", "de").post("/parcels", &body).await;
    let answer = answer.expect_error(422, "invalid_state").json();
    assert_eq!(answer["message"], "Zu zerbrechlich.");
    assert_eq!(answer["reason"], "fragile");
    assert_eq!(answer["errors"], json!({"items": ["Zu zerbrechlich."]}));
    assert_eq!(recorder.lines(), ["alpha.pack.zebra", "alpha.pack.ant"], "the first refusal ends it");
    assert_eq!(count(&shop).await, before);
}

async fn count(shop: &TestShop) -> i64 {
    shop.parts.db.read(COUNT).scalar().await.expect("a count")
}

both_databases!(listeners_of_a_disabled_module_are_silent);
async fn listeners_of_a_disabled_module_are_silent(backend: Backend) {
    let beta = ModuleEntry::of::<Beta>("beta-crate", "0.0.0");
    let shop = TestShop::builder(backend).module::<Alpha>().linked_module(beta).open().await;
    let packed = Packed { recorder: Recorder::new(), fragile: false };
    shop.parts.db.write(async |tx| tx.announce(&packed).await).await.expect("nobody refuses");
    assert_eq!(packed.recorder.lines(), ["alpha.pack.zebra", "alpha.pack.ant"]);
}
