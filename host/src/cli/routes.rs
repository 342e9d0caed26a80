//! `stoa routes`: the route table as it would be mounted.

use clap::Args;
use serde_json::json;
use stoa_core::http::table::Access;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json_list, print_table};

pub(super) fn register(commands: &mut Commands) {
    commands.add("routes", Group::BehindTheScenes, async |command: &Routes, context: &Context| command.run(context));
}

/// List all routes with who may use them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa routes\n  stoa routes --json")]
pub(super) struct Routes {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Routes {
    fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let routes = &installation.program.registry.routes.entries;
        if self.json {
            let items = routes.iter().map(|owned| {
                let route = &owned.route;
                json!({"name": route.name, "method": route.method.as_str(), "path": route.full_path(),
                       "access": access(route.access), "owner": owned.owner})
            });
            return print_json_list(&items.collect::<Vec<_>>());
        }
        let rows = routes.iter().map(|owned| {
            let route = &owned.route;
            vec![
                route.method.to_string(),
                route.full_path(),
                access(route.access).to_owned(),
                route.name.to_owned(),
                owned.owner.to_owned(),
            ]
        });
        print_table(&["METHOD", "PATH", "ACCESS", "NAME", "OWNER"], rows)
    }
}

fn access(access: Access) -> &'static str {
    match access {
        Access::Public(_) => "public",
        Access::Cart => "cart",
        Access::Credentials => "credentials",
        Access::FirstParty => "first party",
        Access::Session => "session",
        Access::Page | Access::ShopPage => "page",
        Access::Console(ability) => ability.unwrap_or("staff"),
        Access::ConsoleDoor => "console",
        Access::Callback => "callback",
        Access::Ability(ability) => ability,
        Access::Unmapped | Access::ByPrefix => "REFUSED",
    }
}
