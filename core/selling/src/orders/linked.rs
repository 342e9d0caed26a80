//! `GET /guest-orders/{number}`: one order, by the key of its link.

use std::sync::Arc;

use serde_json::json;

use stoa_kernel::auth::LimitClass;
use stoa_kernel::config::Config;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::gateways::GatewayTable;
use stoa_kernel::http::answer::Data;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::order_link::{OrderKey, OrderLinks};
use stoa_kernel::record_number::OrderNumber;

use super::instructions::tell_instructions;
use super::model::OrderResource;
use super::read::{self, OrderRecord};
use super::routes::example_order;
use crate::withdrawals::tell_rights;

pub(super) fn linked_order_routes() -> Routes<()> {
    routes()
        .get("guest-orders.show", "/guest-orders/{number}", show)
        .summary("Read an order by the key of its link")
        .path_parameter("The number of an order.", "O-000042")
        .description(
            "Mails about an order have a link to it, with a key that opens this order for 90 days, without a login. A key \
             that does not open the order is answered like an order that does not exist.",
        )
        .example(|| json!({"data": example_order()}))
        .public(LimitClass::Protected)
}

/// What an order is shown with.
type Shown = (Arc<MoneyFormatter>, OrderLinks, Arc<Config>, Arc<GatewayTable>);

async fn show(
    Name(number): Name,
    key: OrderKey,
    db: Db,
    Uses((money, links, config, gateways)): Uses<Shown>,
) -> ApiResult<Data<OrderResource>> {
    let found = find_linked_order(&db, &money, &links, &number, key).await?;
    let mut order = found.ok_or_else(ApiError::not_found)?.order;
    tell_instructions(&gateways, [&mut order]);
    tell_rights(&db, &config, [&mut order]).await?;
    Ok(Data(order))
}

/// The order that a key opens.
pub(crate) async fn find_linked_order(
    db: &Db,
    money: &MoneyFormatter,
    links: &OrderLinks,
    number: &str,
    OrderKey(key): OrderKey,
) -> Result<Option<OrderRecord>, DbError> {
    let Ok(number) = number.parse::<OrderNumber>() else { return Ok(None) };
    if !key.is_some_and(|key| links.opens(&key, number.id(), db.now())) {
        return Ok(None);
    }
    let found = read::find_order(db, money, number.id()).await?;
    // Nobody reads the orders of whoever was anonymized.
    Ok(found.filter(|record| record.customer_email.is_some()))
}
