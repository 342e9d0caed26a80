//! What people call an order.

use std::fmt;
use std::str::FromStr;

/// What every number begins with.
const PREFIX: &str = "O-";

/// The number of an order, made from its id: `O-000042`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OrderNumber(i64);

impl OrderNumber {
    /// The number of the order with this id.
    pub const fn of(order_id: i64) -> Self {
        Self(order_id)
    }

    /// The order's id.
    pub const fn id(self) -> i64 {
        self.0
    }
}

impl fmt::Display for OrderNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{:06}", self.0)
    }
}

/// What was given is neither an order's id nor its number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no order: give its id, such as 42, or its number, such as O-000042")]
pub struct NotAnOrder(String);

impl FromStr for OrderNumber {
    type Err = NotAnOrder;

    /// Takes an id as well as a number.
    fn from_str(text: &str) -> Result<Self, NotAnOrder> {
        let upper = text.trim().to_ascii_uppercase();
        let digits = upper.strip_prefix(PREFIX).unwrap_or(&upper);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse::<i64>() {
            Ok(id) if is_number && id > 0 => Ok(Self(id)),
            _ => Err(NotAnOrder(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_found_by_its_id_and_by_its_number() {
        assert_eq!(OrderNumber::of(42).to_string(), "O-000042");
        for text in ["42", "O-000042", "o-42", " O-000042 "] {
            assert_eq!(text.parse(), Ok(OrderNumber::of(42)), "{text}");
        }
        assert_eq!(OrderNumber::of(12_345_678).to_string().parse(), Ok(OrderNumber::of(12_345_678)));
    }

    #[test]
    fn what_is_neither_is_refused() {
        for text in ["", "O-", "0", "-1", "+1", "1.5", "O-O-1", "INV-1", "99999999999999999999"] {
            assert!(text.parse::<OrderNumber>().is_err(), "{text}");
        }
    }
}
