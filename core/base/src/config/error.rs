//! What is wrong with a configuration, and where.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Where a setting was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The defaults that are compiled into the program.
    Defaults,
    /// A configuration file, named as the operator named it.
    File {
        /// The file's name.
        file: Arc<str>,
        /// Where in the file, unless the whole file is meant.
        position: Option<Position>,
    },
    /// The environment variable of this name.
    Variable(Arc<str>),
    /// A flag of the command line.
    CommandLine,
}

/// A place in a text; both numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Defaults => f.write_str("built-in defaults"),
            Self::File { file, position: None } => f.write_str(file),
            Self::File { file, position: Some(Position { line, column }) } => write!(f, "{file}:{line}:{column}"),
            Self::Variable(name) => f.write_str(name),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}

/// One thing that is wrong, said in one line, or two when there is help to give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    origin: Origin,
    message: String,
    help: Option<String>,
}

impl ConfigProblem {
    /// A problem at `origin`.
    ///
    /// The message is a sentence that names the full key, without a full stop.
    pub fn new(origin: Origin, message: impl Into<String>) -> Self {
        Self { origin, message: message.into(), help: None }
    }

    /// The same problem with a second line that helps to solve it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Where the setting was written.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  {help}"),
            None => Ok(()),
        }
    }
}

/// All that is wrong with a configuration, shown as one message (contract 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<ConfigProblem>,
}

impl ConfigError {
    /// An error with these problems, if there are any.
    ///
    /// What several places found, such as the settings of each module, is so reported together.
    pub fn unless_empty(mut problems: Vec<ConfigProblem>) -> Result<(), Self> {
        if problems.is_empty() {
            return Ok(());
        }
        // In the order of the file, however they were found.
        problems.sort_by(|a, b| a.origin.cmp(&b.origin));
        Err(Self { problems })
    }

    /// The problems, in the order in which they are shown.
    pub fn problems(&self) -> &[ConfigProblem] {
        &self.problems
    }

    /// The problems, to be reported together with others.
    pub fn into_problems(self) -> Vec<ConfigProblem> {
        self.problems
    }
}

impl From<ConfigProblem> for ConfigError {
    fn from(problem: ConfigProblem) -> Self {
        Self { problems: vec![problem] }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [only] => write!(f, "{only}"),
            several => {
                write!(f, "{} problems in the configuration:", several.len())?;
                several.iter().try_for_each(|problem| write!(f, "\n{problem}"))
            }
        }
    }
}

impl Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: usize) -> Origin {
        Origin::File { file: "config.toml".into(), position: Some(Position { line, column: 1 }) }
    }

    #[test]
    fn one_problem_is_one_line() {
        let error = ConfigError::from(ConfigProblem::new(at(3), "unknown key `x`"));
        assert_eq!(error.to_string(), "config.toml:3:1: unknown key `x`");
    }

    #[test]
    fn several_problems_are_counted_and_follow_the_file() {
        let problems = vec![
            ConfigProblem::new(Origin::Variable("STOA_A__B".into()), "third"),
            ConfigProblem::new(at(9), "second").with_help("help"),
            ConfigProblem::new(at(2), "first"),
        ];
        let error = ConfigError::unless_empty(problems).expect_err("there are problems");
        assert_eq!(
            error.to_string(),
            "3 problems in the configuration:\nconfig.toml:2:1: first\nconfig.toml:9:1: second\n  help\nSTOA_A__B: third"
        );
    }

    #[test]
    fn no_problem_is_no_error() {
        assert_eq!(ConfigError::unless_empty(Vec::new()), Ok(()));
    }
}
