//! What stands on invoices and credit notes, and how days and rates are written there.

use std::borrow::Cow;

use chrono::{Datelike, NaiveDate};

use super::{Language, dutch, english, german};

/// A text on an invoice or a credit note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentText<'a> {
    /// The name of what an order costs.
    Invoice,
    /// The name of what is taken back of it.
    CreditNote,
    /// The number of an invoice, on itself.
    InvoiceNumber,
    /// The number of a credit note, on itself.
    CreditNoteNumber,
    /// The day an invoice was issued.
    InvoiceDate,
    /// The day a credit note was issued.
    Date,
    /// The number of the invoice that a credit note is about.
    ForInvoice,
    /// The number of the order.
    OrderNumber,
    /// The seller's number with the tax office.
    TaxId,
    /// Why a credit note was issued.
    Reason {
        /// As the seller wrote it.
        reason: &'a str,
    },
    /// The address that goods were sent to.
    ShipTo,
    /// The column of products.
    Description,
    /// The column of how many.
    Quantity,
    /// The column of the price of one.
    UnitPrice,
    /// Columns and row of tax.
    Tax,
    /// The column of the price of all.
    Amount,
    /// The sum of all lines.
    Subtotal,
    /// What is taken off.
    Discount,
    /// What is taken off for a code.
    DiscountByCode {
        /// The code.
        code: &'a str,
    },
    /// The price of shipping.
    Shipping,
    /// The price of shipping in a named way.
    ShippingBy {
        /// Its name.
        label: &'a str,
    },
    /// What an invoice comes to.
    Total,
    /// What a credit note comes to.
    TotalCredited,
    /// The tax that is part of the total.
    IncludedTax,
    /// The column of tax rates.
    TaxRate,
    /// The column of amounts without tax.
    Net,
    /// The column of amounts with tax.
    Gross,
    /// That an invoice is paid.
    PaidOn {
        /// The day.
        day: &'a str,
    },
    /// That an invoice is void, because its order was cancelled.
    CancelledOn {
        /// The day.
        day: &'a str,
    },
    /// What a credit note credits when it is about an amount and no products.
    PartialRefund,
    /// That a credit note's amount was given back.
    RefundedOn {
        /// The day.
        day: &'a str,
    },
    /// Asks for payment.
    PleasePay {
        /// What is to be paid.
        amount: &'a str,
        /// The number to name with it.
        number: &'a str,
    },
    /// The number of a page.
    Page {
        /// Counted from one.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

impl DocumentText<'_> {
    /// The text in a language.
    pub fn text(self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => english::document(self),
            Language::De => german::document(self),
            Language::Nl => dutch::document(self),
        }
    }
}

impl Language {
    /// A day with the name of its month.
    pub fn long_date(self, date: NaiveDate) -> String {
        let (day, month, year) = (date.day(), date.month0() as usize, date.year());
        match self {
            Self::En => format!("{day} {} {year}", english::MONTHS[month]),
            Self::De => format!("{day}. {} {year}", german::MONTHS[month]),
            Self::Nl => format!("{day} {} {year}", dutch::MONTHS[month]),
        }
    }

    /// A rate in basis points as a percentage: 2100 is 21 %.
    pub fn percentage(self, rate: i64) -> String {
        let (separator, sign) = match self {
            Self::En => ('.', "%"),
            Self::De => (',', "\u{a0}%"),
            Self::Nl => (',', "%"),
        };
        let minus = if rate < 0 { "-" } else { "" };
        let (whole, rest) = (rate.unsigned_abs() / 100, rate.unsigned_abs() % 100);
        match format!("{rest:02}").trim_end_matches('0') {
            "" => format!("{minus}{whole}{sign}"),
            decimals => format!("{minus}{whole}{separator}{decimals}{sign}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_only_the_decimals_they_need() {
        for (rate, en, de) in [
            (0, "0%", "0\u{a0}%"),
            (5, "0.05%", "0,05\u{a0}%"),
            (550, "5.5%", "5,5\u{a0}%"),
            (2100, "21%", "21\u{a0}%"),
            (10_000, "100%", "100\u{a0}%"),
            (-725, "-7.25%", "-7,25\u{a0}%"),
        ] {
            assert_eq!(Language::En.percentage(rate), en);
            assert_eq!(Language::De.percentage(rate), de);
        }
        assert_eq!(Language::Nl.percentage(i64::MIN), "-92233720368547758,08%");
    }

    #[test]
    fn days_are_written_as_each_language_does() {
        let date = NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day");
        assert_eq!(Language::En.long_date(date), "1 March 2026");
        assert_eq!(Language::De.long_date(date), "1. März 2026");
        assert_eq!(Language::Nl.long_date(date), "1 maart 2026");
    }
}
