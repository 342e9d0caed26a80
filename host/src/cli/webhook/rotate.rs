//! `stoa webhook rotate-secret`.

use chrono::TimeDelta;
use clap::Args;
use stoa_core::secret::Secret;
use stoa_core::webhooks::{ChangeError, MAX_OVERLAP_HOURS, find_endpoint, rotate_secret};

use super::{Context, Opened, describe, open, secret};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark, shown_time};

/// Give an endpoint another secret, and print it. For a while the one before signs too.
#[derive(Debug, Args)]
#[command(after_help = "While both sign, the header X-Service-Signature holds two candidates, separated by a comma.

Examples:
  stoa webhook rotate-secret 1
  stoa webhook rotate-secret 1 --overlap 0
  stoa webhook rotate-secret 1 --json")]
pub(super) struct RotateSecret {
    /// The endpoint's id.
    id: i64,
    /// Hours for which the secret before signs too; 0 when it has become known to others.
    #[arg(long, value_name = "HOURS", default_value_t = 24, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i64).range(0..=MAX_OVERLAP_HOURS))]
    overlap: i64,
    /// The new secret. Default: one is made.
    #[arg(long, value_parser = secret)]
    secret: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl RotateSecret {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let Opened { parts, .. } = open(context).await?;
        let own = self.secret.clone().map(Secret::new);
        let rotated =
            rotate_secret(&parts.db, &parts.random, &parts.cipher, self.id, own, TimeDelta::hours(self.overlap))
                .await?;
        if self.json {
            let endpoint = find_endpoint(&parts.db, self.id).await?.ok_or(ChangeError::Unknown(self.id))?;
            let mut described = describe(&endpoint);
            described["secret"] = rotated.secret.expose().into();
            return print_json(&described);
        }
        let before = match rotated.previous_until {
            Some(until) => format!("signs too until {}", shown_time(until)),
            None => String::from("signs no more"),
        };
        print_remark(&format!("The secret before {before}. The new one:"));
        print_line(rotated.secret.expose())
    }
}
