//! `stoa doctor`: a thorough look at an installation. Every finding names what mends it.

mod clock;
pub(super) mod configuration;
pub(super) mod currency;
pub(super) mod database;
mod descriptors;
pub(super) mod doubtful;
pub(super) mod finding;
mod follower;
pub(super) mod forgotten;
mod jobs;
pub(super) mod key;
mod leftovers;
mod limits;
mod media;
pub(super) mod migrations;
pub(super) mod modules;
mod permissions;
pub(super) mod providers;
mod queries;
mod servers;
mod storage;

use clap::Args;
use stoa_core::clock::Clock;
use stoa_core::commands::{Output, Progress};
use stoa_core::config::{DatabaseUrl, EncryptionKey};
use stoa_core::db::Db;
use stoa_core::doctor::Needs;
use stoa_core::encryption::Cipher;
use stoa_core::error_chain;
use stoa_core::from_shop::ShopParts;
use stoa_core::module::Registry;
use stoa_core::random::Random;

use self::finding::{Finding, Report, State, counted};
use super::Context;
use super::commands::{Commands, Group};
use super::serve::base_url;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::print_line;

pub(super) fn register(commands: &mut Commands) {
    commands.add("doctor", Group::RunTheShop, Doctor::run);
}

/// Look for everything that is wrong or unwise, with what mends it.
#[derive(Debug, Args)]
#[command(after_help = "It changes nothing and may run beside the shop. Exit code 0: nothing fails; 1: something does.

Examples:
  stoa doctor
  stoa --config /etc/stoa/config.toml doctor --json")]
pub(super) struct Doctor {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Doctor {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let progress = Progress::begin("looking at the shop and at what it talks to");
        let report = examine(&installation).await;
        drop(progress);
        if self.json {
            report.print_json()?;
            return if report.has_failure() { Err(Failure::Said) } else { Ok(()) };
        }
        report.print_text(State::Ok, &Output::standard())?;
        let count = |state, one, many| counted(i64::try_from(report.count(state)).unwrap_or(i64::MAX), one, many);
        let warnings = count(State::Warning, "warning", "warnings");
        let failures = count(State::Failure, "failure", "failures");
        print_line(&format!("\n{} checks passed, {warnings}, {failures}", report.count(State::Ok)))?;
        if report.has_failure() { Err(Failure::operation(format!("{failures} found"))) } else { Ok(()) }
    }
}

async fn examine(installation: &Installation) -> Report {
    let config = &installation.config;
    let mut report = Report::default();
    report.add([configuration::source(installation)]);
    report.add(configuration::purpose(installation.purpose));
    report.add(installation.file.as_deref().map(|file| permissions::config_file(file, config)));
    report.add([media::state(&config.media).await]);
    report.add(leftovers::state(config, &installation.program.registry));
    report.add([configuration::base_url(config), configuration::trusted_proxies(config)]);
    report.add([configuration::limits(&config.limits), limits::store(&config.limits.store).await]);
    report.add([descriptors::limit(config)]);
    report.add(configuration::gateways(&config.payments));
    report.add(forgotten::forgotten(config));
    report.add(doubtful::doubtful(config));
    report.add(providers::test_keys(config));
    report.add(forgotten::variables(&installation.misnamed));
    report.add(modules::state(&installation.program.registry));
    let base_url = base_url(config, config.server.listen);
    report.add(installation.program.start_findings(&base_url));
    report.add(providers::mail(config, &base_url).await);
    report.add([clock::plausible(Clock::system().now())]);
    match database::reach(installation).await {
        Ok((db, reachable)) => {
            report.add([reachable]);
            examine_database(&mut report, installation, &db).await;
            db.close().await;
        }
        Err(unreachable) => report.add([unreachable, key::file(&config.secrets)]),
    }
    report
}

async fn examine_database(report: &mut Report, installation: &Installation, db: &Db) {
    let (config, registry) = (&installation.config, &installation.program.registry);
    report.add(database::kept(&config.database.url));
    if let DatabaseUrl::SqliteFile(file) = &config.database.url {
        report.add([permissions::database_file(file), storage::local_disk(file), storage::free_space(file)]);
    }
    report.add_result("database.settings", database::settings(db, config).await);
    report.add_result("database.pooler", servers::pooler(db, &config.database).await);
    report.add(servers::servers(db).await);
    report.add(servers::replica(db).await);
    report.add([database::writable(db).await]);
    report.add([database::integrity(db).await]);
    let sets = installation.migration_sets(db).await.unwrap_or_else(|_| registry.migrations.clone());
    report.add_result("migrations", migrations::state(db, &sets, config).await);
    if installation.refuse_foreign(db).await.is_err() || installation.refuse_pending(db).await.is_err() {
        // The tables that follow may not be there, or be other ones.
        report.add([key::file(&config.secrets)]);
        return;
    }
    report.add([key::belongs(db, &config.secrets).await, currency::is_kept(db, installation.program.currency).await]);
    report.add_result("clock", clock::agreement(db).await);
    report.add_result("modules", modules::neglected(db, registry).await);
    let base_url = base_url(config, config.server.listen);
    // These unseal nothing, so that any key will do where the shop's is lost.
    let random = Random::system();
    let any = Cipher::new(&EncryptionKey::new(random.bytes()), random);
    match installation.program.parts(db.clone(), any, &base_url) {
        Ok(parts) => examine_parts(report, registry, Needs::Database, &parts).await,
        Err(error) => report.add([Finding::failure(
            "outbound",
            format!("nobody can be called over HTTPS: {}", error_chain(&error)),
            "install the system's certificates, such as the package `ca-certificates`, where this user can read them",
        )]),
    }
    report.add_result("jobs", jobs::state(db, registry).await);
    if let Ok(parts) = installation.parts(db.clone(), &base_url).await {
        examine_parts(report, registry, Needs::Shop, &parts).await;
    }
}

/// What core's features and modules look at.
async fn examine_parts(report: &mut Report, registry: &Registry, needs: Needs, parts: &ShopParts) {
    for examination in registry.examinations.iter().filter(|examination| examination.needs == needs) {
        report.add_result(examination.check, examination.run(parts).await);
    }
}
