//! What modules bring for the operator, and what of it stays while they are off.

use axum::body::Body;
use clap::Args;
use http::Method;
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, TestShopBuilder, both_databases};

use crate::recorder::Recorder;

const COLOR: Sql = sql!(
    sqlite: "SELECT COUNT(*) FROM pragma_table_info('notes') WHERE name = 'color'",
    postgres: "SELECT COUNT(*) FROM information_schema.columns
               WHERE table_schema = current_schema() AND table_name = 'notes' AND column_name = 'color'",
);
const TABLES: Sql = sql!(
    sqlite: "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('notes', '_migrations_notes')",
    postgres: "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema()
               AND tablename IN ('notes', '_migrations_notes')",
);
const BROKEN: Sql = Sql::new("SELECT no_such", "SELECT no_such", file!(), line!());
const ONE: Sql = sql!("SELECT 'the moon', 'it is full'");

/// Something is given back.
struct GivenBack(Recorder);

impl Event for GivenBack {
    const NAME: &'static str = "GivenBack";
}

impl TransactionEvent for GivenBack {}

/// Notes which of its listeners was called.
struct Note(&'static str);

impl InTransaction<GivenBack> for Note {
    async fn in_transaction(&self, event: &GivenBack, _: &mut Tx) -> Result<(), ListenerError> {
        event.0.note(self.0);
        Ok(())
    }
}

fn listen(cx: &mut ModuleContext<'_>) {
    cx.on_transaction::<GivenBack>("notes.while_on", Note("while on"));
    cx.on_transaction_even_off::<GivenBack>("notes.even_off", Note("even off"));
}

/// A module in its first version.
struct Notes;

impl Module for Notes {
    const NAME: &'static str = "notes";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(
            migrations!(sqlite: "tests/migrations/notes/sqlite", postgres: "tests/migrations/notes/postgres"),
        );
        listen(cx);
        Ok(())
    }
}

/// The same module in a later version, with one more migration.
struct LaterNotes;

impl Module for LaterNotes {
    const NAME: &'static str = "notes";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(
            sqlite: "tests/migrations/notes_later/sqlite",
            postgres: "tests/migrations/notes_later/postgres",
        ));
        listen(cx);
        Ok(())
    }
}

fn off<M: Module>(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).linked_module(ModuleEntry::of::<M>("notes-crate", "0.0.0"))
}

/// Which listeners are called in this shop, twice in a row.
async fn called(shop: &TestShop) -> Vec<String> {
    let recorder = Recorder::new();
    for _ in 0..2 {
        let event = GivenBack(recorder.clone());
        let told = shop.parts.db.write(async |tx| tx.announce(&event).await).await;
        told.expect("nobody objects");
    }
    recorder.lines()
}

both_databases!(a_listener_for_releases_is_called_while_its_module_is_off_if_it_was_on);
async fn a_listener_for_releases_is_called_while_its_module_is_off_if_it_was_on(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let never_on = off::<Notes>(backend).on(&database).open().await;
    assert_eq!(called(&never_on).await, [""; 0], "it has no tables to give back to");
    let on = TestShop::builder(backend).on(&database).seed(2).module::<Notes>().open().await;
    assert_eq!(called(&on).await, ["while on", "even off", "while on", "even off"]);
    let off_again = off::<Notes>(backend).on(&database).seed(3).open().await;
    assert_eq!(called(&off_again).await, ["even off", "even off"]);
}

both_databases!(the_tables_of_a_module_that_was_on_keep_up_while_it_is_off);
async fn the_tables_of_a_module_that_was_on_keep_up_while_it_is_off(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    drop(TestShop::builder(backend).on(&database).module::<Notes>().open().await);
    let later = off::<LaterNotes>(backend).on(&database).seed(2).open().await;
    let has_color = later.parts.db.read(COLOR).scalar::<i64>().await.expect("a count");
    assert_eq!(has_color, 1, "the listener that gives back needs the tables of its own version");
    let never_on = off::<LaterNotes>(backend).open().await;
    assert_eq!(never_on.parts.db.read(TABLES).scalar::<i64>().await.expect("a count"), 0);
}

/// Makes a module with a name, and what it registers.
macro_rules! module {
    ($type:ident, $name:literal, |$cx:ident| $body:block) => {
        struct $type;
        impl Module for $type {
            const NAME: &'static str = $name;
            type Config = ();
            fn register((): (), $cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
                $body
                Ok(())
            }
        }
    };
}

/// Pour tea.
#[derive(Args)]
struct Pour {
    /// How much.
    cups: u8,
}

impl ModuleCommand for Pour {
    const NAME: &'static str = "tea";
    type State = &'static str;

    async fn run(self, state: &&'static str, cx: &CommandContext) -> Result<(), Failure> {
        cx.output.line(&format!("{} cups of {state}", self.cups))
    }
}

