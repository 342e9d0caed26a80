//! When mail is sent, and when it is sent again.

use std::time::Duration;

use chrono::TimeDelta;
use stoa_core::customers::anonymize_customer;
use stoa_core::db::{Backend, Sql};
use stoa_core::jobs::{list_jobs, run_job};
use stoa_core::mail::MailSender;
use stoa_core::queue::{MAIL, Queue};
use stoa_core::sql;
use stoa_core::testing::smtp_fake::{Reply, SmtpFake};
use stoa_core::testing::{TestShop, both_databases};

use crate::registration::register;

const STATES: Sql = sql!("SELECT state FROM tasks WHERE lane = 'mail' ORDER BY id");
const LEASE: Sql = sql!("UPDATE tasks SET lease = 'dead', due_at = $1, written_at = $1 WHERE lane = 'mail'");
const ERROR: Sql = sql!("SELECT COALESCE(last_error, '') FROM tasks WHERE lane = 'mail'");
const COUNT_LINKS: Sql = sql!("SELECT COUNT(*) FROM email_tokens");

async fn states(shop: &TestShop) -> Vec<String> {
    shop.parts.db.read(STATES).scalars().await.expect("messages can be read")
}

async fn error(shop: &TestShop) -> String {
    shop.parts.db.read(ERROR).scalar().await.expect("there is a message")
}

both_databases!(a_busy_mailbox_is_tried_again_and_gets_the_same_message);
async fn a_busy_mailbox_is_tried_again_and_gets_the_same_message(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::Busy]);
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    assert_eq!((smtp.collect().len(), states(&shop).await), (0, vec!["pending".to_owned()]));
    assert!(error(&shop).await.contains("mailbox busy"), "{}", error(&shop).await);
    let found = format!("{:?}", shop.examined_by_core().await);
    assert!(found.contains("1 mail could not be delivered yet") && found.contains("mailbox busy"), "{found}");
    shop.advance(TimeDelta::seconds(59));
    shop.run_jobs().await;
    assert_eq!(smtp.connections(), 1);
    shop.advance(TimeDelta::seconds(1));
    shop.run_jobs().await;
    assert_eq!(smtp.only().header("Date").as_deref(), Some("Thu, 15 Jan 2026 12:00:00 +0000"));
    assert_eq!(states(&shop).await.len(), 0);
}

both_databases!(a_mail_that_failed_while_the_clock_was_years_ahead_is_tried_again_when_it_is_right);
async fn a_mail_that_failed_while_the_clock_was_years_ahead_is_tried_again_when_it_is_right(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::Busy]);
    shop.advance(TimeDelta::days(3 * 365));
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    assert_eq!((smtp.connections(), states(&shop).await), (1, vec!["pending".to_owned()]));
    shop.advance(TimeDelta::days(-3 * 365));
    shop.run_jobs().await;
    assert_eq!(smtp.only().header("Date").as_deref(), Some("Thu, 15 Jan 2026 12:00:00 +0000"));
    assert_eq!(states(&shop).await.len(), 0);
}

both_databases!(a_mail_that_an_instance_whose_clock_was_years_ahead_died_over_is_sent);
async fn a_mail_that_an_instance_whose_clock_was_years_ahead_died_over_is_sent(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    let lease = shop.now() + TimeDelta::days(3 * 365);
    let leased = shop.parts.db.write(async |tx| tx.run(LEASE).bind(lease).execute().await).await;
    assert_eq!(leased.expect("the database is there"), 1);
    shop.run_jobs().await;
    smtp.only();
    assert_eq!(states(&shop).await.len(), 0);
}

both_databases!(it_is_tried_six_times_with_growing_waits_then_given_up);
async fn it_is_tried_six_times_with_growing_waits_then_given_up(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::WrongPassword; 6]);
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    for (attempts, minutes) in [1, 5, 15, 60, 360].into_iter().enumerate() {
        assert_eq!((smtp.connections(), states(&shop).await), (attempts + 1, vec!["pending".to_owned()]));
        shop.advance(TimeDelta::minutes(minutes) - TimeDelta::seconds(1));
        shop.run_jobs().await;
        assert_eq!(smtp.connections(), attempts + 1);
        shop.advance(TimeDelta::seconds(1));
        shop.run_jobs().await;
    }
    assert_eq!((smtp.connections(), states(&shop).await), (6, vec!["failed".to_owned()]));
    shop.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    assert_eq!(smtp.connections(), 6);
}

both_databases!(an_address_that_does_not_exist_is_given_up_at_once);
async fn an_address_that_does_not_exist_is_given_up_at_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::Unknown]);
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    assert_eq!(states(&shop).await, ["failed"]);
    assert!(error(&shop).await.contains("no such user"), "{}", error(&shop).await);
}

