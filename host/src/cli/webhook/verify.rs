//! `stoa webhook verify`.

use std::fs;
use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::{ArgGroup, Args};
use serde_json::json;
use stoa_core::clock::Clock;
use stoa_core::webhooks::{VerifyError, secrets_of, verify};

use super::{Context, Opened, open};
use crate::cli::jobs::time;
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark};

/// Check the signature of a request that was captured.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("key").args(["secret", "endpoint"]).required(true),
    after_help = "Exit code 0: the signature is right; 1: it is not. The body must be the very bytes that came.

Examples:
  stoa webhook verify --endpoint 1 --timestamp 1768478400 --signature v1=5f0c... --body body.json --any-time
  stoa webhook verify --secret whsec_... --timestamp 1768478400 --signature v1=5f0c... < body.json"
)]
pub(super) struct Verify {
    /// The secret of the endpoint.
    #[arg(long)]
    secret: Option<String>,
    /// The id of the endpoint, whose secrets are taken.
    #[arg(long, value_name = "ID")]
    endpoint: Option<i64>,
    /// The value of X-Service-Timestamp.
    #[arg(long)]
    timestamp: String,
    /// The value of X-Service-Signature.
    #[arg(long)]
    signature: String,
    /// The file with the raw body. Default: standard input.
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// Verify as of this time, instead of now.
    #[arg(long, value_name = "TIME", value_parser = time, conflicts_with = "any_time")]
    at: Option<DateTime<Utc>>,
    /// Verify whatever the timestamp says.
    #[arg(long)]
    any_time: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let secrets = self.secrets(context).await?;
        let body = if let Some(file) = &self.body {
            fs::read(file).map_err(|error| Failure::operation(format!("{}: {error}", file.display())))?
        } else {
            if std::io::stdin().is_terminal() {
                print_remark("Type the body. Ctrl-D on a line of its own ends it.");
            }
            let mut body = Vec::new();
            std::io::stdin().lock().read_to_end(&mut body)?;
            body
        };
        let mut now = self.at.unwrap_or_else(|| Clock::system().now()).timestamp();
        if self.any_time {
            now = self.timestamp.parse().unwrap_or(now);
        }
        let mut verdict = Err(VerifyError::EmptySecret);
        for secret in &secrets {
            verdict = verify(secret, &self.timestamp, &self.signature, &body, now);
            if verdict.is_ok() {
                break;
            }
        }
        if self.json {
            let reason = verdict.err().map(|error| error.to_string());
            print_json(&json!({"valid": reason.is_none(), "reason": reason}))?;
            return if verdict.is_ok() { Ok(()) } else { Err(Failure::Said) };
        }
        match verdict {
            Ok(()) => print_line("the signature is right"),
            Err(error) => Err(Failure::operation(format!("not verified: {error}"))),
        }
    }

    async fn secrets(&self, context: &Context) -> Result<Vec<String>, Failure> {
        if let Some(secret) = &self.secret {
            return Ok(vec![secret.clone()]);
        }
        let id = self.endpoint.unwrap_or_default();
        let Opened { parts, .. } = open(context).await?;
        let known = secrets_of(&parts.db, &parts.cipher).await?;
        match known.into_iter().find(|(of, _)| *of == id) {
            Some((_, secrets)) => Ok(secrets.iter().map(|secret| secret.expose().to_owned()).collect()),
            None => {
                Err(Failure::operation(format!("there is no webhook endpoint {id}; `stoa webhook list` shows all")))
            }
        }
    }
}
