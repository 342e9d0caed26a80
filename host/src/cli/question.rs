//! Asking whoever sits at a terminal: before something that cannot be undone, and for what a command needs to know.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;

use crate::failure::Failure;

// No doc comment: clap would take it for the description of every command that this is flattened into.
#[derive(Debug, Args)]
pub(super) struct Consent {
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

impl Consent {
    /// Asks whoever sits at a terminal, unless `--yes` is given; anything but yes is no, which fails with `refusal`.
    pub(super) fn confirm(&self, question: &str, refusal: &str) -> Result<(), Failure> {
        if self.yes || !is_watched() {
            return Ok(());
        }
        confirm(question, refusal, io::stdin().lock(), io::stderr())
    }

    /// The same for what no program shall do by mistake either: where nobody can be asked, `--yes` is required.
    pub(super) fn require(&self, question: &str, refusal: &str) -> Result<(), Failure> {
        if self.yes || is_watched() {
            return self.confirm(question, refusal);
        }
        Err(Failure::usage(format!("{question} Nobody can be asked here; `--yes` says so. {refusal}")))
    }
}

/// Whether somebody sits at a terminal.
pub(super) fn is_watched() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

fn confirm(question: &str, refusal: &str, mut answers: impl BufRead, mut questions: impl Write) -> Result<(), Failure> {
    write!(questions, "{} [y/N] ", stoa_core::commands::printable(question, &[]))?;
    questions.flush()?;
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Failure::operation(refusal)),
    }
}

/// Questions and answers.
pub(super) struct Dialog<R, W> {
    answers: R,
    questions: W,
}

impl<R: BufRead, W: Write> Dialog<R, W> {
    pub(super) fn new(answers: R, questions: W) -> Self {
        Self { answers, questions }
    }

    pub(super) fn say(&mut self, text: &str) -> Result<(), Failure> {
        Ok(writeln!(self.questions, "{text}")?)
    }

    /// Asks for yes or no; Enter says yes.
    pub(super) fn agree(&mut self, question: &str) -> Result<bool, Failure> {
        loop {
            match self.answer(&format!("{question} [Y/n]: "))?.to_lowercase().as_str() {
                "" | "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                _ => self.say("  y or n, please")?,
            }
        }
    }

    pub(super) fn answer(&mut self, question: &str) -> Result<String, Failure> {
        write!(self.questions, "{question}")?;
        self.questions.flush()?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            return Err(Failure::operation("there was no answer; nothing was written"));
        }
        Ok(answer.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        let mut asked = Vec::new();
        let mut answered = |answer: &str| {
            confirm("Erase customer 1001, Ada (ada@example.com)?", "nothing was erased", answer.as_bytes(), &mut asked)
        };
        for yes in ["y\n", "Y", " yes \n", "YES\n"] {
            assert!(answered(yes).is_ok(), "{yes:?}");
        }
        for no in ["", "\n", "n\n", "no\n", "ja\n", "yess\n", "\u{4}"] {
            let refused = answered(no).expect_err(no);
            assert_eq!((refused.code(), refused.to_string().as_str()), (1, "nothing was erased"), "{no:?}");
        }
        let asked = String::from_utf8(asked).expect("UTF-8");
        assert!(asked.starts_with("Erase customer 1001, Ada (ada@example.com)? [y/N] "), "{asked}");
    }
}
