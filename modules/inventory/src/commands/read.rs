//! Showing stock and its history.

use serde_json::json;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;
use stoa_core::suggestion::meant_or;

use super::{HEAD, Shown, row};
use crate::config::Config;
use crate::movement::{ShownMovement, signed};
use crate::queries;
use crate::stock::Stock;

/// SKUs read at once.
const SLICE: i64 = 1_000;

async fn find(cx: &CommandContext, sku: &str) -> Result<Stock, Failure> {
    let db = &cx.parts.db;
    if let Some(found) = db.read(queries::FIND).bind(sku).optional::<Stock>().await? {
        return Ok(found);
    }
    let known = db.read(queries::SKUS).scalars::<String>().await?;
    let mend = "`stoa inventory list` shows what is, and `stoa inventory set` begins to count";
    let instead = meant_or(sku, known.iter().map(String::as_str), mend);
    Err(Failure::operation(format!("`{sku}` is not counted{instead}")))
}

pub(super) async fn show(cx: &CommandContext, config: Config, sku: &str, json: bool) -> Result<(), Failure> {
    let stock = find(cx, sku).await?;
    let products = cx.parts.db.read(queries::SLUGS_OF_SKU).bind(sku).scalars::<String>().await?;
    if json {
        let mut shown = serde_json::to_value(Shown::of(&stock, config))?;
        shown["products"] = json!(products);
        return cx.output.json(&shown);
    }
    let yes_or_no = |flag: bool| String::from(if flag { "yes" } else { "no" });
    cx.output.members([
        ("sku", stock.sku.clone()),
        ("on_hand", stock.on_hand.to_string()),
        ("reserved", stock.reserved.to_string()),
        ("available", stock.available().to_string()),
        ("backorder", yes_or_no(stock.backorder)),
        ("tracked", yes_or_no(stock.tracked)),
        ("products", products.join(", ")),
    ])
}

pub(super) async fn history(cx: &CommandContext, sku: &str, limit: i64, json: bool) -> Result<(), Failure> {
    find(cx, sku).await?;
    let movements = cx.parts.db.read(queries::HISTORY).bind(sku).bind(limit).all::<ShownMovement>().await?;
    if json {
        return cx.output.json_list(&movements);
    }
    let rows = movements.iter().map(|movement| {
        vec![
            shown_time(movement.created_at),
            movement.kind.clone(),
            signed(movement.on_hand_change),
            signed(movement.reserved_change),
            movement.on_hand.to_string(),
            movement.reserved.to_string(),
            movement.order_id.map(|id| OrderNumber::of(id).to_string()).unwrap_or_default(),
            movement.actor.clone(),
            movement.reason.clone().unwrap_or_default(),
        ]
    });
    let head = ["TIME", "KIND", "ON HAND", "RESERVED", "NOW", "NOW RESERVED", "ORDER", "ACTOR", "REASON"];
    cx.output.list(&head, rows, "orders and `stoa inventory set` move what is counted")
}

pub(super) async fn low(
    cx: &CommandContext,
    config: Config,
    threshold: Option<i64>,
    json: bool,
) -> Result<(), Failure> {
    let threshold = threshold.unwrap_or(config.low_stock_threshold);
    let found = cx.parts.db.read(queries::LIST_LOW).bind(threshold).all::<Stock>().await?;
    print(cx, config, &found, json, "of everything that is counted there is enough")
}

pub(super) async fn list(cx: &CommandContext, config: Config, json: bool) -> Result<(), Failure> {
    let mut all = Vec::<Stock>::new();
    loop {
        let after = all.last().map(|stock| stock.sku.clone()).unwrap_or_default();
        let slice = cx.parts.db.read(queries::LIST).bind(after).bind(SLICE).all::<Stock>().await?;
        if slice.is_empty() {
            break;
        }
        all.extend(slice);
    }
    print(cx, config, &all, json, "`stoa inventory set` begins to count something")
}

fn print(cx: &CommandContext, config: Config, stock: &[Stock], json: bool, come_from: &str) -> Result<(), Failure> {
    if json {
        let shown = stock.iter().map(|stock| Shown::of(stock, config)).collect::<Vec<_>>();
        return cx.output.json_list(&shown);
    }
    cx.output.list(&HEAD, stock.iter().map(row), come_from)
}
