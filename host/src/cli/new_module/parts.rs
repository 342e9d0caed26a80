//! What a new module has: which parts there are, what each needs, and which one is asked for.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};

use clap::ValueEnum;

use crate::cli::question::Dialog;
use crate::failure::Failure;

/// Something that a module can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Part {
    /// Routes of the API, by which customers read and write what is theirs.
    Route,
    /// A table of what customers have, which is told and forgotten with them.
    Table,
    /// Scheduled work, and the setting that it goes by.
    Job,
    /// A mail to customers in all languages.
    Mail,
    /// A part of the customer's account in the storefront, with a form.
    Page,
    /// A page of the console, on which staff see what customers have and delete it.
    Console,
    /// A listener of an order that is paid, and settings of products.
    Event,
    /// A command for the operator.
    Command,
    /// What `stoa verify`, `stoa doctor` and `/metrics` tell.
    Watch,
}

impl Part {
    /// Those that are asked about, in this order: what brings others first, so that nobody is asked about what is settled.
    const ASKED: [(Self, &str); 9] = [
        (Self::Page, "A page: a part of the customer's account in the storefront?"),
        (Self::Route, "Routes of the API?"),
        (Self::Console, "A page of the console, for staff?"),
        (Self::Event, "An event: a listener of orders that are paid?"),
        (Self::Job, "A job: scheduled work?"),
        (Self::Command, "A command for the operator?"),
        (Self::Watch, "Something that `stoa verify`, `stoa doctor` and /metrics tell?"),
        (Self::Table, "A table?"),
        (Self::Mail, "A mail to customers?"),
    ];

    /// What a part works on, which it brings along.
    fn needs(self) -> Option<Self> {
        match self {
            Self::Page => Some(Self::Route),
            Self::Route | Self::Console | Self::Event | Self::Job | Self::Command | Self::Watch => Some(Self::Table),
            Self::Table | Self::Mail => None,
        }
    }

    /// As it is written after `--with`.
    pub(super) fn word(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// What one module has: whatever a part of it needs is among them.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Parts(BTreeSet<Part>);

impl Parts {
    /// These parts, and what they need.
    pub(super) fn of(parts: &[Part]) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.add(*part);
        }
        all
    }

    /// All there are.
    pub(super) fn whole() -> Self {
        Self::of(Part::value_variants())
    }

    /// Asks about each part that is not settled by an earlier answer.
    pub(super) fn ask<R: BufRead, W: Write>(dialog: &mut Dialog<R, W>) -> Result<Self, Failure> {
        dialog.say("What shall the module have? Enter says yes.\n")?;
        let mut wanted = Self::default();
        for (part, question) in Part::ASKED {
            if !wanted.has(part) && dialog.agree(question)? {
                wanted.add(part);
            }
        }
        if wanted.0.is_empty() {
            return Err(Failure::operation("a module has one of these at least; nothing was written"));
        }
        Ok(wanted)
    }

    fn add(&mut self, part: Part) {
        let needed = std::iter::successors(Some(part), |part| part.needs());
        self.0.extend(needed);
    }

    pub(super) fn has(&self, part: Part) -> bool {
        self.0.contains(&part)
    }

    /// As they are written after `--with`.
    pub(super) fn words(&self) -> Vec<String> {
        self.0.iter().map(|part| part.word()).collect()
    }

    /// All that can come of asking for some: each module that can be written.
    #[cfg(test)]
    pub(super) fn all_possible() -> BTreeSet<Self> {
        let all = Part::value_variants();
        let chosen = |bits: u32| all.iter().copied().enumerate().filter(move |(at, _)| bits & (1 << at) != 0);
        (1..1_u32 << all.len()).map(|bits| Self::of(&chosen(bits).map(|(_, part)| part).collect::<Vec<_>>())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(answers: &str) -> (Result<Parts, Failure>, String) {
        let mut questions = Vec::new();
        let parts = Parts::ask(&mut Dialog::new(answers.as_bytes(), &mut questions));
        (parts, String::from_utf8(questions).expect("UTF-8"))
    }

    #[test]
    fn enter_says_yes_to_all_and_what_is_settled_is_not_asked() {
        let (parts, questions) = asked(&"\n".repeat(7));
        assert_eq!(parts.expect("it is answered"), Parts::whole());
        assert!(!questions.contains("Routes of the API?") && !questions.contains("A table?"), "{questions}");
    }

    #[test]
    fn no_leaves_a_part_out() {
        let (parts, questions) = asked("n\nn\nn\nn\ny\nno\nN\n\n");
        assert_eq!(parts.expect("it is answered").words(), ["table", "job", "mail"]);
        assert!(questions.contains("Routes of the API? [Y/n]") && !questions.contains("A table?"), "{questions}");
        let (parts, questions) = asked("n\nn\nn\nn\nn\nn\nn\nn\ny\n");
        assert_eq!(parts.expect("it is answered").words(), ["mail"]);
        assert!(questions.contains("A table? [Y/n]"), "{questions}");
    }

    #[test]
    fn a_module_of_nothing_is_not_written() {
        let failed = |answers: &str| asked(answers).0.expect_err("there is nothing to write").to_string();
        assert!(failed(&"n\n".repeat(9)).contains("one of these at least; nothing was written"));
        assert!(failed("y\n").contains("there was no answer; nothing was written"));
    }

    #[test]
    fn a_part_brings_what_it_needs() {
        assert_eq!(Parts::of(&[Part::Page]).words(), ["route", "table", "page"]);
        assert_eq!(Parts::of(&[Part::Mail]).words(), ["mail"]);
        assert_eq!(Parts::all_possible().len(), 193);
    }
}
