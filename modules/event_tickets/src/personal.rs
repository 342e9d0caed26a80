//! What the module keeps about a person: the names of holders, and which events somebody goes to.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

use crate::model::number;
use crate::queries;

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
pub(crate) struct ExportedTicket {
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

/// The tickets that a customer has bought: the names on them are forgotten, they stay, since they were sold and are counted.
pub(crate) struct Tickets;

impl PersonalData for Tickets {
    type Export = Vec<ExportedTicket>;

    async fn forget(&self, tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
        tx.run(queries::FORGET_HOLDERS).bind(customer_id).execute().await?;
        Ok(())
    }

    async fn export(&self, db: &Db, customer_id: i64) -> Result<Vec<ExportedTicket>, DbError> {
        let rows = db.read(queries::LIST_ALL_OF_CUSTOMER).bind(customer_id).all::<ExportedTicketRow>().await?;
        Ok(rows.into_iter().map(ExportedTicket::from).collect())
    }
}
