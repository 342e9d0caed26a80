//! The roles that come along, as patterns of abilities.

/// A role: its name, what it is for, and the patterns of what it may do and may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltInRole {
    /// The name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Patterns of what it may do.
    pub may: &'static [&'static str],
    /// Patterns of what it may not do all the same.
    pub but_not: &'static [&'static str],
}

const fn role(
    name: &'static str,
    about: &'static str,
    may: &'static [&'static str],
    but_not: &'static [&'static str],
) -> BuiltInRole {
    BuiltInRole { name, about, may, but_not }
}

/// The roles that come along.
pub const BUILT_IN_ROLES: [BuiltInRole; 6] = [
    role("owner", "everything", &["*"], &[]),
    role("manager", "everything but staff and settings", &["*"], &["staff.*", "settings.*"]),
    role(
        "support",
        "customers, their orders, tickets and withdrawals",
        &[
            "orders.view",
            "orders.note",
            "orders.mail",
            "orders.cancel",
            "customers.*",
            "support.*",
            "withdrawals.*",
            "*.view",
        ],
        &["staff.*", "settings.*", "audit.*", "reports.*", "payments.*", "customers.anonymize", "customers.export"],
    ),
    role(
        "warehouse",
        "packing, shipping, stock and admission",
        &["orders.view", "orders.ship", "orders.note", "products.view", "inventory.*", "event_tickets.*"],
        &[],
    ),
    role(
        "accountant",
        "payments, documents, refunds and reports",
        &[
            "orders.view",
            "orders.note",
            "orders.pay",
            "orders.refund",
            "payments.*",
            "invoices.*",
            "reports.*",
            "customers.view",
            "discounts.view",
            "withdrawals.view",
        ],
        &[],
    ),
    role(
        "viewer",
        "looks at everything that is no secret, and changes nothing",
        &["*.view"],
        &["staff.*", "settings.*", "audit.*"],
    ),
];

/// Whether a role of this name comes along.
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN_ROLES.iter().any(|role| role.name == name)
}

/// Whether an ability fits a pattern: itself, `orders.*`, `*.view` or `*`.
pub fn fits(ability: &str, pattern: &str) -> bool {
    let Some((subject, act)) = ability.split_once('.') else { return false };
    match pattern.split_once('.') {
        None => pattern == "*",
        Some((wanted, wanted_act)) => (wanted == "*" || wanted == subject) && (wanted_act == "*" || wanted_act == act),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_subjects_and_acts() {
        for pattern in ["*", "orders.*", "*.view", "orders.view", "*.*"] {
            assert!(fits("orders.view", pattern), "{pattern}");
        }
        for pattern in ["", "orders", "order.*", "orders.edit", "*.edit", "orders.view.more", "view"] {
            assert!(!fits("orders.view", pattern), "{pattern}");
        }
    }
}
