//! `stoa check`: whether configuration and database are right.

use clap::Args;
use stoa_core::commands::Output;

use super::Context;
use super::commands::{Commands, Group};
use super::doctor::finding::{Report, State};
use super::doctor::{configuration, currency, database, doubtful, forgotten, key, migrations, modules, providers};
use super::serve::base_url;
use crate::failure::Failure;
use crate::installation::Installation;

pub(super) fn register(commands: &mut Commands) {
    commands.add("check", Group::RunTheShop, Check::run);
}

/// Check configuration, database, migrations, gateways, and what modules need to start.
#[derive(Debug, Args)]
#[command(after_help = "It changes nothing. Exit code 0: all is well; 1: something is wrong; 2: the configuration is.

Examples:
  stoa check
  stoa check --config /etc/stoa/config.toml --json")]
pub(super) struct Check {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Check {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let report = check(&installation).await;
        if self.json {
            report.print_json()?;
            return if report.has_failure() { Err(Failure::Said) } else { Ok(()) };
        }
        if report.has_failure() {
            let output = Output::standard_error();
            output.line("stoa: not everything is right")?;
            report.print_text(State::Warning, &output)?;
            return Err(Failure::Said);
        }
        report.print_text(State::Ok, &Output::standard())
    }
}

async fn check(installation: &Installation) -> Report {
    let (config, registry) = (&installation.config, &installation.program.registry);
    let mut report = Report::default();
    report.add([configuration::source(installation)]);
    report.add(configuration::purpose(installation.purpose));
    match database::reach(installation).await {
        Ok((db, reachable)) => {
            report.add([reachable]);
            report.add(database::kept(&config.database.url));
            let sets = installation.migration_sets(&db).await.unwrap_or_else(|_| registry.migrations.clone());
            report.add_result("migrations", migrations::state(&db, &sets, config).await);
            if installation.refuse_pending(&db).await.is_ok() {
                report.add([key::belongs(&db, &config.secrets).await]);
                report.add([currency::is_kept(&db, installation.program.currency).await]);
                report.add_result("modules", modules::neglected(&db, registry).await);
            }
            db.close().await;
        }
        Err(unreachable) => report.add([unreachable]),
    }
    report.add(modules::state(registry));
    report.add(installation.program.start_findings(&base_url(config, config.server.listen)));
    report.add(configuration::wrong_port(config));
    report.add(configuration::gateways(&config.payments));
    report.add(forgotten::forgotten(config));
    report.add(doubtful::doubtful(config));
    report.add(providers::test_keys(config));
    report.add(forgotten::variables(&installation.misnamed));
    report
}

#[cfg(test)]
mod tests {
    use stoa_core::prelude::*;
    use tempfile::TempDir;

    use super::*;
    use crate::cli::doctor::finding::State;
    use crate::environment::Environment;
    use crate::installation::OpenMode;

    /// A module of this test's program whose author forgot to map its prefix.
    struct Forgetful;

    impl Module for Forgetful {
        const NAME: &'static str = "forgetful";
        type Config = ();

        fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
            cx.routes((), routes().get("notes.index", "/notes", forget).summary("List what was forgotten"))
        }
    }

    stoa_core::module!(Forgetful);

    async fn forget(_customer: Customer) -> ApiResult<Data<Vec<String>>> {
        Ok(Data(Vec::new()))
    }

    #[tokio::test]
    async fn routes_that_refuse_everybody_are_told_and_are_no_failure() {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let environment = Environment {
            arguments: vec!["stoa".into(), "check".into()],
            variables: vec![("STOA_MODULES__FORGETFUL__ENABLED".into(), "true".into())],
            working_directory: folder.path().to_owned(),
            executable: None,
        };
        let installation = Installation::load(&environment, None, OpenMode::Configured).expect("nothing is refused");
        installation.open_migrated().await.expect("a database is made").close().await;
        let report = check(&installation).await;
        assert!(!report.has_failure(), "{report:?}");
        let told = Output::kept();
        report.print_text(State::Warning, &told).expect("it is kept");
        let told = told.text();
        assert!(told.contains("the routes `notes.…` of the module `forgetful` refuse everybody"), "{told}");
    }
}
