//! `stoa check`: whether configuration and database are right.

use clap::Args;

use super::Context;
use super::doctor::finding::{Report, State};
use super::doctor::{configuration, database, key, migrations, modules};
use crate::failure::Failure;
use crate::installation::Installation;

/// Check configuration, database, migrations, modules and gateways.
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
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let report = check(&installation).await;
        if self.json {
            report.print_json()?;
            return if report.has_failure() { Err(Failure::Said) } else { Ok(()) };
        }
        if report.has_failure() {
            return Err(Failure::operation(format!("not everything is right\n{}", report.text(State::Warning))));
        }
        report.print_text()
    }
}

async fn check(installation: &Installation) -> Report {
    let (config, registry) = (&installation.config, &installation.program.registry);
    let mut report = Report::default();
    report.add([configuration::source(installation)]);
    match database::reach(installation).await {
        Ok((db, reachable)) => {
            report.add([reachable]);
            report.add(database::kept(&config.database.url));
            let sets = installation.migration_sets(&db).await.unwrap_or_else(|_| registry.migrations.clone());
            report.settle("migrations", migrations::state(&db, &sets, config).await);
            if installation.refuse_pending(&db).await.is_ok() {
                report.add([key::belongs(&db, &config.secrets).await]);
            }
            db.close().await;
        }
        Err(unreachable) => report.add([unreachable]),
    }
    report.add(modules::state(registry));
    report.add(configuration::gateways(&config.payments));
    report
}
