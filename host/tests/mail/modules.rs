//! Mails of modules: registered beside the shop's own, with the operator's texts for them, and written once for each key.

use std::path::Path;

use serde_json::json;
use stoa_core::customers::{CustomerRecord, anonymize_customer};
use stoa_core::db::Backend;
use stoa_core::mail::{MailAbout, MailNotice, MailTemplate, MailTexts, Mailer, Queued};
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases};

const READY: MailTemplate = MailTemplate {
    name: "tea_ready",
    about: MailAbout::Customer,
    placeholders: &["tea", "poured", "cost", "leaves"],
    texts: MailTexts {
        en: "Subject: {shop_name}: {tea}\n\nHello {name},\n\nyour {tea} of {poured} for {cost}.\n\nLeaves:\n{leaves}\n",
        de: "Subject: {shop_name}: {tea}\n\nGuten Tag {name},\n\nIhr {tea} vom {poured}.\n",
        nl: "Subject: {shop_name}: {tea}\n\nBeste {name},\n\nuw {tea} van {poured}.\n",
    },
};

const SHORT: MailTexts = MailTexts { en: "Subject: x\nx", de: "Subject: x\nx", nl: "Subject: x\nx" };

/// A mail about an order, which says everything that core says of it.
const SENT: MailTemplate = MailTemplate {
    name: "tea_sent",
    about: MailAbout::Order,
    placeholders: &[],
    texts: MailTexts {
        en: "Subject: {order_number}\n\n{name}, {order_date}, {total}\n\nPay:\n{payment_instructions}\n",
        de: "Subject: {order_number}\n\n{name}, am {order_date}, {total}\n",
        nl: "Subject: {order_number}\n\n{name}, op {order_date}, {total}\n",
    },
};

/// Makes a module with a name that registers these mails.
macro_rules! module {
    ($type:ident, $name:literal, [$($mail:expr),*]) => {
        struct $type;
        impl Module for $type {
            const NAME: &'static str = $name;
            type Config = ();
            fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
                $(cx.mail_template($mail);)*
                Ok(())
            }
        }
    };
}

module!(Tea, "tea", [READY, SENT]);

fn named(name: &'static str) -> MailTemplate {
    MailTemplate { name, about: MailAbout::Customer, placeholders: &[], texts: SHORT }
}

const COUNT_ROWS: Sql = sql!("SELECT (SELECT COUNT(*) FROM mail_messages) + (SELECT COUNT(*) FROM mail_keys)");

async fn count(shop: &TestShop) -> i64 {
    shop.parts.db.read(COUNT_ROWS).scalar().await.expect("rows can be counted")
}

fn ready(customer: &CustomerRecord, cup: i64) -> MailNotice<'static> {
    MailNotice::new(&READY, customer.id, cup).line("tea", "Earl\r\nGrey")
}

async fn queue(shop: &TestShop, notice: &MailNotice<'_>) -> Result<Queued, DbError> {
    shop.parts.db.write(async |tx| shop.uses::<Mailer>().notice(tx, notice).await).await
}

fn with_texts(folder: &Path) -> TestShopBuilder {
    TestShop::builder(Backend::Sqlite).config(&format!("[mail]\ntemplates = '{}'", folder.display()))
}

fn put(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("it is written");
}

both_databases!(a_module_tells_a_customer_once_for_each_key);
async fn a_module_tells_a_customer_once_for_each_key(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).module::<Tea>().open().await;
    let customer = shop.customer().await;
    let whole = ready(&customer, 7).date("poured", shop.now()).amount("cost", 250).lines("leaves", "two\r\nthree");
    assert_eq!(queue(&shop, &whole).await.expect("it is written"), Queued::Now);
    assert_eq!(queue(&shop, &whole).await.expect("it is known"), Queued::Before);
    shop.run_jobs().await;
    let mail = smtp.only();
    assert_eq!(
        (mail.to.as_slice(), mail.header("Subject").as_deref()),
        ([customer.email.clone()].as_slice(), Some("Stoa: Earl  Grey"))
    );
    let expected =
        format!("Hello {},\n\nyour Earl  Grey of 15 January 2026 for €2.50.\n\nLeaves:\ntwo\nthree", customer.name);
    assert_eq!(mail.text().trim_end(), expected);
    assert_eq!(queue(&shop, &whole).await.expect("it is known"), Queued::Before, "a key outlives its mail");
    assert_eq!(queue(&shop, &ready(&customer, 8)).await.expect("it is another"), Queued::Now);
}

