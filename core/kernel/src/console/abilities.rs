//! What can be done in the console, as features and modules register it, and who may do it.

use std::collections::BTreeMap;

use stoa_base::roles::{BUILT_IN_ROLES, BuiltInRole, fits, is_built_in};

use crate::config::ConsoleConfig;
use crate::suggestion::{closest, did_you_mean};

/// Something that can be done in the console, named `<subject>.<act>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsoleAbility {
    /// The name, such as `orders.refund`.
    pub name: &'static str,
    /// What it opens, for whoever gives it to somebody.
    pub opens: &'static str,
}

/// An ability, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedConsoleAbility {
    /// `core` or the module.
    pub owner: &'static str,
    /// The ability.
    pub ability: ConsoleAbility,
}

/// The abilities of the console and the roles that hold them.
#[derive(Debug, Clone, Default)]
pub struct ConsoleAbilities {
    all: Vec<OwnedConsoleAbility>,
    /// What each role may do, sorted.
    roles: BTreeMap<String, Vec<&'static str>>,
}

impl ConsoleAbilities {
    /// Resolves the roles. What is wrong with the operator's own is told in words.
    pub(crate) fn new(mut all: Vec<OwnedConsoleAbility>, config: &ConsoleConfig) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        all.sort_by_key(|owned| owned.ability.name);
        for pair in all.windows(2).filter(|pair| pair[0].ability.name == pair[1].ability.name) {
            let [first, second] = [pair[0].owner, pair[1].owner];
            problems.push(format!(
                "the console's ability `{}` is registered by both `{first}` and `{second}`",
                pair[0].ability.name
            ));
        }
        let names = all.iter().map(|owned| owned.ability.name).collect::<Vec<_>>();
        let mut roles = BTreeMap::new();
        for BuiltInRole { name, may, but_not, .. } in BUILT_IN_ROLES {
            let held = names.iter().copied().filter(|ability| {
                may.iter().any(|pattern| fits(ability, pattern))
                    && !but_not.iter().any(|pattern| fits(ability, pattern))
            });
            roles.insert(name.to_owned(), held.collect());
        }
        for (name, role) in &config.roles {
            let mut held = Vec::new();
            for pattern in &role.abilities {
                let found = names.iter().copied().filter(|ability| fits(ability, pattern)).collect::<Vec<_>>();
                // What belongs to a module that is off may stay in the configuration.
                let is_wide = pattern.contains('*');
                if found.is_empty() && !is_wide && config.enabled {
                    let meant = did_you_mean(closest(pattern, names.iter().copied()));
                    problems.push(format!("`console.roles.{name}.abilities`: there is no ability `{pattern}`{meant}"));
                }
                held.extend(found);
            }
            held.sort_unstable();
            held.dedup();
            roles.insert(name.clone(), held);
        }
        (Self { all, roles }, problems)
    }

    /// All abilities, sorted by name.
    pub fn all(&self) -> &[OwnedConsoleAbility] {
        &self.all
    }

    /// The names of the roles, those that come along first.
    pub fn roles(&self) -> Vec<&str> {
        let own = self.roles.keys().map(String::as_str).filter(|name| !is_built_in(name));
        BUILT_IN_ROLES.iter().map(|role| role.name).chain(own).collect()
    }

    /// What a role is for, in words: as it comes along, or what the operator's own one opens.
    pub fn about_role(&self, role: &str) -> String {
        if let Some(known) = BUILT_IN_ROLES.iter().find(|known| known.name == role) {
            return known.about.to_owned();
        }
        let held = self.all.iter().filter(|owned| self.allows(role, owned.ability.name));
        let opens = held.map(|owned| owned.ability.opens).collect::<Vec<_>>();
        if opens.is_empty() { String::from("nothing") } else { opens.join("; ") }
    }

    /// Whether there is such a role.
    pub fn has_role(&self, role: &str) -> bool {
        self.roles.contains_key(role)
    }

    /// What a role may do; nothing for one that is not there any more.
    pub fn of_role(&self, role: &str) -> &[&'static str] {
        self.roles.get(role).map_or(&[], Vec::as_slice)
    }

    /// Whether a role may do this.
    pub fn allows(&self, role: &str, ability: &str) -> bool {
        self.of_role(role).binary_search(&ability).is_ok()
    }

    /// Whether such an ability was registered.
    pub fn contains(&self, ability: &str) -> bool {
        self.all.binary_search_by_key(&ability, |owned| owned.ability.name).is_ok()
    }
}
