//! What a module brings while it is enabled, and that nothing of it is there while it is not.

use http::Method;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestResponse, TestShop, TestShopBuilder, both_databases};

const INSERT: Sql = sql!("INSERT INTO notes (text) VALUES ($1) RETURNING id");
const FIND: Sql = sql!("SELECT id, text FROM notes WHERE id = $1");
const TABLES: Sql = sql!(
    sqlite: "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('notes', '_migrations_notes')",
    postgres: "SELECT COUNT(*) FROM pg_tables WHERE tablename IN ('notes', '_migrations_notes')",
);

/// A module with a table, a setting, a capability and routes.
struct Notes;

/// Its settings.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    greeting: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self { greeting: String::from("hello") }
    }
}

impl ModuleConfig for Settings {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        if self.greeting.is_empty() {
            return Err(("greeting", String::from("a greeting has at least one character")));
        }
        Ok(())
    }
}

#[derive(Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "NotesNote")]
struct Note {
    id: i64,
    text: String,
}

#[derive(Deserialize)]
struct NewNote {
    text: String,
}

impl Input for NewNote {
    const NAME: &'static str = "NotesNewNote";

    fn rules() -> Rules {
        Rules::new([field("text").required().max(100)])
    }
}

impl Module for Notes {
    const NAME: &'static str = "notes";
    const CAPABILITIES: &'static [&'static str] = &["noted"];
    type Config = Settings;

    fn register(settings: Settings, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(
            migrations!(sqlite: "tests/migrations/notes/sqlite", postgres: "tests/migrations/notes/postgres"),
        );
        cx.ability("notes", "notes.use")?;
        cx.routes(
            settings.greeting,
            routes()
                .get("notes.index", "/notes", greet)
                .get("notes.show", "/notes/{note}", show)
                .post("notes.store", "/notes", store)
                .delete("notes.delete", "/notes/{note}/copies/{copy}", copies),
        )
    }
}

async fn greet(State(greeting): State<String>) -> ApiResult<Data<Note>> {
    Ok(Data(Note { id: 1, text: greeting }))
}

async fn show(db: Db, Id(id): Id) -> ApiResult<Data<Note>> {
    let note = db.read(FIND).bind(id).optional::<Note>().await?;
    note.map(Data).ok_or_else(ApiError::not_found)
}

async fn store(db: Db, Body(new): Body<NewNote>) -> ApiResult<Created<Note>> {
    let id = db.write(async |tx| tx.run(INSERT).bind(new.text.as_str()).scalar::<i64>().await).await?;
    Ok(Created(Note { id, text: new.text }))
}

async fn copies(_: Id, _: Name) -> ApiResult<Done> {
    Ok(Done::new())
}

/// The module's migrations.
pub(crate) fn notes_migrations() -> MigrationSet {
    let program = TestShop::builder(Backend::Sqlite).module::<Notes>().freeze();
    let sets = program.unwrap_or_else(|problems| panic!("{problems}")).registry.migrations;
    sets.into_iter().find(|set| set.name() == "notes").expect("the module brings migrations")
}

/// A shop that contains the module without enabling it.
fn disabled(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).linked_module(ModuleEntry::of::<Notes>("notes-crate", "1.2.3"))
}

both_databases!(an_enabled_module_is_reachable_with_its_ability);
async fn an_enabled_module_is_reachable_with_its_ability(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Notes>().open().await;
    let client = shop.client().token(&shop.customer().await, &["notes.use"]).await;
    let made = client.post("/notes", &json!({"text": "remember"})).await.expect_status(201);
    let shown = client.get(&format!("/notes/{}", made.json()["id"])).await.expect_status(200);
    assert_eq!(shown.json(), json!({"data": made.json()}));
    let other = shop.client().token(&shop.customer().await, &["orders.read"]).await;
    other.get("/notes").await.expect_error(403, "insufficient_scope");
    shop.client().get("/notes").await.expect_error(401, "unauthenticated");
}

both_databases!(a_modules_settings_reach_it);
async fn a_modules_settings_reach_it(backend: Backend) {
    let shop = disabled(backend).config("[modules.notes]\nenabled = true\ngreeting = \"moin\"").open().await;
    let client = shop.client().token(&shop.customer().await, &["*"]).await;
    assert_eq!(client.get("/notes").await.expect_status(200).json()["data"]["text"], "moin");
}

/// What clients see of an answer.
fn visible(answer: &TestResponse) -> (u16, Vec<(String, String)>, String) {
    let headers = answer.headers.iter().filter(|(name, _)| *name != "x-request-id");
    let mut headers = headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect::<Vec<_>>();
    headers.sort_unstable();
    (answer.status.as_u16(), headers, answer.text())
}

