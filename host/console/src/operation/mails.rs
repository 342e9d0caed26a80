//! `/console/mails`: what the shop has written to people, and whether it arrives.

use std::sync::Arc;

use askama::Template;
use serde::Deserialize;
use stoa_core::config::Config;
use stoa_core::db::{Db, ListDb};
use stoa_core::encryption::Cipher;
use stoa_core::http::extract::Input;
use stoa_core::http::rules::{Rules, field};
use stoa_core::mail::{
    Mail, MailState, MailTemplates, Mailer, ResendMailError, RetryMailError, SENDS_NO_MAIL, TestMail, TestMailError,
    WithPages, count_mails, files_of_mail, find_mail, is_configured, page_of_mails, resend_mail, retry_mail,
    send_test_mail,
};
use stoa_core::orders::OrderNumber;
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, Refused, RowAct, Told, form, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Id, Uses};
use stoa_kernel::http::table::Routes;
use stoa_kernel::order_link::without_order_keys;

use crate::page::ConsoleState;
use crate::show::Badge;

/// `GET /console/mails`.
pub(super) async fn show(db: ListDb, Uses(config): Uses<Arc<Config>>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let about = if is_configured(&config) {
        String::from("What the shop has written, the newest first. What was sent is listed for a while.")
    } else {
        let mends = "In the settings, mail.smtp.host and mail.from are missing.";
        format!("{} {mends}", sentence(SENDS_NO_MAIL))
    };
    let state = query.get("state").and_then(|word| MailState::try_from(word.to_owned()).ok());
    let counted = count_mails(&db, state).await?;
    let list = List::new("Mails", |mail: &Mail| mail.id)
        .about(about)
        .choice("state", "State", MailState::ALL.map(MailState::as_str))
        .way("mails.view", "Templates", "/mails/templates")
        .button("mails.send", "Send test", "/mails/test")
        .empty("No mail was written yet.")
        .column("Subject", |mail| Cell::link(&mail.subject, format!("/mails/{}", mail.id)).over(mail.kind.as_deref()))
        .column("To", |mail| mail.recipient.clone())
        .column("State", |mail| Cell::state(mail.state.as_str()))
        .column("Written", |mail| mail.created_at)
        .column("Sent", |mail| mail.sent_at)
        // How often one was tried that has arrived is written down nowhere.
        .number("Attempts", |mail| (mail.state != MailState::Sent).then_some(mail.attempts))
        .column("Problem", |mail| mail.last_error.clone().map(Cell::Code))
        .act("mails.retry", |mail| {
            let can_be = mail.state != MailState::Sent;
            can_be.then(|| RowAct::send("Retry", "/mails/retry", [("id", mail.id.to_string())]))
        })
        .act("mails.send", |mail| {
            let was_sent = mail.state == MailState::Sent;
            was_sent.then(|| RowAct::send("Send again", "/mails/resend", [("id", mail.id.to_string())]))
        });
    list.show(query, counted, move |before_id, limit| {
        let db = db.clone();
        async move { page_of_mails(&db, state, before_id, limit).await }
    })
    .await
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Letter<'a> {
    mail: &'a Mail,
    state: Badge,
    /// Nothing where it must not be read.
    text: Option<String>,
    files: String,
}

#[derive(Template)]
#[template(path = "mail_templates.html")]
struct Texts {
    /// Names of files, and what is in them.
    texts: Vec<(String, String)>,
}

/// `GET /console/mails/{id}`.
pub(super) async fn one(
    Uses((db, cipher)): Uses<(Db, Cipher)>,
    Id(id): Id,
    query: ListQuery,
) -> ApiResult<ConsoleAnswer> {
    let (mail, text) = find_mail(&db, &cipher, id).await?.ok_or_else(ApiError::not_found)?;
    let files = files_of_mail(&db, id).await?;
    let text = text.map(|text| without_order_keys(&text));
    let shown = Letter { state: Badge::of(mail.state.as_str()), mail: &mail, text, files: files.join(", ") };
    query.page_html(&mail.subject, &shown)
}

/// `GET /console/mails/templates`.
pub(super) async fn templates(Uses(templates): Uses<Arc<MailTemplates>>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    query.page_html("Mail templates", &Texts { texts: templates.built_in(WithPages::No) })
}

#[derive(Deserialize)]
struct Retry {
    id: i64,
    /// The number of the order on whose page it was asked for.
    order: Option<String>,
}

impl Input for Retry {
    const NAME: &'static str = "ConsoleMailRetry";

    fn rules() -> Rules {
        Rules::new([field("id").label("Mail").integer(1, i64::MAX).required(), field("order").max(20)])
    }
}

#[derive(Deserialize)]
struct Test {
    to: String,
}

impl Input for Test {
    const NAME: &'static str = "ConsoleMailTest";

    fn rules() -> Rules {
        Rules::new([field("to").label("E-mail").email().required()])
    }
}

/// `/console/mails/retry` and `/console/mails/test`.
pub(super) fn forms() -> Vec<Routes<ConsoleState>> {
    let retry = form("console.mails.retry", "Retry", "mails.retry", |new: Retry, db: Db| async move {
        match retry_mail(&db, new.id).await {
            Ok(()) => {
                let told = Told::new(format!("Mail {} is tried again.", new.id));
                let order = new.order.and_then(|number| number.parse::<OrderNumber>().ok());
                Ok(match order {
                    Some(number) => told.at(format!("/orders/{number}")),
                    None => told,
                })
            }
            Err(RetryMailError::Db(error)) => Err(error.into()),
            Err(error) => Err(Refused::because(&error)),
        }
    });
    let test = form("console.mails.test", "Send test", "mails.send", |new: Test, uses: TestMail| async move {
        match send_test_mail(&uses, &new.to).await {
            Ok(sent) => {
                Ok(Told::sentence(&format!("{} has taken the mail to {}: {}", sent.server, new.to, sent.answer)))
            }
            Err(TestMailError::Db(error)) => Err(error.into()),
            Err(error) => Err(Refused::because(&error)),
        }
    });
    let again =
        form("console.mails.resend", "Send again", "mails.send", |new: Retry, (db, mailer): (Db, Mailer)| async move {
            match resend_mail(&db, &mailer, new.id).await {
                Ok((_, recipient)) => Ok(format!("The mail is sent once more, to {recipient}.").into()),
                Err(ResendMailError::Db(error)) => Err(error.into()),
                Err(error) => Err(Refused::because(&error)),
            }
        });
    let test = test.about("It is sent at once, past everything that waits, and is not listed.");
    vec![
        again.routes("/mails/resend", "/mails"),
        retry.hides(&["order"]).routes("/mails/retry", "/mails"),
        test.routes("/mails/test", "/mails"),
    ]
}
