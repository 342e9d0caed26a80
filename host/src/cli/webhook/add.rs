//! `stoa webhook add` and `set`.

use clap::{ArgGroup, Args, ValueEnum};
use stoa_core::program::Program;
use stoa_core::secret::Secret;
use stoa_core::webhooks::{
    ChangeError, EndpointChange, EndpointKind, NewEndpoint, add_endpoint, change_endpoint, check_destination,
    find_endpoint, subscribed,
};
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::outbound::{Destination, Reach};

use super::{Context, Opened, describe, event, open, refuse_unknown, secret};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark};

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

/// Change where an endpoint sends to, what its destination understands, or its events.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("change").args(["url", "kind", "events"]).required(true).multiple(true),
    after_help = "What is not said stays, and so does the secret. What waits is sent to where the endpoint leads then.

Examples:
  stoa webhook set 1 --event order.paid --event order.shipped
  stoa webhook set 1 --url https://accounting.example.com/stoa --json"
)]
pub(super) struct Set {
    /// The endpoint's id.
    id: i64,
    /// Another destination: an https:// URL at a public address.
    #[arg(long)]
    url: Option<String>,
    /// What the destination understands.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// The events from now on, or `*` for all; may be repeated.
    #[arg(long = "event", id = "events", value_name = "EVENT", num_args = 1.., value_parser = event)]
    events: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let Opened { program, parts } = open(context).await?;
        refuse_unknown(&program, self.events.iter())?;
        if let Some(url) = &self.url {
            check(&program, &parts, url).await?;
        }
        let found = find_endpoint(&parts.db, self.id).await?.ok_or(ChangeError::Unknown(self.id))?;
        let before = EndpointChange::of(&found);
        let events = if self.events.is_empty() { before.events.clone() } else { self.events.clone() };
        let new = EndpointChange {
            url: self.url.clone().unwrap_or_else(|| before.url.clone()),
            kind: self.kind.map_or(before.kind, Into::into),
            events: subscribed(events),
        };
        let endpoint = change_endpoint(&parts.db, self.id, &before, &new).await?;
        if self.json {
            return print_json(&describe(&endpoint));
        }
        print_line(&format!("endpoint {} sends {} to {}", endpoint.id, endpoint.events.join(" "), endpoint.url))
    }
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
        check(&program, &parts, &self.url).await?;
        let (kind, events) = (self.kind.into(), subscribed(self.events.clone()));
        let new = NewEndpoint { url: self.url.clone(), kind, events, secret: self.secret.clone().map(Secret::new) };
        let (endpoint, secret) = add_endpoint(&parts.db, &parts.random, &parts.cipher, &parts.config, new).await?;
        if self.json {
            let mut described = describe(&endpoint);
            described["secret"] = secret.expose().into();
            return print_json(&described);
        }
        print_remark(&format!("Endpoint {} was added. Its receiver needs this secret:", endpoint.id));
        print_line(secret.expose())
    }
}

impl From<Kind> for EndpointKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Http => Self::Http,
            Kind::Chat => Self::Chat,
        }
    }
}

/// Refuses a URL that would never be sent to, and tells of one that cannot be looked up.
async fn check(program: &Program, parts: &ShopParts, url: &str) -> Result<(), Failure> {
    let notice = check_destination(&parts.config, &program.webhooks, url).await.map_err(failure)?;
    if let Some(notice) = notice {
        print_remark(&format!("stoa: {notice}; the endpoint is written down all the same"));
    }
    // That it is allowed, this command has read just now, and the shop at its start.
    if Destination::parse(url, Reach::Public).is_err() {
        print_remark(
            "stoa: this is no https:// URL at a public address. If the shop runs since before `webhooks.allow_private_destinations` was set, \
             restart it: until then it refuses what is sent there",
        );
    }
    Ok(())
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
