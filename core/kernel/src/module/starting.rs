//! What must be right for a module to start, and what it does then.

use std::future::Future;
use std::pin::Pin;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::context::ModuleContext;
use crate::doctor::Finding;
use crate::from_shop::{FromShop, Frozen, ShopParts};

/// Work that a module does when the shop starts: the only place for tasks, and for I/O that changes something. Tasks belong
/// into the tracker, so that the shop waits for them when it stops.
pub type StartHook = Box<
    dyn FnOnce(ShopParts, TaskTracker, CancellationToken) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send>>
        + Send,
>;

/// Says what is wrong.
type Look = Box<dyn Fn(&Frozen) -> Result<(), String> + Send + Sync>;

/// Something that a module cannot start without and that is seen without a database.
pub struct StartCheck {
    /// The module.
    pub owner: &'static str,
    /// The name of the check, such as `storefront.theme`.
    pub check: &'static str,
    look: Look,
}

impl StartCheck {
    /// Looks, and says what `stoa check` and `stoa doctor` tell.
    pub fn find(&self, frozen: &Frozen) -> Finding {
        match (self.look)(frozen) {
            Ok(()) => Finding::ok(self.check, format!("nothing keeps the module `{}` from starting", self.owner)),
            Err(reason) => Finding::failure(self.check, reason, "the shop does not start until this is mended"),
        }
    }
}

/// What is looked at and done when the shop starts.
#[derive(Default)]
pub struct Starting {
    /// What must be right.
    pub checks: Vec<StartCheck>,
    /// What is done then, with the module that wants it.
    pub(crate) hooks: Vec<(&'static str, StartHook)>,
}

impl Starting {
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.checks.append(&mut other.checks);
        self.hooks.append(&mut other.hooks);
    }

    /// Looks at all that must be right, then does the work, once.
    ///
    /// # Errors
    ///
    /// The first module that cannot start, and why.
    pub async fn run(
        &mut self,
        parts: &ShopParts,
        tracker: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<(), (&'static str, String)> {
        let frozen = Frozen::from_shop(parts);
        for check in &self.checks {
            (check.look)(&frozen).map_err(|reason| (check.owner, reason))?;
        }
        for (module, hook) in std::mem::take(&mut self.hooks) {
            hook(parts.clone(), tracker.clone(), stop.clone()).await.map_err(|reason| (module, reason))?;
        }
        Ok(())
    }
}

impl ModuleContext<'_> {
    /// Adds something that the module cannot start without and that is seen without a database, such as the files that its settings
    /// name. Before the shop starts it is looked at, and an error stops the start; `stoa check` and `stoa doctor` tell it before. The
    /// check has the module's name before it (`notes.paper`), and changes nothing.
    pub fn before_start(
        &mut self,
        check: &'static str,
        look: impl Fn(&Frozen) -> Result<(), String> + Send + Sync + 'static,
    ) {
        if self.enabled {
            self.tables.starting.checks.push(StartCheck { owner: self.module, check, look: Box::new(look) });
        }
    }

    /// Adds work to be done when the shop starts, with what it asks for.
    pub fn on_start<U: FromShop, F>(
        &mut self,
        hook: impl FnOnce(U, TaskTracker, CancellationToken) -> F + Send + 'static,
    ) where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        if self.enabled {
            let hook: StartHook =
                Box::new(move |shop, tracker, stop| Box::pin(hook(U::from_shop(&shop), tracker, stop)));
            self.tables.starting.hooks.push((self.module, hook));
        }
    }
}
