//! Anonymizing and exporting a customer: what features and modules contribute, and that nobody is let in afterwards.

use serde_json::{Map, Value, json};
use stoa_core::customers::{
    Anonymization, AnonymizeError, CustomerAnonymized, CustomerAnonymizing, CustomerExporting, CustomerRecord,
    NewCustomer, anonymize_customer, create_customer, export_customer, find_account,
};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases};

use crate::probe;
use crate::recorder::Recorder;

texts! { en: "diary-open = The diary is open.", de: "diary-open = Das Tagebuch ist offen.", nl: "diary-open = Het dagboek is open." }

const PUT: Sql = sql!("INSERT INTO installation (name, value) VALUES ($1, $2)");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM installation WHERE name = 'diary'");
const COUNT_TOKENS: Sql = sql!("SELECT COUNT(*) FROM access_tokens");
const INSERT_SESSION: Sql = sql!(
    "INSERT INTO sessions (user_id, secret_hash, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $3, $3)"
);
const COUNT_SESSIONS: Sql = sql!("SELECT COUNT(*) FROM sessions");
const ERASE: Sql = sql!("DELETE FROM installation WHERE name = 'diary' AND value = $1");

/// How the module behaves, and where it notes what it was told.
#[derive(Deserialize, Default, Clone)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    recorder: u64,
    behavior: Behavior,
}

impl ModuleConfig for Settings {}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Behavior {
    #[default]
    Erase,
    Refuse,
    Fail,
    ExportTokens,
}

/// The module `diary`, which keeps one line about a customer under their e-mail address.
struct Diary;

impl Module for Diary {
    const NAME: &'static str = "diary";
    type Config = Settings;

    fn register(settings: Settings, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_transaction::<CustomerAnonymizing>("diary.erase", settings.clone());
        cx.on_committed::<CustomerAnonymized>("diary.forget", settings.clone());
        cx.on_preflight::<CustomerExporting>("diary.export", settings);
        Ok(())
    }
}

impl InTransaction<CustomerAnonymizing> for Settings {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        let tokens = tx.run(COUNT_TOKENS).scalar::<i64>().await?;
        Recorder::of(self.recorder).note(format!("erasing beside {tokens} tokens"));
        tx.run(ERASE).bind(event.email.as_str()).execute().await?;
        match self.behavior {
            Behavior::Refuse => {
                let message = text!("diary-open");
                Err(Veto { field: String::from("diary"), message, reason: None }.into())
            }
            Behavior::Fail => Err(ListenerError::Failed(String::from("the ink is dry"))),
            Behavior::Erase | Behavior::ExportTokens => Ok(()),
        }
    }
}

impl AfterCommit<CustomerAnonymized> for Settings {
    type Uses = ();

    async fn after_commit(&self, event: &CustomerAnonymized, (): &()) -> Result<(), ListenerError> {
        Recorder::of(self.recorder).note(format!("forgetting {}", event.customer_id));
        Ok(())
    }
}

impl Preflight<CustomerExporting> for Settings {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let lines = db.read(COUNT).scalar::<i64>().await?;
        let name = if self.behavior == Behavior::ExportTokens { "tokens" } else { "diary" };
        event.add(name, &json!({"lines": lines}))
    }
}

fn settings(recorder: &Recorder, behavior: &str) -> String {
    format!("[modules.diary]\nrecorder = {}\nbehavior = \"{behavior}\"\n", recorder.number())
}

fn builder(backend: Backend, recorder: &Recorder, behavior: &str) -> TestShopBuilder {
    TestShop::builder(backend).module::<Diary>().config(&settings(recorder, behavior))
}

/// A customer with a token, a session and a line in the diary.
async fn customer(shop: &TestShop) -> CustomerRecord {
    let customer = shop.customer().await;
    shop.client().token(&customer, &["*"]).await;
    let write = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        let now = tx.now();
        tx.run(PUT).bind("diary").bind(customer.email.as_str()).execute().await?;
        tx.run(INSERT_SESSION).bind(customer.user_id).bind(vec![1_u8; 32]).bind(now).execute().await?;
        Ok(())
    });
    write.await.expect("rows are written");
    customer
}

async fn anonymize(shop: &TestShop, customer: &CustomerRecord) {
    let (_, outcome) = anonymize_customer(&shop.parts.db, customer.id).await.expect("it can be done");
    assert_eq!(outcome, Anonymization::Done);
}

async fn counts(shop: &TestShop) -> [i64; 3] {
    let mut counts = [0; 3];
    for (count, statement) in counts.iter_mut().zip([COUNT_TOKENS, COUNT_SESSIONS, COUNT]) {
        *count = shop.parts.db.read(statement).scalar().await.expect("a count");
    }
    counts
}

fn credentials(customer: &CustomerRecord) -> Value {
    json!({"email": customer.email, "password": TestShop::PASSWORD, "name": "x"})
}

async fn export(shop: &TestShop, customer: &CustomerRecord) -> Result<Map<String, Value>, ListenerError> {
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer.id).await.expect("it can be read").expect("there is one");
    export_customer(&parts.db, &parts.events, &account).await
}

both_databases!(a_token_is_refused_at_once);
async fn a_token_is_refused_at_once(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    let of_ada = shop.client().token(&ada, &[probe::PROBE]).await;
    let of_bob = shop.client().token(&bob, &[probe::PROBE]).await;
    of_ada.get("/probes").await.expect_status(200);
    anonymize(&shop, &ada).await;
    of_ada.get("/probes").await.expect_error(401, "unauthenticated");
    of_bob.get("/probes").await.expect_status(200);
}

