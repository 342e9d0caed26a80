//! The options of a product as rows of the form.

use serde_json::{Value, json};
use stoa_core::catalog::import::slug_of;
use stoa_core::catalog::{ChoiceRecord, OptionRecord, OptionType};
use stoa_core::money::{MoneyFormatter, parse_form_amount};
use stoa_kernel::console::StaffForm;

use crate::form::Problem;

/// Rows for choices that are offered at once.
const MORE_CHOICES: usize = 5;

/// An option in the form.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OptionRow {
    pub(super) key: String,
    pub(super) label: String,
    pub(super) kind: String,
    pub(super) required: bool,
    pub(super) active: bool,
    pub(super) choices: Vec<ChoiceRow>,
}

/// A choice in the form.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ChoiceRow {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) amount: String,
    pub(super) sku: String,
    pub(super) active: bool,
}

/// The rows of a form that say something.
pub(super) fn options_of(form: &StaffForm) -> Vec<OptionRow> {
    let text = |name: String| form.get(&name).unwrap_or_default().to_owned();
    let choice = |option: usize, at: usize| {
        let name = |part: &str| format!("options[{option}].choices[{at}].{part}");
        form.raw(&name("label"))?;
        Some(ChoiceRow {
            value: text(name("value")),
            label: text(name("label")),
            amount: text(name("price_adjustment_amount")),
            sku: text(name("sku")),
            active: form.get(&name("active")).is_some(),
        })
    };
    let option = |at: usize| {
        let name = |part: &str| format!("options[{at}].{part}");
        form.raw(&name("label"))?;
        let choices = (0..).map_while(|number| choice(at, number)).filter(|choice| !choice.is_blank());
        Some(OptionRow {
            key: text(name("key")),
            label: text(name("label")),
            kind: text(name("type")),
            required: form.get(&name("required")).is_some(),
            active: form.get(&name("active")).is_some(),
            choices: choices.collect(),
        })
    };
    (0..).map_while(option).filter(|option| !option.is_blank()).collect()
}

impl ChoiceRow {
    fn of(choice: ChoiceRecord, money: &MoneyFormatter) -> Self {
        Self {
            value: choice.value,
            label: choice.label,
            amount: money.decimal(choice.price_adjustment_amount),
            sku: choice.sku.unwrap_or_default(),
            active: choice.active,
        }
    }

    fn is_blank(&self) -> bool {
        [&self.value, &self.label, &self.amount, &self.sku].into_iter().all(String::is_empty)
    }

    fn blank() -> Self {
        Self { active: true, ..Self::default() }
    }

    fn object(&self, place: &str, money: &MoneyFormatter, problems: &mut Vec<Problem>) -> Value {
        let value = if self.value.is_empty() { slug_of(&self.label).unwrap_or_default() } else { self.value.clone() };
        let (is_less, text) = match self.amount.strip_prefix(['-', '\u{2212}']) {
            Some(text) => (true, text),
            None => (false, self.amount.strip_prefix('+').unwrap_or(&self.amount)),
        };
        let adjustment = if text.trim().is_empty() { Ok(0) } else { parse_form_amount(text, money) };
        let adjustment = adjustment.unwrap_or_else(|error| {
            problems.push(Problem::new(format!("{place}.price_adjustment_amount"), error.to_string()));
            0
        });
        let adjustment = if is_less { -adjustment } else { adjustment };
        json!({
            "value": value, "label": self.label, "price_adjustment_amount": adjustment, "sku": self.sku,
            "active": self.active,
        })
    }
}

impl OptionRow {
    pub(super) fn of(option: OptionRecord, money: &MoneyFormatter) -> Self {
        Self {
            key: option.key,
            label: option.label,
            kind: option.kind.as_str().to_owned(),
            required: option.required,
            active: option.active,
            choices: option.choices.into_iter().map(|choice| ChoiceRow::of(choice, money)).collect(),
        }
    }

    /// A row to fill in.
    pub(super) fn blank() -> Self {
        Self { kind: OptionType::Select.as_str().to_owned(), active: true, ..Self::default() }
    }

    /// Adds rows for further choices, to an option that has any.
    pub(super) fn with_more_choices(mut self, more: bool) -> Self {
        if OptionType::from_name(&self.kind).is_some_and(OptionType::has_choices) {
            let number = if more { MORE_CHOICES } else { 1 };
            self.choices.extend(std::iter::repeat_n(ChoiceRow::blank(), number));
        }
        self
    }

    fn is_blank(&self) -> bool {
        self.key.is_empty() && self.label.is_empty() && self.choices.is_empty()
    }

    /// The object that a line of a file would have had.
    pub(super) fn object(&self, at: usize, money: &MoneyFormatter, problems: &mut Vec<Problem>) -> Value {
        let key = if self.key.is_empty() { slug_of(&self.label).unwrap_or_default() } else { self.key.clone() };
        let choices = self
            .choices
            .iter()
            .enumerate()
            .map(|(number, choice)| choice.object(&format!("options[{at}].choices[{number}]"), money, problems));
        json!({
            "choices": choices.collect::<Vec<_>>(), "key": key, "label": self.label, "type": self.kind,
            "required": self.required, "active": self.active,
        })
    }
}
