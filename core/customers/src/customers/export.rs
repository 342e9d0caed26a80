//! Everything that the shop keeps about a customer, in one document.

use serde_json::{Map, Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::events::{EventBus, ListenerError};
use stoa_kernel::personal_data::CustomerExporting;

use super::account::CustomerAccount;

/// What a customer is given who asks what the shop keeps about them: everything, and from which shop and when it comes.
/// That the operator has taken it is written down.
pub async fn exported_document(
    db: &Db,
    events: &EventBus,
    shop: &str,
    account: &CustomerAccount,
) -> Result<Map<String, Value>, ListenerError> {
    let parts = export_customer(db, events, account).await?;
    let taken = db.write(async |tx| -> Result<_, DbError> {
        tx.audit_operator("customers.export", Subject::customer(account.id), Value::Null, Value::Null).await?;
        Ok(tx.now())
    });
    let taken_at = json!(taken.await?);
    let head = [(String::from("shop"), shop.into()), (String::from("exported_at"), taken_at)];
    Ok(head.into_iter().chain(parts).collect())
}

/// Gathers what features and modules keep about a customer, each under its own name, `account` first.
///
/// Modules that are switched off are not asked.
pub async fn export_customer(
    db: &Db,
    events: &EventBus,
    account: &CustomerAccount,
) -> Result<Map<String, Value>, ListenerError> {
    let mut event = CustomerExporting { customer_id: account.id, user_id: account.user_id, parts: Map::new() };
    event.add("account", &account.to_json())?;
    events.preflight(&mut event, db).await?;
    Ok(event.parts)
}
