//! What others take part in when a customer is anonymized or exported.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::db::{Db, DbError, Tx};
use crate::events::{
    AfterCommit, CommittedEvent, Event, InTransaction, ListenerError, Preflight, PreflightEvent, TransactionEvent,
};

/// What becomes of what a module keeps about people; see
/// [`ModuleContext::personal_data`](crate::module::ModuleContext::personal_data).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what is personal in it",
    note = "implement `PersonalData` for it: `forget` erases, `export` tells"
)]
pub trait PersonalData: Send + Sync + 'static {
    /// What a customer is told of it.
    type Export: Serialize;

    /// Erases what is personal about a customer. It may be called again for the same one.
    fn forget(&self, tx: &mut Tx, customer_id: i64) -> impl Future<Output = Result<(), DbError>> + Send;

    /// Everything that is kept about a customer, but nothing secret: no hashes, no keys.
    fn export(&self, db: &Db, customer_id: i64) -> impl Future<Output = Result<Self::Export, DbError>> + Send;
}

/// The personal data of the module with this name.
pub(crate) struct PersonalDataOf<P> {
    pub(crate) module: &'static str,
    pub(crate) data: Arc<P>,
}

impl<P> Clone for PersonalDataOf<P> {
    fn clone(&self) -> Self {
        Self { module: self.module, data: Arc::clone(&self.data) }
    }
}

impl<P: PersonalData> InTransaction<CustomerAnonymizing> for PersonalDataOf<P> {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(self.data.forget(tx, event.customer_id).await?)
    }
}

/// Once more, for those who were anonymized while the module was off: what is to be done waits until it is on again.
impl<P: PersonalData> AfterCommit<CustomerAnonymized> for PersonalDataOf<P> {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| self.data.forget(tx, event.customer_id).await).await?)
    }
}

impl<P: PersonalData> Preflight<CustomerExporting> for PersonalDataOf<P> {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let kept = self.data.export(db, event.customer_id).await?;
        event.add(self.module, &kept)
    }
}

/// A customer is about to be anonymized; announced inside the transaction, before the account itself is erased.
///
/// Whoever keeps something personal erases it here. A veto keeps everything as it is.
#[derive(Debug, Clone)]
pub struct CustomerAnonymizing {
    /// The customer's id, which stays valid: orders and invoices keep it.
    pub customer_id: i64,
    /// The id of the user behind the customer.
    pub user_id: i64,
    /// The address as it was, to find what is kept by it alone.
    pub email: String,
}

impl Event for CustomerAnonymizing {
    const NAME: &'static str = "CustomerAnonymizing";
}

impl TransactionEvent for CustomerAnonymizing {}

/// A customer was anonymized. It reaches modules that were switched off at the time as well, once they are on again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CustomerAnonymized {
    /// The customer's id.
    pub customer_id: i64,
    /// The id of the user behind the customer.
    pub user_id: i64,
}

impl Event for CustomerAnonymized {
    const NAME: &'static str = "CustomerAnonymized";
}

impl CommittedEvent for CustomerAnonymized {
    fn order_key(&self) -> Option<String> {
        Some(format!("customer:{}", self.customer_id))
    }
}

/// Everything that the shop keeps about a customer is gathered for them.
#[derive(Debug)]
pub struct CustomerExporting {
    /// The customer's id.
    pub customer_id: i64,
    /// The id of the user behind the customer.
    pub user_id: i64,
    /// What was gathered so far, by the name of the feature or module that keeps it.
    pub parts: Map<String, Value>,
}

impl CustomerExporting {
    /// Adds what `name` keeps, the name of a feature or module. Nothing secret belongs here: no hashes, no keys.
    pub fn add(&mut self, name: &str, kept: &impl Serialize) -> Result<(), ListenerError> {
        let part = serde_json::to_value(kept).map_err(|error| ListenerError::Failed(format!("{name}: {error}")))?;
        if self.parts.insert(name.to_owned(), part).is_some() {
            return Err(ListenerError::Failed(format!("two listeners export a part named `{name}`")));
        }
        Ok(())
    }
}

impl Event for CustomerExporting {
    const NAME: &'static str = "CustomerExporting";
}

impl PreflightEvent for CustomerExporting {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_takes_the_place_of_another() {
        let mut event = CustomerExporting { customer_id: 1, user_id: 2, parts: Map::new() };
        event.add("notes", &["a"]).expect("the first of this name");
        event.add("pins", &["b"]).expect("another name");
        let refused = event.add("notes", &["c"]).expect_err("the second of this name");
        assert!(refused.to_string().contains("`notes`"), "{refused}");
    }
}
