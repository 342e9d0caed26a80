//! What was found.

use std::fmt;

use serde::Serialize;

use super::rule::Rule;

/// A rule that is broken in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Breach {
    /// The rule.
    pub rule: Rule,
    /// Where: a route, a table, a file, a name.
    pub place: String,
    /// What is wrong there.
    pub problem: String,
    /// What mends it.
    pub mend: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}; {}", self.rule.name(), self.place, self.problem, self.mend)
    }
}

/// Whether a rule could be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleCoverage {
    /// The rule.
    pub rule: Rule,
    /// What is looked at.
    pub at: &'static str,
    /// Why this could not be looked at, or not all of it.
    pub left_out: Option<String>,
}

/// What was found about one module.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The module.
    pub module: &'static str,
    /// Every breach, in the order of the rules.
    pub breaches: Vec<Breach>,
    /// Every rule.
    pub rules: Vec<RuleCoverage>,
}

impl Report {
    pub(super) fn of(module: &'static str) -> Self {
        let rules = Rule::ALL.map(|rule| RuleCoverage { rule, at: rule.looks_at(), left_out: None });
        Self { module, breaches: Vec::new(), rules: rules.to_vec() }
    }

    /// Something whose name is not the module's own, and what it may be called.
    pub(super) fn misnamed(&mut self, place: impl Into<String>, wanted: &str) {
        self.breach(Rule::Names, place, "its name is not the module's", format!("call it `{wanted}`"));
    }

    pub(super) fn breach(
        &mut self,
        rule: Rule,
        place: impl Into<String>,
        problem: impl Into<String>,
        mend: impl Into<String>,
    ) {
        let breach = Breach { rule, place: place.into(), problem: problem.into(), mend: mend.into() };
        if !self.breaches.contains(&breach) {
            self.breaches.push(breach);
        }
    }

    pub(super) fn leave_out(&mut self, rule: Rule, why: impl Into<String>) {
        if let Some(looked) = self.rules.iter_mut().find(|looked| looked.rule == rule) {
            looked.left_out = Some(why.into());
        }
    }

    /// Nothing but this could be looked at.
    pub(super) fn leave_out_all_but(&mut self, rule: Rule, why: &str) {
        for looked in self.rules.iter_mut().filter(|looked| looked.rule != rule) {
            looked.left_out = Some(why.to_owned());
        }
    }

    pub(super) fn sorted(mut self) -> Self {
        self.breaches.sort_by_key(|breach| breach.rule);
        self
    }
}
