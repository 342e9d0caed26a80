//! What modules have registered, before it is frozen.

use super::context::BackupFolder;
use super::facets::OwnedFacet;
use super::product_details::DetailsTeller;
use super::product_settings::SettingsKind;
use super::selling::{ErasedAddLines, ErasedUnitPrice, Owned, WithdrawalRight};
use super::starting::Starting;
use super::webhook_types::WebhookType;
use crate::auth::AbilityCatalog;
use crate::commands::CommandTable;
use crate::console::{ConsolePages, MenuEntry, OwnedConsoleAbility, OwnedConsolePanel, OwnedWaiting};
use crate::db::MigrationSet;
use crate::doctor::{Examination, Neglected};
use crate::events::EventBusBuilder;
use crate::from_shop::OrderPage;
use crate::gateways::GatewayTableBuilder;
use crate::http::FrozenRoutes;
use crate::http::openapi::Shapes;
use crate::invariant::OwnedInvariant;
use crate::jobs::JobTable;
use crate::mail::MailTemplateTable;
use crate::metrics::Measurement;
use crate::pages::{ErrorPages, OwnedPanel, PageFrame, PageLister, PageTemplate};
use crate::queue::TaskKindsBuilder;
use crate::retention::Expired;

/// What modules bring to the console.
#[derive(Default)]
pub(crate) struct ConsoleTables {
    pub(crate) abilities: Vec<OwnedConsoleAbility>,
    pub(crate) menu: Vec<MenuEntry>,
    pub(crate) panels: Vec<OwnedConsolePanel>,
    pub(crate) waiting: Vec<OwnedWaiting>,
}

impl ConsoleTables {
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.abilities.append(&mut other.abilities);
        self.menu.append(&mut other.menu);
        self.panels.append(&mut other.panels);
        self.waiting.append(&mut other.waiting);
    }
}

/// The tables that modules register in.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) routes: FrozenRoutes,
    pub(crate) abilities: AbilityCatalog,
    pub(crate) events: EventBusBuilder,
    pub(crate) jobs: JobTable,
    pub(crate) tasks: TaskKindsBuilder,
    pub(crate) gateways: GatewayTableBuilder,
    pub(crate) mail_templates: MailTemplateTable,
    pub(crate) migrations: Vec<MigrationSet>,
    /// Those of modules that are switched off.
    pub(crate) dormant_migrations: Vec<MigrationSet>,
    pub(crate) settings: Vec<(&'static str, SettingsKind)>,
    pub(crate) details: Vec<DetailsTeller>,
    /// What the API answers and takes, those of modules included that are switched off.
    pub(crate) shapes: Shapes,
    pub(crate) facets: Vec<OwnedFacet>,
    pub(crate) unit_prices: Vec<Owned<dyn ErasedUnitPrice>>,
    pub(crate) webhook_types: Vec<(&'static str, WebhookType)>,
    pub(crate) added_lines: Vec<Owned<dyn ErasedAddLines>>,
    pub(crate) panels: Vec<OwnedPanel>,
    pub(crate) sitemap: Vec<PageLister>,
    pub(crate) order_page: OrderPage,
    pub(crate) error_pages: ErrorPages,
    pub(crate) page_frame: PageFrame,
    pub(crate) page_templates: Vec<PageTemplate>,
    pub(crate) console_pages: ConsolePages,
    pub(crate) console: ConsoleTables,
    pub(crate) withdrawal_rights: Vec<(&'static str, WithdrawalRight)>,
    pub(crate) commands: CommandTable,
    pub(crate) invariants: Vec<OwnedInvariant>,
    pub(crate) examinations: Vec<Examination>,
    /// What modules that are switched off do not do.
    pub(crate) neglected: Vec<Neglected>,
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) expired: Vec<Expired>,
    pub(crate) backup_folders: Vec<BackupFolder>,
    pub(crate) starting: Starting,
    /// Mistakes, with their owner.
    pub(crate) mistakes: Vec<(&'static str, String)>,
}
