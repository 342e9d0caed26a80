//! What the shop writes into chats, before it is put into words.

use super::{Language, dutch, english, german};

/// A text of a message to a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatText {
    /// An order was placed; the order's number is put in.
    OrderCreated,
    /// An order was paid; the order's number is put in.
    OrderPaid,
    /// An order was cancelled; the order's number is put in.
    OrderCancelled,
    /// A payment was made; the order's number is put in.
    PaymentRecorded,
    /// Money went back; the order's number is put in.
    RefundRecorded,
    /// A credit note was issued; the order's number is put in.
    CreditNoteIssued,
    /// The label of an order's number.
    Order,
    /// The label of an order's total.
    Total,
    /// The label of an amount.
    Amount,
    /// The label of a status.
    Status,
    /// The title of a message that tries an endpoint out; the shop's name is put in.
    TestTitle,
    /// What such a message says.
    TestDescription,
    /// A status in words; its word in the API is put in.
    StatusWord,
}

impl ChatText {
    /// The text in a language, with what is put in.
    pub fn with(self, text: &str, language: Language) -> String {
        match language {
            Language::En => english::chat(self, text),
            Language::De => german::chat(self, text),
            Language::Nl => dutch::chat(self, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_names_what_is_put_in_and_is_translated() {
        for title in [
            ChatText::OrderCreated,
            ChatText::OrderPaid,
            ChatText::OrderCancelled,
            ChatText::PaymentRecorded,
            ChatText::RefundRecorded,
            ChatText::CreditNoteIssued,
            ChatText::TestTitle,
        ] {
            let [en, de, nl] = Language::ALL.map(|language| title.with("O-000012", language));
            assert!([&en, &de, &nl].into_iter().all(|text| text.contains("O-000012")), "{en} {de} {nl}");
            assert!(en != de && de != nl && en != nl, "{en} {de} {nl}");
        }
    }

    #[test]
    fn a_status_without_a_translation_is_shown_as_it_is() {
        for language in Language::ALL {
            assert_eq!(ChatText::StatusWord.with("on_its_way", language), "on_its_way");
            assert!(!ChatText::StatusWord.with("partially_refunded", language).contains('_'));
        }
    }
}
