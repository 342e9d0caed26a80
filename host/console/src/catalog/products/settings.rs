//! What modules keep about a product, as fields of the form.

use serde_json::{Map, Value, json};
use stoa_kernel::console::{MOMENT_HINT, moment};
use stoa_kernel::module::{ProductModule, SettingField, SettingKind};

use super::draft::Draft;
use crate::form::{Field, FieldKind, Problem};

/// The name of a module's field in the form.
fn name_of(module: &ProductModule, field: &SettingField) -> String {
    format!("modules.{}.{}", module.name, field.name)
}

/// The name of the one field of a module that describes none.
fn whole_name(module: &ProductModule) -> String {
    format!("modules.{}", module.name)
}

/// The fields of a module with what is typed in them.
pub(super) fn fields(module: &ProductModule, draft: &Draft, problems: &[Problem]) -> Vec<Field> {
    let form = module.form();
    if form.is_empty() {
        let field = Field::new(whole_name(module), "Settings", FieldKind::Area).hint("As JSON, as in an import.");
        let value = draft.text(&field.name).to_owned();
        return vec![field.filled(value, problems)];
    }
    let shown = form.iter().map(|field| {
        let kind = match &field.kind {
            SettingKind::Text | SettingKind::Moment => FieldKind::Text,
            SettingKind::Number => FieldKind::Number,
            SettingKind::Json => FieldKind::Area,
            SettingKind::Flag => choice(&["yes", "no"]),
            SettingKind::Choice(words) => choice(words),
        };
        let hint = match &field.kind {
            SettingKind::Moment if field.hint.is_empty() => MOMENT_HINT,
            _ => field.hint,
        };
        let shown = Field::new(name_of(module, field), field.label, kind).hint(hint);
        let value = draft.text(&shown.name).to_owned();
        shown.filled(value, problems)
    });
    shown.collect()
}

fn choice(words: &[&str]) -> FieldKind {
    let words = words.iter().map(|word| ((*word).to_owned(), (*word).to_owned()));
    FieldKind::Choice(std::iter::once((String::new(), String::from("–"))).chain(words).collect())
}

/// Writes what a module keeps into the fields of the form.
pub(super) fn fill(module: &ProductModule, stored: &Value, draft: &mut Draft) {
    let form = module.form();
    if form.is_empty() {
        draft.put(whole_name(module), pretty(stored));
    }
    for field in form {
        let value = field.name.split('.').try_fold(stored, |value, part| value.get(part));
        let text = match (value, &field.kind) {
            (None | Some(Value::Null), _) => continue,
            (Some(Value::Bool(flag)), SettingKind::Flag) => String::from(if *flag { "yes" } else { "no" }),
            (Some(Value::String(text)), SettingKind::Text | SettingKind::Choice(_) | SettingKind::Moment) => {
                text.clone()
            }
            (Some(value), _) => pretty(value),
        };
        draft.put(name_of(module, &field), text);
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// What is to be kept by a module: what is stored, with what the fields say in its place; null where nothing is.
pub(super) fn object(
    module: &ProductModule,
    draft: &Draft,
    stored: Option<&Value>,
    problems: &mut Vec<Problem>,
) -> Value {
    let form = module.form();
    if form.is_empty() {
        let name = whole_name(module);
        return json_of(draft.text(&name)).unwrap_or_else(|reason| {
            problems.push(Problem::new(name, reason));
            Value::Null
        });
    }
    let mut settings = stored.and_then(Value::as_object).cloned().unwrap_or_default();
    for field in form {
        let name = name_of(module, &field);
        match value_of(&field.kind, draft.text(&name)) {
            Ok(value) => put(&mut settings, field.name, value),
            Err(reason) => problems.push(Problem::new(name, reason)),
        }
    }
    // An empty object means something to a module only if it was there before.
    let is_kept = !settings.is_empty() || stored.is_some_and(|stored| stored.as_object().is_some_and(Map::is_empty));
    if is_kept { Value::Object(settings) } else { Value::Null }
}

fn value_of(kind: &SettingKind, text: &str) -> Result<Value, String> {
    if text.is_empty() {
        return Ok(Value::Null);
    }
    match kind {
        SettingKind::Text | SettingKind::Choice(_) => Ok(json!(text)),
        // What is no moment is refused by the module, which knows its own limits.
        SettingKind::Moment => Ok(json!(moment(text).unwrap_or_else(|| text.to_owned()))),
        SettingKind::Number => {
            text.parse::<i64>().map(Value::from).map_err(|_| format!("is “{text}”, but must be a whole number"))
        }
        SettingKind::Flag => Ok(json!(text == "yes")),
        SettingKind::Json => json_of(text),
    }
}

fn json_of(text: &str) -> Result<Value, String> {
    if text.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_str(text).map_err(|error| format!("is no JSON: {error}"))
}

/// Puts a value into its place, which may be in an object of its own; null takes out what is there.
fn put(settings: &mut Map<String, Value>, name: &str, value: Value) {
    let Some((outer, inner)) = name.split_once('.') else {
        if value.is_null() {
            settings.shift_remove(name);
        } else {
            settings.insert(name.to_owned(), value);
        }
        return;
    };
    let mut part = settings.get(outer).and_then(Value::as_object).cloned().unwrap_or_default();
    put(&mut part, inner, value);
    if part.is_empty() {
        settings.shift_remove(outer);
    } else {
        settings.insert(outer.to_owned(), Value::Object(part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_put_in_and_taken_out_and_leaves_no_empty_object() {
        let mut settings = Map::new();
        put(&mut settings, "shared.name", json!("Hall"));
        put(&mut settings, "count", json!(3));
        assert_eq!(Value::Object(settings.clone()), json!({"shared": {"name": "Hall"}, "count": 3}));
        put(&mut settings, "shared.name", Value::Null);
        put(&mut settings, "count", Value::Null);
        assert_eq!(settings, Map::new());
    }
}
