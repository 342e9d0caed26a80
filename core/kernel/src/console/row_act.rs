//! What can be done with a row of a list.

/// What can be done with a row.
#[derive(Debug, Clone)]
pub struct RowAct {
    /// What the button says.
    pub label: &'static str,
    /// Where it is sent to, or which page opens, such as `/webhooks/retry`.
    pub path: String,
    /// What is sent along; `None` opens the page instead.
    pub sends: Option<Vec<(&'static str, String)>>,
}

impl RowAct {
    /// A button that is sent to a path of the console, with values.
    pub fn send(
        label: &'static str,
        path: impl Into<String>,
        values: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Self {
        Self { label, path: path.into(), sends: Some(values.into_iter().collect()) }
    }

    /// A way to another page.
    pub fn open(label: &'static str, path: impl Into<String>) -> Self {
        Self { label, path: path.into(), sends: None }
    }

    /// A way to a form, whose fields are filled with values.
    pub fn fill<'a>(
        label: &'static str,
        path: &str,
        values: impl IntoIterator<Item = (&'static str, &'a str)>,
    ) -> Self {
        Self::open(label, with_values(path, values))
    }
}

/// A path with values behind it.
pub(super) fn with_values<'a>(path: &str, values: impl IntoIterator<Item = (&'static str, &'a str)>) -> String {
    let values = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(values).finish();
    format!("{path}?{values}")
}