both_databases!(nothing_tells_a_disabled_module_from_an_unknown_path);
async fn nothing_tells_a_disabled_module_from_an_unknown_path(backend: Backend) {
    let shop = disabled(backend).open().await;
    let anonymous = shop.client();
    let clients =
        [anonymous.token(&shop.customer().await, &["*"]).await, anonymous.bearer("1|wrong"), anonymous.clone()];
    let methods =
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    for client in clients {
        for method in &methods {
            let unknown = visible(&client.send(client.request(method.clone(), "/unknown", "{}")).await);
            assert_eq!(unknown.0, 404);
            for path in ["/notes", "/notes/1", "/notes/1/copies/one"] {
                let answer = visible(&client.send(client.request(method.clone(), path, "{}")).await);
                assert_eq!(answer, unknown, "{method} {path}");
            }
        }
    }
}

both_databases!(a_disabled_modules_tables_are_not_made);
async fn a_disabled_modules_tables_are_not_made(backend: Backend) {
    let shop = disabled(backend).open().await;
    let tables = async |shop: &TestShop| shop.parts.db.read(TABLES).scalar::<i64>().await.expect("a count");
    assert_eq!(tables(&shop).await, 0);
    let later = TestShop::builder(backend).on(shop.database()).seed(2).module::<Notes>().open().await;
    assert_eq!(tables(&later).await, 2, "enabling it later makes them");
}

both_databases!(disabling_a_module_leaves_its_data_alone);
async fn disabling_a_module_leaves_its_data_alone(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let enabled = async |seed| TestShop::builder(backend).on(&database).seed(seed).module::<Notes>().open().await;
    let shop = enabled(1).await;
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["notes.use"]).await;
    let id = client.post("/notes", &json!({"text": "remember"})).await.expect_status(201).json()["id"].clone();
    drop(disabled(backend).on(&database).seed(2).open().await);
    let again = enabled(3).await;
    let client = again.client().token(&customer, &["notes.use"]).await;
    assert_eq!(client.get(&format!("/notes/{id}")).await.expect_status(200).json()["data"]["text"], "remember");
}

#[test]
fn a_disabled_module_is_described_but_not_mounted() {
    let program = disabled(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    let registry = &program.registry;
    let [module] = registry.modules.as_slice() else { panic!("one module is linked") };
    assert!(!module.enabled);
    assert_eq!((module.entry.name, module.entry.crate_name, module.entry.version), ("notes", "notes-crate", "1.2.3"));
    assert_eq!(module.abilities, ["notes.use"]);
    assert!(module.routes.contains(&(String::from("GET /notes/{note}"), Some("notes.use"))));
    assert!(registry.routes.entries.iter().all(|entry| entry.owner == "core"));
    assert!(!registry.abilities.contains("notes.use"), "its ability cannot be put into tokens");
    assert!(registry.migrations.iter().all(|set| set.name() == "core"));
    assert_eq!(registry.capabilities[..], ["shippable"]);
}

#[test]
fn an_enabled_module_adds_its_ability_migrations_and_capabilities() {
    let program = TestShop::builder(Backend::Sqlite).module::<Notes>().freeze();
    let registry = program.unwrap_or_else(|problems| panic!("{problems}")).registry;
    assert!(registry.abilities.contains("notes.use"));
    assert_eq!(registry.migrations.iter().map(MigrationSet::name).collect::<Vec<_>>(), ["core", "notes"]);
    assert_eq!(registry.capabilities[..], ["noted", "shippable"]);
}

#[test]
fn the_document_lists_what_is_mounted_only() {
    let paths = |builder: TestShopBuilder| {
        let program = builder.freeze().unwrap_or_else(|problems| panic!("{problems}"));
        program.document("http://shop.test")["paths"].as_object().expect("an object").clone()
    };
    let without = paths(disabled(Backend::Sqlite));
    assert!(without.contains_key("/products") && !without.keys().any(|path| path.starts_with("/notes")));
    let with = paths(TestShop::builder(Backend::Sqlite).module::<Notes>());
    let operation = &with["/notes/{note}"]["get"];
    assert_eq!(operation["x-module"], "notes");
    assert_eq!(operation["x-required-ability"], "notes.use");
    assert_eq!(with.len(), without.len() + 3);
}

#[test]
fn a_capability_of_a_disabled_module_is_not_available() {
    let enabled = TestShop::builder(Backend::Sqlite).module::<Notes>().freeze();
    let enabled = enabled.unwrap_or_else(|problems| panic!("{problems}"));
    let disabled = disabled(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    assert!(enabled.registry.capabilities.contains(&"noted"));
    assert!(!disabled.registry.capabilities.contains(&"noted"));
}

#[test]
fn an_invalid_setting_is_refused_also_while_the_module_is_disabled() {
    for enabled in ["true", "false"] {
        let config = format!("[modules.notes]\nenabled = {enabled}\ngreeting = \"\"");
        let refused = disabled(Backend::Sqlite).config(&config).freeze().err().expect("it is refused");
        let text = refused.to_string();
        assert!(text.contains("config.toml:3:") && text.contains("modules.notes.greeting"), "{text}");
        assert!(text.contains("at least one character"), "{text}");
    }
}
