//! `stoa invoice pdf`, and how documents are written as files.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use stoa_core::i18n::Texts;
use stoa_core::invoices::{DocumentReference, find_invoice, invoice_document};
use stoa_core::pdf::{Document, render};

use super::{Context, unknown};
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::{print_bytes, print_line};
use crate::written_file::WrittenFile;

/// Write an invoice as PDF.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa invoice pdf INV-2026-000042 --output invoice.pdf
  stoa invoice pdf 42 | lp")]
pub(super) struct Pdf {
    /// The invoice's number or id.
    #[arg(value_name = "INVOICE")]
    reference: DocumentReference,
    #[command(flatten)]
    output: Output,
}

impl Pdf {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        self.output.check()?;
        let parts = open(context).await?;
        let found = find_invoice(&parts.db, &parts.money, &self.reference).await?;
        let record = found.ok_or_else(|| unknown(&self.reference))?;
        let document = invoice_document(&parts.db, record.invoice.id).await?;
        write_pdf(&document.ok_or_else(|| unknown(&self.reference))?, &parts.texts, &self.output)
    }
}

/// Where a file goes.
#[derive(Debug, Args)]
pub(in crate::cli) struct Output {
    /// The file to write; one that is there is replaced. Default: standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Output {
    /// Refuses to write a file to a terminal, which shows nobody anything.
    pub(in crate::cli) fn check(&self) -> Result<(), Failure> {
        if self.file().is_none() && io::stdout().is_terminal() {
            return Err(Failure::usage(
                "a PDF is not for a terminal: name a file with `--output FILE`, or send it on with `|` or `>`",
            ));
        }
        Ok(())
    }

    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| file.as_os_str() != "-")
    }

    /// Writes a document of this number.
    pub(super) fn write(&self, number: &str, bytes: &[u8]) -> Result<(), Failure> {
        let Some(file) = self.file() else {
            return print_bytes(bytes);
        };
        let mut written = WrittenFile::begin(file)?;
        written.write_all(bytes).map_err(|error| written.failed(&error))?;
        written.persist()?;
        print_line(&format!("{number} is written to {}", file.display()))
    }
}

/// Writes a document as PDF.
pub(in crate::cli) fn write_pdf(document: &Document, texts: &Texts, output: &Output) -> Result<(), Failure> {
    output.write(&document.number, &render(document, texts)?)
}
