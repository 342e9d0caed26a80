//! From collected entries to a frozen registry, gathering everything that is wrong on the way.

use std::sync::Arc;

use super::context::{BackupFolder, Given, ModuleContext, RegisterError};
use super::description::ModuleDescription;
use super::entry::{EntryError, ModuleEntry};
use super::product_details::DetailsTable;
use super::product_modules::ProductModules;
use super::selling::SellingRules;
use super::starting::Starting;
use super::tables::Tables;
use super::unknown::{unknown_events, unknown_modules};
use super::webhook_types::WebhookTypes;
use crate::auth::AbilityCatalog;
use crate::commands::CommandTable;
use crate::config::{Config, ConfigProblem};
use crate::console::{ConsoleAbilities, ConsolePages};
use crate::db::MigrationSet;
use crate::doctor::{Examination, Neglected};
use crate::events::EventBus;
use crate::from_shop::{OrderPage, ShownTables};
use crate::gateways::GatewayTable;
use crate::http::FrozenRoutes;
use crate::http::openapi::ApiMembers;
use crate::http::table::Access;
use crate::i18n::Texts;
use crate::invariant::OwnedInvariant;
use crate::jobs::JobTable;
use crate::mail::MailTemplates;
use crate::metrics::Measurement;
use crate::pages::ErrorPages;
use crate::queue::TaskKinds;
use crate::retention::Prune;

/// The owner of core's own features.
pub(super) const CORE: &str = "core";

/// The capability that core itself provides (contract 4).
const CORE_CAPABILITIES: &[&str] = &["shippable"];

/// The modules that the program links.
#[derive(Debug, Clone, Default)]
pub struct Linked(Vec<ModuleEntry>);

impl Linked {
    /// All modules linked into this program, sorted by name.
    pub fn collect() -> Self {
        Self::of(inventory::iter::<ModuleEntry>.into_iter().copied())
    }

    /// These modules, sorted by name; for tests that host a chosen few.
    pub fn of(entries: impl IntoIterator<Item = ModuleEntry>) -> Self {
        let mut entries = entries.into_iter().collect::<Vec<_>>();
        entries.sort_by_key(|entry| (entry.name, entry.crate_name));
        Self(entries)
    }

    /// The names, sorted.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|entry| entry.name).collect()
    }

    /// The modules, sorted by name.
    pub fn entries(&self) -> &[ModuleEntry] {
        &self.0
    }

    /// Names that two modules have.
    pub fn duplicates(&self) -> Vec<String> {
        let pairs = self.0.windows(2).filter(|pair| pair[0].name == pair[1].name);
        let told = pairs.map(|pair| {
            let (name, one, other) = (pair[0].name, pair[0].crate_name, pair[1].crate_name);
            format!("two modules are named `{name}`: one of the crate `{one}`, one of the crate `{other}`")
        });
        told.collect()
    }
}

/// Everything that keeps the program from starting, found in one go.
#[derive(Debug, Default)]
pub struct RegistryProblems {
    /// Mistakes in the configuration.
    pub config: Vec<ConfigProblem>,
    /// Mistakes of module authors.
    pub registration: Vec<String>,
}

/// The problems as one message for the operator.
impl std::fmt::Display for RegistryProblems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let config = self.config.iter().map(ConfigProblem::to_string);
        let lines = config.chain(self.registration.iter().cloned()).collect::<Vec<_>>();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for RegistryProblems {}

