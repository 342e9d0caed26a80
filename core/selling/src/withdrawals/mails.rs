//! What mails there are about withdrawals.

use stoa_kernel::mail::{MailAbout, MailTemplate};
use stoa_kernel::mail_texts;

/// The receipt of a withdrawal, with content and time, which the law wants at once.
pub(super) const RECEIVED: MailTemplate = MailTemplate {
    name: "withdrawal_received",
    about: MailAbout::Order,
    placeholders: &["withdrawal_number", "withdrawal_lines", "excluded_lines", "statement", "declared_at", "ended_on"],
    texts: mail_texts!("mails/withdrawal_received"),
};

/// Why the shop has refused a withdrawal.
pub(super) const REFUSED: MailTemplate = MailTemplate {
    name: "withdrawal_refused",
    about: MailAbout::Order,
    placeholders: &["withdrawal_number", "withdrawal_lines", "refusal_reason"],
    texts: mail_texts!("mails/withdrawal_refused"),
};

/// All of them.
pub(super) const ALL: [MailTemplate; 2] = [RECEIVED, REFUSED];

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_kernel::i18n::Language;
    use stoa_kernel::mail::MailTemplateTable;

    #[test]
    fn each_mail_says_what_it_is_about_in_every_language() {
        let mut table = MailTemplateTable::default();
        for template in ALL {
            table.add("core", template).expect("it is new");
        }
        let templates = table.load(None, &Language::BUILT_IN).expect("they are sound");
        for template in ALL {
            let values = template.all_placeholders().into_iter().map(|name| (name, format!("<{name}>"))).collect();
            for language in Language::BUILT_IN {
                let (subject, body) =
                    templates.find(template.name, language).expect("every mail has a text").0.fill(&values);
                assert!(subject.contains("<withdrawal_number>"), "{subject}");
                for name in template.placeholders.iter().copied().chain(["name", "order_number", "shop_name"]) {
                    assert!(format!("{subject}{body}").contains(&format!("<{name}>")), "{name}: {body}");
                }
            }
        }
    }
}
