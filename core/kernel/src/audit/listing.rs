//! Reading what was written down.

use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::changes::changes;
use super::queries;
use crate::console::{FEW_OF_A_KIND, MOST_COUNTED, RowCount};
use crate::db::{Db, DbError, Query, Sql};
use crate::money::MoneyFormatter;

/// Which rows are read.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Only what was done to this, such as `order:12`.
    pub subject: Option<String>,
    /// Only what this one did, such as `staff:ada@example.com`.
    pub actor: Option<String>,
    /// Only this act, such as `orders.refund`, or all whose names begin with this and a point, such as `orders`.
    pub act: Option<String>,
    /// Only rows that are older than the one with this id.
    pub before_id: Option<i64>,
    /// At most so many; all without it.
    pub limit: Option<i64>,
}

impl AuditFilter {
    /// Binds what is asked for: of an act its name, else how the names of all acts begin that were done to one kind of thing.
    fn bind<'a>(&self, db: &'a Db, sql: Sql) -> Query<'a> {
        let query = db.read(sql).bind(self.subject.as_deref()).bind(self.actor.as_deref());
        match self.act.as_deref() {
            Some(act) if act.contains('.') => query.bind(act).bind(None::<&str>).bind(None::<&str>),
            Some(kind) => query.bind(None::<&str>).bind_beginning(&format!("{kind}.")),
            None => query.bind(None::<&str>).bind(None::<&str>).bind(None::<&str>),
        }
    }
}

/// One row: who did what to what, from where and when.
#[derive(Debug, Clone, PartialEq, Serialize, sqlx::FromRow)]
pub struct AuditRow {
    /// The id, which grows.
    pub id: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// Who: `staff:ada@example.com`, `cli:ada`, `customer:1001` or `system`.
    pub actor: String,
    /// From which address, where there is one.
    pub address: Option<String>,
    /// What, such as `orders.refund`.
    pub act: String,
    /// To what, such as `order:12`.
    pub subject: String,
    /// What was before, as JSON.
    #[serde(serialize_with = "as_json")]
    pub before: Option<String>,
    /// What is since then, as JSON.
    #[serde(serialize_with = "as_json")]
    pub after: Option<String>,
}

impl AuditRow {
    /// What has become another, a line for each member, such as `role: warehouse → viewer`.
    pub fn changes(&self, money: &MoneyFormatter) -> Vec<String> {
        changes(self.before.as_deref(), self.after.as_deref(), money)
    }
}

#[expect(clippy::ref_option, reason = "serde hands the field over as it is")]
fn as_json<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    let value = text.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    value.serialize(serializer)
}

/// Reads rows, the newest first.
pub async fn list_audit(db: &Db, filter: &AuditFilter) -> Result<Vec<AuditRow>, DbError> {
    let is_of_a_kind = filter.act.as_deref().is_some_and(|act| !act.contains('.'));
    let number =
        if is_of_a_kind { filter.bind(db, queries::COUNT).bind(FEW_OF_A_KIND + 1).scalar::<i64>().await? } else { 0 };
    let sql = if number > FEW_OF_A_KIND { queries::LIST_MANY } else { queries::LIST_FEW };
    filter.bind(db, sql).bind(filter.before_id).bind(filter.limit.unwrap_or(i64::MAX)).all().await
}

/// How many rows there are on all pages together.
pub async fn count_audit(db: &Db, filter: &AuditFilter) -> Result<RowCount, DbError> {
    filter.bind(db, queries::COUNT).bind(MOST_COUNTED + 1).scalar().await.map(RowCount::of)
}
