//! From an event to a mail.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::events::{AfterCommit, ListenerError};
use stoa_kernel::from_shop;
use stoa_kernel::gateways::GatewayTable;
use stoa_kernel::i18n::Texts;
use stoa_kernel::mail::{MailNotice, MailPart, MailParts, Mailer, PaidOrder};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::text;

use super::files::{credit_note, invoice};
use super::mails::{CANCELLED, PAID, PLACED, READY, REFUNDED, SHIPPED};
use super::owner::about_owner_order;
use super::queries;
use super::texts::{about, units_of};
use crate::orders::{
    CancelReason, OrderCancelled, OrderCreated, OrderLinks, OrderPaid, OrderRecord, OrderShipped, find_order,
    sold_lines,
};
use crate::refunds::{RefundRecorded, find_refund};

from_shop! {
    /// What mails about orders are written with.
    pub(super) struct OrderMailer {
        pub(super) db: Db,
        pub(super) money: Arc<MoneyFormatter>,
        pub(super) texts: Texts,
        pub(super) mailer: Mailer,
        pub(super) parts: MailParts,
        pub(super) links: OrderLinks,
        pub(super) config: Arc<Config>,
        pub(super) gateways: Arc<GatewayTable>,
    }
}

/// Tells the customer that an order was placed, and the owner.
pub(super) struct TellPlaced;

/// Tells the customer that an order was paid, with the invoice and what to do with what was bought.
pub(super) struct TellPaid;

/// Tells the customer that goods were sent.
pub(super) struct TellShipped;

/// Tells the customer that an order was cancelled.
pub(super) struct TellCancelled;

/// Tells the customer that money went back, with the credit note.
pub(super) struct TellRefunded;

impl AfterCommit<OrderCreated> for TellPlaced {
    type Uses = OrderMailer;

    async fn after_commit(&self, event: &OrderCreated, uses: &OrderMailer) -> Result<(), ListenerError> {
        let Some(record) = uses.addressed(event.order_id).await? else { return Ok(()) };
        let notice = uses.about(MailNotice::new(&PLACED, event.order_id, event.order_id), &record);
        // The law wants what ends a right told on paper that the customer keeps.
        let consents = record.order.consents.iter().map(|consent| consent.label.as_str()).collect::<Vec<_>>();
        let notice = notice.lines("consents", &consents.join("\n"));
        let owner = (!uses.config.mail.notify.is_empty()).then(|| about_owner_order(uses, &record));
        let write = uses.db.write(async |tx| -> Result<(), DbError> {
            uses.mailer.notice(tx, &notice).await?;
            if let Some(owner) = &owner {
                uses.mailer.notify(tx, owner).await?;
            }
            Ok(())
        });
        Ok(write.await?)
    }
}

impl AfterCommit<OrderPaid> for TellPaid {
    type Uses = OrderMailer;

    async fn after_commit(&self, event: &OrderPaid, uses: &OrderMailer) -> Result<(), ListenerError> {
        let Some(record) = uses.addressed(event.order_id).await? else { return Ok(()) };
        let parts = uses.parts_of(event, &record).await?;
        // Nobody has paid anything for what costs nothing, but may have to know what to do with it.
        if event.total_amount == 0 {
            if parts.is_empty() {
                return Ok(());
            }
            let notice = MailNotice::new(&READY, event.order_id, event.order_id);
            return uses.tell(uses.about(notice, &record).parts("next_steps", &parts)).await;
        }
        let notice = uses.about(MailNotice::new(&PAID, event.order_id, event.order_id), &record);
        let notice = match &record.order.invoice {
            Some(own) => {
                let file = invoice(own.id, &own.number);
                notice.line("attachment", &file.name).file(file)
            }
            None => notice,
        };
        uses.tell(notice.parts("next_steps", &parts)).await
    }
}

impl AfterCommit<OrderShipped> for TellShipped {
    type Uses = OrderMailer;

