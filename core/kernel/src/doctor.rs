//! What a look at an installation finds (`stoa doctor`), by core and by modules.

mod words;

pub use words::{OVERDUE, START_A_WORKER, counted, named, without_number};

use std::future::Future;
use std::pin::Pin;

use serde::Serialize;

use crate::db::{Db, DbError, Sql};
use crate::error_chain;
use crate::from_shop::{FromShop, ShopParts};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should be.
    Ok,
    /// The shop works, and the operator should know.
    Warning,
    /// Something does not work, or is about to go wrong.
    Failure,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The name of the check, such as `database.reachable`.
    pub check: &'static str,
    /// How bad it is.
    pub state: State,
    /// What was found.
    pub message: String,
    /// The command or setting that mends it; none for what needs no mending.
    pub fix: Option<String>,
}

impl Finding {
    /// All is well.
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, state: State::Ok, message: message.into(), fix: None }
    }

    /// The shop works, and the operator should know.
    pub fn warning(check: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { check, state: State::Warning, message: message.into(), fix: Some(fix.into()) }
    }

    /// Something does not work, or is about to go wrong.
    pub fn failure(check: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { check, state: State::Failure, message: message.into(), fix: Some(fix.into()) }
    }

    /// A check that could not be made.
    pub fn unanswered(check: &'static str, error: impl std::error::Error) -> Self {
        let message = format!("this could not be looked at: {}", error_chain(&error));
        Self::failure(check, message, "look at the log of the database, and run `stoa doctor` again")
    }
}

/// A module's part of `stoa doctor`. It changes nothing.
pub trait Examine: Send + Sync + 'static {
    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// Looks at what the module keeps; at least one finding for each check, also when all is well.
    fn examine(&self, uses: &Self::Uses) -> impl Future<Output = Result<Vec<Finding>, DbError>> + Send;
}

/// What a module does not do while it is off for customers who were promised it, told by `stoa check` and `stoa doctor` then.
/// Add it with [`ModuleContext::while_off`](crate::module::ModuleContext::while_off).
#[derive(Debug, Clone, Copy)]
pub struct WhileOff {
    /// What becomes of one, such as `subscription is not renewed`.
    pub one: &'static str,
    /// What becomes of several, such as `subscriptions are not renewed`.
    pub many: &'static str,
    /// How many there are at the time `$1`.
    pub count: Sql,
}

/// The same with the module that is off.
#[derive(Debug, Clone, Copy)]
pub struct Neglected {
    /// The module.
    pub owner: &'static str,
    pub(crate) while_off: WhileOff,
}

impl Neglected {
    /// Looks into the module's tables, which must be there; none when nothing is neglected.
    pub async fn look(&self, db: &Db) -> Result<Option<Finding>, DbError> {
        let Self { owner, while_off: WhileOff { one, many, count } } = *self;
        let told = match db.read(count).bind(db.now()).scalar::<i64>().await? {
            ..=0 => return Ok(None),
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let message = format!("{told}, because the module is off");
        Ok(Some(Finding::warning(owner, message, format!("set `modules.{owner}.enabled = true`"))))
    }
}

type ExamineFuture<'a> = Pin<Box<dyn Future<Output = Result<Vec<Finding>, DbError>> + Send + 'a>>;

/// The object-safe twin of [`Examine`].
trait ErasedExamine: Send + Sync {
    fn call<'a>(&'a self, parts: &'a ShopParts) -> ExamineFuture<'a>;
}

impl<E: Examine> ErasedExamine for E {
    fn call<'a>(&'a self, parts: &'a ShopParts) -> ExamineFuture<'a> {
        Box::pin(async move { self.examine(&E::Uses::from_shop(parts)).await })
    }
}

/// What must be at hand for a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// The database alone: nothing is unsealed, so it is looked at even if the key is lost.
    Database,
    /// The shop with its key.
    Shop,
}

/// The part of core, or of a module that is on.
pub struct Examination {
    /// `core` or the module's name.
    pub owner: &'static str,
    /// What is told when the look fails.
    pub check: &'static str,
    /// What must be at hand.
    pub needs: Needs,
    examine: Box<dyn ErasedExamine>,
}

impl Examination {
    pub(crate) fn of(owner: &'static str, check: &'static str, needs: Needs, examine: impl Examine) -> Self {
        Self { owner, check, needs, examine: Box::new(examine) }
    }

    /// Looks.
    pub async fn run(&self, parts: &ShopParts) -> Result<Vec<Finding>, DbError> {
        self.examine.call(parts).await
    }
}
