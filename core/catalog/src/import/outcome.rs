//! What reading a file brings: records, refused lines, and what was left out on purpose.

use std::fmt;

use stoa_kernel::commands::printable;

use super::Record;
use super::problems::Problems;

/// One thing found in the file, with the line it begins on.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadItem {
    /// Line of the file, counted from 1.
    pub line: u64,
    /// What was found there.
    pub outcome: Outcome,
}

impl ReadItem {
    pub(super) const fn record(line: u64, record: Record) -> Self {
        Self { line, outcome: Outcome::Record(record) }
    }

    pub(super) fn refused(line: u64, slug: String, problems: Problems) -> Self {
        Self { line, outcome: Outcome::Rejected(problems.into_rejection(Some(slug))) }
    }

    /// Something that belongs to no record.
    pub(super) fn rejected(problem: Problem) -> Self {
        let line = problem.line;
        let rejection = Rejection { slug: None, problems: vec![problem] };
        Self { line, outcome: Outcome::Rejected(rejection) }
    }

    pub(super) fn notice(line: u64, place: Option<ProblemLocation>, reason: impl Into<String>) -> Self {
        Self { line, outcome: Outcome::Notice(Notice { place, reason: printable(&reason.into(), &[]).into_owned() }) }
    }
}

/// What a part of the file turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A record to be stored.
    Record(Record),
    /// Something that cannot be imported; the rest of the file can (exit code 1, contract 4).
    Rejected(Rejection),
    /// Something left out or changed on purpose, worth a line to the operator; no error.
    Notice(Notice),
}

/// A line, or the lines of one product, that cannot be imported, with every reason found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The record's slug, where it could be read.
    pub slug: Option<String>,
    /// At least one, in the order of the file, each with its own line.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Rejection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                out.write_str("\n")?;
            }
            problem.fmt(out)?;
        }
        Ok(())
    }
}

/// One reason why something cannot be imported, in a sentence that says what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line of the file, counted from 1.
    pub line: u64,
    /// Where in the line.
    pub place: Option<ProblemLocation>,
    /// What is wrong and what was expected.
    pub reason: String,
}

impl Problem {
    pub(super) fn new(line: u64, place: Option<ProblemLocation>, reason: impl Into<String>) -> Self {
        Self { line, place, reason: printable(&reason.into(), &[]).into_owned() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}", self.line)?;
        if let Some(place) = &self.place {
            write!(out, ", {place}")?;
        }
        write!(out, ": {}", self.reason)
    }
}

/// Where in a line a problem is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemLocation {
    /// A column of a CSV file, by its name in the header.
    Column(String),
    /// A member of a JSON object, as a path such as `options[0].choices[2].value`.
    Member(String),
}

impl ProblemLocation {
    /// The name of the column or the path of the member.
    pub fn name(&self) -> &str {
        match self {
            Self::Column(name) | Self::Member(name) => name,
        }
    }
}

impl fmt::Display for ProblemLocation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(name) => write!(out, "column `{name}`"),
            Self::Member(path) => write!(out, "member `{path}`"),
        }
    }
}

/// Something left out or changed on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Where in the line.
    pub place: Option<ProblemLocation>,
    /// What was done and why.
    pub reason: String,
}

impl fmt::Display for Notice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(out, "{place}: ")?;
        }
        out.write_str(&self.reason)
    }
}
