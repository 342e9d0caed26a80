//! `stoa mail`: whether mails arrive, what became of them, and the templates that come with the shop.

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::{Reply, SmtpFake};

use super::customer::place_with_ada;
use super::place::ShopFolder;

/// A shop that sends to this server, with a question of Ada that the shop has answered. Nothing is sent yet.
async fn place_with_reply(backend: Backend, smtp: &SmtpFake) -> ShopFolder {
    let (place, _) = place_with_ada(backend).await;
    place.configure(&smtp.config());
    let create =
        ["ticket", "create", "--customer", "ada@example.com", "--subject", "It hums", "--body", "Help!", "--json"];
    let ticket = place.run(create).await.succeeded().json();
    let number = ticket["number"].as_str().expect("a number").to_owned();
    place.run(["ticket", "reply", &number, "--body", "We send another one."]).await.succeeded();
    place
}

both_databases!(a_test_mail_is_sent_at_once_and_the_answer_told);
async fn a_test_mail_is_sent_at_once_and_the_answer_told(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let place = ShopFolder::migrated(backend).await;
    place.run(["mail", "test", "--to", "owner@example.com"]).await.refused(1, &["mail.smtp.host"]);
    place.configure(&smtp.config());
    let server = format!("127.0.0.1:{}", smtp.port());
    let told = place.run(["mail", "test", "--to", "owner@example.com"]).await.succeeded();
    assert!(told.out.contains(&server) && told.out.contains("250 taken over"), "{told:?}");
    let mail = smtp.only();
    assert_eq!(mail.to, ["owner@example.com"]);
    assert!(mail.text().contains("this is a test") && mail.html().contains("this is a test"), "{}", mail.raw);
    smtp.script([Reply::Unknown, Reply::Unknown]);
    let refused = place.run(["mail", "test", "--to", "nobody@example.com"]).await;
    refused.refused(1, &[&server, "550", "no such user here"]);
    let told = place.run(["mail", "test", "--to", "nobody@example.com", "--json"]).await;
    let told = told.json();
    assert_eq!((&told["sent"], &told["server"]), (&Value::Bool(false), &Value::from(server)), "{told}");
    assert!(told["error"].as_str().is_some_and(|error| error.contains("550")), "{told}");
    place.run(["mail", "test", "--to", "nobody"]).await.refused(2, &["an e-mail address is expected"]);
    assert_eq!(place.run(["mail", "list", "--json"]).await.data().len(), 0, "what was tried is not listed");
}

both_databases!(mails_are_listed_shown_and_tried_again);
async fn mails_are_listed_shown_and_tried_again(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let place = place_with_reply(backend, &smtp).await;
    smtp.script([Reply::Unknown]);
    place.run(["jobs", "run", "events.dispatch"]).await.succeeded();
    let waiting = place.run(["mail", "list", "--state", "pending", "--json"]).await.data();
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    assert_eq!((&waiting[0]["kind"], &waiting[0]["recipient"]), (&"ticket_replied".into(), &"ada@example.com".into()));
    place.run(["jobs", "run", "mail.deliver"]).await.succeeded();
    let failed = place.run(["mail", "list", "--state", "failed", "--json"]).await.data();
    let error = failed[0]["last_error"].as_str().expect("a reason");
    assert!(error.contains("127.0.0.1") && error.contains("no such user here"), "{error}");
    let id = failed[0]["id"].to_string();
    let shown = place.run(["mail", "show", &id]).await.succeeded();
    assert!(shown.out.contains("We send another one.") && shown.out.contains("failed"), "{shown:?}");
    let retried = place.run(["mail", "retry", &id]).await.succeeded();
    assert_eq!(retried.out, format!("mail {id} will be tried again\n"));
    place.run(["jobs", "run", "mail.deliver"]).await.succeeded();
    assert!(smtp.only().text().contains("We send another one."));
    let sent = place.run(["mail", "show", &id, "--json"]).await.succeeded().json();
    assert_eq!((&sent["state"], &sent["answer"]), (&"sent".into(), &"250 taken over".into()), "{sent}");
    assert!(sent["text"].as_str().is_some_and(|text| text.contains("We send another one.")), "{sent}");
    place.run(["mail", "retry", &id]).await.refused(1, &["was sent already", "`stoa mail resend "]);
    let again = place.run(["mail", "resend", &id, "--json"]).await.succeeded().json();
    assert_eq!(again["recipient"], "ada@example.com", "{again}");
    let new = again["id"].to_string();
    place.run(["mail", "resend", &new]).await.refused(1, &["was not sent yet", "stoa mail retry"]);
    place.run(["jobs", "run", "mail.deliver"]).await.succeeded();
    assert!(smtp.only().text().contains("We send another one."), "with the same words");
    place.run(["mail", "resend", "999"]).await.refused(1, &["no mail 999"]);
    for missing in [["mail", "show", "999"], ["mail", "retry", "999"]] {
        place.run(missing).await.refused(1, &["there is no mail 999", "stoa mail list"]);
    }
    let table = place.run(["mail", "list", "--limit", "5"]).await.succeeded();
    assert!(table.out.contains("ticket_replied") && table.out.contains("ada@example.com"), "{table:?}");
    place.run(["mail", "list", "--state", "lost"]).await.refused(2, &["pending", "failed", "sent"]);
}

both_databases!(templates_are_written_once_and_can_be_used);
async fn templates_are_written_once_and_can_be_used(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let place = place_with_reply(backend, &smtp).await;
    let folder = tempfile::tempdir().expect("a folder");
    let (texts, all) = (folder.path().join("texts"), folder.path().join("all"));
    let (texts, all) = (texts.to_str().expect("it is UTF-8"), all.to_str().expect("it is UTF-8"));
    place.run(["mail", "templates", texts]).await.succeeded();
    let told = place.run(["mail", "templates", all, "--html", "--json"]).await.succeeded().json();
    let files = told["files"].as_array().expect("a list");
    for name in ["layout.html", "order_paid.de.txt", "ticket_replied.nl.html", "subscriptions_renewal_due.en.txt"] {
        assert!(files.contains(&name.into()), "{name}: {told}");
    }
    let before = std::fs::read_to_string(format!("{all}/order_placed.en.html")).expect("it is there");
    assert!(before.contains("{items}") && before.contains("href=\"{order_url}\""), "{before}");
    std::fs::remove_file(format!("{texts}/layout.html")).expect("it is removed");
    place.run(["mail", "templates", texts]).await.refused(1, &["order_placed.en.txt", "nothing is overwritten"]);
    assert!(!std::path::Path::new(&format!("{texts}/layout.html")).exists(), "nothing is written beside it either");
    let place = place.variable("STOA_MAIL__TEMPLATES", all);
    place.run(["check"]).await.succeeded();
    place.run(["jobs", "run", "events.dispatch"]).await.succeeded();
    place.run(["jobs", "run", "mail.deliver"]).await.succeeded();
    let mail = smtp.only();
    assert!(mail.html().contains("We send another one.") && mail.html().starts_with("<!doctype html>"), "{}", mail.raw);
}
