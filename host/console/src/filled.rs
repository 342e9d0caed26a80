//! A form as it was sent: shown again with everything that was typed, and beside each field what is wrong with it.

use stoa_kernel::console::StaffForm;

/// A field, and what is wrong with it.
pub(crate) struct Problem {
    pub(crate) field: &'static str,
    pub(crate) text: String,
}

/// What stands in the fields of a form.
#[derive(Default)]
pub(crate) struct Filled {
    values: Vec<(String, String)>,
    pub(crate) problems: Vec<Problem>,
}

impl Filled {
    /// What was sent, without what only proves where it comes from.
    pub(crate) fn of(form: &StaffForm) -> Self {
        let kept = form.fields().filter(|(name, _)| *name != "csrf" && !name.contains("password"));
        let values = kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { values, problems: Vec::new() }
    }

    /// What a form begins with.
    pub(crate) fn with<V: Into<String>>(values: impl IntoIterator<Item = (&'static str, V)>) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        Self { values, problems: Vec::new() }
    }

    /// Puts something else into a field.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.values.retain(|(known, _)| known != name);
        self.values.push((name.to_owned(), value.to_owned()));
    }

    /// What stands in a field.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.values.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str())
    }

    /// What is wrong with a field.
    pub(crate) fn problem(&self, name: &str) -> Option<&str> {
        self.problems.iter().find(|problem| problem.field == name).map(|problem| problem.text.as_str())
    }

    /// Says what is wrong with a field.
    pub(crate) fn refuse(&mut self, field: &'static str, text: impl Into<String>) {
        self.problems.push(Problem { field, text: text.into() });
    }

    /// What was read from a field; none if it is wrong, which is said beside it.
    pub(crate) fn take<T, E: Into<String>>(&mut self, field: &'static str, read: Result<T, E>) -> Option<T> {
        read.map_err(|error| self.refuse(field, error)).ok()
    }
}
