//! `stoa invoice xml`, and how electronic invoices are written as files.

use clap::{Args, ValueEnum};
use stoa_core::electronic::{self, electronic_invoice};
use stoa_core::i18n::Texts;
use stoa_core::invoices::{DocumentReference, find_invoice, invoice_document};
use stoa_core::pdf::Document;

use super::pdf::Output;
use super::{Context, unknown};
use crate::cli::order::open;
use crate::failure::Failure;

/// Write an invoice as an electronic invoice (EN 16931).
#[derive(Debug, Args)]
#[command(after_help = "`stoa doctor` says what electronic invoices lack.

Examples:
  stoa invoice xml INV-2026-000042 --output invoice.xml
  stoa invoice xml 42 --syntax cii")]
pub(super) struct Xml {
    /// The invoice's number or id.
    #[arg(value_name = "INVOICE")]
    reference: DocumentReference,
    #[command(flatten)]
    form: Form,
}

impl Xml {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let found = find_invoice(&parts.db, &parts.money, &self.reference).await?;
        let record = found.ok_or_else(|| unknown(&self.reference))?;
        let document = invoice_document(&parts.db, record.invoice.id).await?;
        self.form.write(&document.ok_or_else(|| unknown(&self.reference))?, &parts.texts)
    }
}

/// How an electronic invoice is written, and where it goes.
#[derive(Debug, Args)]
pub(in crate::cli) struct Form {
    /// How it is written: `ubl` is XRechnung, `cii` what stands in the PDF (Factur-X, ZUGFeRD).
    #[arg(long, value_enum, default_value_t = Syntax::Ubl)]
    syntax: Syntax,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Syntax {
    Ubl,
    Cii,
}

impl Form {
    /// Writes a document, or says why it has no electronic form.
    pub(in crate::cli) fn write(&self, document: &Document, texts: &Texts) -> Result<(), Failure> {
        let syntax = match self.syntax {
            Syntax::Ubl => electronic::Syntax::Ubl,
            Syntax::Cii => electronic::Syntax::Cii,
        };
        let written = electronic_invoice(document, texts, syntax).map_err(|error| {
            let number = &document.number;
            Failure::operation(format!(
                "{number} has no electronic form: {error}. What is issued keeps what [seller] said then; `stoa doctor` says what \
                 the next documents lack"
            ))
        })?;
        self.output.write(&document.number, written.as_bytes())
    }
}
