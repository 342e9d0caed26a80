//! Temporary files that a restore or a backup has left behind, because the machine or all its processes were lost.

use std::fs;
use std::path::{Path, PathBuf};

use stoa_core::config::{Config, DatabaseUrl};
use stoa_core::module::Registry;

use super::finding::{Finding, argument};
use crate::backup::TEMPORARY;

const CHECK: &str = "disk.leftovers";

/// How the names of folders begin whose content was in use before a restore.
const REPLACED: &str = ".stoa-replaced-";

/// Looks into the folders that a restore writes to.
pub(super) fn state(config: &Config, registry: &Registry) -> Vec<Finding> {
    let database = match &config.database.url {
        DatabaseUrl::SqliteFile(file) => file.parent(),
        DatabaseUrl::SqliteMemory | DatabaseUrl::Postgres(_) => None,
    };
    let key = config.secrets.key_file.parent();
    let kept = registry.backup_folders.iter().map(|kept| kept.folder.as_path());
    let folders = [Some(config.media.folder.as_path()), database, key].into_iter().flatten().chain(kept);
    judge(folders.flat_map(left_in).collect())
}

fn left_in(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(TEMPORARY.as_bytes()));
    left.map(|entry| entry.path()).collect()
}

fn judge(mut left: Vec<PathBuf>) -> Vec<Finding> {
    left.sort();
    left.dedup();
    if left.is_empty() {
        return vec![Finding::ok(CHECK, "nothing is left of a restore or a backup that was cut off")];
    }
    let is_replaced =
        |path: &&PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(REPLACED.as_bytes()));
    let (replaced, useless): (Vec<_>, Vec<_>) = left.iter().partition(is_replaced);
    let mut findings = Vec::new();
    if !useless.is_empty() {
        let message = format!("a restore or a backup was cut off, or is running: it has left {}", shown(&useless));
        findings.push(Finding::warning(CHECK, message, format!("if none is running: rm -r {}", arguments(&useless))));
    }
    for folder in replaced {
        let message = format!(
            "a restore was cut off, or is running: {} holds the files that were in their places before it",
            folder.display()
        );
        let above = folder.parent().unwrap_or(Path::new("."));
        let fix = format!(
            "if none is running, and unless you restore again: cp -a {}/. {}/; then rm -r {}",
            argument(folder),
            argument(above),
            argument(folder)
        );
        findings.push(Finding::warning(CHECK, message, fix));
    }
    findings
}

fn shown(paths: &[&PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn arguments(paths: &[&PathBuf]) -> String {
    paths.iter().map(|path| argument(path)).collect::<Vec<_>>().join(" ")
}
