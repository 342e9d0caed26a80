//! E-mail to customers about their orders: placed, paid, sent, cancelled, refunded; and to the owner of the shop.
//!
//! Each mail follows from a committed event and is written to the queue of outgoing mail once, however often the event is
//! delivered.

mod files;
mod listeners;
mod mails;
mod owner;
mod queries;
mod reader;
mod shipping;
mod texts;

pub use owner::{OwnerWithdrawal, tell_owner_of_withdrawal};

use stoa_kernel::config::Config;
use stoa_kernel::mail::{MailAbout, is_configured};
use stoa_kernel::module::ModuleContext;

use files::{CreditNotes, Invoices};
use listeners::{TellCancelled, TellPaid, TellPlaced, TellRefunded, TellShipped};

/// The mails of this feature, and its listeners; none of these in a shop that sends no mail, so that no events wait for them.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: &Config) {
    cx.mail_readers(MailAbout::Order, reader::CustomersOfOrders);
    for template in mails::ALL {
        cx.mail_template(template);
    }
    cx.mail_file("invoice", Invoices);
    cx.mail_file("credit_note", CreditNotes);
    cx.mail_part(shipping::SayShipping);
    if !is_configured(config) {
        return;
    }
    cx.on_committed("order_mails.placed", TellPlaced);
    cx.on_committed("order_mails.paid", TellPaid);
    cx.on_committed("order_mails.shipped", TellShipped);
    cx.on_committed("order_mails.cancelled", TellCancelled);
    cx.on_committed("order_mails.refunded", TellRefunded);
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_kernel::i18n::Language;
    use stoa_kernel::mail::MailTemplateTable;

    #[test]
    fn the_shop_comes_with_a_text_for_every_mail_in_every_language() {
        let mut table = MailTemplateTable::default();
        for template in mails::ALL {
            table.add("core", template).expect("it is new");
        }
        let templates = table.load(None, &Language::BUILT_IN).expect("they are sound");
        for template in mails::ALL {
            let values = template.all_placeholders().into_iter().map(|name| (name, format!("<{name}>"))).collect();
            let find = |language| templates.find(template.name, language).expect("every mail has a text").0;
            let texts = Language::BUILT_IN.map(|language| find(language).fill(&values));
            for (subject, body) in &texts {
                assert!(subject.contains("<order_number>") && subject.contains("<shop_name>"), "{subject}");
                let for_owner = template.name.starts_with("owner_");
                for name in
                    if for_owner { ["<customer_name>", "<customer_email>"] } else { ["<order_number>", "<name>"] }
                {
                    assert!(format!("{subject}{body}").contains(name), "{body}");
                }
            }
            assert!(texts[0] != texts[1] && texts[1] != texts[2] && texts[0] != texts[2]);
        }
    }
}
