//! `stoa module check` finds each rule that a module breaks, and names its place.

use std::time::Duration;

use clap::Args;
use serde_json::json;
use stoa_core::conformance::{Breach, Evidence, Report, Rule, check_module};
use stoa_core::db::{MigrationState, MigrationStatus};
use stoa_core::mail::{MailAbout, MailTemplate, MailTexts};
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::broken_rules;

const FIND: Sql = sql!("SELECT id, state FROM careless_things WHERE id = $1");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM careless_things");
const LIST: Sql = sql!("SELECT id, state FROM careless_things ORDER BY id");
const ALWAYS: Sql = sql!("SELECT 'all', 'is lost'");
const HIDE: Sql = sql!("UPDATE products SET visible = FALSE");

const TOLD: MailTemplate = MailTemplate {
    name: "careless_told",
    about: MailAbout::Customer,
    placeholders: &[],
    texts: MailTexts { en: "Subject: x\nx", de: "Subject: x\nx", nl: "Subject: x\nx" },
};

/// A module that breaks every rule.
struct Careless;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    keep_days: u32,
    speed: u32,
}

impl ModuleConfig for Settings {}

#[derive(Deserialize)]
struct OfProducts {
    #[expect(dead_code, reason = "its name is what matters")]
    color: String,
}

impl ProductSettings for OfProducts {}

#[derive(Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "CarelessThing")]
struct Thing {
    id: i64,
    state: String,
}

#[derive(Deserialize)]
struct NewThing {}

impl Input for NewThing {
    const NAME: &'static str = "CarelessNewThing";

    fn rules() -> Rules {
        Rules::new([field("state").required()])
    }
}

/// Answers everybody with everybody's.
async fn show(db: Db, Id(id): Id) -> ApiResult<Data<Thing>> {
    let thing = db.read(FIND).bind(id).optional::<Thing>().await?;
    thing.map(Data).ok_or_else(ApiError::not_found)
}

async fn count(db: Db) -> ApiResult<Data<i64>> {
    Ok(Data(db.read(COUNT).scalar().await?))
}

/// Writes what is not the module's.
async fn store(db: Db, Body(_): Body<NewThing>) -> ApiResult<Done> {
    db.write(async |tx| tx.run(HIDE).execute().await).await?;
    Ok(Done::new())
}

/// A page that opens as long as there is nothing to show: no state is a number.
async fn list(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let rows = db.read(LIST).all::<(i64, i64)>().await?;
    List::new("Things", |row: &(i64, i64)| row.0).column("State", |row| row.1).show_all(query, rows).await
}

async fn anything(Name(_): Name) -> ApiResult<Done> {
    Ok(Done::new())
}

#[derive(Serialize, Deserialize)]
struct Happened;

impl Event for Happened {
    const NAME: &'static str = "CarelessHappened";
}

impl CommittedEvent for Happened {}

struct Idle;

impl AfterCommit<Happened> for Idle {
    type Uses = ();

    async fn after_commit(&self, _: &Happened, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}

impl Job for Idle {
    type Uses = ();

    const NAME: &'static str = "sweep";
    const EVERY: Duration = Duration::from_hours(1);

    async fn run(&self, (): &()) -> Result<(), String> {
        Ok(())
    }
}

impl Measure for Idle {
    type Uses = ();

    async fn measure(&self, (): &()) -> Result<Vec<Sample>, DbError> {
        Ok(vec![Sample::gauge("stoa_carelessly_made", "Made.", 1)])
    }
}

impl Examine for Idle {
    type Uses = ();

    async fn examine(&self, (): &()) -> Result<Vec<Finding>, DbError> {
        Ok(vec![Finding::failure("everything", "is lost", "run")])
    }
}

#[derive(Args)]
struct Command {}

impl ModuleCommand for Command {
    const NAME: &'static str = "sloth";
    type State = ();

    async fn run(self, (): &(), _: &CommandContext) -> Result<(), Failure> {
        Ok(())
    }
}

impl Module for Careless {
    const NAME: &'static str = "careless";
    type Config = Settings;

