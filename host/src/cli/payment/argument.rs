//! Which payment a command is about.

use std::str::FromStr;

use stoa_core::db::Db;
use stoa_core::orders::OrderNumber;
use stoa_core::payments::{PaymentRecord, find_payment, find_payment_record};

use crate::failure::Failure;

/// A payment as operators name it: by its own id, or by the number of its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PaymentArgument {
    Payment(i64),
    Order(OrderNumber),
}

impl FromStr for PaymentArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let order = || text.parse::<OrderNumber>().ok();
        let chosen = match text.parse::<i64>() {
            // An order's id and a payment's id look the same, and the command is about payments.
            Ok(_) => order().map(|number| Self::Payment(number.id())),
            Err(_) => order().map(Self::Order),
        };
        chosen.ok_or_else(|| {
            format!("`{text}` is no payment: give its id, such as 7, or the number of its order, such as O-000042")
        })
    }
}

impl PaymentArgument {
    /// The payment; a failure that says what to do if there is none.
    pub(super) async fn find(self, db: &Db) -> Result<PaymentRecord, Failure> {
        let id = match self {
            Self::Payment(id) => Some(id),
            Self::Order(number) => find_payment(db, number.id()).await?.map(|payment| payment.id),
        };
        let found = match id {
            Some(id) => find_payment_record(db, id).await?,
            None => None,
        };
        found.ok_or_else(|| match self {
            Self::Payment(id) => {
                Failure::operation(format!("there is no payment {id}; `stoa payment list` shows all of them"))
            }
            Self::Order(number) => Failure::operation(format!(
                "there is no payment of order {number}: there is no such order, or nothing was to be paid for it"
            )),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_a_payment_and_a_number_is_its_order() {
        assert_eq!("7".parse(), Ok(PaymentArgument::Payment(7)));
        assert_eq!(" 7 ".parse(), Ok(PaymentArgument::Payment(7)));
        assert_eq!("o-000042".parse(), Ok(PaymentArgument::Order(OrderNumber::of(42))));
        for text in ["", "0", "-1", "+7", "T-000001", "O-", "7.5", "99999999999999999999"] {
            assert!(text.parse::<PaymentArgument>().is_err(), "{text}");
        }
    }
}
