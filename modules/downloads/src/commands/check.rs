//! `stoa downloads check`: whether what was sold is still there.

use clap::Args;
use serde_json::json;
use stoa_core::commands::Progress;
use stoa_core::prelude::*;

use crate::integrity::{Checked, Depth, check_all, unknown_objects};
use crate::queries;
use crate::routes::DownloadsState;
use crate::storage::StorageKey;

/// Read all stored files and compare them with what was attached.
///
/// Ends with exit code 1 when a file is missing or damaged. Objects that the database does not know are told, and removed
/// only with --remove-unknown: they may be another shop's, or newer than a database that was restored.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa downloads check
  stoa downloads check --quick                 existence and size alone
  stoa downloads check --remove-unknown --json")]
pub(crate) struct Check {
    /// Do not read the content.
    #[arg(long)]
    quick: bool,
    /// Remove objects that the database does not know.
    #[arg(long)]
    remove_unknown: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(super) async fn run(&self, state: &DownloadsState, cx: &CommandContext) -> Result<(), Failure> {
        let (db, storage) = (&cx.parts.db, &state.storage);
        let depth = if self.quick { Depth::Size } else { Depth::Content };
        let progress = Progress::begin("checking stored files");
        let all = db.read(queries::COUNT_VERSIONS).scalar::<i64>().await?;
        progress.step("checking stored files", u64::try_from(all).ok());
        let checked = check_all(db, storage, depth, || progress.advance(1)).await?;
        drop(progress);
        let unknown = unknown_objects(db, storage).await?;
        if self.remove_unknown {
            for key in &unknown {
                storage.remove(key).await?;
            }
        }
        let damaged = checked.iter().filter(|found| found.problem.is_some()).count();
        self.print(&checked, damaged, &unknown, cx)?;
        if damaged == 0 {
            return Ok(());
        }
        Err(Failure::operation(format!(
            "{damaged} of {} stored files are missing or damaged; put the folder back from a backup, or attach them again",
            checked.len()
        )))
    }

    fn print(
        &self,
        checked: &[Checked],
        damaged: usize,
        unknown: &[StorageKey],
        cx: &CommandContext,
    ) -> Result<(), Failure> {
        if self.json {
            let problems = checked.iter().filter_map(|found| {
                let (version, problem) = (&found.version, found.problem.as_ref()?);
                Some(json!({"product": version.product, "filename": version.filename, "version": version.version,
                            "problem": problem}))
            });
            let unknown = unknown.iter().map(StorageKey::as_str).collect::<Vec<_>>();
            return cx.output.json(&json!({
                "checked": checked.len(), "damaged": damaged, "problems": problems.collect::<Vec<_>>(),
                "unknown_objects": unknown, "removed": self.remove_unknown,
            }));
        }
        for found in checked {
            let Some(problem) = &found.problem else { continue };
            let version = &found.version;
            let named = format!("{} of {}, version {}", version.filename, version.product, version.version);
            cx.output.line(&format!("{named}: {problem}"))?;
        }
        let what =
            if self.remove_unknown { "was removed: nothing refers to it" } else { "is not known to the database" };
        for key in unknown {
            cx.output.line(&format!("the object {key} {what}"))?;
        }
        cx.output.line(&format!("{} stored files checked, {damaged} damaged", checked.len()))
    }
}