    async fn after_commit(&self, event: &OrderShipped, uses: &OrderMailer) -> Result<(), ListenerError> {
        let Some(record) = uses.addressed(event.order_id).await? else { return Ok(()) };
        let carrier = event.carrier.as_deref().and_then(|id| uses.config.shipping.carrier(id));
        let tracking = event.tracking.as_deref().unwrap_or_default();
        let notice = MailNotice::new(&SHIPPED, event.order_id, event.shipment_id);
        let sent = event.lines.iter().map(|sent| (sent.order_line_id, sent.quantity));
        let notice = uses.about(notice, &record).rows("shipped_items", &units_of(&record.order, sent));
        let open = uses.db.read(queries::UNITS_TO_SHIP).bind(event.order_id).all::<(i64, i64)>().await?;
        let notice = notice.rows("open_items", &units_of(&record.order, open.into_iter()));
        let notice = notice.line("carrier", carrier.map(|carrier| carrier.label.as_str()).unwrap_or_default());
        let url = carrier.and_then(|carrier| carrier.tracking_url(tracking));
        uses.tell(notice.line("tracking", tracking).line("tracking_url", &url.unwrap_or_default())).await
    }
}

impl AfterCommit<OrderCancelled> for TellCancelled {
    type Uses = OrderMailer;

    async fn after_commit(&self, event: &OrderCancelled, uses: &OrderMailer) -> Result<(), ListenerError> {
        let Some(record) = uses.addressed(event.order_id).await? else { return Ok(()) };
        let is_expired = record.cancel_reason.as_deref() == Some(CancelReason::Expired.as_str());
        let reason = is_expired.then(|| uses.texts.say(&text!("order-mails-expired"), record.language));
        let notice = uses.about(MailNotice::new(&CANCELLED, event.order_id, event.order_id), &record);
        uses.tell(notice.line("cancel_reason", &reason.unwrap_or_default())).await
    }
}

impl AfterCommit<RefundRecorded> for TellRefunded {
    type Uses = OrderMailer;

    async fn after_commit(&self, event: &RefundRecorded, uses: &OrderMailer) -> Result<(), ListenerError> {
        let Some(record) = uses.addressed(event.order_id).await? else { return Ok(()) };
        let Some(refund) = find_refund(&uses.db, &uses.money, event.refund_id).await? else { return Ok(()) };
        let notice = uses.about(MailNotice::new(&REFUNDED, event.order_id, event.refund_id), &record);
        let notice = notice.amount("refund_amount", event.amount).lines("refund_reason", &refund.refund.reason);
        let notice = match &refund.credit_note {
            Some(own) => {
                let file = credit_note(own.credit_note.id, &own.credit_note.number);
                notice.line("attachment", &file.name).file(file)
            }
            None => notice,
        };
        uses.tell(notice).await
    }
}

impl OrderMailer {
    /// The order, if its customer has an address.
    async fn addressed(&self, order_id: i64) -> Result<Option<OrderRecord>, DbError> {
        let record = find_order(&self.db, &self.money, order_id).await?;
        Ok(record.filter(|record| record.customer_email.is_some()))
    }

    fn about<'a>(&self, notice: MailNotice<'a>, record: &OrderRecord) -> MailNotice<'a> {
        about(notice, record, record.language, &self.money, &self.texts)
    }

    /// What features and modules say of what was bought.
    async fn parts_of(&self, event: &OrderPaid, record: &OrderRecord) -> Result<Vec<MailPart>, DbError> {
        let capabilities = if let Some(capabilities) = &event.capabilities {
            capabilities.clone()
        } else {
            let lines = sold_lines(&self.db, event.order_id).await?;
            lines.into_iter().flat_map(|line| line.capabilities).collect()
        };
        let page = self.links.url(event.order_id, self.db.now());
        let order = PaidOrder { order_id: event.order_id, language: record.language, capabilities, page };
        self.parts.read(&order).await
    }

    async fn tell(&self, notice: MailNotice<'_>) -> Result<(), ListenerError> {
        let write = self.db.write(async |tx| self.mailer.notice(tx, &notice).await.map(drop));
        Ok(write.await?)
    }
}
