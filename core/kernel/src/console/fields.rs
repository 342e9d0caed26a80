//! The fields of a form, from the rule table of its input.

use crate::http::rules::{Field, Kind, Rules};

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormField {
    /// Its name.
    pub name: &'static str,
    /// What it is called.
    pub label: String,
    /// A sentence about it; may be empty.
    pub hint: &'static str,
    /// Whether it must be filled in.
    pub required: bool,
    /// What is put in.
    pub kind: FieldKind,
    /// What was put in.
    pub value: String,
    /// What is wrong with that.
    pub problems: Vec<String>,
}

/// What is put into a field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// A line, as this type of input, of so many characters.
    Line(&'static str, usize),
    /// Several lines, of so many characters.
    Lines(usize),
    /// A whole number between two.
    Number(i64, i64),
    /// Yes or no.
    Check,
    /// One of these: the value, and what it is called.
    Choice(Vec<(String, String)>),
    /// Any of these.
    Checks(Vec<&'static str>),
    /// Nothing: it is sent as it is.
    Hidden,
}

impl FormField {
    /// Whether one of the values of a list was chosen.
    pub fn holds(&self, value: &str) -> bool {
        self.value.lines().any(|line| line == value)
    }
}

/// The name of a field that no form can hold, if there is one.
pub(super) fn unfit(rules: &Rules) -> Option<&'static str> {
    rules.fields.iter().find(|field| kind_of(field).is_none()).map(|field| field.name)
}

fn kind_of(field: &Field) -> Option<FieldKind> {
    Some(match &field.kind {
        Kind::String { .. } if !field.values.is_empty() => FieldKind::Choice(named(&field.values)),
        Kind::String { multiline: true, max, .. } => FieldKind::Lines(*max),
        Kind::String { max, format, .. } => {
            let input = match format {
                Some("email") => "email",
                Some("uri") => "url",
                Some("date") => "date",
                _ => "text",
            };
            FieldKind::Line(input, *max)
        }
        Kind::Integer { min, max } => FieldKind::Number(*min, *max),
        Kind::Boolean => FieldKind::Check,
        Kind::Array { item, .. } if !item.values.is_empty() => FieldKind::Checks(item.values.clone()),
        Kind::Array { item, max } => match &item.kind {
            Kind::String { max: each, .. } => FieldKind::Lines(max.saturating_mul(each + 1)),
            _ => return None,
        },
        Kind::Object(_) | Kind::Map { .. } => return None,
    })
}

/// Values that are called what they are.
fn named(values: &[&str]) -> Vec<(String, String)> {
    values.iter().map(|value| ((*value).to_owned(), (*value).to_owned())).collect()
}

/// What a form makes of its fields.
#[derive(Clone, Copy)]
pub(super) struct FormShape<'a> {
    pub(super) hidden: &'a [&'a str],
    /// What can be chosen, by field.
    pub(super) offers: &'a [(&'static str, Vec<&'static str>)],
    /// What can be chosen by another name than its value, by field.
    pub(super) choices: &'a [(&'static str, Vec<(String, String)>)],
}

impl FormShape<'_> {
    fn kind_of(self, field: &Field) -> Option<FieldKind> {
        if self.hidden.contains(&field.name) {
            return Some(FieldKind::Hidden);
        }
        if let Some((_, values)) = self.choices.iter().find(|(name, _)| *name == field.name) {
            return Some(FieldKind::Choice(values.clone()));
        }
        let offered = self.offers.iter().find(|(name, _)| *name == field.name).map(|(_, values)| values.clone());
        match (&field.kind, offered) {
            (Kind::Array { .. }, Some(values)) => Some(FieldKind::Checks(values)),
            (Kind::String { .. }, Some(values)) => Some(FieldKind::Choice(named(&values))),
            _ => kind_of(field),
        }
    }
}

/// The fields with what was typed, and what is wrong with it.
pub(super) fn fields_of(
    rules: &Rules,
    form: FormShape<'_>,
    typed: impl Fn(&str) -> Option<String>,
    problems: &[(String, String)],
) -> Vec<FormField> {
    let shown = |field: &Field| {
        let of_field =
            |path: &str| path == field.name || path.strip_prefix(field.name).is_some_and(|rest| rest.starts_with('.'));
        let problems = problems.iter().filter(|(path, _)| of_field(path)).map(|(_, text)| in_labels(rules, text));
        Some(FormField {
            name: field.name,
            label: label_of(field),
            hint: field.description,
            required: field.required,
            kind: form.kind_of(field)?,
            value: typed(field.name).unwrap_or_default(),
            problems: problems.collect(),
        })
    };
    rules.fields.iter().filter_map(shown).collect()
}

/// A message with what its fields are called in place of their names, which people do not see.
pub(super) fn in_labels(rules: &Rules, text: &str) -> String {
    let quoted = |name: &str| format!("“{name}”");
    rules
        .fields
        .iter()
        .fold(text.to_owned(), |text, field| text.replace(&quoted(field.name), &quoted(&label_of(field))))
}

/// What a field is called: `on_hand` is `On hand`, where the table does not say otherwise.
fn label_of(field: &Field) -> String {
    if let Some(label) = field.label {
        return label.to_owned();
    }
    let mut letters = field.name.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str().replace('_', " "))
}
