//! The module's page of the operator's console: what there is, with counting and adjusting; and its box on the page of a product.

use stoa_core::prelude::*;

use crate::change::{ChangeError, Wish, change_one};
use crate::config::Config;
use crate::queries;
use crate::settings::MOST_PIECES;
use crate::stock::Stock;

/// Longest reason of a change.
const MAX_REASON: usize = 255;

/// Registers what the console shows of the module.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: Config) -> Result<(), RegisterError> {
    cx.console_ability("inventory.view", "see what is in stock");
    cx.console_ability("inventory.edit", "count and adjust stock");
    let count = form("inventory.count", "Count", "inventory.edit", move |new: Count, db: Db| async move {
        told(change_one(&db, config, &new.sku, Wish::Count(new.on_hand), new.reason.as_deref()).await)
    });
    let adjust = form("inventory.adjust", "Adjust", "inventory.edit", move |new: Adjust, db: Db| async move {
        told(change_one(&db, config, &new.sku, Wish::Adjust(new.change), Some(&new.reason)).await)
    });
    let stock = page("inventory.stock", "Stock", "inventory.view", show)
        .form(count.about("Say how many pieces are in the house, whatever was noted before."))
        .form(adjust.about("Add pieces that came, or take away (-3) what broke or got lost."));
    cx.console_page(config, stock)?;
    cx.console_panel(On::Product, "inventory.view", move |product_id, db: Db| async move {
        let rows = db.read(queries::STOCK_OF_PRODUCT).bind(product_id).all::<Stock>().await?;
        Ok((!rows.is_empty()).then(|| ConsolePanel::new("Stock").rows(list(config), rows)))
    });
    Ok(())
}

/// What is counted, with what can be done about it.
fn list(config: Config) -> List<Stock> {
    let fill = |label, path, stock: &Stock| Some(RowAct::fill(label, path, [("sku", stock.sku.as_str())]));
    List::keyed("Stock", |stock: &Stock| stock.sku.clone())
        .column("SKU", |stock| Cell::from(&stock.sku))
        .number("On hand", |stock| stock.on_hand)
        .number("Reserved", |stock| stock.reserved)
        .number("Available", Stock::available)
        .column("State", move |stock| match stock.available() {
            available if available <= 0 => Cell::state(if stock.backorder { "backorder" } else { "out" }),
            available if available <= config.low_stock_threshold => Cell::state("low"),
            _ => Cell::Empty,
        })
        .act("inventory.edit", move |stock| fill("Adjust", "/m/inventory/stock/adjust", stock))
        .act("inventory.edit", move |stock| fill("Count", "/m/inventory/stock/count", stock))
}

async fn show(State(config): State<Config>, db: Db, query: ListQuery) -> ApiResult<ConsoleAnswer> {
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
        .button("inventory.edit", "Count", "/m/inventory/stock/count")
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

fn told(changed: Result<Stock, ChangeError>) -> Result<Told, Refused> {
    let stock = changed.map_err(|error| match error {
        ChangeError::Unknown { .. } | ChangeError::NoSku(_) => Refused::field("sku", &error),
        ChangeError::Negative { .. } | ChangeError::TooMany { .. } => Refused::because(&error),
        ChangeError::Db(error) => error.into(),
    })?;
    let Stock { sku, on_hand, reserved, .. } = &stock;
    Ok(format!("{sku}: {on_hand} on hand, {reserved} reserved, {} available.", stock.available()).into())
}

/// How many pieces somebody has counted.
#[derive(Debug, Deserialize)]
struct Count {
    sku: String,
    on_hand: i64,
    reason: Option<String>,
}

impl Input for Count {
    const NAME: &'static str = "InventoryCount";

    fn rules() -> Rules {
        let on_hand = field("on_hand").integer(0, MOST_PIECES).required();
        Rules::new([field("sku").label("SKU").required(), on_hand, field("reason").max(MAX_REASON)])
    }
}

/// How many pieces more there are, or fewer.
#[derive(Debug, Deserialize)]
struct Adjust {
    sku: String,
    change: i64,
    reason: String,
}

impl Input for Adjust {
    const NAME: &'static str = "InventoryAdjustment";

    fn rules() -> Rules {
        let change = field("change").integer(-MOST_PIECES, MOST_PIECES).required();
        Rules::new([field("sku").label("SKU").required(), change, field("reason").max(MAX_REASON).required()])
    }
}
