//! Telling caches outside what of the catalog has changed (`[[catalog.purge]]`).
//!
//! Who changes something writes down, in the same transaction, the keys of the answers that show it. A task for each address sends
//! them a moment later, many at once, and comes again until the address has taken them.

mod job;
mod keys;
mod queries;
mod request;
mod send;
mod target;

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::module::ModuleContext;

pub(crate) use target::PurgeTarget;

/// The addresses of a configuration.
pub(crate) fn targets_of(config: &Config) -> Arc<[PurgeTarget]> {
    config.catalog.purge.iter().map(PurgeTarget::new).collect()
}

/// What writes keys down, what sends them, and the job that tells how that goes; nothing where nobody is told.
pub(super) fn register(cx: &mut ModuleContext<'_>, targets: &Arc<[PurgeTarget]>) {
    let http = cx.http().clone();
    cx.task::<send::SendPurge>(send::Sender { targets: Arc::clone(targets), http });
    if !targets.is_empty() {
        cx.on_transaction("catalog.purge", keys::NoteKeys(Arc::clone(targets)));
        cx.job(job::Purge(Arc::clone(targets)));
    }
}
