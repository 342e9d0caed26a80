//! What is done with stock in the console.

use stoa_core::console::ConsoleForm;
use stoa_core::http::rules::Field;
use stoa_core::prelude::*;

use super::EDIT;
use crate::change::{ChangeError, Wish, change_one};
use crate::config::Config;
use crate::queries;
use crate::settings::MOST_PIECES;
use crate::stock::Stock;
use crate::stock_file::parse;
use crate::stock_import::StockImport;

/// Longest reason of a change.
const MAX_REASON: usize = 255;

/// Refused lines that are told.
const NAMED: usize = 10;

/// What can be done, each at a path of its own below the page's.
pub(super) fn forms(config: Config) -> [ConsoleForm; 5] {
    [count_form(config), adjust_form(config), backorder_form(config), forget_form(config), import_form(config)]
}

fn told(changed: Result<Stock, ChangeError>) -> Result<Told, Refused> {
    let stock = changed.map_err(refused)?;
    let Stock { sku, on_hand, reserved, .. } = &stock;
    Ok(format!("{sku}: {on_hand} on hand, {reserved} reserved, {} available.", stock.available()).into())
}

fn refused(error: ChangeError) -> Refused {
    match error {
        ChangeError::Unknown { .. } | ChangeError::NoSku(_) => Refused::field("sku", &error),
        ChangeError::Negative { .. } | ChangeError::TooMany { .. } => Refused::because(&error),
        ChangeError::Db(error) => error.into(),
    }
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
        Rules::new([sku(), on_hand, field("reason").max(MAX_REASON)])
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
        Rules::new([sku(), change, field("reason").max(MAX_REASON).required()])
    }
}

fn sku() -> Field {
    field("sku").label("SKU").required()
}

fn count_form(config: Config) -> ConsoleForm {
    let count = form("inventory.count", "Count", EDIT, move |new: Count, db: Db| async move {
        told(change_one(&db, config, &new.sku, Wish::Count(new.on_hand), new.reason.as_deref()).await)
    });
    count.about("Say how many pieces are in the house, whatever was noted before.")
}

fn adjust_form(config: Config) -> ConsoleForm {
    let adjust = form("inventory.adjust", "Adjust", EDIT, move |new: Adjust, db: Db| async move {
        told(change_one(&db, config, &new.sku, Wish::Adjust(new.change), Some(&new.reason)).await)
    });
    adjust.about("Add pieces that came, or take away (-3) what broke or got lost.")
}

/// Whether more can be ordered than there is.
#[derive(Debug, Deserialize)]
struct Backorder {
    sku: String,
    backorder: bool,
}

impl Input for Backorder {
    const NAME: &'static str = "InventoryBackorder";

    fn rules() -> Rules {
        Rules::new([sku(), field("backorder").label("It can be ordered beyond what there is").boolean()])
    }
}

fn backorder_form(config: Config) -> ConsoleForm {
    let backorder = form("inventory.backorder", "Backorder", EDIT, move |new: Backorder, db: Db| async move {
        let stock = change_one(&db, config, &new.sku, Wish::Backorder(new.backorder), None).await.map_err(refused)?;
        let told = if new.backorder { "can be ordered beyond what there is" } else { "is sold as far as it goes" };
        Ok(format!("{} {told}.", stock.sku).into())
    });
    backorder.about("Say whether customers can order more than there is.").begins(
        |values: FormValues, db: Db| async move {
            let found = db.read(queries::FIND).bind(values.get("sku").unwrap_or_default()).optional::<Stock>().await?;
            let is_on = found.is_some_and(|stock| stock.backorder);
            Ok(FormStart::default().may("backorder", is_on.then_some(1)))
        },
    )
}

/// What is counted no more.
#[derive(Debug, Deserialize)]
struct Forgotten {
    sku: String,
}

impl Input for Forgotten {
    const NAME: &'static str = "InventoryForgotten";

    fn rules() -> Rules {
        Rules::new([sku()])
    }
}

fn forget_form(config: Config) -> ConsoleForm {
    let forget = form("inventory.forget", "Forget", EDIT, move |new: Forgotten, db: Db| async move {
        let stock = change_one(&db, config, &new.sku, Wish::Forget, None).await.map_err(refused)?;
        Ok(format!("{} is not counted any more.", stock.sku).into())
    });
    forget.about("It is counted no more and can be ordered without end. What orders hold, and its history, stay.")
}

/// How a file is taken.
#[derive(Debug, Deserialize)]
struct Import {
    delta: bool,
    dry_run: bool,
    reason: Option<String>,
}

impl Input for Import {
    const NAME: &'static str = "InventoryImport";

    fn rules() -> Rules {
        let delta = field("delta").label("The quantities are pieces more, or fewer").boolean();
        let dry_run = field("dry_run").label("Check only, and write nothing").boolean();
        let reason = field("reason").max(MAX_REASON).describe("For the history. Else the name of the file.");
        Rules::new([delta, dry_run, reason])
    }
}

const COUNTS: FormFile = FormFile {
    name: "counts",
    label: "Counts",
    hint: "A CSV file whose first line names the columns sku and quantity. Lines that cannot be taken are named, all others are taken.",
    accept: ".csv,text/csv",
};

fn import_form(config: Config) -> ConsoleForm {
    file_form(
        "inventory.import",
        "Import counts",
        EDIT,
        COUNTS,
        move |new: Import, sent: UploadedFile, db: Db| async move {
            let file = parse(&sent.content).map_err(|reason| Refused::field(COUNTS.name, &format!("it {reason}")))?;
            let reason = new.reason.as_deref().unwrap_or(&sent.name);
            let import = StockImport { delta: new.delta, dry_run: new.dry_run, reason };
            let summary = import.run(&db, config, file).await?;
            let taken = if new.dry_run { "Nothing is written. Lines that would be taken" } else { "Lines taken" };
            let done = format!("{taken}: {}, refused: {}", summary.taken, summary.refused);
            if summary.rejections.is_empty() {
                return Ok(Told::sentence(&done));
            }
            let lines = summary.rejections.iter().take(NAMED).map(|bad| format!("line {}: {}", bad.line, bad.reason));
            let more = summary.rejections.len().saturating_sub(NAMED);
            let more = if more == 0 { String::new() } else { format!("; and {more} more") };
            Ok(Told::sentence(&format!("{done}. {}{more}", lines.collect::<Vec<_>>().join("; "))).bad())
        },
    )
}