    fn register(_: Settings, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(
            migrations!(sqlite: "tests/migrations/careless/sqlite", postgres: "tests/migrations/careless/postgres"),
        );
        cx.product_settings::<OfProducts>();
        cx.ability("things", "careless.read")?;
        cx.on_committed::<Happened>("happened", Idle);
        cx.job(Idle);
        cx.mail_template(TOLD);
        cx.measure(Idle);
        cx.examine(Idle);
        cx.storefront_panel(Panel::new(PanelOn::Product, "{{ t('careless-no-text', now=1) }}"));
        cx.storefront_panel(Panel::new(PanelOn::Order, "<p>\n{{ product.name }}</p>"));
        cx.storefront_panel(Panel::new(PanelOn::Cart, "{% if %}"));
        cx.storefront_panel(Panel::new(PanelOn::Account, "{{ answer.data.stata }}").path("/thing"));
        let below = Panel::new(PanelOn::BelowProduct, "{{ answer.data.state }}{{ t('error-not-found') }}");
        cx.storefront_panel(below.path("/things/{slug}").own("/things?mine=1"));
        cx.console_ability("careless.view", "look at things");
        cx.console_page((), page("careless.things", "Things", "careless.view", list).near(Menu::Orders))?;
        cx.invariant(Invariant::new("lost", "nothing is lost", ALWAYS));
        cx.command::<Command>(());
        cx.routes(
            (),
            routes()
                .get("things.show", "/things/{thing}", show)
                .get("things.count", "/things", count)
                .post("things.store", "/things", store)
                .get("things.any", "/any-things/{name}", anything)
                .get("strays.index", "/strays", count),
        )
    }
}

async fn report_of(entry: ModuleEntry, evidence: &Evidence) -> Report {
    check_module(entry, evidence).await.expect("it can be looked at")
}

async fn careless(evidence: &Evidence) -> Report {
    let entry = ModuleEntry::of::<Careless>("careless-crate", "0.0.0");
    report_of(entry.in_folder(env!("CARGO_MANIFEST_DIR")), evidence).await
}

#[track_caller]
fn assert_found(breaches: &[Breach], rule: Rule, place: &str, problem: &str) {
    let found = breaches.iter().any(|breach| {
        breach.rule == rule
            && breach.place.contains(place)
            && breach.problem.contains(problem)
            && !breach.mend.is_empty()
    });
    let told = breaches.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(found, "{} at {place} with {problem:?} is not among:\n{told}", rule.name());
}

#[tokio::test]
async fn each_broken_rule_is_found_with_its_place() {
    let evidence = Evidence { readme: Some(String::from("`speed` says how fast.")), ..Evidence::default() };
    let report = careless(&evidence).await;
    for (rule, place, problem) in [
        (Rule::Routes, "GET /strays", "no ability"),
        (Rule::Strangers, "GET /things/{thing}", "200 instead of 404"),
        (Rule::Strangers, "GET /things", "another customer"),
        (Rule::Strangers, "GET /any-things/{name}", "/any-things/no-such-thing answers 200"),
        (Rule::Console, "/console/m/careless/things", "to the owner when there is a row"),
        (Rule::Document, "GET /things/{thing}", "no summary"),
        (Rule::Document, "GET /things/{thing}", "no example of its answer"),
        (Rule::Document, "POST /things", "no example of its body"),
        (Rule::Tables, "table `careless_only_here`", "only sqlite has it"),
        (Rule::Tables, "migration 0001 for sqlite", "CREATE TABLE things"),
        (Rule::Tables, "migration 0001 for postgres", "UPDATE products"),
        (Rule::Tables, "migration 0001 for postgres", "defers"),
        (Rule::Writes, "host/tests/kernel/module_rules.rs", "UPDATE products"),
        (Rule::Personal, "careless_things", "CustomerAnonymizing"),
        (Rule::Personal, "careless_things", "CustomerAnonymized"),
        (Rule::Personal, "careless_things", "GuestClaiming"),
        (Rule::Personal, "careless_things", "CustomerExporting"),
        (Rule::Names, "listener `happened`", "not the module's"),
        (Rule::Names, "job `sweep`", "not the module's"),
        (Rule::Names, "invariant `lost`", "not the module's"),
        (Rule::Names, "measurement `stoa_carelessly_made`", "not the module's"),
        (Rule::Names, "finding `everything`", "not the module's"),
        (Rule::Names, "command `sloth`", "not the module's"),
        (Rule::Settings, "setting `keep_days`", "does not name it"),
        (Rule::Settings, "setting of a product `color`", "does not name it"),
        (Rule::Mails, "mail `careless_told`", "does not name it"),
        (Rule::Panels, "panel `careless/product.html`", "there is no text `careless-no-text`"),
        (Rule::Panels, "panel `careless/order.html`", "careless/order.html:2: there is no variable `product`"),
        (Rule::Panels, "panel `careless/cart.html`", "syntax error"),
        (Rule::Panels, "panel `careless/account.html`", "there is no member `stata`"),
        (Rule::Panels, "panel `careless/account.html`", "there is no route `GET /thing`"),
        (Rule::Command, "`stoa sloth`", "what it does"),
        (Rule::Command, "`stoa sloth`", "no example"),
        (Rule::Running, "`stoa verify`", "is lost"),
        (Rule::Running, "finding `everything`", "is lost"),
    ] {
        assert_found(&report.breaches, rule, place, problem);
    }
    let first = |rule| report.breaches.iter().position(|breach| breach.rule == rule);
    assert!(first(Rule::Tables) < first(Rule::Strangers), "causes are told before what follows from them");
    let is_told = |place: &str| report.breaches.iter().any(|breach| breach.place.contains(place));
    assert!(!is_told("speed"), "what is documented is not told");
    assert!(!is_told("careless/below-product.html"), "a panel without a mistake is not told");
}

#[tokio::test]
async fn a_test_prints_each_broken_rule_on_a_line_of_its_own() {
    let entry = ModuleEntry::of::<Careless>("careless-crate", "0.0.0");
    let broken = broken_rules(entry.in_folder(env!("CARGO_MANIFEST_DIR"))).await;
    let told = format!("{broken:?}");
    assert!(broken.len() > 20 && broken.iter().all(|rule| told.contains(&format!("\n    {rule}"))), "{told}");
}

#[tokio::test]
async fn a_migration_that_was_changed_or_removed_after_it_had_run_is_found() {
    let status =
        |version, state| MigrationStatus { set: "careless", version, description: String::from("things"), state };
    let applied = vec![
        status(1, MigrationState::Changed),
        status(2, MigrationState::Applied),
        status(3, MigrationState::Pending),
        status(9, MigrationState::Unknown),
    ];
    let report = careless(&Evidence { applied: Ok(applied), ..Evidence::default() }).await;
    let frozen = report.breaches.iter().filter(|breach| breach.rule == Rule::FrozenMigrations).collect::<Vec<_>>();
    assert_eq!(frozen.len(), 2, "{frozen:?}");
    assert!(frozen[0].place.contains("0001") && frozen[1].place.contains("0009"), "{frozen:?}");
}

#[tokio::test]
async fn what_could_not_be_looked_at_is_told() {
    let report = careless(&Evidence::default()).await;
    let left_out = report.rules.iter().filter(|looked| looked.left_out.is_some()).map(|looked| looked.rule);
    assert_eq!(
        left_out.collect::<Vec<_>>(),
        [Rule::Columns, Rule::Statements, Rule::FrozenMigrations, Rule::Settings, Rule::Mails]
    );
    assert_eq!(report.rules.len(), Rule::ALL.len());
}

#[tokio::test]
async fn a_panel_that_asks_for_what_its_page_does_not_show_is_not_registered() {
    struct Asking;
    impl Module for Asking {
        const NAME: &'static str = "asking";
        type Config = ();
        fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
            cx.storefront_panel(Panel::new(PanelOn::Order, "").path("/orders"));
            cx.storefront_panel(Panel::new(PanelOn::Account, "").path("/orders").own("/me"));
            Ok(())
        }
    }
    let report = report_of(ModuleEntry::of::<Asking>("asking-crate", "0.0.0"), &Evidence::default()).await;
    assert_found(&report.breaches, Rule::Registers, "asking", "`asking/order.html` has `.path(…)`");
    assert_found(&report.breaches, Rule::Registers, "asking", "`asking/account.html` has `.own(…)`");
}

#[tokio::test]
async fn a_module_that_does_not_register_is_told_with_the_reason() {
    struct Refusing;
    impl Module for Refusing {
        const NAME: &'static str = "refusing";
        type Config = ();
        fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
            cx.ability("things", "somebody.elses")?;
            Ok(())
        }
    }
    let report = report_of(ModuleEntry::of::<Refusing>("refusing-crate", "0.0.0"), &Evidence::default()).await;
    assert_found(&report.breaches, Rule::Registers, "refusing", "somebody.elses");
    assert_eq!(serde_json::to_value(&report).expect("JSON")["breaches"][0]["rule"], json!("registers"));
}