both_databases!(creating_a_token_is_answered_as_for_an_unknown_address);
async fn creating_a_token_is_answered_as_for_an_unknown_address(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let ada = shop.customer().await;
    anonymize(&shop, &ada).await;
    let refused = shop.client().post("/auth/tokens", &credentials(&ada)).await.expect_error(422, "validation_error");
    let unknown = json!({"email": "nobody@example.com", "password": TestShop::PASSWORD, "name": "x"});
    let unknown = shop.client().post("/auth/tokens", &unknown).await.expect_error(422, "validation_error");
    assert_eq!(refused.text(), unknown.text());
    let stored = json!({"email": format!("anonymized-{}", ada.user_id), "password": TestShop::PASSWORD, "name": "x"});
    shop.client().post("/auth/tokens", &stored).await.expect_error(422, "validation_error");
    assert_eq!(counts(&shop).await[0], 0);
}

both_databases!(the_address_is_free_for_a_new_customer);
async fn the_address_is_free_for_a_new_customer(backend: Backend) {
    let shop = probe::shop(backend).open().await;
    let ada = shop.customer().await;
    anonymize(&shop, &ada).await;
    let hash = shop.passwords.hash(TestShop::PASSWORD.to_owned()).await.expect("a hash");
    let new =
        NewCustomer { email: ada.email.clone(), name: ada.name.clone(), password_hash: Some(hash), verified: false };
    let new = create_customer(&shop.parts.db, new).await.expect("the address is free");
    let token = shop.client().post("/auth/tokens", &credentials(&ada)).await.expect_status(201).json();
    let client = shop.client().bearer(token["token"].as_str().expect("a text"));
    assert_eq!(client.get("/probes").await.expect_status(200).json()["data"]["customer_id"], new.id);
    assert_ne!(new.id, ada.id);
}

both_databases!(features_and_modules_erase_what_they_keep_core_first);
async fn features_and_modules_erase_what_they_keep_core_first(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "erase").open().await;
    let ada = customer(&shop).await;
    assert_eq!(counts(&shop).await, [1, 1, 1]);
    anonymize(&shop, &ada).await;
    assert_eq!(counts(&shop).await, [0, 0, 0]);
    shop.run_jobs().await;
    assert_eq!(recorder.lines(), [String::from("erasing beside 0 tokens"), format!("forgetting {}", ada.id)]);
    let (account, again) = anonymize_customer(&shop.parts.db, ada.id).await.expect("it is answered");
    assert_eq!((again, account.anonymized_at), (Anonymization::DoneBefore, Some(shop.now())));
    assert_eq!(recorder.lines().len(), 2, "nobody is told twice");
}

both_databases!(a_listener_that_refuses_or_fails_keeps_everything);
async fn a_listener_that_refuses_or_fails_keeps_everything(backend: Backend) {
    for behavior in ["refuse", "fail"] {
        let recorder = Recorder::new();
        let shop = builder(backend, &recorder, behavior).open().await;
        let ada = customer(&shop).await;
        let error = anonymize_customer(&shop.parts.db, ada.id).await.expect_err("it is not done");
        match error {
            AnonymizeError::Refused(veto) => assert_eq!((behavior, veto.field.as_str()), ("refuse", "diary")),
            AnonymizeError::Failed(text) => assert_eq!((behavior, text.as_str()), ("fail", "the ink is dry")),
            other => panic!("{other}"),
        }
        assert_eq!(counts(&shop).await, [1, 1, 1]);
        shop.client().post("/auth/tokens", &credentials(&ada)).await.expect_status(201);
        shop.run_jobs().await;
        assert_eq!(recorder.lines().len(), 1, "what did not happen is told to nobody");
    }
}

both_databases!(a_module_that_is_off_forgets_once_it_is_on_again);
async fn a_module_that_is_off_forgets_once_it_is_on_again(backend: Backend) {
    let recorder = Recorder::new();
    let entry = ModuleEntry::of::<Diary>("test", "0.0.0");
    let off = TestShop::builder(backend).linked_module(entry).open().await;
    let ada = customer(&off).await;
    anonymize(&off, &ada).await;
    off.run_jobs().await;
    assert_eq!(recorder.lines(), [""; 0]);
    let on = builder(backend, &recorder, "erase").on(off.database()).clock(&off.clock).seed(2).open().await;
    on.run_jobs().await;
    assert_eq!(recorder.lines(), [format!("forgetting {}", ada.id)]);
}

both_databases!(everybody_adds_to_an_export_under_a_name_of_their_own);
async fn everybody_adds_to_an_export_under_a_name_of_their_own(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "erase").open().await;
    let ada = customer(&shop).await;
    shop.client().token(&shop.customer().await, &["*"]).await;
    let parts = export(&shop, &ada).await.expect("it can be exported");
    let names = parts.keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!((names.first(), names.last()), (Some(&"account"), Some(&"diary")), "core first: {names:?}");
    assert_eq!(parts["sessions"].as_array().map(Vec::len), Some(1));
    assert_eq!(parts["account"]["id"], ada.id);
    assert_eq!(parts["diary"], json!({"lines": 1}));
    assert_eq!(parts["tokens"].as_array().map(Vec::len), Some(1), "somebody else's is not there");
    let text = Value::Object(parts).to_string();
    assert!(!text.contains("hash") && !text.contains("argon2"), "{text}");
}

both_databases!(a_part_that_two_listeners_claim_is_a_mistake);
async fn a_part_that_two_listeners_claim_is_a_mistake(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "export_tokens").open().await;
    let error = export(&shop, &customer(&shop).await).await.expect_err("two parts of one name");
    assert!(error.to_string().contains("`tokens`"), "{error}");
}
