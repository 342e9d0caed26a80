//! Changing one record of the catalog from the command line.

use serde_json::{Map, Value};
use stoa_core::catalog::import::{Place, read_record};
use stoa_core::catalog::write::{CatalogWriter, Change, Mode};
use stoa_core::catalog::{Record, export_categories, export_product};
use stoa_core::services::Services;

use super::Context;
use super::import::NOTICED;
use super::serve::base_url;
use crate::failure::Failure;
use crate::installation::Installation;

/// The shop whose catalog a command is about.
pub(super) struct CatalogAccess {
    installation: Installation,
    pub(super) services: Services,
}

impl CatalogAccess {
    pub(super) async fn open(context: &Context) -> Result<Self, Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let base_url = base_url(&installation.config, installation.config.server.listen);
        let services = installation.services(db, &base_url).await?;
        Ok(Self { installation, services })
    }
}

/// Which kind of record a command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noun {
    Product,
    Category,
}

impl Noun {
    /// The type of the record, and the command.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Category => "category",
        }
    }

    /// What is told about a slug that nothing has.
    pub(super) fn unknown(self, slug: &str) -> String {
        let noun = self.as_str();
        format!("there is no {noun} `{slug}`; `stoa {noun} list` shows all")
    }
}

/// What a command says of one record: the object that a line of the format `stoa` would have, so that it goes through the same
/// rules.
pub(super) struct RecordChange<'a> {
    noun: Noun,
    slug: &'a str,
    members: Map<String, Value>,
    /// The members and the options that say them.
    options: Vec<(&'static str, &'static str)>,
}

impl<'a> RecordChange<'a> {
    pub(super) fn new(noun: Noun, slug: &'a str) -> Self {
        Self { noun, slug, members: Map::new(), options: Vec::new() }
    }

    /// Gives a member the value of an option, if that was given. A blank text is null, as it is in a file.
    pub(super) fn say(mut self, member: &'static str, option: &'static str, given: Option<impl Into<Value>>) -> Self {
        if let Some(given) = given {
            self.members.insert(member.to_owned(), given.into());
            self.options.push((member, option));
        }
        self
    }

    /// The same for an option that can be repeated: a single blank text clears the list.
    pub(super) fn say_list(self, member: &'static str, option: &'static str, given: &[String]) -> Self {
        let given = match given {
            [] => None,
            [one] if one.trim().is_empty() => Some(Value::Null),
            several => Some(Value::from(several)),
        };
        self.say(member, option, given)
    }

    /// Whether the shop shows it.
    pub(super) fn active(mut self, active: bool) -> Self {
        self.members.insert("active".to_owned(), active.into());
        self
    }

    /// Lays the record over what is stored, which must be there, and waits until running instances have noticed.
    pub(super) async fn write(self, access: &CatalogAccess) -> Result<(), Failure> {
        let db = &access.services.db;
        let known = match self.noun {
            Noun::Product => export_product(db, self.slug).await?.is_some(),
            Noun::Category => export_categories(db).await?.iter().any(|stored| stored.slug == self.slug),
        };
        if !known {
            let unknown = self.noun.unknown(self.slug);
            return Err(Failure::operation(format!("{unknown}, and `stoa import` makes new ones")));
        }
        let record = self.record()?;
        let mut writer = CatalogWriter::new(db, &access.installation.program.registry, Mode::Write);
        match writer.write(std::slice::from_ref(&record)).await?.pop() {
            Some(Err(problems)) => {
                Err(self.refused(problems.iter().map(|problem| (problem.member.as_str(), problem.reason.as_str()))))
            }
            Some(Ok(Change::Created | Change::Updated)) => {
                tokio::time::sleep(NOTICED).await;
                Ok(())
            }
            Some(Ok(Change::Unchanged)) | None => Ok(()),
        }
    }

    fn record(&self) -> Result<Record, Failure> {
        let mut object = self.members.clone();
        object.insert("type".to_owned(), self.noun.as_str().into());
        object.insert("slug".to_owned(), self.slug.into());
        // There is no file; the number of the line is not told.
        read_record(object, 1).map_err(|rejection| {
            let problems = rejection.problems.iter();
            self.refused(
                problems.map(|problem| (problem.place.as_ref().map_or("", Place::name), problem.reason.as_str())),
            )
        })
    }

    /// A line for each problem, which names the option that it is in.
    fn refused<'p>(&self, problems: impl Iterator<Item = (&'p str, &'p str)>) -> Failure {
        let lines = problems.map(|(member, reason)| format!("{}: {reason}", self.place(member)));
        Failure::operation(lines.collect::<Vec<_>>().join("\n"))
    }

    /// The option that says a member, such as `--image`, and which of several values it is; else the member itself.
    fn place(&self, path: &str) -> String {
        let (member, index) = match path.strip_suffix(']').and_then(|path| path.split_once('[')) {
            Some((member, index)) => (member, index.parse::<usize>().ok()),
            None => (path, None),
        };
        let Some((_, option)) = self.options.iter().find(|(said, _)| *said == member) else { return path.to_owned() };
        let several = self.members.get(member).and_then(Value::as_array).is_some_and(|values| values.len() > 1);
        match index.filter(|_| several) {
            Some(index) => format!("{option}, value {}", index + 1),
            None => (*option).to_owned(),
        }
    }
}

/// The state of a product or category in a word.
pub(super) const fn state(active: bool, visible: bool) -> &'static str {
    match (active, visible) {
        (false, _) => "inactive",
        (true, false) => "hidden",
        (true, true) => "active",
    }
}
