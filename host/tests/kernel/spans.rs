//! What the log tells: lines that carry what they belong to, each request if that is asked for, and what takes long.

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::logs;

/// Counts for long enough on any machine.
const COUNT_FOR_LONG: Sql = sql!(
    "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200000)
     SELECT COUNT(*) FROM numbers"
);

/// Something that a test brings about.
#[derive(Serialize, Deserialize)]
struct Whispered {
    word: String,
}

impl Event for Whispered {
    const NAME: &'static str = "Whispered";
}

impl CommittedEvent for Whispered {}

/// The module `gossip`, which says what it hears.
struct Gossip;

impl AfterCommit<Whispered> for Gossip {
    type Uses = ();

    async fn after_commit(&self, event: &Whispered, (): &()) -> Result<(), ListenerError> {
        tracing::info!("somebody whispered {}", event.word);
        Ok(())
    }
}

impl Module for Gossip {
    const NAME: &'static str = "gossip";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.ability("gossip", "gossip.read")?;
        cx.on_committed::<Whispered>("gossip.pass_on", Gossip);
        let told = routes().get("gossip.tell", "/gossip/{word}", tell).summary("Tell it");
        cx.routes((), told)
    }
}

async fn tell(_: Customer, Name(word): Name, db: Db) -> ApiResult<Data<String>> {
    tracing::info!("somebody asked about {word}");
    let counted = db.read(COUNT_FOR_LONG).scalar::<i64>().await?;
    Ok(Data(counted.to_string()))
}

async fn shop(backend: Backend, log: &str) -> TestShop {
    logs::keep();
    TestShop::builder(backend).module::<Gossip>().config(&format!("[log]\n{log}\n")).open().await
}

/// Asks about a word as a customer; returns the customer's id.
async fn ask(shop: &TestShop, word: &str) -> i64 {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["gossip.read"]).await;
    let client = client.with_header("x-request-id", &format!("id-of-{word}"));
    client.get(&format!("/gossip/{word}")).await.expect_status(200);
    customer.id
}

both_databases!(a_line_that_a_request_gives_rise_to_carries_its_id_route_and_customer);
async fn a_line_that_a_request_gives_rise_to_carries_its_id_route_and_customer(backend: Backend) {
    let shop = shop(backend, "slow_ms = 0").await;
    let word = format!("teapots-{}", backend.as_str());
    let customer_id = ask(&shop, &word).await;
    let [line] = &logs::with(&format!("asked about {word}"))[..] else { panic!("it is said once") };
    for part in [
        format!("request.id=\"id-of-{word}\""),
        String::from("method=\"GET\""),
        String::from("route=\"gossip.tell\""),
        format!("customer={customer_id}"),
    ] {
        assert!(line.contains(&part), "{part} is missing in {line}");
    }
}

both_databases!(a_line_that_a_listener_gives_rise_to_says_which_and_at_which_attempt);
async fn a_line_that_a_listener_gives_rise_to_says_which_and_at_which_attempt(backend: Backend) {
    let shop = shop(backend, "").await;
    let word = format!("saucers-{}", backend.as_str());
    let event = Whispered { word: word.clone() };
    shop.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it commits");
    shop.run_jobs().await;
    let [line] = &logs::with(&format!("whispered {word}"))[..] else { panic!("it is said once") };
    let has_all =
        ["lane=\"events\"", "kind=\"gossip.pass_on\"", "task=", "attempt=1"].iter().all(|part| line.contains(part));
    assert!(has_all, "{line}");
}

both_databases!(each_request_has_a_line_where_that_is_asked_for_and_no_query_is_in_it);
async fn each_request_has_a_line_where_that_is_asked_for_and_no_query_is_in_it(backend: Backend) {
    for (log, lines) in [("access = true", 1), ("access = false", 0)] {
        let shop = shop(backend, log).await;
        let id = format!("access-{}-{lines}", backend.as_str());
        let client = shop.client().with_header("x-request-id", &id);
        client.get("/products?q=secret-wish").await.expect_status(200);
        let found = logs::with(&format!("request.id=\"{id}\""));
        assert_eq!(found.len(), lines, "{found:?}");
        for line in found {
            let has_all = ["method=\"GET\"", "path=\"/api/v1/products\"", "status=200", "duration_ms="];
            assert!(has_all.iter().all(|part| line.contains(part)) && !line.contains("secret-wish"), "{line}");
        }
    }
}

both_databases!(what_takes_long_is_told);
async fn what_takes_long_is_told(backend: Backend) {
    let shop = shop(backend, "slow_ms = 1").await;
    let word = format!("spoons-{}", backend.as_str());
    ask(&shop, &word).await;
    let about = logs::with(&format!("request.id=\"id-of-{word}\""));
    let tells = |text: &str| about.iter().any(|line| line.contains(text));
    assert!(tells("a request took long"), "{about:?}");
    let mut statements = about.iter().filter(|line| line.contains("a statement took long"));
    assert!(statements.any(|line| line.contains("spans.rs") && line.contains("rows=1")), "{about:?}");
}
