//! What a row says has changed, in words.

use serde_json::{Map, Value};

use crate::money::MoneyFormatter;

/// What has become another, a line for each member, such as `role: warehouse → viewer`.
pub(super) fn changes(before: Option<&str>, after: Option<&str>, money: &MoneyFormatter) -> Vec<String> {
    let (before, after) = (members(before), members(after));
    let currency = after.get("currency").or_else(|| before.get("currency")).and_then(Value::as_str);
    let words = Words { money, currency };
    let gone = before.iter().filter(|(name, _)| !after.contains_key(*name)).map(|(name, was)| (name, Some(was), None));
    let now = after.iter().map(|(name, is)| (name, before.get(name), Some(is)));
    let changed = now.chain(gone).filter(|(_, was, is)| was != is);
    changed.filter_map(|(name, was, is)| words.line(name, was, is)).collect()
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

/// How values are put into words.
struct Words<'a> {
    money: &'a MoneyFormatter,
    /// The currency of the amounts; the shop's without one.
    currency: Option<&'a str>,
}

impl Words<'_> {
    fn line(&self, name: &str, was: Option<&Value>, is: Option<&Value>) -> Option<String> {
        let written = |value| self.member(name, value);
        let told = match (was, is) {
            (None, None) => return None,
            (None, Some(is)) => written(is),
            (Some(was), None) => format!("{} → none", written(was)),
            (Some(was), Some(is)) => format!("{} → {}", written(was), written(is)),
        };
        Some(if name.is_empty() { told } else { format!("{}: {told}", name.replace('_', " ")) })
    }

    fn member(&self, name: &str, value: &Value) -> String {
        let last = name.rsplit('.').next().unwrap_or_default();
        let is_amount = matches!(last, "amount" | "refunded") || last.ends_with("_amount");
        match (value.as_i64().filter(|_| is_amount), self.currency) {
            (Some(amount), Some(currency)) => self.money.format_in(amount, currency),
            (Some(amount), None) => self.money.format(amount),
            (None, _) => self.value(value),
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::String(text) if text.is_empty() => String::from("“”"),
            Value::String(text) => text.clone(),
            Value::Array(values) => {
                let between = if values.iter().any(Value::is_object) { "; " } else { ", " };
                format!("[{}]", values.iter().map(|value| self.value(value)).collect::<Vec<_>>().join(between))
            }
            Value::Object(members) => {
                let named = |(name, value): (&String, &Value)| {
                    format!("{} {}", name.replace('_', " "), self.member(name, value))
                };
                members.iter().map(named).collect::<Vec<_>>().join(", ")
            }
            value => value.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::changes;
    use crate::money::{Currency, MoneyFormatter};

    #[test]
    fn each_member_that_has_become_another_is_a_line() {
        let euros = MoneyFormatter::new("en", Currency::from_code("EUR").expect("it is one")).expect("it is known");
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
            (Some(r#"{"price_amount":8000}"#), Some(r#"{"price_amount":7000}"#), &["price amount: €80.00 → €70.00"]),
            (
                Some(r#"{"refunded":0}"#),
                Some(r#"{"refunded":0,"amount":2400,"currency":"EUR","items":[{"item":15,"quantity":1}]}"#),
                &["amount: €24.00", "currency: EUR", "items: [item 15, quantity 1]"],
            ),
            (None, None, &[]),
            (None, Some("no JSON"), &[]),
        ] {
            assert_eq!(changes(before, after, &euros), lines, "{before:?} {after:?}");
        }
    }
}
