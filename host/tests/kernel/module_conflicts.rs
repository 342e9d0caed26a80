//! Mistakes of modules and their configuration stop the start, all told at once and with their owners.

use std::time::Duration;

use stoa_core::db::Backend;
use stoa_core::module::{ModuleEntry, RegistryProblems};
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases};

use crate::{logs, probe};

fn builder() -> TestShopBuilder {
    TestShop::builder(Backend::Sqlite)
}

#[track_caller]
fn refused(builder: TestShopBuilder) -> RegistryProblems {
    builder.freeze().err().expect("the program is refused")
}

/// Whether one of the texts speaks of all these things.
#[track_caller]
fn assert_told(texts: &[String], things: &[&str]) {
    let told = texts.iter().any(|text| things.iter().all(|thing| text.contains(thing)));
    assert!(told, "none of {texts:#?} speaks of {things:?}");
}

async fn nothing() -> ApiResult<Done> {
    Ok(Done::new())
}

async fn of_id(_: Id) -> ApiResult<Done> {
    Ok(Done::new())
}

#[derive(Serialize, Deserialize)]
struct Happened;

impl Event for Happened {
    const NAME: &'static str = "Happened";
}

impl CommittedEvent for Happened {}
impl TransactionEvent for Happened {}

struct Deaf;

impl AfterCommit<Happened> for Deaf {
    type Uses = ();

    async fn after_commit(&self, _: &Happened, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}

impl InTransaction<Happened> for Deaf {
    async fn in_transaction(&self, _: &Happened, _: &mut Tx) -> Result<(), ListenerError> {
        Ok(())
    }
}

struct Idle;

impl Job for Idle {
    type Uses = ();

    const NAME: &'static str = "shared.idle";
    const EVERY: Duration = Duration::from_mins(1);

