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
    for (name, opens) in CONSOLE_ABILITIES {
        cx.console_ability(name, opens);
    }
    webhooks::register(cx, sender);
}

stoa_kernel::texts!("texts");

/// What can be done in the console about what is here.
const CONSOLE_ABILITIES: [(&str, &str); 6] = [
    ("mails.view", "see the mails that were written"),
    ("mails.retry", "try mails again that were not sent"),
    ("mails.send", "send a test mail, and mails once more"),
    ("webhooks.view", "see endpoints and deliveries"),
    ("webhooks.edit", "add and change endpoints"),
    ("webhooks.retry", "deliver again"),
];
