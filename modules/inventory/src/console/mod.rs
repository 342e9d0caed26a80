//! The module's pages of the operator's console: what there is, with everything that changes it, and what happened to a SKU; and its
//! box on the page of a product.

mod forms;

use stoa_core::console::ConsolePage;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::movement::{ShownMovement, signed};
use crate::queries;
use crate::stock::Stock;

const VIEW: &str = "inventory.view";
const EDIT: &str = "inventory.edit";
const STOCK: &str = "/m/inventory/stock";
const HISTORY: &str = "/m/inventory/history";

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: Config) -> Result<(), RegisterError> {
    cx.console_ability(VIEW, "see what is in stock");
    cx.console_ability(EDIT, "count and adjust stock");
    let stock = page("inventory.stock", "Stock", VIEW, show);
    cx.console_page(config, forms::forms(config).into_iter().fold(stock, ConsolePage::form))?;
    cx.console_page((), page("inventory.history", "Stock history", VIEW, history).unlisted())?;
    cx.console_panel(On::Product, VIEW, move |product_id, db: Db| async move {
        let rows = db.read(queries::STOCK_OF_PRODUCT).bind(product_id).all::<Stock>().await?;
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Stock").rows(list(config), rows)))
    });
    Ok(())
}

/// What is counted, with what can be done about it.
fn list(config: Config) -> List<Stock> {
    let fill = |label, own: &str, stock: &Stock| {
        Some(RowAct::fill(label, &format!("{STOCK}/{own}"), [("sku", stock.sku.as_str())]))
    };
    List::keyed("Stock", |stock: &Stock| stock.sku.clone())
        .column("SKU", |stock| Cell::list(&stock.sku, HISTORY, [("sku", stock.sku.as_str())]))
        .number("On hand", |stock| stock.on_hand)
        .number("Reserved", |stock| stock.reserved)
        .number("Available", Stock::available)
        .column("State", move |stock| match stock.available() {
            available if available <= 0 => Cell::state(if stock.backorder { "backorder" } else { "out" }),
            available if available <= config.low_stock_threshold => Cell::state("low"),
            _ => Cell::Empty,
        })
        .act(EDIT, move |stock| fill("Adjust", "adjust", stock))
        .act(EDIT, move |stock| fill("Count", "count", stock))
        .act(EDIT, move |stock| fill("Backorder", "backorder", stock))
        .act(EDIT, move |stock| fill("Forget", "forget", stock))
}

async fn show(State(config): State<Config>, db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let most = match query.get("state") {
        Some("out") => Some(0),
        Some("low") => Some(config.low_stock_threshold),
        _ => None,
    };
    let begins = query.get("q").map(str::to_owned);
    let counted = db.read(queries::COUNT_PAGE).bind(MOST_COUNTED + 1).bind(most).bind(begins.clone()).scalar().await?;
    let list = list(config)
        .about("What is counted, by SKU. What is sold without a count is not listed.")
        .search("The beginning of a SKU")
        .choice("state", "State", ["low", "out"])
        .button(EDIT, "Count", format!("{STOCK}/count"))
        .button(EDIT, "Import counts", format!("{STOCK}/import"))
        .empty("Nothing is counted yet. Give products a quantity, or count a SKU.");
    list.show_keyed(query, RowCount::of(counted), move |after, limit| {
        let (db, begins) = (db.clone(), begins.clone());
        async move {
            let rows = db.read(queries::PAGE).bind(after.unwrap_or_default()).bind(limit).bind(most).bind(begins);
            rows.all::<Stock>().await
        }
    })
    .await
}

async fn history(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let sku = query.get("sku").unwrap_or_default().to_owned();
    let counted = db.read(queries::COUNT_HISTORY).bind(&sku).bind(MOST_COUNTED + 1).scalar().await?;
    let list = List::new("Stock history", |movement: &ShownMovement| movement.id)
        .about("What happened to a SKU, the newest first.")
        .text("sku", "SKU", "MUG-BLUE")
        .way(VIEW, "Stock", STOCK)
        .empty("Nothing has happened to this SKU. Say which one.")
        .column("When", |movement| movement.created_at)
        .column("What", |movement| Cell::from(&movement.kind).over(movement.reason.as_deref()))
        .number("On hand", |movement| signed(movement.on_hand_change))
        .number("Reserved", |movement| signed(movement.reserved_change))
        .number("On hand then", |movement| movement.on_hand)
        .number("Reserved then", |movement| movement.reserved)
        .column("Order", |movement| {
            let number = movement.order_id.map(|id| OrderNumber::of(id).to_string());
            number.map(|number| Cell::link(number.as_str(), format!("/orders/{number}")))
        })
        .column("By", |movement| movement.actor.clone());
    list.show(query, RowCount::of(counted), move |after, limit| {
        let (db, sku) = (db.clone(), sku.clone());
        async move { db.read(queries::PAGE_HISTORY).bind(sku).bind(after).bind(limit).all::<ShownMovement>().await }
    })
    .await
}
