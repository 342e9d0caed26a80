//! Telling customers that a service of theirs is about to be terminated, once each time that it comes to that.

mod queries;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::error_chain;
use stoa_core::mail::{MailAbout, MailNotice, MailTemplate, Mailer};
use stoa_core::mail_texts;
use stoa_core::prelude::*;

use crate::model::ServiceNumber;

/// Services looked at together.
const BATCH: i64 = 100;

/// A service is terminated soon, with what is in it.
pub(crate) const TERMINATING: MailTemplate = MailTemplate {
    name: "services_terminating",
    about: MailAbout::Order,
    placeholders: &["product", "number", "end_date"],
    texts: mail_texts!("templates/services_terminating"),
};

/// Tells so long before.
pub(crate) struct TellEnding {
    pub(crate) notice: TimeDelta,
}

impl Job for TellEnding {
    type Uses = (Db, Mailer);

    const NAME: &'static str = "services.tell_ending";
    const EVERY: Duration = Duration::from_mins(15);
    const DOES: &'static str = "tells customers whose services are about to be terminated";

    async fn run(&self, (db, mailer): &Self::Uses) -> Result<(), String> {
        self.tell_all(db, mailer).await.map_err(|error| error_chain(&error))
    }
}

impl TellEnding {
    async fn tell_all(&self, db: &Db, mailer: &Mailer) -> Result<(), DbError> {
        let now = db.now();
        let mut after = 0_i64;
        loop {
            let list = db.read(queries::LIST_ENDING).bind(now).bind(now + self.notice).bind(after).bind(BATCH);
            let ending = list.scalars::<i64>().await?;
            let Some(last) = ending.last() else { return Ok(()) };
            after = *last;
            for id in ending {
                db.write(async |tx| self.send_ending_notice(tx, mailer, id).await).await?;
            }
        }
    }

    /// Who tells the same at this moment finds that it is told.
    async fn send_ending_notice(&self, tx: &mut Tx, mailer: &Mailer, id: i64) -> Result<(), DbError> {
        let now = tx.now();
        let take = tx.run(queries::TAKE_NOTICE).bind(id).bind(now + self.notice).bind(now);
        let taken = take.optional::<(i64, String, DateTime<Utc>)>().await?;
        let Some((order_id, product, end_at)) = taken else { return Ok(()) };
        // The time tells one notice from the next, should the service be resumed and end again.
        let notice = MailNotice::new(&TERMINATING, order_id, format_args!("{id}:{}", now.timestamp_micros()));
        let notice = notice.line("product", &product).line("number", &ServiceNumber::of(id).to_string());
        mailer.notice(tx, &notice.date("end_date", end_at)).await.map(drop)
    }
}
