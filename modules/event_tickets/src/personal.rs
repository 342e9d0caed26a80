//! What the module keeps about a person: the names of holders, and which events somebody goes to.

use chrono::{DateTime, Utc};
use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use crate::model::number;
use crate::queries;
use crate::wishes::MODULE;

/// Forgets the names on the tickets of whoever is anonymized. The tickets stay: they were sold, and are counted.
pub(crate) struct ForgetHolders;

impl InTransaction<CustomerAnonymizing> for ForgetHolders {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::FORGET_HOLDERS).bind(event.customer_id).execute().await?;
        Ok(())
    }
}

/// The same for those who were anonymized while the module was off.
impl AfterCommit<CustomerAnonymized> for ForgetHolders {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        db.write(async |tx| tx.run(queries::FORGET_HOLDERS).bind(event.customer_id).execute().await).await?;
        Ok(())
    }
}

#[derive(sqlx::FromRow)]
struct ExportedTicketRow {
    id: i64,
    status: String,
    holder: Option<String>,
    seat: Option<String>,
    ticket_type: String,
    event: String,
    venue: String,
    starts_at: DateTime<Utc>,
    order_id: i64,
    issued_at: Option<DateTime<Utc>>,
    checked_in_at: Option<DateTime<Utc>>,
    voided_at: Option<DateTime<Utc>>,
}

/// A ticket as its customer is told of it: without token and code, which admit whoever has them.
#[derive(Serialize)]
struct ExportedTicket {
    number: String,
    status: String,
    event: String,
    venue: String,
    starts_at: DateTime<Utc>,
    ticket_type: String,
    holder: Option<String>,
    seat: Option<String>,
    order_id: i64,
    issued_at: Option<DateTime<Utc>>,
    checked_in_at: Option<DateTime<Utc>>,
    voided_at: Option<DateTime<Utc>>,
}

impl From<ExportedTicketRow> for ExportedTicket {
    fn from(row: ExportedTicketRow) -> Self {
        Self {
            number: number(row.id),
            status: row.status,
            event: row.event,
            venue: row.venue,
            starts_at: row.starts_at,
            ticket_type: row.ticket_type,
            holder: row.holder,
            seat: row.seat,
            order_id: row.order_id,
            issued_at: row.issued_at,
            checked_in_at: row.checked_in_at,
            voided_at: row.voided_at,
        }
    }
}

/// Adds the tickets to what a customer is told about themselves.
pub(crate) struct ExportTickets;

impl Preflight<CustomerExporting> for ExportTickets {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let rows = db.read(queries::LIST_ALL_OF_CUSTOMER).bind(event.customer_id).all::<ExportedTicketRow>().await?;
        let kept = rows.into_iter().map(ExportedTicket::from).collect::<Vec<_>>();
        event.add(MODULE, &kept)
    }
}
