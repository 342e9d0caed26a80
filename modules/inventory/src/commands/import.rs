//! `stoa inventory import`.

use std::path::PathBuf;

use stoa_core::prelude::*;

use crate::config::Config;
use crate::stock_file::read;
use crate::stock_import::{StockImport, Summary};

pub(super) struct Import {
    pub(super) file: PathBuf,
    pub(super) delta: bool,
    pub(super) dry_run: bool,
    pub(super) reason: Option<String>,
    pub(super) json: bool,
}

impl Import {
    pub(super) async fn run(&self, cx: &CommandContext, config: Config) -> Result<(), Failure> {
        let file = read(&cx.folder.join(&self.file))?;
        let name = self.file.display().to_string();
        let reason = self.reason.as_deref().unwrap_or(&name);
        let import = StockImport { delta: self.delta, dry_run: self.dry_run, reason };
        let summary = import.run(&cx.parts.db, config, file).await?;
        self.print_summary(cx, &name, &summary)
    }

    fn print_summary(&self, cx: &CommandContext, name: &str, summary: &Summary) -> Result<(), Failure> {
        if self.json {
            cx.output.json(summary)?;
        } else {
            let would = if self.dry_run { "would be " } else { "" };
            cx.output.line(&format!("{would}taken {}, refused {}", summary.taken, summary.refused))?;
        }
        if summary.rejections.is_empty() {
            return Ok(());
        }
        let lines = summary.rejections.iter().map(|bad| format!("{name}: line {}: {}", bad.line, bad.reason));
        Err(Failure::operation(lines.collect::<Vec<_>>().join("\n")))
    }
}
