//! A module with routes of every kind that the guard treats differently.

use std::net::IpAddr;

use serde_json::{Value, json};
use stoa_core::auth::{NewToken, issue_token};
use stoa_core::customers::CustomerRecord;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder};

use crate::recorder::Recorder;

/// The ability that opens the probes.
pub(crate) const PROBE: &str = "probe.use";

/// The module `probe`.
pub(crate) struct Probe;

impl Module for Probe {
    const NAME: &'static str = "probe";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.ability("probes", PROBE)?;
        cx.routes(
            (),
            routes()
                .get("probes.index", "/probes", index)
                .get("probes.show", "/probes/{probe}", show)
                .post("probes.store", "/probes", store)
                .patch("probes.update", "/probes/{probe}", update)
                .delete("probes.delete", "/probes/{probe}", delete)
                .post("probes.wait", "/probes/wait", wait)
                .get("probes.panic", "/probes/panic", panic)
                .post("probes.panic_on_write", "/probes/panic", panic)
                .post("probes.serialization", "/probes/serialization", fail_serialization)
                .post("probes.outage", "/probes/outage", lose_database_after_write)
                .post("probes.unreachable", "/probes/unreachable", lose_database_before_write)
                .get("strays.index", "/strays", index),
        )
    }
}

/// A shop with the module.
pub(crate) fn shop(backend: stoa_core::db::Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<Probe>()
}

/// A client that may use the probes.
pub(crate) async fn client(shop: &TestShop) -> TestClient {
    shop.client().token(&shop.customer().await, &[PROBE]).await
}

/// A client whose token may be used from one network only.
pub(crate) async fn client_of_network(
    shop: &TestShop,
    customer: &CustomerRecord,
    network: &str,
    ability: &str,
) -> TestClient {
    let address = network.parse::<IpAddr>().expect("an address");
    let (networks, abilities) = ([address.into()], [ability.to_owned()]);
    let new = NewToken {
        customer_id: customer.id,
        name: "test",
        abilities: &abilities,
        networks: &networks,
        expires_at: None,
    };
    let parts = &shop.parts;
    let issued = parts.db.write(async |tx| -> Result<String, DbError> { issue_token(tx, &parts.random, new).await });
    shop.client().bearer(&issued.await.expect("a token is issued"))
}

/// What the probes answer.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ProbeAnswer")]
pub(crate) struct Answer {
    customer_id: i64,
    probe: Option<i64>,
}

/// What the probes take.
#[derive(Deserialize)]
pub(crate) struct Question {
    text: Option<String>,
    recorder: Option<u64>,
}

impl Input for Question {
    const NAME: &'static str = "ProbeQuestion";

    fn rules() -> Rules {
        Rules::new([field("text").nullable().max(2_000_000), field("recorder").integer(1, i64::MAX)])
    }
}

async fn index(customer: Customer) -> ApiResult<Data<Answer>> {
    Ok(Data(Answer { customer_id: customer.id, probe: None }))
}

async fn show(customer: Customer, Id(id): Id) -> ApiResult<Data<Answer>> {
    Ok(Data(Answer { customer_id: customer.id, probe: Some(id) }))
}

async fn store(customer: Customer, Body(question): Body<Question>) -> ApiResult<Created<Answer>> {
    let probe = question.text.map(|text| i64::try_from(text.len()).unwrap_or(i64::MAX));
    Ok(Created(Answer { customer_id: customer.id, probe }))
}

async fn update(customer: Customer, Id(id): Id, Body(_): Body<Question>) -> ApiResult<Data<Answer>> {
    Ok(Data(Answer { customer_id: customer.id, probe: Some(id) }))
}

async fn delete(Id(_): Id) -> ApiResult<Done> {
    Ok(Done::new())
}

async fn wait(Body(question): Body<Question>) -> ApiResult<Done> {
    let recorder = Recorder::of(question.recorder.expect("the test names its recorder"));
    recorder.note("began");
    recorder.pass_gate().await;
    recorder.note("finished");
    Ok(Done::new())
}

async fn panic() -> ApiResult<Done> {
    panic!("the secret of this panic");
}

const FAIL_SERIALIZATION: Sql = sql!(
    sqlite: "SELECT 1",
    postgres: "DO $$ BEGIN RAISE EXCEPTION 'try again' USING ERRCODE = '40001'; END $$",
);

async fn fail_serialization(db: Db, Body(question): Body<Question>) -> ApiResult<Done> {
    Recorder::of(question.recorder.expect("the test names its recorder")).note("ran");
    db.write(async |tx| tx.run(FAIL_SERIALIZATION).execute().await).await?;
    Ok(Done::new())
}

const WRITE: Sql = sql!("UPDATE catalog_state SET version = version");

async fn lose_database_after_write(db: Db, Body(_): Body<Question>) -> ApiResult<Done> {
    db.write(async |tx| tx.run(WRITE).execute().await).await?;
    db.close().await;
    db.read(FAIL_SERIALIZATION).scalar::<i64>().await?;
    Ok(Done::new())
}

async fn lose_database_before_write(db: Db, Body(_): Body<Question>) -> ApiResult<Done> {
    db.close().await;
    db.write(async |tx| tx.run(WRITE).execute().await).await?;
    Ok(Done::new())
}

/// A body that names a recorder.
pub(crate) fn naming(recorder: &Recorder) -> Value {
    json!({"recorder": recorder.number()})
}