/// Counts from a table that is not there, or not.
struct Count(Result<&'static str, Sql>);

impl Measure for Count {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        match self.0 {
            Ok(name) => Ok(vec![Sample::gauge(name, "How many.", 7)]),
            Err(broken) => db.read(broken).scalar::<i64>().await.map(|_| Vec::new()),
        }
    }
}

impl Examine for Count {
    type Uses = Db;

    async fn examine(&self, db: &Db) -> Result<Vec<Finding>, DbError> {
        self.measure(db).await.map(|_| vec![Finding::warning("tea.cups", "too few", "buy some")])
    }
}

const FULL_MOON: Invariant = Invariant::new("tea_moon", "the moon is not full", ONE);

module!(Tea, "tea", |cx| {
    cx.command::<Pour>("green tea");
    cx.invariant(FULL_MOON);
    cx.examine(Count(Ok("stoa_tea_cups")));
    cx.measure(Count(Ok("stoa_tea_cups")));
});

module!(Coffee, "coffee", |cx| {
    cx.command::<Pour>("coffee");
});

module!(Broken, "broken", |cx| {
    cx.measure(Count(Err(BROKEN)));
});

#[test]
fn two_modules_with_one_command_are_refused_with_both_names() {
    for second_is_on in [true, false] {
        let builder = TestShop::builder(Backend::Sqlite).module::<Tea>();
        let builder = if second_is_on {
            builder.module::<Coffee>()
        } else {
            builder.linked_module(ModuleEntry::of::<Coffee>("coffee-crate", "0.0.0"))
        };
        let refused = builder.freeze().err().expect("it is refused").registration;
        assert_eq!(refused, ["the command `tea` is registered by both `coffee` and `tea`"], "{second_is_on}");
    }
}

both_databases!(a_command_gets_its_state_and_its_arguments);
async fn a_command_gets_its_state_and_its_arguments(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Tea>().open().await;
    assert_eq!(shop.command(&["tea", "3"]).await.expect_success(), "3 cups of green tea\n");
    let refused = shop.command(&["tea", "many"]).await.expect_failure(2);
    assert!(refused.contains("many") && refused.contains("<CUPS>"), "{refused}");
}

both_databases!(one_module_that_cannot_be_measured_leaves_the_others);
async fn one_module_that_cannot_be_measured_leaves_the_others(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Broken>().module::<Tea>().config("[server]\nmetrics = true");
    let shop = shop.open().await;
    let client = shop.client();
    let answer = client.send(client.site_request(Method::GET, "/metrics", Body::empty())).await.expect_status(200);
    let text = answer.text();
    assert!(text.contains("# HELP stoa_tea_cups How many.\n# TYPE stoa_tea_cups gauge\nstoa_tea_cups 7\n"), "{text}");
    assert!(text.contains("stoa_http_requests_in_flight"), "core's own are there too: {text}");
}

both_databases!(a_module_that_is_off_is_neither_verified_nor_examined_nor_measured);
async fn a_module_that_is_off_is_neither_verified_nor_examined_nor_measured(backend: Backend) {
    let on = TestShop::builder(backend).module::<Tea>().open().await;
    assert_eq!(on.breaches().await, ["tea_moon: the moon: it is full"]);
    assert_eq!(on.findings().await.iter().map(|finding| finding.check).collect::<Vec<_>>(), ["tea.cups"]);
    assert!(on.measured().await.contains("stoa_tea_cups 7"));
    let off = off::<Tea>(backend).open().await;
    assert_eq!(off.breaches().await, [""; 0]);
    assert_eq!(off.findings().await, []);
    assert!(!off.measured().await.contains("stoa_tea_cups"));
    off.command(&["tea", "3"]).await.expect_failure(2);
}

/// A module whose route fails.
struct Failing;

async fn fail() -> ApiResult<Data<i64>> {
    Err(ApiError::internal("the kettle is empty"))
}

impl Module for Failing {
    const NAME: &'static str = "failing";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.ability("kettles", "failing.read")?;
        cx.routes((), routes().get("kettles.show", "/kettles", fail))
    }
}

#[tokio::test]
async fn a_test_that_gets_500_says_why_and_a_client_does_not() {
    let shop = TestShop::builder(Backend::Sqlite).module::<Failing>().open().await;
    let ada = shop.client().token(&shop.customer().await, &["*"]).await;
    let answer = ada.get("/kettles").await;
    assert!(!answer.text().contains("kettle is empty"), "{}", answer.text());
    let expected = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answer.expect_status(200)));
    let told = expected.map(drop).expect_err("the test fails");
    let told = told.downcast_ref::<String>().expect("a text");
    assert!(told.contains("which has failed because of: the kettle is empty"), "{told}");
}
