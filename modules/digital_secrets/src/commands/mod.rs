//! `stoa digital-secrets`: what operators do with pools and with what was delivered.

mod add;
mod find;
mod list;
mod pools;
mod queries;
mod replace;
mod rotate;
mod show;
mod source;

use clap::{Args, Subcommand};
use stoa_core::prelude::*;
use stoa_core::suggestion::meant_or;

use crate::config::Config;
use crate::replacing::ReplaceError;
use crate::vault::VaultError;

/// Manage digital secrets: license keys, codes and other values that are delivered once an order is paid.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa digital-secrets add agora-sans keys.txt
  stoa digital-secrets pools
  stoa digital-secrets list --order O-000042
  stoa digital-secrets replace 7 --reason 'The vendor says it was used before'")]
pub(crate) struct DigitalSecretsCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Add(add::Add),
    Pools(pools::Pools),
    LowWater(pools::LowWater),
    Values(list::Values),
    List(list::List),
    Show(show::Show),
    Reveals(show::Reveals),
    Find(find::Find),
    Replace(replace::Replace),
    Void(replace::Void),
    RotateKey(rotate::RotateKey),
}

impl ModuleCommand for DigitalSecretsCommand {
    const NAME: &'static str = "digital-secrets";
    type State = Config;

    async fn run(self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        match self.action {
            Action::Add(add) => add.run(config, cx).await,
            Action::Pools(pools) => pools.run(config, cx).await,
            Action::LowWater(low_water) => low_water.run(config, cx).await,
            Action::Values(values) => values.run(cx).await,
            Action::List(list) => list.run(cx).await,
            Action::Show(show) => show.run(cx).await,
            Action::Reveals(reveals) => reveals.run(cx).await,
            Action::Find(find) => find.run(cx).await,
            Action::Replace(replace) => replace.run(config, cx).await,
            Action::Void(void) => void.run(config, cx).await,
            Action::RotateKey(rotate) => rotate.run(cx).await,
        }
    }
}

/// There is no such digital secret.
fn unknown(id: i64) -> Failure {
    ReplaceError::UnknownUnit(id).into()
}

/// There is no such pool.
async fn unknown_pool(db: &Db, name: &str) -> Failure {
    let known = db.read(queries::POOL_NAMES).scalars::<String>().await;
    known.map_or_else(Failure::from, |known| {
        let known = known.iter().map(String::as_str);
        let instead = meant_or(name, known, "`stoa digital-secrets pools` lists all");
        Failure::operation(format!("there is no pool `{name}`{instead}"))
    })
}

/// What an id on the command line can be.
fn id() -> clap::builder::RangedI64ValueParser<i64> {
    clap::value_parser!(i64).range(1..)
}

/// A time in a table, or a dash.
fn time_or_dash(time: Option<chrono::DateTime<chrono::Utc>>) -> String {
    time.map_or_else(|| String::from("-"), shown_time)
}

/// An error of the vault as operators read it.
fn sealed(error: VaultError) -> Failure {
    match error {
        VaultError::Db(error) => error.into(),
        other => Failure::operation(format!("{other}; `stoa doctor` tells about the keys")),
    }
}
