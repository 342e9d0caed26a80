//! What a feature or module says about a mail that it can send.

use crate::i18n::Language;

/// What a mail is about. It decides who gets the mail and in which language, and what core says in it by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MailAbout {
    /// An order: its customer gets the mail, in the language of the order. Core says `shop_name`, `name`, `order_number`,
    /// `order_date`, `total`, `payment_instructions` while the order is to be paid and its gateway has some, and `order_url`, the link
    /// that opens the order without a login, where there is a page for it.
    Order,
    /// A customer, in the shop's language. Core says `shop_name` and `name`.
    Customer,
}

impl MailAbout {
    /// What core says by itself.
    pub const fn placeholders(self) -> &'static [&'static str] {
        match self {
            Self::Order => {
                &["shop_name", "name", "order_number", "order_date", "total", "payment_instructions", "order_url"]
            }
            Self::Customer => &["shop_name", "name"],
        }
    }
}

/// The texts of a mail, one for each language of the shop; `mail_texts!` reads them from files.
///
/// The first line is `Subject: …`, the text follows. `{name}` stands for a value, `{{` and `}}` for braces. A paragraph that names
/// a value which is empty is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailTexts {
    /// In English.
    pub en: &'static str,
    /// In German, with the polite form of address.
    pub de: &'static str,
    /// In Dutch, with the polite form of address.
    pub nl: &'static str,
}

impl MailTexts {
    /// The text in a language; none in one that the operator has added.
    pub(super) fn text(&self, language: Language) -> Option<&'static str> {
        let texts = [(Language::EN, self.en), (Language::DE, self.de), (Language::NL, self.nl)];
        texts.into_iter().find_map(|(known, text)| (known == language).then_some(text))
    }
}

/// A mail that can be sent. Register it with [`ModuleContext::mail_template`](crate::module::ModuleContext::mail_template).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailTemplate {
    /// What it is called: the start of its keys and of the files with the operator's own texts. Begins with the module's name.
    pub name: &'static str,
    /// What it is about.
    pub about: MailAbout,
    /// What its texts may name besides what core says.
    pub placeholders: &'static [&'static str],
    /// The texts that come with it.
    pub texts: MailTexts,
}

impl MailTemplate {
    /// Everything that its texts may name.
    pub fn all_placeholders(&self) -> Vec<&'static str> {
        [self.about.placeholders(), self.placeholders].concat()
    }

    /// The name of the file with the operator's own text in a language.
    pub(super) fn file_name(&self, language: Language) -> String {
        format!("{}.{}.txt", self.name, language.tag())
    }

    /// The name of the file with the operator's own HTML in a language.
    pub(super) fn page_name(&self, language: Language) -> String {
        format!("{}.{}.html", self.name, language.tag())
    }
}
