//! `stoa modules`: what is linked, and what of it is switched on.

use clap::Args;
use serde_json::{Value, json};
use stoa_core::module::ModuleDescription;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json_list, print_list};

pub(super) fn register(commands: &mut Commands) {
    commands.add("modules", Group::BehindTheScenes, async |command: &Modules, context: &Context| command.run(context));
}

/// List the modules of this program.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa modules\n  stoa modules --json")]
pub(super) struct Modules {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Modules {
    fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let modules = &installation.program.registry.modules;
        if self.json {
            return print_json_list(&modules.iter().map(describe).collect::<Vec<_>>());
        }
        let rows = modules.iter().map(|module| {
            let state = if module.enabled { "on" } else { "off" };
            vec![
                module.entry.name.to_owned(),
                state.to_owned(),
                module.entry.version.to_owned(),
                routes_of(module),
                module.abilities.join(", "),
                module.events.iter().map(|(event, _)| *event).collect::<Vec<_>>().join(", "),
            ]
        });
        let head = ["MODULE", "STATE", "VERSION", "ROUTES", "ABILITIES", "LISTENS TO"];
        print_list(&head, rows, "this program was built without modules")
    }
}

/// The routes, and how many pages there are besides.
fn routes_of(module: &ModuleDescription) -> String {
    let pages = (!module.pages.is_empty()).then(|| format!("{} pages", module.pages.len()));
    module.routes.iter().map(|(route, _)| route.clone()).chain(pages).collect::<Vec<_>>().join(", ")
}

fn describe(module: &ModuleDescription) -> Value {
    let routes = module.routes.iter().map(|(route, ability)| {
        let (method, path) = route.split_once(' ').unwrap_or(("", route));
        json!({"method": method, "path": path, "ability": ability, "refused": ability.is_none()})
    });
    let events = module.events.iter().map(|(event, listener)| json!({"event": event, "listener": listener}));
    json!({
        "key": module.entry.name,
        "enabled": module.enabled,
        "version": module.entry.version,
        "crate": module.entry.crate_name,
        "routes": routes.collect::<Vec<_>>(),
        "abilities": module.abilities,
        "capabilities": module.entry.capabilities,
        "events": events.collect::<Vec<_>>(),
        "jobs": module.jobs,
        "mails": module.mails,
        "pages": module.pages,
    })
}
