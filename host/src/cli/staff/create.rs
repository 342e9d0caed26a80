//! `stoa staff create`.

use clap::Args;
use stoa_staff::{LINK_MINUTES, NewStaff, check_staff_password, create_staff};

use super::list::described;
use super::{Context, accepted};
use crate::cli::customer::read_password;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Add somebody.
#[derive(Debug, Args)]
#[command(after_help = "Without a password, `stoa staff login-link` lets the person in to choose one.

Roles: owner (everything), manager (everything but staff and settings), support, warehouse, accountant, viewer, and those of
`[console.roles]` in the configuration.

Examples:
  stoa staff create --email ada@example.com --name 'Ada Lovelace' --role owner
  stoa staff create --email grace@example.com --name 'Grace Hopper' --role warehouse --password-stdin < password.txt")]
pub(super) struct Create {
    /// The e-mail address, which is the login name.
    #[arg(long)]
    email: String,
    /// The person's name.
    #[arg(long)]
    name: String,
    /// What the person may do.
    #[arg(long, value_name = "owner|manager|support|warehouse|accountant|viewer|…")]
    role: String,
    /// Read a password from standard input, up to the first line break.
    #[arg(long)]
    password_stdin: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let password = if self.password_stdin { Some(read_password()?) } else { None };
        let installation = context.working()?;
        let program = &installation.program;
        if let Some(password) = &password {
            let checked = check_staff_password(password, &self.email, &program.config.shop.name);
            checked.map_err(|weak| Failure::usage(weak.to_string()))?;
        }
        let db = installation.open_current().await?;
        let password_hash = match password {
            Some(password) => Some(program.passwords.hash(password).await?),
            None => None,
        };
        let new =
            NewStaff { email: self.email.clone(), name: self.name.clone(), role: self.role.clone(), password_hash };
        let member = accepted(&db, create_staff(&db, &program.registry.console, new).await).await?;
        if self.json {
            return print_json(&described(&member));
        }
        print_line(&format!("{} works here now, with the role {}", member.email, member.role))?;
        if member.has_password {
            return Ok(());
        }
        print_line(&format!(
            "There is no password yet: `stoa staff login-link {}` makes a link that works once, within {LINK_MINUTES} minutes.",
            member.email
        ))
    }
}
