//! What a row says has changed, in words.

use serde_json::{Map, Value};

/// What has become another, a line for each member, such as `role: warehouse → viewer`.
pub(super) fn changes(before: Option<&str>, after: Option<&str>) -> Vec<String> {
    let (before, after) = (members(before), members(after));
    let gone = before.iter().filter(|(name, _)| !after.contains_key(*name)).map(|(name, was)| (name, Some(was), None));
    let now = after.iter().map(|(name, is)| (name, before.get(name), Some(is)));
    now.chain(gone).filter(|(_, was, is)| was != is).filter_map(|(name, was, is)| line(name, was, is)).collect()
}

/// The members of what was written down; what is no object is one without a name.
fn members(text: Option<&str>) -> Map<String, Value> {
    let mut all = Map::new();
    if let Some(value) = text.and_then(|text| serde_json::from_str(text).ok()) {
        add("", value, &mut all);
    }
    all
}

fn add(name: &str, value: Value, all: &mut Map<String, Value>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                let inner = if name.is_empty() { member } else { format!("{name}.{member}") };
                add(&inner, value, all);
            }
        }
        Value::Null => {}
        value => drop(all.insert(name.to_owned(), value)),
    }
}

fn line(name: &str, was: Option<&Value>, is: Option<&Value>) -> Option<String> {
    let told = match (was, is) {
        (None, None) => return None,
        (None, Some(is)) => written(is),
        (Some(was), None) => format!("{} → none", written(was)),
        (Some(was), Some(is)) => format!("{} → {}", written(was), written(is)),
    };
    Some(if name.is_empty() { told } else { format!("{}: {told}", name.replace('_', " ")) })
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => String::from("“”"),
        Value::String(text) => text.clone(),
        Value::Array(values) => format!("[{}]", values.iter().map(written).collect::<Vec<_>>().join(", ")),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn each_member_that_has_become_another_is_a_line() {
        for (before, after, lines) in [
            (
                Some(r#"{"role":"warehouse","name":"Ada"}"#),
                Some(r#"{"role":"viewer","name":"Ada"}"#),
                &["role: warehouse → viewer"][..],
            ),
            (None, Some(r#"{"first_name":"Ada","age":null,"tags":["a","b"]}"#), &["first name: Ada", "tags: [a, b]"]),
            (Some(r#"{"code":"TEN"}"#), None, &["code: TEN → none"]),
            (Some(r#"{"a":{"b":1,"c":""}}"#), Some(r#"{"a":{"b":2,"c":""}}"#), &["a.b: 1 → 2"]),
            (Some("\"on\""), Some("\"off\""), &["on → off"]),
            (None, None, &[]),
            (None, Some("no JSON"), &[]),
        ] {
            assert_eq!(changes(before, after), lines, "{before:?} {after:?}");
        }
    }
}
