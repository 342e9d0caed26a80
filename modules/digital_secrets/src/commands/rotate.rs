//! `stoa digital-secrets rotate-key`.

use clap::Args;
use stoa_core::prelude::*;

use super::sealed;
use crate::vault::rotate;

/// Change the key that values are sealed with.
#[derive(Debug, Args)]
#[command(
    after_help = "Everything is sealed anew with a new key of this module, and the old key is deleted. The installation's key
(`secrets.key_file`), which seals that new key as well as webhook secrets and waiting mails, stays as it is. The shop may run
meanwhile; an interrupted change is finished by the job `digital_secrets.reencrypt`.

Examples:
  stoa digital-secrets rotate-key
  stoa digital-secrets rotate-key --json"
)]
pub(super) struct RotateKey {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl RotateKey {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let rotated = rotate(&cx.parts.db, &cx.parts.random, &cx.parts.cipher).await.map_err(sealed)?;
        if self.json {
            cx.output.json(&rotated)?;
        } else {
            let (key, values, gone) = (rotated.key_id, rotated.values, rotated.deleted_keys);
            cx.output.line(&format!("key {key} is in use: {values} values sealed anew, {gone} older keys deleted"))?;
        }
        match rotated.unreadable {
            0 => Ok(()),
            count => Err(Failure::operation(format!(
                "{count} values cannot be decrypted and stay as they are; the log names them"
            ))),
        }
    }
}
