//! `stoa openapi`: the OpenAPI document without a running server.

use clap::Args;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::print_json;

pub(super) fn register(commands: &mut Commands) {
    commands.add("openapi", Group::BehindTheScenes, async |command: &Openapi, context: &Context| command.run(context));
}

/// Print the OpenAPI 3.0.3 document of this configuration.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa openapi > openapi.json")]
pub(super) struct Openapi {
    /// Accepted for symmetry with other commands: the document is always JSON.
    #[arg(long)]
    json: bool,
}

impl Openapi {
    fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let server = &installation.config.server;
        let base_url = match &server.base_url {
            Some(url) => url.as_str().to_owned(),
            None => format!("http://{}", server.listen),
        };
        let _ = self.json;
        print_json(&installation.program.document(&base_url))
    }
}
