//! Mails about support tickets: the shop's reply to the customer, and what the customer writes to the owner.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::events::{AfterCommit, ListenerError};
use stoa_kernel::i18n::Texts;
use stoa_kernel::mail::{MailAbout, MailNotice, MailTemplate, Mailer};
use stoa_kernel::mail_texts;

use super::events::TicketWritten;
use super::model::TicketRecord;
use super::queries;
use super::status::TicketAuthor;

/// The shop has replied.
pub(super) const REPLIED: MailTemplate = MailTemplate {
    name: "ticket_replied",
    about: MailAbout::Customer,
    placeholders: &["ticket_number", "ticket_subject", "reply"],
    texts: mail_texts!("templates/ticket_replied"),
};

/// A customer has asked something, or replied.
pub(super) const OWNER_TICKET: MailTemplate = MailTemplate {
    name: "owner_ticket",
    about: MailAbout::Customer,
    placeholders: &["customer_name", "customer_email", "ticket_number", "ticket_subject", "message"],
    texts: mail_texts!("templates/owner_ticket"),
};

/// Tells whoever did not write.
pub(super) struct TellWritten;

impl AfterCommit<TicketWritten> for TellWritten {
    type Uses = (Db, Arc<Config>, Mailer, Texts);

    async fn after_commit(
        &self,
        event: &TicketWritten,
        (db, config, mailer, texts): &Self::Uses,
    ) -> Result<(), ListenerError> {
        if event.author == TicketAuthor::Customer && config.mail.notify.is_empty() {
            return Ok(());
        }
        let found = db.read(queries::FIND).bind(event.ticket_id).optional::<TicketRecord>().await?;
        let Some(record) = found else { return Ok(()) };
        let message =
            db.read(queries::FIND_MESSAGE).bind(event.message_id).optional::<(String, Option<String>)>().await?;
        let (Some((body, language)), Some(email)) = (message, &record.email) else { return Ok(()) };
        let ticket = &record.ticket;
        let template = match event.author {
            TicketAuthor::Staff => &REPLIED,
            TicketAuthor::Customer => &OWNER_TICKET,
        };
        // The customer is that of now: a guest may have become one with an account.
        let notice = MailNotice::new(template, record.customer_id, event.message_id)
            .line("ticket_number", &ticket.number)
            .line("ticket_subject", &ticket.subject);
        let notice = match event.author {
            TicketAuthor::Staff => {
                let notice = notice.lines("reply", &body);
                match language {
                    Some(tag) => notice.in_language(texts.language_of(&tag)),
                    None => notice,
                }
            }
            TicketAuthor::Customer => {
                let notice = notice.line("customer_name", &record.customer_name);
                notice.line("customer_email", email).lines("message", &body)
            }
        };
        let write = db.write(async |tx| -> Result<(), DbError> {
            match event.author {
                TicketAuthor::Staff => mailer.notice(tx, &notice).await.map(drop),
                TicketAuthor::Customer => mailer.notify(tx, &notice).await,
            }
        });
        Ok(write.await?)
    }
}
