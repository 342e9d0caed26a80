//! `stoa init`: the way to a shop of one's own, from a few questions to a configuration, a database and an owner who can log in.

mod countries;
mod questions;
mod settings;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use stoa_core::db::Missing;
use stoa_core::random::Random;
use stoa_staff::{LINK_MINUTES, NewStaff, create_staff, make_login_link};

use self::questions::{Answers, local_part};
use self::settings::settings;
use super::Context;
use super::commands::{Commands, Group};
use super::question::{Dialog, is_watched};
use super::serve::base_url;
use crate::failure::Failure;
use crate::installation::{Installation, OpenMode};
use crate::output::{print_json, print_line};
use crate::written_file::{Over, WrittenFile};

pub(super) fn register(commands: &mut Commands) {
    commands.add("init", Group::RunTheShop, Init::run);
}

/// Begin a shop: answer what it needs, and get a short configuration, a database and a login.
#[derive(Debug, Args)]
#[command(
    after_help = "It asks for whatever no option has said, and writes the file of `--config`, or config.toml where you are. A file that is
there is never written over.

Secrets are asked for, or come from the environment: STOA_MAIL__SMTP__PASSWORD, STOA_PAYMENTS__STRIPE__SECRET_KEY …

Examples:
  stoa init
  stoa init --yes --name 'Lamps of Leiden' --country NL --owner ada@example.com
  stoa --config /etc/stoa/config.toml init --base-url https://shop.example.com"
)]
pub(super) struct Init {
    #[command(flatten)]
    answers: Answers,
    /// Ask nothing: what no option says stays as it is by default.
    #[arg(long)]
    yes: bool,
    /// Print what was made as JSON.
    #[arg(long)]
    json: bool,
}

/// What was made.
struct Made {
    file: PathBuf,
    /// The owner's address, and the link to log in with.
    owner: Option<(String, String)>,
    /// What somebody types to run this program.
    command: String,
    starts_with: String,
}

impl Init {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let file = self.file(context)?;
        let mut answers = self.answers.clone();
        answers.check()?;
        if !self.yes {
            ask(&file, &mut answers)?;
        }
        answers.settle();
        let mut written = WrittenFile::begin_over(&file, Over::Keep)?;
        written.write_all(settings(&answers).as_bytes()).map_err(|error| written.failed(&error))?;
        let draft = written.draft()?;
        let made = make_shop(context, &draft, &answers).await;
        let owner = made.map_err(|failure| not_written(&failure, &draft, &file))?;
        written.persist()?;
        let (command, starts_with) = match (context.environment.shop_command(), &context.config) {
            (Some(shop), _) => (shop, String::from("systemctl enable --now stoa")),
            (None, Some(file)) => (String::from("stoa"), format!("stoa --config {} serve", file.display())),
            (None, None) => (String::from("stoa"), String::from("stoa serve")),
        };
        self.tell(&Made { file, owner, command, starts_with })
    }

    /// Where the configuration goes, if nothing is there.
    fn file(&self, context: &Context) -> Result<PathBuf, Failure> {
        let folder = &context.environment.working_directory;
        let file = folder.join(context.config.as_deref().unwrap_or("config.toml".as_ref()));
        if file.exists() {
            return Err(Failure::operation(format!(
                "there is a shop's configuration already: {}. It stays as it is; another shop needs another folder, or \
                 `stoa --config FILE init`",
                file.display()
            )));
        }
        if !self.yes && !is_watched() {
            return Err(Failure::usage(
                "nobody can be asked here: give `--yes`, and options for what shall not be as by default",
            ));
        }
        Ok(file)
    }

    fn tell(&self, made: &Made) -> Result<(), Failure> {
        if self.json {
            let owner = made.owner.as_ref();
            return print_json(&json!({
                "config": made.file,
                "owner": owner.map(|(email, _)| email),
                "login_link": owner.map(|(_, link)| link),
            }));
        }
        print_line(&format!("wrote {}", made.file.display()))?;
        print_line(&format!("start the shop with  {}", made.starts_with))?;
        let command = &made.command;
        match &made.owner {
            Some((email, link)) => print_line(&format!(
                "then log in as {email}, once, within {LINK_MINUTES} minutes:\n  {link}\n\
                 Later, `{command} staff login-link {email}` makes another link."
            )),
            None => print_line(&format!("add whoever works there with `{command} staff create`")),
        }
    }
}

fn ask(file: &Path, answers: &mut Answers) -> Result<(), Failure> {
    let mut dialog = Dialog::new(io::stdin().lock(), io::stderr());
    dialog.say(&format!(
        "A few questions, then {} is written. Enter takes what stands in brackets; all of it can be changed later.\n",
        file.display()
    ))?;
    answers.ask(&mut dialog)
}

/// Why there is no shop yet. The file is left out until there is one, so that nothing is in the way of the next try.
fn not_written(failure: &Failure, draft: &Path, file: &Path) -> Failure {
    let told = failure.to_string().replace(&draft.display().to_string(), &file.display().to_string());
    let told = format!("{told}\n{} was not written; `stoa init` can be run again", file.display());
    match failure {
        Failure::Usage(_) => Failure::Usage(told),
        Failure::Operation(_) | Failure::Said => Failure::Operation(told),
    }
}

/// Makes the database of the new configuration, and the owner in it.
async fn make_shop(context: &Context, file: &Path, answers: &Answers) -> Result<Option<(String, String)>, Failure> {
    let installation = Installation::load(&context.environment, Some(file.to_path_buf()), OpenMode::Configured)?;
    let db = installation.open(Missing::Create).await?;
    installation.refuse_foreign(&db).await?;
    let sets = installation.migration_sets(&db).await?;
    db.migrate(&sets).await?;
    installation.note_key_and_currency(&db).await?;
    let Some(email) = answers.owner.clone() else { return Ok(None) };
    let name = answers.owner_name.clone().unwrap_or_else(|| local_part(&email).to_owned());
    let new = NewStaff { email, name, role: String::from("owner"), password_hash: None };
    let refused = |error: stoa_staff::StaffError| Failure::operation(error.to_string());
    let member = create_staff(&db, &installation.program.registry.console, new).await.map_err(refused)?;
    let link = make_login_link(&db, &Random::system(), &member.email).await.map_err(refused)?;
    let config = &installation.config;
    let url = link.url(&base_url(config, config.server.listen), &config.console.path.0);
    Ok(Some((member.email, url)))
}
