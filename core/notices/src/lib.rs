//! Sending what the shop has to tell: mails to people, webhooks to programs. Both were written down in the transaction of the
//! change that they tell about.

pub mod mail;
pub mod webhooks;

use stoa_kernel::config::Config;
use stoa_kernel::module::ModuleContext;

use webhooks::Sender;

/// The features of this storey.
pub fn register(cx: &mut ModuleContext<'_>, config: &Config, sender: Sender) {
    mail::register(cx, config);
    webhooks::register(cx, sender);
}

stoa_kernel::texts!("texts");
