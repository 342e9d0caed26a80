//! `stoa webhook add`.

use clap::{Args, ValueEnum};
use stoa_core::secret::Secret;
use stoa_core::webhooks::{ChangeError, EndpointKind, NewEndpoint, add_endpoint, check_destination};

use super::{Context, Opened, describe, event, open, refuse_unknown, secret};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Add an endpoint, and print the secret that signs for it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa webhook add --url https://accounting.example.com/stoa --event order.paid --event refund.recorded
  stoa webhook add --url https://chat.example.com/api/webhooks/1/abc --kind chat --event '*'
  stoa webhook add --url https://example.com/hook --event '*' --json")]
pub(super) struct Add {
    /// Where to: an https:// URL at a public address.
    #[arg(long)]
    url: String,
    /// What the destination understands.
    #[arg(long, value_enum, default_value_t = Kind::Http)]
    kind: Kind,
    /// An event to subscribe to, or `*` for all; may be repeated.
    #[arg(long = "event", value_name = "EVENT", required = true, num_args = 1.., value_parser = event)]
    events: Vec<String>,
    /// The secret that signs. Default: a new one.
    #[arg(long, value_parser = secret)]
    secret: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What the destination understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A program: JSON about the event.
    Http,
    /// A chat that takes Discord's format: a message for people.
    Chat,
}

impl Add {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let Opened { program, parts } = open(context).await?;
        refuse_unknown(&program, self.events.iter())?;
        let notice = check_destination(&parts.config, &program.webhooks, &self.url).await.map_err(failure)?;
        if let Some(notice) = notice {
            eprintln!("stoa: {notice}; the endpoint is added all the same");
        }
        let mut events = self.events.clone();
        events.sort_unstable();
        events.dedup();
        if events.iter().any(|name| name == "*") {
            events = vec![String::from("*")];
        }
        let kind = match self.kind {
            Kind::Http => EndpointKind::Http,
            Kind::Chat => EndpointKind::Chat,
        };
        let new = NewEndpoint { url: self.url.clone(), kind, events, secret: self.secret.clone().map(Secret::new) };
        let (endpoint, secret) = add_endpoint(&parts.db, &parts.random, &parts.cipher, &parts.config, new).await?;
        if self.json {
            let mut described = describe(&endpoint);
            described["secret"] = secret.expose().into();
            return print_json(&described);
        }
        eprintln!("Endpoint {} was added. Its receiver needs this secret:", endpoint.id);
        print_line(secret.expose())
    }
}

/// A destination that is refused was asked for wrongly.
fn failure(error: ChangeError) -> Failure {
    match error {
        ChangeError::Refused { ref refusal, .. } if refusal.is_about_privacy() => Failure::operation(format!(
            "--url: {error}; to try things out on this machine, set `webhooks.allow_private_destinations = true`"
        )),
        ChangeError::Refused { .. } => Failure::operation(format!("--url: {error}")),
        other => other.into(),
    }
}