/// The frozen tables of a program: what is mounted, listened to, scheduled and migrated.
pub struct Registry {
    /// Core's and the enabled modules' routes.
    pub routes: FrozenRoutes,
    /// The ability catalog.
    pub abilities: Arc<AbilityCatalog>,
    /// The listeners.
    pub events: Arc<EventBus>,
    /// The scheduled jobs.
    pub jobs: Arc<JobTable>,
    /// What the queue may hold.
    pub tasks: Arc<TaskKinds>,
    /// The gateways.
    pub gateways: Arc<GatewayTable>,
    /// All texts, with the operator's own among them.
    pub texts: Texts,
    /// The texts of mails, those of modules included that are off.
    pub mail_templates: Arc<MailTemplates>,
    /// Core's and the enabled modules' migrations, core's first.
    pub migrations: Vec<MigrationSet>,
    /// Those of modules that are switched off: not applied, but the tables that they have left move with the database.
    pub dormant_migrations: Vec<MigrationSet>,
    /// Capability keys that are available now, sorted.
    pub capabilities: Arc<[&'static str]>,
    /// What modules say about products.
    pub details: Arc<DetailsTable>,
    /// The types of events that modules tell other programs about.
    pub webhook_types: Arc<WebhookTypes>,
    /// What modules have a say in when something is sold.
    pub selling: Arc<SellingRules>,
    /// What pages show of the program.
    pub shown: Arc<ShownTables>,
    /// The page that shows one order.
    pub order_page: OrderPage,
    /// Who shows errors to people.
    pub error_pages: ErrorPages,
    /// What shows the console.
    pub console_pages: ConsolePages,
    /// What can be done in the console, and by whom.
    pub console: Arc<ConsoleAbilities>,
    /// The commands of all linked modules, on or off.
    pub commands: CommandTable,
    /// What must hold, of core first, then of the enabled modules.
    pub invariants: Vec<OwnedInvariant>,
    /// The parts of `stoa doctor`, core's first, then those of the enabled modules.
    pub examinations: Arc<Vec<Examination>>,
    /// What modules that are off do not do.
    pub neglected: Vec<Neglected>,
    /// The parts of `GET /metrics`, core's and the enabled modules'.
    pub measurements: Arc<[Measurement]>,
    /// The folders of all linked modules, on or off, that go into backups.
    pub backup_folders: Vec<BackupFolder>,
    /// All linked modules.
    pub modules: Arc<Vec<ModuleDescription>>,
    /// What the linked modules are to products.
    pub products: Arc<ProductModules>,
    /// What is looked at and done when the shop starts.
    pub starting: Starting,
}

impl Registry {
    /// Registers core's features through `core`, then the modules, and freezes the tables. It reads the operator's texts,
    /// and does no other I/O.
    ///
    /// `reserved` are names that the configuration may mention although no such module is linked, unless it is enabled.
    pub fn build(
        linked: &Linked,
        config: &Config,
        reserved: &[&'static str],
        given: &Given,
        core: impl FnOnce(&mut ModuleContext<'_>) -> Result<(), RegisterError>,
    ) -> Result<Self, RegistryProblems> {
        let mut problems =
            RegistryProblems { config: unknown_modules(linked, config, reserved), registration: linked.duplicates() };
        let mut tables = Tables::default();
        let mut modules = Vec::new();
        for entry in &linked.0 {
            modules.push(register(entry, config, given, &mut tables, &mut problems));
        }
        let abilities = Arc::new(std::mem::take(&mut tables.abilities));
        tables.routes.resolve(|prefix| abilities.of_prefix(prefix));
        let mut cx = ModuleContext { module: CORE, enabled: true, given, tables: &mut tables };
        if let Err(error) = core(&mut cx) {
            problems.registration.push(format!("core: {error}"));
        }
        let expired = std::mem::take(&mut cx.tables.expired);
        cx.job(Prune::new(expired));
        tables.routes.resolve(|_| None);
        problems.registration.extend(tables.mistakes.drain(..).map(|(_, text)| text));
        let texts = Texts::load(config.shop.texts.as_deref()).unwrap_or_else(|found| {
            problems.config.extend(found.config);
            problems.registration.extend(found.registration);
            Texts::built_in()
        });
        let mail_templates = std::mem::take(&mut tables.mail_templates);
        let mail_templates = mail_templates.load(config.mail.templates.as_deref(), &texts.languages());
        let mail_templates = mail_templates.unwrap_or_else(|found| {
            problems.config.extend(found.config);
            problems.registration.extend(found.registration);
            MailTemplates::default()
        });
        let (webhook_types, mistakes) = WebhookTypes::new(std::mem::take(&mut tables.webhook_types));
        problems.registration.extend(mistakes);
        problems.registration.extend(unknown_events(config, &webhook_types));
        problems.registration.extend(tables.routes.problems().into_iter().map(|problem| problem.0));
        for set in &tables.migrations {
            let unpaired = set.unpaired();
            problems
                .registration
                .extend(unpaired.into_iter().map(|text| format!("migrations of `{}`: {text}", set.name())));
        }
        let dormant = tables.dormant_migrations.iter().map(MigrationSet::name).collect::<Vec<_>>();
        let events = std::mem::take(&mut tables.events).build(&dormant);
        for kind in events.kinds().chain(tables.jobs.kinds()) {
            problems.registration.extend(tables.tasks.push(kind).err());
        }
        let (console, mistakes) = ConsoleAbilities::new(std::mem::take(&mut tables.console.abilities), &config.console);
        problems.registration.extend(mistakes);
        problems.registration.extend(tables.routes.without_console_ability(&console));
        if !problems.config.is_empty() || !problems.registration.is_empty() {
            return Err(problems);
        }
        Ok(freeze(tables, events, abilities, texts, mail_templates, webhook_types, (console, modules)))
    }
}

/// Runs a module's `register`. A disabled one is described in tables of its own, of which only what
/// waits for it (listeners that rows are written for, checks of product settings) is kept.
fn register(
    entry: &ModuleEntry,
    config: &Config,
    given: &Given,
    tables: &mut Tables,
    problems: &mut RegistryProblems,
) -> ModuleDescription {
    let section = config.modules.get(entry.name);
    let enabled = section.is_some_and(|section| section.enabled);
    let mut scratch = Tables {
        events: std::mem::take(&mut tables.events),
        gateways: std::mem::take(&mut tables.gateways),
        mail_templates: std::mem::take(&mut tables.mail_templates),
        commands: std::mem::take(&mut tables.commands),
        tasks: std::mem::take(&mut tables.tasks),
        ..Tables::default()
    };
    let described = scratch.events.described.len();
    let mut cx = ModuleContext { module: entry.name, enabled, given, tables: &mut scratch };
    match (entry.register)(section, &config.folder, &mut cx) {
        Ok(()) => {}
        Err(EntryError::Config(found)) => problems.config.extend(found),
        Err(EntryError::Register(error)) => problems.registration.push(format!("module `{}`: {error}", entry.name)),
    }
    scratch.routes.resolve(|prefix| scratch.abilities.of_prefix(prefix));
    let mut abilities = Vec::new();
    let (pages, routes) = scratch.routes.entries.iter().partition::<Vec<_>, _>(|owned| {
        matches!(owned.route.access, Access::Page | Access::ShopPage | Access::Console(_))
    });
    let pages = pages.into_iter().map(|owned| format!("{} {}", owned.route.method, owned.route.full_path())).collect();
    let routes = routes.into_iter().map(|owned| {
        let ability = scratch.abilities.of_prefix(owned.route.prefix());
        abilities.extend(ability);
        (format!("{} {}", owned.route.method, owned.route.path), ability)
    });
    let routes = routes.collect();
    abilities.sort_unstable();
    abilities.dedup();
    let description = ModuleDescription {
        entry: *entry,
        enabled,
        routes,
        pages,
        abilities,
        events: scratch.events.described[described..].iter().map(|(_, event, id)| (*event, *id)).collect(),
        jobs: scratch.jobs.names(),
        mails: scratch.mail_templates.names_of(entry.name),
    };
    tables.events = scratch.events;
    tables.gateways = scratch.gateways;
    tables.mail_templates = scratch.mail_templates;
    tables.commands = scratch.commands;
    tables.tasks = scratch.tasks;
    tables.invariants.append(&mut scratch.invariants);
    tables.examinations.append(&mut scratch.examinations);
    tables.neglected.append(&mut scratch.neglected);
    tables.measurements.append(&mut scratch.measurements);
    tables.backup_folders.append(&mut scratch.backup_folders);
    tables.settings.append(&mut scratch.settings);
    tables.details.append(&mut scratch.details);
    tables.shapes.append(&mut scratch.shapes);
    tables.unit_prices.append(&mut scratch.unit_prices);
    tables.added_lines.append(&mut scratch.added_lines);
    tables.panels.append(&mut scratch.panels);
    tables.facets.append(&mut scratch.facets);
    tables.sitemap.append(&mut scratch.sitemap);
    tables.order_page.0 = tables.order_page.0.or(scratch.order_page.0);
    tables.error_pages = tables.error_pages.take().or(scratch.error_pages);
    tables.page_frame = tables.page_frame.take().or(scratch.page_frame);
    tables.page_templates.append(&mut scratch.page_templates);
    tables.console.append(&mut scratch.console);
    tables.withdrawal_rights.append(&mut scratch.withdrawal_rights);
    tables.webhook_types.append(&mut scratch.webhook_types);
    tables.mistakes.append(&mut scratch.mistakes);
    problems.registration.extend(tables.jobs.merge(scratch.jobs));
    if enabled {
        tables.routes.entries.append(&mut scratch.routes.entries);
        if let Err(text) = tables.abilities.absorb(scratch.abilities) {
            problems.registration.push(text);
        }
        tables.migrations.append(&mut scratch.migrations);
        tables.starting.append(&mut scratch.starting);
    } else {
        tables.shapes.add_routes(&scratch.routes);
        tables.dormant_migrations.append(&mut scratch.migrations);
    }
    description
}

fn freeze(
    mut tables: Tables,
    events: EventBus,
    abilities: Arc<AbilityCatalog>,
    texts: Texts,
    mail_templates: MailTemplates,
    webhook_types: WebhookTypes,
    (console, modules): (ConsoleAbilities, Vec<ModuleDescription>),
) -> Registry {
    tables.shapes.add_routes(&tables.routes);
    let console = Arc::new(console);
    let provided = modules.iter().filter(|module| module.enabled).flat_map(|module| module.entry.capabilities);
    let mut capabilities = provided.chain(CORE_CAPABILITIES).copied().collect::<Vec<_>>();
    capabilities.sort_unstable();
    capabilities.dedup();
    let capabilities = Arc::<[&'static str]>::from(capabilities);
    let products = ProductModules::new(&modules, &tables.settings, Arc::clone(&capabilities));
    let by_module = modules.iter().map(|module| (module.entry.name, module.entry.capabilities));
    let providers = by_module.flat_map(|(name, keys)| keys.iter().map(move |capability| (*capability, name)));
    let selling = SellingRules::new(
        tables.unit_prices,
        tables.added_lines,
        providers.collect(),
        tables.withdrawal_rights.into_iter().collect(),
    );
    let mut migrations = tables.migrations;
    migrations.sort_by_key(|set| (set.name() != CORE, set.name()));
    // Core registers last, since its routes are not opened by modules' abilities, and is told first.
    let (mut invariants, mut examinations) = (tables.invariants, tables.examinations);
    invariants.sort_by_key(|owned| owned.owner != CORE);
    examinations.sort_by_key(|examination| examination.owner != CORE);
    let (jobs, modules) = (Arc::new(tables.jobs), Arc::new(modules));
    let (examinations, webhook_types) = (Arc::new(examinations), Arc::new(webhook_types));
    let shown = ShownTables {
        panels: tables.panels.into(),
        page_templates: tables.page_templates.into(),
        frame: tables.page_frame,
        facets: tables.facets.into(),
        sitemap: tables.sitemap.into(),
        jobs: Arc::clone(&jobs),
        modules: Arc::clone(&modules),
        examinations: Arc::clone(&examinations),
        webhook_types: Arc::clone(&webhook_types),
        members: ApiMembers::new(tables.shapes),
    };
    Registry {
        routes: tables.routes,
        abilities,
        events: Arc::new(events),
        jobs,
        tasks: Arc::new(tables.tasks.build()),
        gateways: Arc::new(tables.gateways.build(CORE)),
        texts,
        mail_templates: Arc::new(mail_templates),
        migrations,
        dormant_migrations: tables.dormant_migrations,
        capabilities,
        details: Arc::new(DetailsTable::new(tables.details)),
        webhook_types,
        selling: Arc::new(selling),
        shown: Arc::new(shown),
        order_page: tables.order_page,
        error_pages: tables.error_pages,
        console_pages: ConsolePages {
            menu: tables.console.menu.into(),
            panels: tables.console.panels.into(),
            waiting: tables.console.waiting.into(),
            ..tables.console_pages
        },
        console,
        commands: tables.commands,
        invariants,
        examinations,
        neglected: tables.neglected,
        measurements: tables.measurements.into(),
        backup_folders: tables.backup_folders,
        modules,
        products: Arc::new(products),
        starting: tables.starting,
    }
}
