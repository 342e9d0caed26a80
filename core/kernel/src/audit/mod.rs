//! Who has changed what: rows that the functions write themselves which make a change, in its transaction.
//!
//! Who acts is carried by the [`Db`](crate::db::Db) handle ([`Db::acting_as`](crate::db::Db::acting_as)), so that the console, the
//! command line and jobs leave the same rows through the same functions. Secrets never belong into a row.

mod acting;
mod changes;
mod listing;
mod personal;
mod queries;
mod subject;
mod unknown;

pub use acting::{Acting, Actor};
pub use listing::{AuditFilter, AuditRow, count_audit, list_audit};
pub use subject::Subject;
pub use unknown::unknown_in_filter;

use serde_json::Value;

use crate::db::{DbError, Tx};
use crate::module::ModuleContext;

/// What this feature takes part in.
pub fn register(cx: &mut ModuleContext<'_>) {
    cx.on_transaction("core.audit.anonymize", personal::EraseAudit);
}

impl Tx {
    /// Writes down that whoever acts has done something: `act` such as `orders.refund`, with what was before and what is now.
    /// Where there was or is nothing, the value is null.
    pub async fn audit(&mut self, act: &str, subject: Subject, before: Value, after: Value) -> Result<(), DbError> {
        let (now, acting) = (self.now(), self.acting().clone());
        let address = acting.address.map(|address| address.to_string());
        let text = |value: Value| (!value.is_null()).then(|| value.to_string());
        let insert = self.run(queries::INSERT).bind(now).bind(acting.actor.to_string()).bind(address).bind(act);
        insert.bind(subject.to_string()).bind(text(before)).bind(text(after)).execute().await.map(drop)
    }

    /// The same in functions that serve customers and the shop itself as well: only what staff or the command line do is
    /// written down.
    pub async fn audit_operator(
        &mut self,
        act: &str,
        subject: Subject,
        before: Value,
        after: Value,
    ) -> Result<(), DbError> {
        match self.acting().actor {
            Actor::Staff(_) | Actor::CommandLine(_) => self.audit(act, subject, before, after).await,
            Actor::System | Actor::Customer(_) => Ok(()),
        }
    }
}