both_databases!(a_mail_to_a_customer_is_in_the_language_that_the_module_says);
async fn a_mail_to_a_customer_is_in_the_language_that_the_module_says(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).module::<Tea>().open().await;
    let customer = shop.customer().await;
    let notice = ready(&customer, 7).in_language(Language::DE);
    assert_eq!(queue(&shop, &notice).await.expect("it is written"), Queued::Now);
    shop.run_jobs().await;
    assert_eq!(smtp.only().header("Content-Language").as_deref(), Some("de"));
}

both_databases!(a_mail_goes_with_the_transaction_that_writes_it);
async fn a_mail_goes_with_the_transaction_that_writes_it(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).module::<Tea>().open().await;
    let notice = ready(&shop.customer().await, 7);
    let undone = shop.parts.db.write(async |tx| -> Result<(), ListenerError> {
        shop.uses::<Mailer>().notice(tx, &notice).await?;
        Err(ListenerError::Failed(String::from("undone")))
    });
    assert!(undone.await.is_err());
    assert_eq!(count(&shop).await, 0);
    assert_eq!(queue(&shop, &notice).await.expect("it is written"), Queued::Now);
}

both_databases!(who_was_anonymized_is_told_nothing_by_modules);
async fn who_was_anonymized_is_told_nothing_by_modules(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).module::<Tea>().open().await;
    let customer = shop.customer().await;
    queue(&shop, &ready(&customer, 7)).await.expect("it is written");
    anonymize_customer(&shop.parts.db, customer.id).await.expect("it is done");
    assert_eq!(queue(&shop, &ready(&customer, 8)).await.expect("nobody is there"), Queued::Nothing);
    assert_eq!(
        queue(&shop, &ready(&CustomerRecord { id: 4711, ..customer }, 9)).await.expect("nobody"),
        Queued::Nothing
    );
    shop.run_jobs().await;
    assert_eq!(smtp.connections(), 0);
}

both_databases!(a_shop_without_a_mail_server_writes_nothing_for_modules);
async fn a_shop_without_a_mail_server_writes_nothing_for_modules(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Tea>().open().await;
    let customer = shop.customer().await;
    assert_eq!(queue(&shop, &ready(&customer, 7)).await.expect("there is no server"), Queued::Nothing);
    assert_eq!(count(&shop).await, 0);
}

both_databases!(a_customer_is_told_in_the_language_of_the_shop);
async fn a_customer_is_told_in_the_language_of_the_shop(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).config("[shop]\nlocale = 'de-AT'").module::<Tea>().open().await;
    queue(&shop, &ready(&shop.customer().await, 7).date("poured", shop.now())).await.expect("it is written");
    shop.run_jobs().await;
    let mail = smtp.only();
    assert!(mail.text().contains("Ihr Earl  Grey vom 15. Januar 2026."), "{}", mail.text());
    assert_eq!(mail.header("Content-Language").as_deref(), Some("de"));
}

