//! The table at the end.

use std::fmt::Write;
use std::fs;
use std::time::Duration;

use comfy_table::{Table, presets::ASCII_MARKDOWN};

use crate::process::Cores;
use crate::shop::Shop;

/// One line of the table.
pub(crate) struct Row {
    what: String,
    products: String,
    target: String,
    measured: String,
    met: &'static str,
}

impl Row {
    /// A line about something measured with a shop.
    pub(crate) fn new(what: impl Into<String>, shop: &Shop) -> Self {
        Self { products: shop.name(), ..Self::without_products(what) }
    }

    /// A line about something that no products matter to.
    pub(crate) fn without_products(what: impl Into<String>) -> Self {
        Self { what: what.into(), products: String::new(), target: String::new(), measured: String::new(), met: "" }
    }

    /// What was measured.
    pub(crate) fn measured(self, measured: impl Into<String>) -> Self {
        Self { measured: measured.into(), ..self }
    }

    /// What was to be reached, and whether it was.
    pub(crate) fn target(self, target: impl Into<String>, met: bool) -> Self {
        Self { target: target.into(), met: if met { "yes" } else { "**no**" }, ..self }
    }
}

/// All lines, and what has to be known to judge them.
pub(crate) struct Report {
    rows: Vec<Row>,
    notes: Vec<String>,
}

impl Report {
    /// A report that begins with the machine.
    pub(crate) fn new(cores: &Cores) -> Self {
        Self { rows: Vec::new(), notes: vec![machine(), cores.description()] }
    }

    /// Adds a line, and shows it.
    pub(crate) fn add(&mut self, row: Row) {
        eprintln!("  {} | {} | {} | {} | {}", row.what, row.products, row.target, row.measured, row.met);
        self.rows.push(row);
    }

    /// Adds a remark below the table.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Prints everything as Markdown.
    pub(crate) fn print(&self) {
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN).set_header(["what", "products", "target", "measured", "met"]);
        for row in &self.rows {
            table.add_row([&row.what, &row.products, &row.target, &row.measured, row.met]);
        }
        println!("\n{table}\n");
        for note in &self.notes {
            println!("- {note}");
        }
    }
}

/// A duration in milliseconds.
pub(crate) fn milliseconds(duration: Duration) -> String {
    format!("{:.2} ms", duration.as_secs_f64() * 1000.0)
}

/// The processor, and how busy the machine was before.
fn machine() -> String {
    let mut text = String::from("machine: ");
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models = processors.lines().filter_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let models = models.map(|(_, model)| model.trim()).collect::<Vec<_>>();
    let model = models.first().copied().unwrap_or("processor unknown");
    let _ = write!(text, "{} × {model}, {}", models.len(), std::env::consts::OS);
    if let Ok(load) = fs::read_to_string("/proc/loadavg") {
        let one_minute = load.split(' ').next().unwrap_or_default();
        let _ = write!(text, ", load average before the run {one_minute}");
    }
    text
}
