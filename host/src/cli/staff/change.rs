//! `stoa staff set-role`, `disable`, `enable` and `reset`.

use clap::Args;
use stoa_core::db::Db;
use stoa_staff::{disable_staff, enable_staff, find_staff, reset_staff, set_staff_role};

use super::list::described;
use super::{Context, Whom, accepted};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Give somebody another role; it counts at once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa staff set-role ada@example.com --role support")]
pub(super) struct SetRole {
    #[command(flatten)]
    whom: Whom,
    /// What the person may do from now on.
    #[arg(long)]
    role: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl SetRole {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let (db, email) = (installation.open_current().await?, self.whom.email());
        accepted(&db, set_staff_role(&db, &installation.program.registry.console, &email, &self.role).await).await?;
        told(&db, &email, self.json, &format!("{email} has the role {} now", self.role)).await
    }
}

/// Take somebody's access away: sessions end at once, and nobody logs in with this address.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa staff disable ada@example.com")]
pub(super) struct Disable {
    #[command(flatten)]
    whom: Whom,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Disable {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (db, email) = (context.working()?.open_current().await?, self.whom.email());
        accepted(&db, disable_staff(&db, &email).await).await?;
        told(&db, &email, self.json, &format!("{email} cannot log in any more")).await
    }
}

/// Give somebody back what they could do before.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa staff enable ada@example.com")]
pub(super) struct Enable {
    #[command(flatten)]
    whom: Whom,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Enable {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (db, email) = (context.working()?.open_current().await?, self.whom.email());
        accepted(&db, enable_staff(&db, &email).await).await?;
        told(&db, &email, self.json, &format!("{email} can log in again")).await
    }
}

/// Take password, second factor, passkeys and sessions from somebody who has lost them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa staff reset ada@example.com")]
pub(super) struct Reset {
    #[command(flatten)]
    whom: Whom,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reset {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let (db, email) = (context.working()?.open_current().await?, self.whom.email());
        accepted(&db, reset_staff(&db, &email).await).await?;
        let text = format!(
            "password, second factor, passkeys and sessions of {email} are gone; `stoa staff login-link {email}` lets the person in to \
             choose a new password"
        );
        told(&db, &email, self.json, &text).await
    }
}

async fn told(db: &Db, email: &str, json: bool, text: &str) -> Result<(), Failure> {
    if !json {
        return print_line(text);
    }
    let found = find_staff(db, email).await?;
    print_json(&found.as_ref().map(described))
}
