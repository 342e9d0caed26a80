//! `stoa staff login-link`.

use clap::Args;
use serde_json::json;
use stoa_core::random::Random;
use stoa_staff::{LINK_MINUTES, make_login_link};

use super::{Context, Whom, accepted};
use crate::cli::serve::base_url;
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark};

/// Make a link that logs somebody in once, within 15 minutes.
#[derive(Debug, Args)]
#[command(
    after_help = "Whoever has the link is let in as that person: hand it over in private. A second factor is asked for all the same.

Examples:
  stoa staff login-link ada@example.com
  stoa staff login-link --email ada@example.com --json"
)]
pub(super) struct MakeLoginLink {
    #[command(flatten)]
    whom: Whom,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl MakeLoginLink {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let (db, config) = (installation.open_current().await?, &installation.config);
        let link = accepted(&db, make_login_link(&db, &Random::system(), &self.whom.email()).await).await?;
        let url = link.url(&base_url(config, config.server.listen), &config.console.path.0);
        if self.json {
            return print_json(&json!({"url": url, "expires_at": link.expires_at}));
        }
        if !config.console.enabled {
            print_remark(
                "stoa: warning: the console is off; `enabled = true` under `[console]` in the configuration switches it on",
            );
        }
        print_line(&format!("{url}\nThe link works once, within {LINK_MINUTES} minutes."))
    }
}
