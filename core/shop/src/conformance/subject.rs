//! The module under examination, alone in a shop.

use std::sync::Arc;

use http::Method;
use serde_json::Value;

use stoa_kernel::clock::Clock;
use stoa_kernel::config::{Config, ConsoleRole, DatabaseUrl, EncryptionKey};
use stoa_kernel::db::{Db, MigrationSet, Missing, OpenOptions};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::http::table::{Access, PathKind};
use stoa_kernel::module::{Linked, ModuleContext, ModuleDescription, ModuleEntry, Registry, RegistryProblems};
use stoa_kernel::pages::OwnedPanel;
use stoa_kernel::random::Random;
use stoa_notices::webhooks::Sender;
use stoa_pages::theme::{Theme, ThemeError};
use stoa_staff::StaffCredentials;

use super::console::{NOTHING, Plain};
use crate::program::{Program, ProgramParts, Shop};

/// The address under which the shop believes to be reachable.
const BASE_URL: &str = "http://check.invalid";

/// A shop that is thrown away has no secrets.
const KEY: EncryptionKey = EncryptionKey::new([1; 32]);

/// A program with this module alone.
pub(super) struct Subject {
    program: Program,
    entry: ModuleEntry,
}

/// A route, as far as requests to it need it.
pub(super) struct RouteUnderTest {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) variables: Vec<PathKind>,
    pub(super) is_mapped: bool,
    /// Whether everybody may read it.
    pub(super) is_public: bool,
    pub(super) body: Option<Value>,
}

impl RouteUnderTest {
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The path with this in place of each variable.
    pub(super) fn filled(&self, value: &str) -> String {
        let segments = self.path.split('/').map(|segment| if segment.starts_with('{') { value } else { segment });
        segments.collect::<Vec<_>>().join("/")
    }
}

impl Subject {
    /// The program with the module on, with its defaults.
    pub(super) fn freeze(entry: ModuleEntry) -> Result<Self, RegistryProblems> {
        Self::of(entry, &[entry.name])
    }

    /// The program with the module off.
    pub(super) fn freeze_off(entry: ModuleEntry) -> Result<Self, RegistryProblems> {
        Self::of(entry, &[])
    }

    fn of(entry: ModuleEntry, enabled: &[&str]) -> Result<Self, RegistryProblems> {
        let mut config = Config::default();
        config.apply_demo(enabled);
        config.console.roles.insert(NOTHING.to_owned(), ConsoleRole { abilities: Vec::new() });
        // Every route is asked many times within a moment.
        for limit in [&mut config.limits.catalog, &mut config.limits.protected, &mut config.limits.checkout] {
            limit.requests = 0;
        }
        let program = Program::freeze(ProgramParts {
            config: Arc::new(config),
            linked: Linked::of([entry]),
            reserved: &[],
            clock: Clock::system(),
            random: Random::system(),
            console: Some(Arc::new(|cx: &mut ModuleContext<'_>, _: &Config, _: &StaffCredentials, _: &Sender| {
                cx.console_shown_by(Plain, Plain);
                Ok(())
            })),
        })?;
        Ok(Self { program, entry })
    }

    pub(super) fn name(&self) -> &'static str {
        self.entry.name
    }

    pub(super) fn entry(&self) -> &ModuleEntry {
        &self.entry
    }

    pub(super) fn registry(&self) -> &Registry {
        &self.program.registry
    }

    pub(super) fn description(&self) -> &ModuleDescription {
        self.registry().modules.first().expect("the module is linked")
    }

    /// Whether a panel can be shown as far as that is known without a page.
    pub(super) fn check_panel(&self, panel: &OwnedPanel) -> Result<(), ThemeError> {
        let registry = self.registry();
        Theme::check_panel(panel, &registry.texts, &self.program.money, &registry.shown.members)
    }

    /// The module's own migrations, if it brings any.
    pub(super) fn migrations(&self) -> Option<&MigrationSet> {
        self.registry().migrations.iter().find(|set| set.name() == self.name())
    }

    /// Core's migrations.
    pub(super) fn core_migrations(&self) -> &[MigrationSet] {
        &self.registry().migrations[..1]
    }

    /// A new database without tables. Nobody waits for a disk to keep what is thrown away.
    pub(super) async fn open_database(&self) -> Result<Db, String> {
        let options = OpenOptions::new(DatabaseUrl::SqliteMemory, Missing::Create, 2);
        let db = Db::open(&options, Clock::system()).await.map_err(|error| describe(&error))?;
        Ok(self.program.attach(db))
    }

    /// The shop on a migrated database.
    pub(super) async fn open(self, db: Db) -> Result<Shop, String> {
        let cipher = Cipher::new(&KEY, Random::system());
        let parts = self.program.parts(db, cipher, BASE_URL).map_err(|error| describe(&error))?;
        Box::pin(self.program.open(parts)).await.map_err(|error| describe(&error))
    }

    /// Where the module's pages of the console are that can be looked at, and the ability that opens each.
    pub(super) fn console_pages(&self) -> Vec<(String, Option<&'static str>)> {
        let own = self.registry().routes.entries.iter().filter(|entry| entry.owner == self.name());
        let pages =
            own.filter(|entry| entry.route.method == Method::GET).filter_map(|entry| match entry.route.access {
                Access::Console(ability) => Some((entry.route.full_path(), ability)),
                _ => None,
            });
        pages.collect()
    }

    /// The module's routes. Pages are open to everybody, and no part of the API.
    pub(super) fn routes(&self) -> Vec<RouteUnderTest> {
        let own = self
            .registry()
            .routes
            .entries
            .iter()
            .filter(|entry| entry.owner == self.name() && !is_page(entry.route.access));
        let asked = own.map(|entry| RouteUnderTest {
            method: entry.route.method.clone(),
            path: entry.route.path,
            variables: entry.route.operation.path.clone(),
            is_mapped: entry.route.access != Access::Unmapped,
            is_public: matches!(entry.route.access, Access::Public(_)),
            body: entry.route.operation.body.map(|_| {
                let example = entry.route.operation.body_example;
                example.map_or_else(|| serde_json::json!({}), |example| example())
            }),
        });
        asked.collect()
    }
}

pub(super) fn describe(error: &dyn std::error::Error) -> String {
    stoa_kernel::error_chain(error)
}

/// Pages are for browsers, and have their own rules.
fn is_page(access: Access) -> bool {
    matches!(access, Access::Page | Access::ShopPage | Access::Console(_) | Access::ConsoleDoor)
}
