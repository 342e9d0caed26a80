//! From a paid order to its services: one row for each unit, whoever tells and how often.

use serde_json::{Map, Value, json};
use sqlx::types::Json;
use stoa_core::orders::{OrderLine, customer_of_order, sold_lines_in};
use stoa_core::prelude::*;

use crate::capacity::{self, Units};
use crate::lifecycle::Hands;
use crate::model::{SoldPlan, Status};
use crate::provider::Providers;
use crate::queries;
use crate::worker::WorkOnService;

/// Writes down the services of an order that are not there yet. Nothing happens for an order that is not paid.
pub(crate) async fn plan_services(tx: &mut Tx, order_id: i64, providers: &Providers) -> Result<(), DbError> {
    let lines = sold_lines_in(tx, order_id).await?;
    if !lines.iter().any(|line| SoldPlan::of(line).is_some()) {
        return Ok(());
    }
    let Some(customer_id) = customer_of_order(tx, order_id).await? else { return Ok(()) };
    if tx.run(queries::IS_PAID).bind(order_id).scalar::<i64>().await? == 0 {
        return Ok(());
    }
    let selected = tx.run(queries::SELECTED).bind(order_id).all::<(i64, Json<Value>)>().await?;
    let mut units = Vec::new();
    for line in &lines {
        let options = selected.iter().find(|(item, _)| Some(*item) == line.order_line_id);
        units.extend(units_of_line(tx, line, options.map(|(_, options)| &options.0), providers));
    }
    let now = tx.now();
    let plan = tx.run(queries::PLAN).bind(order_id).bind(customer_id).bind(now);
    let planned = plan.bind(Value::Array(units).to_string()).all::<(i64, String, String)>().await?;
    // What was reserved has become services. They may be more, if the module was off when the order was placed.
    let mut changes = Units::new();
    for (id, provider, plan) in planned {
        // What a person makes waits for the person.
        if providers.find(&provider).hands() == Hands::Provider {
            tx.enqueue(&WorkOnService::of(id, &provider))?;
        }
        *changes.entry(SoldPlan { provider, plan }).or_default() += 1;
    }
    for (plan, reserved) in capacity::end_reservations(tx, order_id).await? {
        *changes.entry(plan).or_default() -= reserved;
    }
    capacity::change(tx, &changes).await
}

fn units_of_line(tx: &Tx, line: &OrderLine, options: Option<&Value>, providers: &Providers) -> Vec<Value> {
    let (Some(sold), Some(item)) = (SoldPlan::of(line), line.order_line_id) else { return Vec::new() };
    let status = match providers.find(&sold.provider).hands() {
        Hands::Person => Status::Pending,
        Hands::Provider => Status::Provisioning,
    };
    let parameters = parameters(line, options);
    let unit = |unit: i64| {
        json!({
            "order_line_id": item,
            "unit": unit,
            "product_id": line.product_id,
            "slug": line.slug,
            "name": line.label,
            "provider": sold.provider,
            "plan": sold.plan,
            "key": tx.uuid().to_string(),
            "parameters": parameters,
            "status": status.as_str(),
        })
    };
    (1..=line.quantity).map(unit).collect()
}

/// What was selected, by the key of the option: its label, the value, and what the customer read.
fn parameters(line: &OrderLine, options: Option<&Value>) -> Map<String, Value> {
    let options = options.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let parameter = |(key, value): (&String, &Value)| {
        let option = options.iter().find(|option| option["key"] == **key);
        let told = |member: &str| option.and_then(|option| option.get(member)).cloned().unwrap_or(Value::Null);
        (key.clone(), json!({"label": told("label"), "value": value, "display": told("display")}))
    };
    line.selections.iter().map(parameter).collect()
}
