//! E-mail to customers about their orders: placed, paid, refunded.
//!
//! Each mail follows from a committed event and is written to the queue of outgoing mail once, however often the event is
//! delivered. Its text comes from a template: one that comes with the shop, or the operator's own in `mail.templates`.

mod kind;
mod listeners;
mod queries;
mod template;
mod templates;
mod texts;

pub(crate) use templates::Templates;

use std::sync::Arc;

use crate::config::Config;
use crate::mail::is_configured;
use crate::module::ModuleContext;

use listeners::{TellPaid, TellPlaced, TellRefunded};

/// The listeners of this feature; none in a shop that sends no mail, so that no events wait for them.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: &Config, templates: &Arc<Templates>) {
    if !is_configured(config) {
        return;
    }
    cx.on_committed("order_mails.placed", TellPlaced(Arc::clone(templates)));
    cx.on_committed("order_mails.paid", TellPaid(Arc::clone(templates)));
    cx.on_committed("order_mails.refunded", TellRefunded(Arc::clone(templates)));
}
