//! Rows of a mail: what was bought, and what it costs.

use std::fmt::Write;

use super::in_one_line;
use super::templates::escaped;

/// Whether a row is one of several, or what they add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum RowKind {
    /// One of several.
    #[default]
    Plain,
    /// What they add up to.
    Sum,
}

/// A row: what it names, what stands at its end, and what is said below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MailRow {
    label: String,
    value: String,
    notes: Vec<String>,
    kind: RowKind,
}

impl MailRow {
    /// A row of one line; without a value it has its label alone.
    pub fn new(label: &str, value: &str) -> Self {
        Self { label: in_one_line(label), value: in_one_line(value), ..Self::default() }
    }

    /// Says something below it.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        self.notes.push(in_one_line(note));
        self
    }

    /// Makes it what the rows add up to.
    #[must_use]
    pub fn sum(mut self) -> Self {
        self.kind = RowKind::Sum;
        self
    }
}

pub(super) fn text_of_rows(rows: &[MailRow]) -> String {
    let lines = rows.iter().flat_map(|row| {
        let value = if row.value.is_empty() { String::new() } else { format!(": {}", row.value) };
        let notes = row.notes.iter().map(|note| format!("    {note}"));
        std::iter::once(format!("{}{value}", row.label)).chain(notes)
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) fn html_of_rows(rows: &[MailRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    // Mail programs that know neither grid nor flexible boxes know tables; readers of screens are told that it is none.
    let mut html = String::from("<table role=\"presentation\" width=\"100%\" cellspacing=\"0\" cellpadding=\"0\">\n");
    for row in rows {
        let weight = match row.kind {
            RowKind::Plain => "",
            RowKind::Sum => "font-weight:bold;",
        };
        let notes = row.notes.iter().map(|note| {
            format!("<br><span class=\"note\" style=\"font-size:14px;color:#5b636d;\">{}</span>", escaped(note))
        });
        let _ = writeln!(
            html,
            "<tr><td class=\"line\" style=\"padding:6px 0;border-bottom:1px solid #d9dde2;{weight}\">{}{}</td>\
             <td class=\"line\" style=\"padding:6px 0 6px 12px;border-bottom:1px solid #d9dde2;text-align:right;white-space:nowrap;\
             vertical-align:top;{weight}\">{}</td></tr>",
            escaped(&row.label),
            notes.collect::<String>(),
            escaped(&row.value)
        );
    }
    html + "</table>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_of_text_and_of_a_table() {
        let rows = [
            MailRow::new("2 × <Lamp>", "€40.00").note("Colour: \"Green\"\nX"),
            MailRow::new("Total", "€40.00").sum(),
            MailRow::new("1 × Card", ""),
        ];
        assert_eq!(text_of_rows(&rows), "2 × <Lamp>: €40.00\n    Colour: \"Green\" X\nTotal: €40.00\n1 × Card");
        let html = html_of_rows(&rows);
        assert!(html.contains("2 × &lt;Lamp&gt;<br>") && html.contains("Colour: &quot;Green&quot; X"), "{html}");
        assert_eq!((html.matches("<tr>").count(), html.matches("font-weight:bold").count()), (3, 2), "{html}");
        assert_eq!(html_of_rows(&[]), "");
    }
}