    async fn run(&self, (): &()) -> Result<(), String> {
        Ok(())
    }
}

/// Makes a module with a name, and what it registers.
macro_rules! module {
    ($type:ident, $name:literal, |$cx:ident| $body:block) => {
        struct $type;
        impl Module for $type {
            const NAME: &'static str = $name;
            type Config = ();
            fn register((): (), $cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> $body
        }
    };
}

module!(First, "first", |cx| {
    cx.ability("things", "first.things")?;
    cx.on_committed::<Happened>("shared.listener", Deaf);
    cx.job(Idle);
    cx.routes((), routes().get("things.index", "/things", nothing).get("things.show", "/first/{id}/parts", of_id))
});

module!(Second, "second", |cx| {
    cx.ability("things", "second.things")?;
    cx.on_transaction::<Happened>("shared.listener", Deaf);
    cx.job(Idle);
    cx.routes(
        (),
        routes().get("things.index", "/second", nothing).get("second.things", "/things", nothing).post(
            "second.parts",
            "/first/{other}/parts",
            of_id,
        ),
    )
});

#[test]
fn everything_two_modules_share_is_refused_at_once_with_both_owners() {
    let problems = refused(builder().module::<Second>().module::<First>()).registration;
    for shared in ["route name `things.index`", "/things", "`shared.listener`", "`shared.idle`", "prefix `things`"] {
        assert_told(&problems, &[shared, "`first`", "`second`"]);
    }
    assert_told(&problems, &["/first/{id}/parts", "/first/{other}/parts", "`first`", "`second`"]);
    assert_eq!(problems.len(), 6, "{problems:#?}");
}

#[test]
fn a_module_alone_is_accepted() {
    assert!(builder().module::<First>().freeze().is_ok());
    assert!(builder().module::<Second>().freeze().is_ok());
}

#[test]
fn routes_of_a_disabled_module_collide_with_nothing() {
    let second = ModuleEntry::of::<Second>("second-crate", "0.0.0");
    let problems = refused(builder().module::<First>().linked_module(second)).registration;
    // Listeners and jobs are known by name in the database, whether or not their module is enabled.
    assert_told(&problems, &["`shared.listener`"]);
    assert_told(&problems, &["`shared.idle`"]);
    assert_eq!(problems.len(), 2, "{problems:#?}");
}

#[test]
fn two_modules_of_one_name_are_refused_with_both_crates() {
    module!(Twin, "first", |_cx| { Ok(()) });
    let (one, other) =
        (ModuleEntry::of::<First>("crate-one", "1.0.0"), ModuleEntry::of::<Twin>("crate-other", "2.0.0"));
    let problems = refused(builder().linked_module(one).linked_module(other)).registration;
    assert_told(&problems, &["`first`", "`crate-one`", "`crate-other`"]);
}

#[test]
fn a_path_of_core_cannot_be_taken() {
    module!(Thief, "thief", |cx| { cx.routes((), routes().get("thief.products", "/products/{id}", of_id)) });
    let problems = refused(builder().module::<Thief>()).registration;
    assert_told(&problems, &["/products/{id}", "`thief`", "`core`", "collides"]);
}

#[test]
fn an_ability_outside_the_modules_name_is_refused() {
    module!(Greedy, "greedy", |cx| { cx.ability("greedy", "first.things").map(drop) });
    let problems = refused(builder().module::<Greedy>()).registration;
    assert_told(&problems, &["`greedy`", "`first.things`"]);
}

#[test]
fn an_ability_of_the_specification_may_be_mapped_by_any_module() {
    module!(Library, "library", |cx| { cx.ability("downloads", "downloads.read") });
    assert!(builder().module::<Library>().freeze().is_ok());
}

#[test]
fn a_path_variable_that_no_extractor_takes_is_refused() {
    module!(Careless, "careless", |cx| {
        let unused = routes().get("careless.show", "/careless/{id}", nothing);
        cx.routes((), unused.get("careless.index", "/careless", of_id))
    });
    let problems = refused(builder().module::<Careless>()).registration;
    assert_told(&problems, &["`careless.show`", "/careless/{id}", "1 variable(s)", "takes 0"]);
    assert_told(&problems, &["`careless.index`", "0 variable(s)", "takes 1"]);
}

#[test]
fn malformed_names_and_paths_are_refused() {
    module!(Sloppy, "sloppy", |cx| {
        let named = routes().get("sloppy", "/sloppy-one", nothing).get("Sloppy.Two", "/sloppy-two", nothing);
        let placed = named.get("sloppy.three", "sloppy-three", nothing).get("sloppy.four", "/sloppy-four/", nothing);
        cx.routes((), placed)
    });
    let problems = refused(builder().module::<Sloppy>()).registration;
    for name in ["`sloppy`", "`Sloppy.Two`", "`sloppy.three`", "`sloppy.four`"] {
        assert_told(&problems, &["route", name, "of `sloppy`"]);
    }
}

both_databases!(a_route_with_an_unmapped_prefix_refuses_everybody);
async fn a_route_with_an_unmapped_prefix_refuses_everybody(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let customer = shop.customer().await;
    for abilities in [&["*"][..], &[probe::PROBE], &[]] {
        let client = shop.client().token(&customer, abilities).await;
        let answer = client.get("/strays").await.expect_error(403, "unmapped_api_route");
        assert!(answer.json().get("errors").is_none());
    }
}

#[test]
fn routes_with_an_unmapped_prefix_are_listed() {
    let program = probe::shop(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    let unmapped = program.registry.routes.unmapped().map(|entry| (entry.owner, entry.route.name)).collect::<Vec<_>>();
    assert_eq!(unmapped, [("probe", "strays.index")]);
}

#[test]
fn a_prefix_that_another_module_has_mapped_stays_unmapped() {
    module!(Owner, "owner", |cx| { cx.ability("things", "owner.things") });
    module!(Guest, "guest", |cx| { cx.routes((), routes().get("things.index", "/things", nothing)) });
    let program = builder().module::<Owner>().module::<Guest>().freeze();
    let registry = program.unwrap_or_else(|problems| panic!("{problems}")).registry;
    assert_eq!(registry.routes.unmapped().map(|entry| entry.route.name).collect::<Vec<_>>(), ["things.index"]);
}

#[test]
fn an_unknown_module_in_the_configuration_is_refused_with_the_one_that_was_meant() {
    let text = refused(builder().module::<First>().config("[modules.frist]\nenabled = true")).to_string();
    assert!(
        text.contains("config.toml:1:") && text.contains("`frist`") && text.contains("did you mean `first`?"),
        "{text}"
    );
}

#[test]
fn a_module_that_is_not_linked_may_be_mentioned_but_not_enabled() {
    let mentioned = builder().reserved(&["inventory"]).config("[modules.inventory]\nenabled = false");
    assert!(mentioned.freeze().is_ok());
    let enabled = builder().reserved(&["inventory"]).config("[modules.inventory]\nenabled = true");
    let text = refused(enabled).to_string();
    assert!(text.contains("modules.inventory.enabled") && text.contains("does not contain"), "{text}");
}

/// The names of the stock modules.
const STOCK: &[&str] = &["subscriptions", "services", "downloads", "digital_secrets", "event_tickets", "inventory"];

#[test]
fn known_modules_are_told_once_each_and_only_those_that_the_program_contains() {
    module!(Inventory, "inventory", |cx| {
        let _ = cx;
        Ok(())
    });
    let modules = builder().module::<Inventory>().module::<First>().reserved(STOCK);
    let text = refused(modules.config("[modules.subscriptoins]\nenabled = true")).to_string();
    assert!(text.contains("did you mean `subscriptions`?"), "{text}");
    assert!(text.ends_with("this program contains: `first`, `inventory`"), "{text}");
}

#[test]
fn an_unknown_key_of_a_modules_table_is_named() {
    let text = refused(builder().module::<First>().config("[modules.first]\nenabeld = true")).to_string();
    assert!(
        text.contains("config.toml:2:") && text.contains("modules.first.enabeld") && text.contains("`enabled`"),
        "{text}"
    );
}

#[test]
fn mistakes_of_the_configuration_and_of_modules_are_told_together() {
    let config = "[modules.frist]\n[modules.probe]\ngrace = 3";
    let modules = builder().module::<First>().module::<Second>().module::<probe::Probe>();
    let problems = refused(modules.config(config));
    assert_eq!(problems.config.len(), 2, "{problems}");
    assert!(!problems.registration.is_empty());
    let text = problems.to_string();
    for thing in ["`frist`", "modules.probe.grace", "`second`"] {
        assert!(text.contains(thing), "{thing} in {text}");
    }
}

both_databases!(a_route_with_an_unmapped_prefix_is_warned_of_at_every_start);
async fn a_route_with_an_unmapped_prefix_is_warned_of_at_every_start(backend: Backend) {
    logs::keep();
    let warned =
        || logs::with("refuses everybody").iter().filter(|line| line.contains("route=\"strays.index\"")).count();
    let before = warned();
    probe::shop(backend).open().await;
    // Others open such shops at the same time.
    assert!(warned() > before);
    let lines = logs::with("refuses everybody");
    let own = |line: &&String| line.contains("WARN") && line.contains("module=\"probe\"");
    assert_eq!(lines.iter().filter(own).count(), lines.len(), "{lines:?}");
}
