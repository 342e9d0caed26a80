//! `stoa staff`: the people who work in the console.

mod change;
mod create;
mod link;
mod list;

use clap::Args;
use stoa_core::db::Db;
use stoa_core::suggestion::{closest_email, did_you_mean};
use stoa_staff::{StaffError, list_staff};

use super::Context;
use super::commands::{Commands, Group, actions};
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("staff", Group::RunTheShop, Staff::run);
}

/// Manage the people who work in the console.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa staff create --email ada@example.com --name 'Ada Lovelace' --role owner
  stoa staff login-link ada@example.com
  stoa staff list
  stoa staff set-role ada@example.com --role support
  stoa staff disable ada@example.com")]
pub(super) struct Staff {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Staff:
    Create(create::Create),
    List(list::List),
    SetRole(change::SetRole),
    Disable(change::Disable),
    Enable(change::Enable),
    Reset(change::Reset),
    LoginLink(link::MakeLoginLink),
}

/// Whom a command is about: the e-mail address as a word, or as `--email`.
#[derive(Debug, Args)]
#[group(id = "whom", required = true, multiple = false)]
struct Whom {
    /// The e-mail address.
    #[arg(value_name = "EMAIL")]
    address: Option<String>,
    /// The e-mail address.
    #[arg(long)]
    email: Option<String>,
}

impl Whom {
    fn email(&self) -> String {
        let said = self.address.as_deref().or(self.email.as_deref()).unwrap_or_default();
        said.trim().to_lowercase()
    }
}

/// What was done; or why it was refused, with whom the operator may have meant.
async fn accepted<T>(db: &Db, ended: Result<T, StaffError>) -> Result<T, Failure> {
    let error = match ended {
        Ok(done) => return Ok(done),
        Err(error) => error,
    };
    Err(match error {
        StaffError::NotFound(email) => list_staff(db).await.map_or_else(Failure::from, |people| {
            let instead = match closest_email(&email, people.iter().map(|member| member.email.as_str())) {
                None => String::from("; `stoa staff list` shows all"),
                meant => did_you_mean(meant),
            };
            Failure::operation(format!("nobody of the staff has the e-mail address {email}{instead}"))
        }),
        StaffError::Disabled(email) => {
            Failure::operation(format!("{email} may not log in; `stoa staff enable {email}` lets the person in again"))
        }
        StaffError::Taken(_) => Failure::operation(format!("{error}; `stoa staff list` shows all")),
        StaffError::Email(_) => Failure::usage(format!("{error}, such as ada@example.com")),
        StaffError::Name | StaffError::Role(_) => Failure::usage(error.to_string()),
        StaffError::LastOwner(_) | StaffError::Db(_) => error.into(),
    })
}
