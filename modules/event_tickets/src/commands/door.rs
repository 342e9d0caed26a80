//! `stoa event-tickets check-in` and `door-list`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use stoa_core::prelude::*;

use super::{chosen_event, find_event};
use crate::check_in::{self, CheckInResult, Door, describe};
use crate::model::{TicketRow, listed, number};
use crate::queries;

/// Check tickets in: 0 if valid from now on used, else 1 and why not.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets check-in hV2k0QmJx9sTtW4cZp7LbN3yRf8Ga1Ue
  stoa event-tickets check-in T1.eyJrZXlfaWQiOi... --event symposium-3 --gate north --json
  stoa event-tickets check-in --file scanned.txt --event symposium-3")]
pub(super) struct CheckIn {
    /// The ticket's token, or the text of its scanned code.
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    token: Option<String>,
    /// Check in what stands in this file, a token or code a line.
    #[arg(long)]
    file: Option<PathBuf>,
    /// Let in for this event only.
    #[arg(long, value_name = "SLUG")]
    event: Option<String>,
    /// What the door is called; kept with the ticket.
    #[arg(long, value_parser = super::name)]
    gate: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl CheckIn {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let event_id = chosen_event(db, self.event.as_deref()).await?;
        let door = Door { event_id, gate: self.gate.clone() };
        if let Some(file) = &self.file {
            return check_in_file(cx, file, &door, self.json).await;
        }
        let token = self.token.unwrap_or_default();
        let answers = check_in::check_in(db, &[token.as_str()], &door).await?;
        let Some(answer) = answers.first() else { return Err(Failure::usage("name a ticket by its token")) };
        if self.json {
            cx.output.json(answer)?;
        } else {
            cx.output.line(&describe(answer, shown_time))?;
        }
        match answer.result {
            CheckInResult::Valid => Ok(()),
            CheckInResult::AlreadyUsed | CheckInResult::Void | CheckInResult::WrongEvent | CheckInResult::Unknown => {
                Err(Failure::operation(format!("not let in: {}", describe(answer, shown_time))))
            }
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    line: usize,
    #[serde(flatten)]
    answer: &'a check_in::CheckIn,
}

async fn check_in_file(cx: &CommandContext, file: &std::path::Path, door: &Door, json: bool) -> Result<(), Failure> {
    let text = std::fs::read_to_string(cx.folder.join(file))
        .map_err(|error| Failure::operation(format!("cannot read {}: {error}", file.display())))?;
    let shown = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let (lines, shown): (Vec<usize>, Vec<&str>) = shown.filter(|(_, line)| !line.is_empty()).unzip();
    let answers = check_in::check_in(&cx.parts.db, &shown, door).await?;
    let refused = answers.iter().filter(|answer| answer.result != CheckInResult::Valid).count();
    let answered = lines.into_iter().zip(&answers);
    if json {
        cx.output.json_list(&answered.map(|(line, answer)| Line { line, answer }).collect::<Vec<_>>())?;
    } else {
        let mut text = String::new();
        for (line, answer) in answered {
            let _ = writeln!(text, "{line}: {}", describe(answer, shown_time));
        }
        let _ = writeln!(text, "{} valid, {refused} not", answers.len() - refused);
        cx.output.write(text.as_bytes())?;
    }
    if refused > 0 {
        return Err(Failure::operation(format!("{refused} of {} were not let in", answers.len())));
    }
    Ok(())
}

/// List who may come in, by name.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets door-list symposium-3
  stoa event-tickets door-list symposium-3 --csv > door.csv")]
pub(super) struct DoorList {
    /// The event's slug.
    event: String,
    /// Print CSV.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl DoorList {
    const HEAD: [&'static str; 6] = ["holder", "seat", "type", "ticket", "status", "checked in"];

    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let event = find_event(&cx.parts.db, &self.event).await?;
        let tickets = cx.parts.db.read(queries::DOOR_LIST).bind(event.id).all::<TicketRow>().await?;
        if self.json {
            return cx.output.json_list(&tickets.into_iter().map(listed).collect::<Result<Vec<_>, _>>()?);
        }
        let rows = tickets.into_iter().map(|ticket| {
            let used = ticket.checked_in_at.map(shown_time).unwrap_or_default();
            let (holder, seat) = (ticket.holder.unwrap_or_default(), ticket.seat.unwrap_or_default());
            vec![holder, seat, ticket.ticket_type, number(ticket.id), ticket.status.as_str().to_owned(), used]
        });
        if !self.csv {
            return cx.output.list(&Self::HEAD, rows, "tickets are made when an order is paid");
        }
        let mut text = csv_line(Self::HEAD.map(str::to_owned).iter());
        for row in rows {
            text.push_str(&csv_line(row.iter()));
        }
        cx.output.write(text.as_bytes())
    }
}

/// A line of CSV (RFC 4180). What a spreadsheet would take for a formula becomes text: customers chose the names.
fn csv_line<'a>(cells: impl Iterator<Item = &'a String>) -> String {
    let cell = |cell: &String| {
        let guard = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
        format!("\"{guard}{}\"", cell.replace('"', "\"\""))
    };
    format!("{}\r\n", cells.map(cell).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_formula_in_a_spreadsheet() {
        let cells = ["=1+1", "Ada \"Countess\" L.", "-"].map(str::to_owned);
        assert_eq!(csv_line(cells.iter()), "\"'=1+1\",\"Ada \"\"Countess\"\" L.\",\"'-\"\r\n");
    }
}
