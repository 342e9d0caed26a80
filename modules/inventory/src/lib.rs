#![doc = include_str!("../README.md")]

mod availability;
mod catch_up;
mod change;
mod commands;
mod config;
mod console;
mod demand;
mod jobs;
mod ledger;
mod mail_part;
mod movement;
mod parts;
mod products;
mod queries;
mod reconcile;
mod report;
mod reserve;
mod settings;
mod showing;
mod stock;
mod stock_file;
mod stock_import;

use stoa_core::cart::CartShowing;
use stoa_core::catalog::write::ProductsSaving;
use stoa_core::orders::{OrderCancelled, OrderCancelling, OrderPaid, OrderPlacing, OrderPreflight, OrderShipped};
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::availability::ShowAvailability;
use crate::catch_up::catch_up;
use crate::commands::InventoryCommand;
pub use crate::config::Config;
use crate::jobs::Watch;
use crate::products::TakeIn;
use crate::reconcile::Reconcile;
use crate::report::{Gauges, INVARIANTS, Look};
use crate::reserve::Reserve;
use crate::settings::StockSettings;
use crate::showing::{Check, MarkLines};
use crate::stock::InventoryLevelChanged;
pub use crate::stock::InventoryLow;

/// The module.
pub struct Inventory;
stoa_core::module!(Inventory);
stoa_core::texts!("texts");

impl Module for Inventory {
    const NAME: &'static str = "inventory";
    const CAPABILITIES: &'static [&'static str] = &[settings::INVENTORY];
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(
            sqlite: "migrations/sqlite",
            postgres: "migrations/postgres",
        ));
        cx.product_settings::<StockSettings>();
        cx.mail_part(mail_part::SayBackorders);
        cx.on_transaction::<ProductsSaving>("inventory.take_in", TakeIn(config));
        cx.on_preflight::<CartShowing>("inventory.mark_lines", MarkLines(config));
        cx.on_preflight::<OrderPreflight>("inventory.check", Check);
        cx.on_transaction::<OrderPlacing>("inventory.reserve", Reserve(config));
        cx.on_transaction_even_off::<OrderCancelling>("inventory.release", Reconcile(config));
        cx.on_committed::<OrderCancelled>("inventory.release_later", Reconcile(config));
        cx.on_committed::<OrderPaid>("inventory.sell", Reconcile(config));
        cx.on_committed::<OrderShipped>("inventory.ship", Reconcile(config));
        cx.on_committed::<RefundRecorded>("inventory.give_back", Reconcile(config));
        cx.on_committed::<InventoryLevelChanged>("inventory.show_availability", ShowAvailability(config));
        console::register(cx, config)?;
        cx.console_waiting(
            "inventory.view",
            "Articles low in stock",
            "/m/inventory/stock?state=low",
            move |db: Db| async move {
                let counts = db.read(queries::COUNTS).bind(config.low_stock_threshold);
                Ok(counts.one::<(i64, i64, i64, i64, i64)>().await?.1)
            },
        );
        cx.job(Watch(config));
        cx.command::<InventoryCommand>(config);
        cx.examine(Look(config));
        cx.while_off(WhileOff {
            one: "stock keeping unit is sold without being counted",
            many: "stock keeping units are sold without being counted",
            count: queries::COUNT_LEFT_ALONE,
        });
        cx.measure(Gauges(config));
        for invariant in INVARIANTS {
            cx.invariant(invariant);
        }
        cx.on_start(async move |db: Db, tracker, stop| {
            tracker.spawn(async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    done = catch_up(&db, config) => {
                        if let Err(error) = done {
                            tracing::error!(error = &error as &dyn std::error::Error, "stock could not be taken over");
                        }
                    }
                }
            });
            Ok(())
        });
        Ok(())
    }
}
