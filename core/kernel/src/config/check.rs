//! What decoding cannot see: settings that contradict each other, or the machine.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::error::{ConfigProblem, Origin};
use super::tree::{KeyPath, Node, Problems};

/// A section of the configuration: a table at the top level, and the type it becomes.
pub(super) trait Section: DeserializeOwned + Default {
    /// The name of the table.
    const KEY: &'static str;

    /// Resolves relative paths from `folder`.
    fn resolve_paths(&mut self, _folder: &Path) {}

    /// Notes what is wrong beyond the form of single settings.
    fn check(&self, _check: &mut Check<'_>) {}
}

/// Takes note of problems in one table, at the place where they were written.
pub(super) struct Check<'a> {
    section: &'a Node,
    path: KeyPath,
    problems: &'a mut Problems,
}

impl<'a> Check<'a> {
    /// For the table `section`.
    pub(super) fn new(section: &'a Node, problems: &'a mut Problems) -> Self {
        Self { section, path: section.path.clone(), problems }
    }

    /// For the table `key` in this one.
    pub(super) fn table(&mut self, key: &str) -> Check<'_> {
        Check { section: self.section, path: self.path.key(key), problems: self.problems }
    }

    /// For the element at `index` of the list `key` in this table.
    pub(super) fn element(&mut self, key: &str, index: usize) -> Check<'_> {
        Check { section: self.section, path: self.path.key(key).index(index), problems: self.problems }
    }

    /// Whether nothing in this table was wrong so far.
    ///
    /// What one setting says about another is worth checking only then: `secretkey` should not also
    /// be told as a `secret_key` that is missing.
    pub(super) fn is_sound(&self) -> bool {
        !self.problems.any_in(&self.path)
    }

    /// Refuses what `key` says; the reason is a clause.
    pub(super) fn refuse(&mut self, key: &str, reason: &str) {
        self.refuse_because_of(key, key, reason);
    }

    /// Refuses that `key` is as it is, or absent, because of what `cause` says.
    ///
    /// Told at the place of `cause` when nobody wrote `key`.
    pub(super) fn refuse_because_of(&mut self, cause: &str, key: &str, reason: &str) {
        let path = self.path.key(key);
        let mut node = self.section.nearest(&path);
        if node.path != path || node.origin == Origin::Defaults {
            node = self.section.nearest(&self.path.key(cause));
        }
        self.problems.list.push(ConfigProblem::new(node.origin.clone(), format!("`{path}`: {reason}")));
    }
}
