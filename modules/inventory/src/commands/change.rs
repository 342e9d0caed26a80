//! Changing one SKU.

use stoa_core::prelude::*;

use super::Shown;
use crate::change::{Wish, change_one};
use crate::config::Config;
use crate::stock::Stock;

pub(super) async fn set(
    cx: &CommandContext,
    config: Config,
    sku: &str,
    quantity: i64,
    reason: Option<&str>,
    json: bool,
) -> Result<(), Failure> {
    let stock = change_one(&cx.parts.db, config, sku, Wish::Count(quantity), reason).await?;
    print_stock(cx, config, &stock, json)
}

pub(super) async fn adjust(
    cx: &CommandContext,
    config: Config,
    sku: &str,
    delta: i64,
    reason: &str,
    json: bool,
) -> Result<(), Failure> {
    let stock = change_one(&cx.parts.db, config, sku, Wish::Adjust(delta), Some(reason)).await?;
    print_stock(cx, config, &stock, json)
}

pub(super) async fn backorder(
    cx: &CommandContext,
    config: Config,
    sku: &str,
    state: bool,
    json: bool,
) -> Result<(), Failure> {
    let stock = change_one(&cx.parts.db, config, sku, Wish::Backorder(state), None).await?;
    print_stock(cx, config, &stock, json)
}

pub(super) async fn forget(cx: &CommandContext, config: Config, sku: &str, json: bool) -> Result<(), Failure> {
    let stock = change_one(&cx.parts.db, config, sku, Wish::Forget, None).await?;
    if json {
        return print_stock(cx, config, &stock, json);
    }
    cx.output.line(&format!("{} is not counted any more", stock.sku))
}

fn print_stock(cx: &CommandContext, config: Config, stock: &Stock, json: bool) -> Result<(), Failure> {
    if json {
        return cx.output.json(&Shown::of(stock, config));
    }
    let Stock { sku, on_hand, reserved, .. } = stock;
    cx.output.line(&format!("{sku}: {on_hand} on hand, {reserved} reserved, {} available", stock.available()))?;
    if !stock.backorder && stock.available() < 0 {
        let text = format!("orders hold {} more than there are; buy more, or cancel orders", -stock.available());
        return cx.output.line(&text);
    }
    Ok(())
}
