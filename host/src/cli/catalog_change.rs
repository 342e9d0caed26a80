//! Changing one record of the catalog from the command line.

use serde_json::{Map, Value};
use stoa_core::catalog::import::{ProblemLocation, read_record};
use stoa_core::catalog::write::{CatalogWriter, Change, Expected, Mode};
use stoa_core::catalog::{Doubt, DoubtKind, Record, category_slugs, doubts, product_slugs};
use stoa_core::commands::printable;
use stoa_core::config::Config;
use stoa_core::db::Db;
use stoa_core::suggestion::meant_or;
use stoa_kernel::from_shop::ShopParts;

use super::Context;
use super::import::NOTICED;
use super::serve::base_url;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::print_remark;

/// The shop whose catalog a command is about.
pub(super) struct CatalogAccess {
    installation: Installation,
    pub(super) parts: ShopParts,
}

impl CatalogAccess {
    pub(super) async fn open(context: &Context) -> Result<Self, Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let base_url = base_url(&installation.config, installation.config.server.listen);
        let parts = installation.parts(db, &base_url).await?;
        Ok(Self { installation, parts })
    }

    pub(super) fn config(&self) -> &Config {
        &self.installation.config
    }
}

/// Waits until running instances have noticed a change of the catalog.
pub(super) async fn wait_until_noticed() {
    tokio::time::sleep(NOTICED).await;
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
    pub(super) async fn unknown(self, db: &Db, slug: &str) -> Failure {
        let noun = self.as_str();
        self.no_such(db, slug, &format!("`stoa {noun} list` shows all")).await
    }

    /// What is told who wants to change it.
    pub(super) async fn missing(self, db: &Db, slug: &str) -> Failure {
        let noun = self.as_str();
        self.no_such(db, slug, &format!("`stoa {noun} list` shows all, and `stoa {noun} create {slug}` makes it")).await
    }

    async fn no_such(self, db: &Db, slug: &str, otherwise: &str) -> Failure {
        let known = match self {
            Self::Product => product_slugs(db).await,
            Self::Category => category_slugs(db).await,
        };
        known.map_or_else(Failure::from, |known| {
            let instead = meant_or(slug, known.iter().map(String::as_str), otherwise);
            Failure::operation(format!("there is no {} `{slug}`{instead}", self.as_str()))
        })
    }

    /// What is told who wants to make it although it is there.
    pub(super) fn taken(self, slug: &str) -> String {
        let noun = self.as_str();
        format!("there is a {noun} `{slug}` already; `stoa {noun} set {slug}` changes it")
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

    /// The slug that the command names.
    pub(super) fn slug(&self) -> &'a str {
        self.slug
    }

    /// Refuses what `write` would refuse, and writes nothing.
    pub(super) async fn check(&self, access: &CatalogAccess, expected: Expected) -> Result<(), Failure> {
        self.lay_over(access, expected, Mode::DryRun).await.map(drop)
    }

    /// Lays the record over what is stored, and waits until running instances have noticed. What the shop knows nothing of is
    /// told as a warning; an image that is not there is refused.
    pub(super) async fn write(self, access: &CatalogAccess, expected: Expected) -> Result<(), Failure> {
        let (change, unknown) = self.lay_over(access, expected, Mode::Write).await?;
        for Doubt { member, reason, .. } in unknown {
            print_remark(&format!("stoa: warning: {}: {}", self.place(&member), printable(&reason, &[])));
        }
        match change {
            Change::Created | Change::Updated => wait_until_noticed().await,
            Change::Unchanged => {}
        }
        Ok(())
    }

    async fn lay_over(
        &self,
        access: &CatalogAccess,
        expected: Expected,
        mode: Mode,
    ) -> Result<(Change, Vec<Doubt>), Failure> {
        let registry = &access.installation.program.registry;
        let record = self.record()?;
        let doubts = doubts(&record, access.config(), registry).into_iter();
        let (missing, unknown): (Vec<_>, Vec<_>) = doubts.partition(|doubt| doubt.kind == DoubtKind::Image);
        if !missing.is_empty() {
            return Err(self.refused(missing.iter().map(|doubt| (doubt.member.as_str(), doubt.reason.as_str()))));
        }
        let db = &access.parts.db;
        if mode == Mode::Write {
            access.installation.settle_currency(db).await?;
        }
        let mut writer = CatalogWriter::new(db, registry, mode).expecting(expected);
        match writer.write(std::slice::from_ref(&record)).await?.pop() {
            Some(Err(problems)) if problems.iter().any(|problem| problem.member == "slug") => Err(match expected {
                Expected::Nothing => Failure::operation(self.noun.taken(self.slug)),
                Expected::Stored | Expected::Seen(_) | Expected::Anything => self.noun.missing(db, self.slug).await,
            }),
            Some(Err(problems)) => {
                Err(self.refused(problems.iter().map(|problem| (problem.member.as_str(), problem.reason.as_str()))))
            }
            Some(Ok(change)) => Ok((change, unknown)),
            None => Ok((Change::Unchanged, unknown)),
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
                problems
                    .map(|problem| (problem.place.as_ref().map_or("", ProblemLocation::name), problem.reason.as_str())),
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