both_databases!(a_mail_about_an_order_says_how_to_pay_in_the_language_of_the_order);
async fn a_mail_about_an_order_says_how_to_pay_in_the_language_of_the_order(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let instructions = "[payments.manual]\ninstructions = 'Transfer {amount} and name {order}.'";
    let shop = smtp.shop(backend).config(instructions).module::<Tea>().open().await;
    shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000})]).await;
    let customer = shop.customer().await;
    for (key, language, expected) in [
        (1, "en", "Ada Buyer, 15 January 2026, €20.00\n\nPay:\nTransfer €20.00 and name O-000001."),
        (2, "de", "Ada Buyer, am 15. Januar 2026, €20.00"),
    ] {
        let client = shop.client().token(&customer, &["*"]).await.with_header("accept-language", language);
        client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
        let body = json!({"payment_method": "manual",
            "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                        "country": "NL"}});
        let order = client.post("/checkout", &body).await.expect_status(201).json()["data"]["id"].clone();
        shop.run_jobs().await;
        smtp.collect();
        let notice = MailNotice::new(&SENT, order.as_i64().expect("an id"), key);
        queue(&shop, &notice).await.expect("it is written");
        shop.run_jobs().await;
        assert_eq!(smtp.only().text().trim_end(), expected);
    }
}

both_databases!(mistakes_of_a_modules_author_fail_like_statements);
async fn mistakes_of_a_modules_author_fail_like_statements(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Tea>().open().await;
    let customer = shop.customer().await;
    let unknown = queue(&shop, &MailNotice::new(&named("tea_cold"), customer.id, 1)).await;
    let misspelled = queue(&shop, &ready(&customer, 1).line("taste", "bitter")).await;
    for (failed, words) in [(unknown, "`tea_cold` is not registered"), (misspelled, "has no placeholder `taste`")] {
        let told = stoa_core::error_chain(&failed.expect_err("it is a mistake"));
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn mails_that_two_modules_share_are_refused_with_both_owners() {
    module!(TeaTime, "tea_time", [named("tea_time_over")]);
    module!(Early, "tea", [named("tea_time_over")]);
    let modules = || TestShop::builder(Backend::Sqlite).module::<TeaTime>();
    assert!(modules().freeze().is_ok());
    let refused = modules().module::<Early>().freeze().err().expect("it is refused").to_string();
    for words in ["the mail `tea_time_over` is registered by both", "`tea`", "`tea_time`"] {
        assert!(refused.contains(words), "{words}\n{refused}");
    }
    let off = ModuleEntry::of::<Early>("other", "0.0.0");
    assert!(modules().linked_module(off).freeze().is_err(), "the folder of texts knows those that are off, too");
}

#[test]
fn a_mail_is_refused_whose_name_or_text_is_wrong() {
    const BROKEN: MailTemplate = MailTemplate { texts: MailTexts { nl: "Subject: x\n{what}", ..SHORT }, ..READY };
    const TWICE: MailTemplate = MailTemplate { placeholders: &["cup", "name"], name: "tea_twice", ..READY };
    module!(Careless, "tea", [BROKEN, TWICE, named("order_placed"), named("Tea_time"), named("tea_")]);
    let refused = TestShop::builder(Backend::Sqlite).module::<Careless>().freeze();
    let refused = refused.err().expect("it is refused").registration;
    for words in [
        "the mail `tea_ready` of `tea`: tea_ready.nl.txt:2:1: there is no placeholder `{what}` here",
        "the mail `tea_twice` of `tea` has two placeholders `name`",
        "the mail `order_placed` of `tea` must be called `tea_…`",
        "the mail `Tea_time` of `tea` is not 1 to 60 lower-case letters",
        "the mail `tea_` of `tea` must be called `tea_…`",
    ] {
        assert!(refused.iter().any(|problem| problem.contains(words)), "{words}\n{refused:#?}");
    }
    assert_eq!(refused.len(), 5, "{refused:#?}");
}

both_databases!(the_operators_text_takes_the_place_of_a_modules);
async fn the_operators_text_takes_the_place_of_a_modules(backend: Backend) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "tea_ready.en.txt", "Subject: Tea\n\nDear {name}: {tea}!\n");
    let smtp = SmtpFake::open().await;
    let config = smtp.config().replace("[mail]", &format!("[mail]\ntemplates = '{}'", folder.path().display()));
    let shop = TestShop::builder(backend).config(&config).module::<Tea>().open().await;
    let customer = shop.customer().await;
    queue(&shop, &ready(&customer, 7)).await.expect("it is written");
    shop.run_jobs().await;
    assert_eq!(smtp.only().text().trim_end(), format!("Dear {}: Earl  Grey!", customer.name));
}

#[test]
fn the_text_of_a_module_that_is_off_stays_in_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "tea_ready.en.txt", "Subject: Tea\n\nDear {name}\n");
    let off = || ModuleEntry::of::<Tea>("tea-crate", "0.0.0");
    assert!(with_texts(folder.path()).linked_module(off()).freeze().is_ok());
    let refused = with_texts(folder.path()).freeze().err().expect("nobody knows it").to_string();
    assert!(
        refused.contains("tea_ready.en.txt: this is the text of no mail; there are ticket_replied.en.txt"),
        "{refused}"
    );
    assert!(!refused.contains("tea_sent"), "{refused}");
}

#[test]
fn broken_texts_of_modules_are_told_with_their_place_beside_other_mistakes() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "tea_ready.de.txt", "Subject: {order_number}\n\nGuten Tag {name}\n");
    put(folder.path(), "tea_sent.nl.txt", "Subject: {order_number}\n\n{tea}\n");
    put(folder.path(), "tea_redy.en.txt", "Subject: x\nx\n");
    let refused = with_texts(folder.path()).config("[modules.coffee]\nenabled = true").module::<Tea>().freeze();
    let refused = refused.err().expect("it is refused").to_string();
    for words in [
        "tea_ready.de.txt:1:10: there is no placeholder `{order_number}` here; there are {shop_name}, {name}, {tea}",
        "tea_sent.nl.txt:3:1: there is no placeholder `{tea}` here; there are {shop_name}, {name}, {order_number}",
        "tea_redy.en.txt: this is the text of no mail",
        "tea_ready.en.txt, tea_ready.de.txt, tea_ready.nl.txt",
        "`coffee`",
    ] {
        assert!(refused.contains(words), "{words}\n{refused}");
    }
}
