//! The ability catalog (S5.3). Nothing but this table and a module's own mapping adds to it.

use std::collections::BTreeMap;

use crate::suggestion::closest;

/// The ability that stands for all others.
pub const FULL_ACCESS: &str = "*";

/// One entry of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ability {
    /// The name in tokens, such as `orders.read`.
    pub name: &'static str,
    /// What it opens.
    pub protects: &'static str,
}

const fn ability(name: &'static str, protects: &'static str) -> Ability {
    Ability { name, protects }
}

/// The abilities of the specification, without `*`. They are valid in a token whether or not their
/// module is enabled.
pub const SPECIFIED: [Ability; 18] = [
    ability("account.read", "read the account"),
    ability("account.update", "change the account's name"),
    ability("addresses.read", "list saved addresses"),
    ability("addresses.create", "save an address"),
    ability("addresses.update", "change a saved address"),
    ability("addresses.delete", "delete a saved address"),
    ability("orders.read", "list and read orders"),
    ability("orders.create", "place an order"),
    ability("orders.pay", "start a payment"),
    ability("invoices.read", "list and read invoices"),
    ability("credit_notes.read", "list and read credit notes"),
    ability("tickets.read", "list and read support tickets"),
    ability("subscriptions.read", "list and read subscriptions"),
    ability("services.read", "list and read provisioned services"),
    ability("downloads.read", "list and fetch digital downloads"),
    ability("digital_secrets.read", "list and read delivered digital secrets"),
    ability("event_tickets.read", "list and read event tickets"),
    ability("tokens.revoke", "revoke the token itself"),
];

/// What belongs to an account, which guests do not have: closed to their tokens (C6.3).
const OF_ACCOUNTS: [&str; 3] = ["account.update", "tickets.read", "tokens.revoke"];

/// Whether tokens of guests may do what this ability opens.
pub(super) fn opens_to_guests(ability: &str) -> bool {
    !OF_ACCOUNTS.contains(&ability)
}

/// The abilities that tokens may hold and route prefixes may be mapped to.
#[derive(Debug, Clone, Default)]
pub struct AbilityCatalog {
    /// Abilities of enabled modules beyond the specification's, with their module.
    added: BTreeMap<&'static str, &'static str>,
    /// Route prefix to ability, with the module that mapped it.
    prefixes: BTreeMap<&'static str, (&'static str, &'static str)>,
}

impl AbilityCatalog {
    /// Maps a route prefix to an ability (S5.1 rule 6). An ability outside the specification joins
    /// the catalog when its name starts with the module's own.
    pub(crate) fn map(
        &mut self,
        module: &'static str,
        prefix: &'static str,
        ability: &'static str,
    ) -> Result<(), String> {
        if let Some((other, _)) = self.prefixes.get(prefix) {
            return Err(format!("the route prefix `{prefix}` is mapped by both `{other}` and `{module}`"));
        }
        if !SPECIFIED.iter().any(|known| known.name == ability) {
            let own = ability.strip_prefix(module).is_some_and(|rest| rest.starts_with('.') && rest.len() > 1);
            if !own {
                return Err(format!(
                    "`{module}` maps `{prefix}` to the ability `{ability}`, which is neither in the catalog nor starts with `{module}.`"
                ));
            }
            self.added.insert(ability, module);
        }
        self.prefixes.insert(prefix, (module, ability));
        Ok(())
    }

    /// Takes over another module's mappings.
    pub(crate) fn absorb(&mut self, other: Self) -> Result<(), String> {
        for (prefix, (module, ability)) in other.prefixes {
            self.map(module, prefix, ability)?;
        }
        Ok(())
    }

    /// The ability that opens a route prefix.
    pub fn of_prefix(&self, prefix: &str) -> Option<&'static str> {
        self.prefixes.get(prefix).map(|(_, ability)| *ability)
    }

    /// Whether a token may hold this ability.
    pub fn contains(&self, name: &str) -> bool {
        name == FULL_ACCESS || SPECIFIED.iter().any(|known| known.name == name) || self.added.contains_key(name)
    }

    /// The ability that an unknown name is most likely a typing error of, if any is likely.
    pub fn nearest(&self, wrong: &str) -> Option<&'static str> {
        closest(wrong, self.names())
    }

    /// The names of those that guests have: all that is needed to buy, and to get what was bought.
    pub fn of_guests(&self) -> impl Iterator<Item = &'static str> {
        self.names().filter(|name| opens_to_guests(name))
    }

    /// All names but `*`: the specification's in its order, then the modules' by name.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        SPECIFIED.iter().map(|known| known.name).chain(self.added.keys().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_cannot_claim_an_ability_of_another() {
        let mut catalog = AbilityCatalog::default();
        assert!(catalog.map("gift_wrap", "gift-wraps", "loyalty.read").is_err());
        assert!(catalog.map("gift_wrap", "gift-wraps", "gift_wrapping.read").is_err());
        assert!(!catalog.contains("loyalty.read"));
    }

    #[test]
    fn a_modules_own_ability_joins_the_catalog() {
        let mut catalog = AbilityCatalog::default();
        catalog.map("gift_wrap", "gift-wraps", "gift_wrap.read").expect("own ability");
        assert!(catalog.contains("gift_wrap.read"));
        assert_eq!(catalog.of_prefix("gift-wraps"), Some("gift_wrap.read"));
        assert_eq!(catalog.of_prefix("gift_wraps"), None);
    }

    #[test]
    fn a_typing_error_finds_the_ability_that_was_meant() {
        let catalog = AbilityCatalog::default();
        for (wrong, meant) in [
            ("order.read", "orders.read"),
            ("orders.raed", "orders.read"),
            ("Orders.Read", "orders.read"),
            ("orders:pay", "orders.pay"),
            ("credit-notes.read", "credit_notes.read"),
            ("event_ticket.read", "event_tickets.read"),
        ] {
            assert_eq!(catalog.nearest(wrong), Some(meant), "{wrong}");
        }
        for wrong in ["", "zebra", "everything", "x"] {
            assert_eq!(catalog.nearest(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_prefix_is_mapped_once_and_the_refusal_names_both_modules() {
        let mut catalog = AbilityCatalog::default();
        catalog.map("downloads", "downloads", "downloads.read").expect("first");
        let refusal = catalog.map("library", "downloads", "library.read").expect_err("second");
        assert!(refusal.contains("`downloads`") && refusal.contains("`library`"));
    }
}
