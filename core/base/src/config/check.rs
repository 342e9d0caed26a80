//! What decoding cannot see: settings that contradict each other, or the machine.

use super::error::{ConfigProblem, Origin};
use super::tree::{KeyPath, Problems, Tree};

/// Takes note of problems in one table, at the place where they were written.
pub(super) struct Check<'a> {
    tree: &'a Tree,
    path: KeyPath,
    problems: &'a mut Problems,
}

impl<'a> Check<'a> {
    /// For all settings.
    pub(super) fn new(tree: &'a Tree, problems: &'a mut Problems) -> Self {
        Self { tree, path: KeyPath::default(), problems }
    }

    /// For the table `key` in this one.
    pub(super) fn table(&mut self, key: &str) -> Check<'_> {
        Check { tree: self.tree, path: self.path.key(key), problems: self.problems }
    }

    /// For the element at `index` of the list `key` in this table.
    pub(super) fn element(&mut self, key: &str, index: usize) -> Check<'_> {
        Check { tree: self.tree, path: self.path.key(key).index(index), problems: self.problems }
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
        let path = self.path.below(key);
        let written =
            self.tree.find(&path).map(|_| self.tree.origin(&path)).filter(|origin| *origin != Origin::Defaults);
        let origin = written.unwrap_or_else(|| self.tree.origin(&self.path.below(cause)));
        self.problems.list.push(ConfigProblem::new(origin, format!("`{path}`: {reason}")));
    }
}
