//! `stoa new-module`: the crate of a new module, complete with tests.

mod manifest;
mod name;
mod parts;
mod selection;
mod surroundings;
mod template;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use self::manifest::CoreSource;
use self::name::ModuleName;
use self::parts::{Part, Parts};
use self::surroundings::CrateSurroundings;
use super::Context;
use super::commands::{Commands, Group};
use super::question::{Dialog, is_watched};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

pub(super) fn register(commands: &mut Commands) {
    commands.add("new-module", Group::Authors, async |command: &NewModule, context: &Context| command.run(context));
}

/// Write the crate of a new module, which works at once and is made one's own from there.
#[derive(Debug, Args)]
#[command(
    after_help = "Each part comes with its tests for SQLite and PostgreSQL, and with what it needs: `page` brings `route`, and `route`, `event`, `job`,
`command` and `watch` bring `table`. Without `--with` you are asked at a terminal; elsewhere the module has all parts.
Nothing is overwritten. The author's guide is core/README.md.

Examples:
  stoa new-module guest_book
  stoa new-module guest_book --with route,job
  stoa new-module guest_book --dir ../guest-book --json"
)]
pub(super) struct NewModule {
    /// The module's name, such as `guest_book`: its key in the configuration, and what its tables begin with.
    name: String,
    /// The folder of the crate, which must not be there yet or be empty; `modules/<name>` if not given.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// What the module has; several are separated by commas.
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    with: Vec<Part>,
    /// A checkout of Stoa, to compile against; the one that this program or the folder lies in, else the published package.
    #[arg(long, value_name = "DIR")]
    stoa: Option<PathBuf>,
    /// Print what was written as JSON.
    #[arg(long)]
    json: bool,
}

impl NewModule {
    fn run(&self, context: &Context) -> Result<(), Failure> {
        let name = ModuleName::parse(&self.name)?;
        let given = self.dir.clone().unwrap_or_else(|| Path::new("modules").join(name.as_str()));
        let folder = surroundings::absolute(&context.environment.working_directory, &given);
        let stoa = self.stoa.as_ref().map(|stoa| surroundings::absolute(&context.environment.working_directory, stoa));
        let surroundings = CrateSurroundings::find(&folder, stoa.as_deref(), &context.environment)?;
        surroundings::refuse_filled(&folder)?;
        let parts = self.parts()?;
        let files = template::files(&name, &parts, &surroundings);
        surroundings::write(&folder, &files)?;
        let lines = Lines::of(&name, &folder, &surroundings);
        if self.json {
            let files = files.iter().map(|(path, _)| *path).collect::<Vec<_>>();
            return print_json(&json!({
                "name": name.as_str(), "crate": name.crate_name(), "folder": folder, "parts": parts.words(), "files": files,
                "dependency": lines.dependency, "link": lines.link, "switch": lines.switch, "core": surroundings.core.describe(),
            }));
        }
        print_line(&format!("the module `{}` is in {}", name.as_str(), folder.display()))?;
        print_line(&format!("It has: {}", parts.words().join(", ")))?;
        print_line(&format!("{}\n", surroundings.core.told()))?;
        print_line("Two lines make it part of a program, and a section of the configuration switches it on:")?;
        print_line(&format!("  {:<24}{}", lines.manifest, lines.dependency))?;
        print_line(&format!("  {:<24}{}", lines.program, lines.link))?;
        print_line(&format!("  {:<24}{}\n", "config.toml", lines.switch.replace('\n', &format!("\n{:26}", ""))))?;
        print_line(&format!("Test it with: {}", lines.test))?;
        print_line(&format!("Go on with the author's guide: {}", surroundings.core.guide()))
    }

    fn parts(&self) -> Result<Parts, Failure> {
        match self.with.as_slice() {
            [] if is_watched() => Parts::ask(&mut Dialog::new(io::stdin().lock(), io::stderr())),
            [] => Ok(Parts::whole()),
            parts => Ok(Parts::of(parts)),
        }
    }
}

/// What is left to do by hand.
struct Lines {
    /// The file of the first line, and the line.
    manifest: &'static str,
    dependency: String,
    /// The file of the second line, and the line.
    program: &'static str,
    link: String,
    /// The section of the configuration.
    switch: String,
    test: String,
}

impl Lines {
    fn of(name: &ModuleName, folder: &Path, surroundings: &CrateSurroundings) -> Self {
        let link = format!("use {} as _;", name.crate_name().replace('-', "_"));
        let switch = format!("[modules.{}]\nenabled = true", name.as_str());
        match &surroundings.core {
            CoreSource::Workspace(root) => Self {
                manifest: "host/Cargo.toml",
                dependency: dependency(name, &surroundings::relative(&root.join("host"), folder)),
                program: "host/src/modules.rs",
                link,
                switch,
                test: format!("cargo test -p {}", name.crate_name()),
            },
            CoreSource::Checkout(_) | CoreSource::Published(_) => Self {
                manifest: "your Cargo.toml",
                dependency: dependency(name, &folder.display().to_string()),
                program: "your src/main.rs",
                link,
                switch,
                test: format!("cargo test --manifest-path {}", folder.join("Cargo.toml").display()),
            },
        }
    }
}

fn dependency(name: &ModuleName, path: &str) -> String {
    format!("{} = {{ path = {} }}", name.crate_name(), toml::Value::from(path))
}
