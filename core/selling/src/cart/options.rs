//! Stored selections against the options of today: whether they can still be bought, what they add to the price, and how
//! they read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use stoa_catalog::{ChoiceRecord, OptionRecord, OptionType};
use stoa_kernel::i18n::Message;
use stoa_kernel::text;

use super::selections::{Selection, Selections};

/// A selected option as people read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SelectedOption {
    /// The option's key.
    pub key: String,
    /// The option's name.
    pub label: String,
    /// What was selected, in words.
    pub display: String,
}

/// What selections add to a product.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Configured {
    /// Minor units added to the product's price; may be negative.
    pub(super) adjustment_amount: i128,
    /// Stock keeping units of the choices that have one.
    pub(super) choice_skus: Vec<String>,
}

/// What the selections add; none when today's options do not allow them any more.
pub(super) fn configure(options: &[OptionRecord], selections: &Selections) -> Option<Configured> {
    let mut configured = Configured::default();
    let mut met = 0;
    for option in options.iter().filter(|option| option.active) {
        let Some(selection) = selections.get(&option.key) else {
            if option.required {
                return None;
            }
            continue;
        };
        // A cart may be older than the rule that a toggle which is off is not stored.
        if option.required && *selection == Selection::Flag(false) {
            return None;
        }
        met += 1;
        for choice in chosen(option, selection)? {
            let choice = choice.filter(|choice| choice.active)?;
            configured.adjustment_amount += i128::from(choice.price_adjustment_amount);
            configured.choice_skus.extend(choice.sku.clone());
        }
    }
    (met == selections.0.len()).then_some(configured)
}

/// The choices that a selection names, none in the place of one that is gone; nothing when the option is of another type
/// now.
fn chosen<'a>(option: &'a OptionRecord, selection: &Selection) -> Option<Vec<Option<&'a ChoiceRecord>>> {
    let find = |value: &String| option.choices.iter().find(|choice| choice.value == *value);
    match (option.kind, selection) {
        (OptionType::Select | OptionType::Radio, Selection::Text(value)) => Some(vec![find(value)]),
        (OptionType::Checkbox, Selection::Values(values)) => Some(values.iter().map(find).collect()),
        (OptionType::Toggle, Selection::Flag(_))
        | (OptionType::Text, Selection::Text(_))
        | (OptionType::Number, Selection::Number(_)) => Some(Vec::new()),
        _ => None,
    }
}

/// The selections as people read them, in the order of the product's options, as far as these are still there.
pub(super) fn shown(
    options: &[OptionRecord],
    selections: &Selections,
    say: &impl Fn(&Message) -> String,
) -> Vec<SelectedOption> {
    let selected = options.iter().filter_map(|option| Some((option, selections.get(&option.key)?)));
    let shown = selected.map(|(option, selection)| SelectedOption {
        key: option.key.clone(),
        label: option.label.clone(),
        display: display(option, selection, say),
    });
    shown.collect()
}

fn display(option: &OptionRecord, selection: &Selection, say: &impl Fn(&Message) -> String) -> String {
    let label = |value: &String| {
        let choice = option.choices.iter().find(|choice| choice.value == *value);
        choice.map_or_else(|| value.clone(), |choice| choice.label.clone())
    };
    match selection {
        Selection::Flag(true) => say(&text!("cart-option-on")),
        Selection::Flag(false) => say(&text!("cart-option-off")),
        Selection::Number(number) => number.to_string(),
        Selection::Text(text) if option.kind.has_choices() => label(text),
        Selection::Text(text) => text.clone(),
        Selection::Values(values) => {
            // In the order of the choices, which is the operator's; what is gone comes last.
            let place = |value: &&String| option.choices.iter().position(|choice| choice.value == **value);
            let mut values = values.iter().collect::<Vec<_>>();
            values.sort_by_key(|value| place(value).unwrap_or(usize::MAX));
            values.into_iter().map(label).collect::<Vec<_>>().join(", ")
        }
    }
}
