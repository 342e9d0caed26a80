//! What something was done to.

use std::fmt;

/// What something was done to, written `order:12` or `product:evening-lamp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    kind: &'static str,
    key: String,
}

impl Subject {
    /// A thing of this kind, by what it is known by.
    pub fn new(kind: &'static str, key: impl fmt::Display) -> Self {
        Self { kind, key: key.to_string() }
    }

    /// An order, by id.
    pub fn order(id: i64) -> Self {
        Self::new("order", id)
    }

    /// A customer, by id.
    pub fn customer(id: i64) -> Self {
        Self::new("customer", id)
    }

    /// A product, by slug.
    pub fn product(slug: &str) -> Self {
        Self::new("product", slug)
    }

    /// A category, by slug.
    pub fn category(slug: &str) -> Self {
        Self::new("category", slug)
    }

    /// A member of the staff, by e-mail address.
    pub fn staff(email: &str) -> Self {
        Self::new("staff", email)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.key)
    }
}
