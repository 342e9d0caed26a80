//! Fields of forms: what each is called, what was typed, and what is wrong with it.

/// What is put into a field.
pub(crate) enum FieldKind {
    /// A text of one line.
    Text,
    /// A number or an amount.
    Number,
    /// A text of several lines.
    Area,
    /// One of these: the value, and what it is called.
    Choice(Vec<(String, String)>),
    /// On or off.
    Check,
}

/// A field as it is shown.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) label: String,
    /// What there is to know before filling it in.
    pub(crate) hint: String,
    pub(crate) value: String,
    pub(crate) kind: FieldKind,
    pub(crate) required: bool,
    /// Why it was not taken.
    pub(crate) problem: Option<String>,
}

impl Field {
    pub(crate) fn new(name: impl Into<String>, label: impl Into<String>, kind: FieldKind) -> Self {
        Self {
            name: name.into(),
            label: label.into(),
            hint: String::new(),
            value: String::new(),
            kind,
            required: false,
            problem: None,
        }
    }

    pub(crate) fn text(name: impl Into<String>, label: impl Into<String>) -> Self {
        Self::new(name, label, FieldKind::Text)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    pub(crate) fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// With what is typed in it, and what is wrong with that.
    pub(crate) fn filled(mut self, value: impl Into<String>, problems: &[Problem]) -> Self {
        self.value = value.into();
        self.problem =
            problems.iter().find(|problem| problem.member == self.name).map(|problem| problem.reason.clone());
        self
    }
}

/// What somebody else has made of a field meanwhile, and what saving what is typed would make of it.
pub(crate) fn changed_meanwhile(label: &str, now: &str, typed: &str) -> String {
    let now = if now.is_empty() { String::from("empty") } else { format!("“{now}”") };
    let saving =
        if typed.is_empty() { String::from("saving empties it") } else { format!("saving makes it “{typed}”") };
    format!("{label} is {now} now, {saving}")
}

/// Something that is wrong in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The field that it is in.
    pub(crate) member: String,
    /// What is wrong: a sentence, or one without its beginning, such as "is missing".
    pub(crate) reason: String,
}

impl Problem {
    pub(crate) fn new(member: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { member: member.into(), reason: reason.into() }
    }

    /// The reason as a sentence of its own, about a field that is called so.
    pub(crate) fn sentence(&self, label: &str) -> String {
        let is_begun = !["is ", "has ", "holds ", "are ", "lower "].iter().any(|begin| self.reason.starts_with(begin));
        if is_begun {
            stoa_kernel::console::sentence(&self.reason)
        } else {
            format!("{label} {}.", self.reason.trim_end_matches('.'))
        }
    }
}
