//! Everything that the shop keeps about a customer, in one document.

use serde_json::{Map, Value};

use stoa_kernel::db::Db;
use stoa_kernel::events::{EventBus, ListenerError};
use stoa_kernel::personal_data::CustomerExporting;

use super::account::CustomerAccount;

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
