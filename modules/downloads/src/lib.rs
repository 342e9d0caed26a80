#![doc = include_str!("../README.md")]

mod account;
mod answer;
mod assets;
mod changing;
mod commands;
mod config;
mod console;
mod content;
mod counters;
mod details;
mod dropping;
mod entitlement;
mod examine;
mod file_name;
mod grants;
mod integrity;
mod jobs;
mod listeners;
mod mail_part;
mod model;
mod personal;
mod private_files;
mod queries;
mod routes;
mod storage;
mod transfer;
mod upload;
mod verification;

use std::path::Path;
use std::sync::Arc;

use stoa_core::catalog::write::ProductDeleting;
use stoa_core::entitlements::{DeliveryDue, EntitlementEnded, EntitlementResumed, EntitlementSuspended};
use stoa_core::orders::OrderPaid;
use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::commands::DownloadsCommand;
pub use crate::config::{Config, S3Config};
use crate::counters::Counters;
use crate::details::TellFiles;
use crate::dropping::DropFiles;
use crate::examine::{ExamineDownloads, MeasureDownloads, is_below};
use crate::jobs::{CheckStorage, CleanUp, GrantMissing};
use crate::listeners::{FollowUnits, GrantFiles, RevokeUnits};
use crate::mail_part::SayFiles;
use crate::model::{CAPABILITY, ProductDownloads};
use crate::personal::GrantsAndTransfers;
use crate::routes::{DownloadsState, download_routes};
use crate::storage::{Storage, StorageLocation};
use crate::verification::INVARIANTS;

/// The module. It has no value: everything it brings goes into the tables behind `cx`.
pub struct Downloads;
stoa_core::module!(Downloads);
stoa_core::texts!("texts");

impl Module for Downloads {
    const NAME: &'static str = "downloads";
    const CAPABILITIES: &'static [&'static str] = &[CAPABILITY];
    type Config = Config;

    fn register(config: Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.migrations(migrations!(
            sqlite: "migrations/sqlite",
            postgres: "migrations/postgres",
        ));
        let storage = Storage::new(&config, cx.bucket());
        let state = DownloadsState { config: Arc::new(config), storage, counters: Arc::new(Counters::default()) };
        cx.product_settings::<ProductDownloads>();
        cx.storefront_panel(Panel::new(PanelOn::Product, include_str!("../pages/product.html")));
        cx.storefront_panel(Panel::new(PanelOn::Purchases, include_str!("../pages/purchases.html")).path("/downloads"));
        cx.product_details(TellFiles);
        cx.mail_part(SayFiles);
        cx.on_transaction_even_off::<ProductDeleting>("downloads.drop", DropFiles);
        cx.claims_from_guests("downloads.claim", &[queries::CLAIM_UNITS, queries::CLAIM_GRANTS]);
        cx.on_committed::<OrderPaid>("downloads.grant", GrantFiles { state: state.clone() });
        cx.withdrawal_right(CAPABILITY, WithdrawalRight::EndsWithDelivery);
        cx.on_committed::<DeliveryDue>("downloads.grant_held", GrantFiles { state: state.clone() });
        cx.on_committed::<RefundRecorded>("downloads.revoke", RevokeUnits);
        cx.on_committed::<EntitlementSuspended>("downloads.suspend", FollowUnits);
        cx.on_committed::<EntitlementResumed>("downloads.resume", FollowUnits);
        cx.on_committed::<EntitlementEnded>("downloads.end", FollowUnits);
        cx.personal_data(GrantsAndTransfers);
        cx.job(GrantMissing(state.clone()));
        cx.job(CheckStorage(state.clone()));
        cx.job(CleanUp(state.clone()));
        console::register(cx, &state)?;
        cx.command::<DownloadsCommand>(state.clone());
        cx.examine(ExamineDownloads(state.clone()));
        cx.while_off(WhileOff {
            one: "file that was bought cannot be fetched",
            many: "files that were bought cannot be fetched",
            count: queries::COUNT_LEFT_ALONE,
        });
        cx.measure(MeasureDownloads(state.clone()));
        for invariant in INVARIANTS {
            cx.invariant(invariant);
        }
        if let StorageLocation::Folder(folder) = state.storage.location().clone() {
            cx.backup_folder(folder.clone());
            cx.on_start(move |config: Arc<stoa_core::config::Config>, _, _| async move {
                refuse_public_folder(&folder, &config.media.folder)
            });
        }
        cx.ability("downloads", "downloads.read")?;
        cx.routes(state, download_routes())
    }
}

/// Files that are sold must not lie where everybody can fetch them.
fn refuse_public_folder(folder: &Path, media: &Path) -> Result<(), String> {
    if !is_below(folder, media) {
        return Ok(());
    }
    let folder = folder.display();
    Err(format!("modules.downloads.folder: {folder} lies in the media folder, which is open to everybody"))
}
