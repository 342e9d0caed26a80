//! Checking what a client has selected against what a product offers.

use std::borrow::Cow;

use serde_json::{Map, Value};

use stoa_catalog::{OptionRecord, OptionType};
use stoa_kernel::http::error::{FieldProblem, FieldProblems};
use stoa_kernel::i18n::Violation;

use super::selections::{Selection, Selections};

/// The longest text, in characters (contract 2.1).
const MAX_TEXT: usize = 255;

/// Choices that a message can show, and one more, so that it says there are others.
const NAMED_CHOICES: usize = 13;

/// The selections in their one form, or everything that is wrong with them under `selections.<key>`.
pub(super) fn accept(options: &[OptionRecord], given: &Map<String, Value>) -> Result<Selections, FieldProblems> {
    let mut problems = FieldProblems::new();
    let mut refuse = |key: &str, violation: Violation| {
        let field = format!("selections.{key}");
        let message = violation.on(field.clone());
        problems.entry(field).or_default().push(FieldProblem::Message(message));
    };
    let mut selections = Selections::default();
    for option in options.iter().filter(|option| option.active) {
        match given.get(&option.key).map_or(Ok(None), |value| select(option, value)) {
            Ok(Some(selection)) => {
                selections.0.insert(option.key.clone(), selection);
            }
            Ok(None) if option.required => refuse(&option.key, Violation::Required),
            Ok(None) => {}
            Err(violation) => refuse(&option.key, violation),
        }
    }
    for key in given.keys().filter(|key| !options.iter().any(|option| option.active && option.key == **key)) {
        refuse(key, Violation::UnknownOption);
    }
    if problems.is_empty() { Ok(selections) } else { Err(problems) }
}

/// What a value selects of an option. Null, a blank text, an empty list and a toggle that is off select nothing (contract 2).
fn select(option: &OptionRecord, value: &Value) -> Result<Option<Selection>, Violation> {
    let value = match value {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        value => value,
    };
    let selection = match option.kind {
        OptionType::Select | OptionType::Radio => Selection::Text(choice(option, value)?),
        OptionType::Checkbox => {
            let values = value.as_array().ok_or(Violation::Array)?;
            if values.is_empty() {
                return Ok(None);
            }
            Selection::values(values.iter().map(|value| choice(option, value)).collect::<Result<_, _>>()?)
        }
        OptionType::Toggle => {
            let is_on = value.as_bool().ok_or(Violation::Boolean)?;
            return Ok(is_on.then_some(Selection::Flag(true)));
        }
        OptionType::Text => Selection::Text(text(value)?),
        OptionType::Number => match value {
            Value::Number(number) => Selection::number(number),
            _ => return Err(Violation::Number),
        },
    };
    Ok(Some(selection))
}

fn choice(option: &OptionRecord, value: &Value) -> Result<String, Violation> {
    let given = value.as_str().ok_or(Violation::String)?.trim();
    let offered = || option.choices.iter().filter(|choice| choice.active);
    if offered().any(|choice| choice.value == given) {
        return Ok(given.to_owned());
    }
    let allowed = offered().take(NAMED_CHOICES).map(|choice| Cow::Owned(choice.value.clone())).collect();
    Err(Violation::OneOf { allowed })
}

/// A text of several lines, as it was sent but for white space at its ends.
fn text(value: &Value) -> Result<String, Violation> {
    let text = value.as_str().ok_or(Violation::String)?.trim();
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(Violation::ControlCharacters);
    }
    if text.chars().count() > MAX_TEXT {
        return Err(Violation::MaxLength { max: MAX_TEXT });
    }
    Ok(text.to_owned())
}