both_databases!(a_server_that_says_nothing_is_not_waited_for);
async fn a_server_that_says_nothing_is_not_waited_for(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::Silence; 4]);
    for number in 0..6 {
        register(&shop, &format!("ada-{number}@example.com")).await;
    }
    let queue = shop.uses::<Queue>();
    let impatient = queue.with_kinds(|kinds| kinds.with(MailSender::with_patience(Duration::from_millis(200))));
    assert_eq!(impatient.drain(MAIL).await.expect("the database works"), 0);
    assert_eq!(smtp.connections(), 4, "the others do not wait for a dead server one after the other");
    shop.advance(TimeDelta::minutes(1));
    shop.run_jobs().await;
    assert_eq!((smtp.collect().len(), states(&shop).await.len()), (6, 0));
}

both_databases!(a_server_that_is_not_there_loses_nothing);
async fn a_server_that_is_not_there_loses_nothing(backend: Backend) {
    let config = "[mail]\nfrom = 'shop@lamps.example'\nsmtp = { host = '127.0.0.1', port = 1, encryption = 'none' }";
    let shop = TestShop::builder(backend).config(config).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    assert_eq!(states(&shop).await, ["pending"]);
    let smtp = SmtpFake::open().await;
    let mended = smtp.shop(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    mended.advance(TimeDelta::minutes(1));
    mended.run_jobs().await;
    assert_eq!(smtp.only().to, ["ada@example.com"]);
}

both_databases!(what_was_taken_over_without_an_answer_comes_twice_under_one_id);
async fn what_was_taken_over_without_an_answer_comes_twice_under_one_id(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::TakenAndGone]);
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    shop.advance(TimeDelta::minutes(1));
    shop.run_jobs().await;
    let received = smtp.collect();
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].raw, received[1].raw);
}

both_databases!(what_was_taken_over_is_not_sent_again_whatever_the_farewell);
async fn what_was_taken_over_is_not_sent_again_whatever_the_farewell(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::TakenAndSilent]);
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    assert_eq!((smtp.collect().len(), states(&shop).await.len()), (1, 0));
}

both_databases!(a_link_that_is_over_is_not_sent);
async fn a_link_that_is_over_is_not_sent(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    shop.advance(TimeDelta::days(3));
    shop.run_jobs().await;
    assert_eq!((smtp.connections(), states(&shop).await), (0, vec!["failed".to_owned()]));
}

both_databases!(two_workers_send_each_message_once);
async fn two_workers_send_each_message_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let other = smtp.shop(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    for number in 0..10 {
        register(&shop, &format!("ada-{number}@example.com")).await;
    }
    let (one, two) = (shop.uses::<Queue>(), other.uses::<Queue>());
    let (one, two) = tokio::join!(one.drain(MAIL), two.drain(MAIL));
    assert_eq!(one.expect("the database works") + two.expect("the database works"), 10);
    let mut recipients = smtp.collect().into_iter().flat_map(|mail| mail.to).collect::<Vec<_>>();
    recipients.sort();
    recipients.dedup();
    assert_eq!(recipients.len(), 10);
}

both_databases!(a_message_is_sent_although_its_job_is_not_due);
async fn a_message_is_sent_although_its_job_is_not_due(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    shop.run_jobs().await;
    let jobs = list_jobs(&shop.parts.db, &shop.registry.jobs).await.expect("jobs can be listed");
    let job = jobs.iter().find(|job| job.name == "mail.deliver").expect("there is such a job");
    assert_eq!(job.next_run_at, Some(shop.now() + TimeDelta::minutes(1)));
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    smtp.only();
}

both_databases!(old_links_and_old_failures_are_forgotten);
async fn old_links_and_old_failures_are_forgotten(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    smtp.script([Reply::Unknown]);
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let db = &shop.parts.db;
    let rows = async || {
        run_job(&shop.parts, &shop.registry.jobs, "retention.prune", shop.clock.clone()).await.expect("it runs");
        (db.read(COUNT_LINKS).scalar::<i64>().await.expect("links can be counted"), states(&shop).await.len())
    };
    shop.advance(TimeDelta::days(3) - TimeDelta::seconds(1));
    assert_eq!(rows().await, (1, 1));
    shop.advance(TimeDelta::seconds(1));
    assert_eq!(rows().await, (0, 1));
    shop.advance(TimeDelta::days(27) - TimeDelta::seconds(1));
    assert_eq!(rows().await, (0, 1));
    shop.advance(TimeDelta::seconds(1));
    assert_eq!(rows().await, (0, 0));
}

both_databases!(whoever_is_anonymized_gets_no_mail);
async fn whoever_is_anonymized_gets_no_mail(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    let mut browser = register(&shop, "ada@example.com").await;
    register(&shop, "bob@example.com").await;
    let ada = browser.get("/api/v1/me").await.json()["data"]["id"].as_i64().expect("an id");
    anonymize_customer(&shop.parts.db, ada).await.expect("she is anonymized");
    assert_eq!(shop.parts.db.read(COUNT_LINKS).scalar::<i64>().await.expect("links can be counted"), 1);
    shop.run_jobs().await;
    assert_eq!(smtp.only().to, ["bob@example.com"]);
}
