//! The rules.

use serde::Serialize;

/// What every module keeps to, causes before what follows from them: a route whose statement is refused answers 500 for whatever is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// It registers, with its default settings.
    Registers,
    /// Both databases have the same tables, which begin with its name; it touches no others.
    Tables,
    /// Its tables have the same columns on both databases, of types that fit one another.
    Columns,
    /// Both databases understand its statements.
    Statements,
    /// Each route is opened by an ability, and by nothing else.
    Routes,
    /// Each page of the console is opened by an ability of the module.
    Console,
    /// Nothing of it is there while it is off.
    Off,
    /// What belongs to others is not found.
    Strangers,
    /// Each route is described with a summary and examples.
    Document,
    /// It writes to its own tables only.
    Writes,
    /// It reads its own tables, and what core has published.
    Reads,
    /// A migration that has run is not changed.
    FrozenMigrations,
    /// What is kept about a customer is erased and told.
    Personal,
    /// Listeners, jobs, invariants, findings and measurements begin with its name.
    Names,
    /// Each setting is documented.
    Settings,
    /// Each mail is documented.
    Mails,
    /// Its parts of the storefront's pages can be shown.
    Panels,
    /// Each command explains itself with an example.
    Command,
    /// Its statements for the operator run.
    Running,
}

impl Rule {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 19] = [
        Self::Registers,
        Self::Tables,
        Self::Columns,
        Self::Statements,
        Self::Routes,
        Self::Console,
        Self::Off,
        Self::Strangers,
        Self::Document,
        Self::Writes,
        Self::Reads,
        Self::FrozenMigrations,
        Self::Personal,
        Self::Names,
        Self::Settings,
        Self::Mails,
        Self::Panels,
        Self::Command,
        Self::Running,
    ];

    /// The rule's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Routes => "routes",
            Self::Console => "console",
            Self::Off => "off",
            Self::Strangers => "strangers",
            Self::Document => "document",
            Self::Tables => "tables",
            Self::Columns => "columns",
            Self::Writes => "writes",
            Self::Reads => "reads",
            Self::Statements => "statements",
            Self::FrozenMigrations => "frozen_migrations",
            Self::Personal => "personal",
            Self::Names => "names",
            Self::Settings => "settings",
            Self::Mails => "mails",
            Self::Panels => "panels",
            Self::Command => "command",
            Self::Running => "running",
        }
    }

    /// What is looked at.
    pub fn looks_at(self) -> &'static str {
        match self {
            Self::Registers => "it registers alone, with its default settings, without a mistake",
            Self::Routes => {
                "each route that is not public is 401 for nobody, 403 without its ability, and has an ability"
            }
            Self::Console => {
                "each page of the console is 303 for nobody, 403 without its ability, and opens for the owner, in an empty shop \
                 and with a row in each of its tables"
            }
            Self::Off => "while it is off, each route answers like a path that does not exist",
            Self::Strangers => {
                "ids that do not exist, and rows of another customer, put into its tables, are 404 on SQLite"
            }
            Self::Document => "each route has a summary, and examples of what it takes and answers",
            Self::Tables => "both databases get the same tables, named after it; it touches no others",
            Self::Columns => "its tables have the same columns on both databases, of types that fit one another",
            Self::Writes => "its statements write to its own tables only",
            Self::Reads => "its statements read its own tables, and of core the published views",
            Self::Statements => "both databases understand its statements",
            Self::FrozenMigrations => "what has run in the database of this installation is as it was",
            Self::Personal => "with tables that name customers, it listens when these are erased and exported",
            Self::Names => "listeners, jobs, invariants, findings, measurements and commands bear its name",
            Self::Settings => "its README names each key of its settings, and of what it keeps about products",
            Self::Mails => "its README names each mail that it sends",
            Self::Panels => "its panels name only texts, values, members and routes that there are",
            Self::Command => "each command has a description and an example that begins with `stoa`",
            Self::Running => "invariants, findings and measurements work in an empty shop, and find nothing wrong",
        }
    }
}
