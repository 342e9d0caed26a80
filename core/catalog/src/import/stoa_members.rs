//! Members of a JSON object, taken out one by one with every problem noted.

use serde_json::{Map, Value};
use stoa_kernel::suggestion::{did_you_mean, instead};

use super::Member;
use super::json::kind_of;
use super::outcome::ProblemLocation;
use super::problems::{Problems, shown};
use super::rules::{self, MAX_AMOUNT, MAX_WEIGHT_GRAMS};

/// What people guess, and the member that it stands for; by its letters, another one would be nearer.
const GUESSES: &[(&str, &str)] = &[("price", "price_amount")];

/// A JSON object on its way to a record.
pub(super) struct Members<'p> {
    object: Map<String, Value>,
    /// Path of the object within the line, with a point behind it; empty for the line itself.
    path: String,
    line: u64,
    problems: &'p mut Problems,
    known: Vec<&'static str>,
}

impl<'p> Members<'p> {
    pub(super) const fn new(object: Map<String, Value>, path: String, line: u64, problems: &'p mut Problems) -> Self {
        Self { object, path, line, problems, known: Vec::new() }
    }

    /// Notes a problem of a member.
    pub(super) fn problem(&mut self, name: &str, reason: impl Into<String>) {
        let place = ProblemLocation::Member(format!("{}{name}", self.path));
        self.problems.add(self.line, Some(place), reason);
    }

    fn take_member(&mut self, name: &'static str) -> Member<Value> {
        self.known.push(name);
        match self.object.shift_remove(name) {
            None => Member::Absent,
            Some(Value::Null) => Member::Null,
            Some(value) => Member::Value(value),
        }
    }

    /// A text that `check` accepts, which gets it trimmed and not blank.
    fn text_by(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<Option<String>, String>,
    ) -> Member<String> {
        let text = match self.take_member(name) {
            Member::Absent => return Member::Absent,
            Member::Null => return Member::Null,
            Member::Value(Value::String(text)) => text,
            Member::Value(other) => {
                self.problem(name, format!("is {}, but must be a text", kind_of(&other)));
                return Member::Absent;
            }
        };
        match read(&text) {
            Ok(text) => Member::known(text),
            Err(reason) => {
                self.problem(name, reason);
                Member::Absent
            }
        }
    }

    /// A text of one line; a blank one counts as null.
    pub(super) fn text(&mut self, name: &'static str, limit: usize) -> Member<String> {
        self.text_by(name, |text| rules::single_line(text, limit))
    }

    /// A text of several lines; a blank one counts as null.
    pub(super) fn long_text(&mut self, name: &'static str, limit: usize) -> Member<String> {
        self.text_by(name, |text| rules::multi_line(text, limit))
    }

    /// A text of one line that a rule accepts.
    pub(super) fn checked_text(
        &mut self,
        name: &'static str,
        limit: usize,
        check: fn(&str) -> Result<(), String>,
    ) -> Member<String> {
        self.text_by(name, |text| {
            let text = rules::single_line(text, limit)?;
            text.as_deref().map_or(Ok(()), check)?;
            Ok(text)
        })
    }

    /// Refuses null for a member that cannot be cleared.
    pub(super) fn never_null<T>(&mut self, name: &'static str, member: Member<T>) -> Member<T> {
        if matches!(member, Member::Null) {
            self.problem(name, "is null or blank, but cannot be cleared: give a value or leave it out");
            return Member::Absent;
        }
        member
    }

    /// The value of a member that must be there.
    pub(super) fn required<T>(&mut self, name: &'static str, member: Member<T>) -> Option<T> {
        // A value that was refused is noted already; it no longer is among the members.
        let noted = matches!(member, Member::Absent) && self.has_problem(name);
        match member {
            Member::Value(value) => Some(value),
            Member::Absent | Member::Null => {
                if !noted {
                    self.problem(name, "is missing");
                }
                None
            }
        }
    }

    /// Whether a problem of a member is noted.
    pub(super) fn has_problem(&self, name: &str) -> bool {
        let path = format!("{}{name}", self.path);
        self.problems.mentions(&path)
    }

    /// True or false.
    pub(super) fn flag(&mut self, name: &'static str) -> Member<bool> {
        match self.take_member(name) {
            Member::Absent => Member::Absent,
            Member::Value(Value::Bool(flag)) => Member::Value(flag),
            Member::Null => {
                self.problem(name, "is null, but must be true or false");
                Member::Absent
            }
            Member::Value(other) => {
                self.problem(name, format!("is {}, but must be true or false", kind_of(&other)));
                Member::Absent
            }
        }
    }

    /// A whole number of minor units, from `lowest` up to the highest amount.
    pub(super) fn amount(&mut self, name: &'static str, lowest: i64) -> Member<i64> {
        let reason = match self.take_member(name) {
            Member::Absent => return Member::Absent,
            Member::Value(Value::Number(number)) => match number.as_i64() {
                Some(amount) if (lowest..=MAX_AMOUNT).contains(&amount) => {
                    return Member::Value(amount);
                }
                Some(amount) if amount < 0 && lowest == 0 => {
                    format!("is {amount}, but a price is 0 or more")
                }
                Some(_) => format!("is {number}, but at most {MAX_AMOUNT} is allowed"),
                None => match number.as_f64().filter(|number| number.abs() < 1e18) {
                    // Whether it was written as 100.0, meant as 100.00, or as 1e2, is no longer known.
                    Some(whole) if whole.fract() == 0.0 => format!(
                        "is {whole}, written with a decimal point or an exponent, but must be a whole number of minor \
                         units in digits alone, such as 1999 for 19.99"
                    ),
                    Some(_) => {
                        format!("is {number}, but must be a whole number of minor units, such as 1999 for 19.99")
                    }
                    None => format!("is too large: at most {MAX_AMOUNT} is allowed"),
                },
            },
            Member::Value(Value::String(text)) => {
                format!("is the text {}, but must be a number of minor units, such as 1999 for 19.99", shown(&text))
            }
            Member::Value(other) => {
                format!("is {}, but must be a number of minor units", kind_of(&other))
            }
            Member::Null => "is null, but must be a number of minor units".to_owned(),
        };
        self.problem(name, reason);
        Member::Absent
    }

    /// The same, but null clears it.
    pub(super) fn clearable_amount(&mut self, name: &'static str) -> Member<i64> {
        if self.take_null(name) { Member::Null } else { self.amount(name, 0) }
    }

    /// A whole number of grams; null clears it.
    pub(super) fn grams(&mut self, name: &'static str) -> Member<i64> {
        if self.take_null(name) {
            return Member::Null;
        }
        let Member::Value(given) = self.take_member(name) else { return Member::Absent };
        let reason = match &given {
            Value::Number(number) => match number.as_i64() {
                Some(grams) if (0..=MAX_WEIGHT_GRAMS).contains(&grams) => return Member::Value(grams),
                Some(grams) if grams < 0 => format!("is {grams}, but a weight is 0 or more"),
                Some(_) => format!("is {number}, but at most {MAX_WEIGHT_GRAMS} is allowed"),
                None => format!("is {number}, but must be a whole number of grams, such as 250"),
            },
            other => format!("is {}, but must be a whole number of grams, such as 250", kind_of(other)),
        };
        self.problem(name, reason);
        Member::Absent
    }

    fn take_null(&mut self, name: &'static str) -> bool {
        let is_null = matches!(self.object.get(name), Some(Value::Null));
        if is_null {
            self.take_member(name);
        }
        is_null
    }

    /// A list of at most `limit` values.
    pub(super) fn list(&mut self, name: &'static str, limit: usize) -> Member<Vec<Value>> {
        match self.take_member(name) {
            Member::Absent => Member::Absent,
            Member::Null => Member::Null,
            Member::Value(Value::Array(values)) if values.len() <= limit => Member::Value(values),
            Member::Value(Value::Array(values)) => {
                self.problem(name, format!("has {} entries; at most {limit} are allowed", values.len()));
                Member::Absent
            }
            Member::Value(other) => {
                self.problem(name, format!("is {}, but must be a list", kind_of(&other)));
                Member::Absent
            }
        }
    }

    /// A list of texts, each of which a rule accepts.
    pub(super) fn texts(
        &mut self,
        name: &'static str,
        limit: usize,
        check: fn(&str) -> Result<(), String>,
    ) -> Member<Vec<String>> {
        let values = match self.list(name, limit) {
            Member::Absent => return Member::Absent,
            Member::Null => return Member::Null,
            Member::Value(values) => values,
        };
        let mut texts = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let text = match value {
                Value::String(text) => rules::single_line(text, usize::MAX)
                    .and_then(|text| text.ok_or_else(|| "is blank".to_owned()))
                    .and_then(|text| check(&text).map(|()| text)),
                other => Err(format!("is {}, but must be a text", kind_of(other))),
            };
            match text {
                Ok(text) => texts.push(text),
                Err(reason) => self.problem(&format!("{name}[{index}]"), reason),
            }
        }
        Member::Value(texts)
    }

    /// An object.
    pub(super) fn object(&mut self, name: &'static str) -> Member<Map<String, Value>> {
        match self.take_member(name) {
            Member::Absent => Member::Absent,
            Member::Null => Member::Null,
            Member::Value(Value::Object(object)) => Member::Value(object),
            Member::Value(other) => {
                self.problem(name, format!("is {}, but must be an object", kind_of(&other)));
                Member::Absent
            }
        }
    }

    /// What is read of the members of an object, all of which must be known; `read` notes why there is nothing.
    pub(super) fn part<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Members<'_>) -> Option<T>,
    ) -> Member<T> {
        let object = match self.object(name) {
            Member::Absent => return Member::Absent,
            Member::Null => return Member::Null,
            Member::Value(object) => object,
        };
        let mut part = Members::new(object, format!("{}{name}.", self.path), self.line, self.problems);
        let value = read(&mut part);
        part.finish();
        value.map_or(Member::Absent, Member::Value)
    }

    /// All members that are left, each a text of several lines; blank ones and nulls are left out.
    pub(super) fn texts_by_name(&mut self, limit: usize) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        for (name, value) in std::mem::take(&mut self.object) {
            let text = match value {
                Value::Null => continue,
                Value::String(text) => rules::multi_line(&text, limit),
                other => Err(format!("is {}, but must be a text", kind_of(&other))),
            };
            match text {
                Ok(text) => texts.extend(text.map(|text| (name, text))),
                Err(reason) => self.problem(shown(&name).trim_matches('"'), reason),
            }
        }
        texts
    }

    /// The members of an object within a list.
    pub(super) fn entry(&mut self, name: &str, index: usize, value: Value) -> Option<Members<'_>> {
        let place = format!("{name}[{index}]");
        match value {
            Value::Object(object) => {
                let path = format!("{}{place}.", self.path);
                Some(Members::new(object, path, self.line, self.problems))
            }
            other => {
                self.problem(&place, format!("is {}, but must be an object", kind_of(&other)));
                None
            }
        }
    }

    /// Refuses what was not asked for: a typing error must not be lost.
    pub(super) fn finish(mut self) {
        let unknown: Vec<String> = std::mem::take(&mut self.object).into_iter().map(|(name, _)| name).collect();
        let known = std::mem::take(&mut self.known);
        for name in unknown {
            if self.problems.is_full() {
                self.problems.add(self.line, None, String::new());
            } else {
                let guessed = GUESSES.iter().find(|(guess, meant)| *guess == name && known.contains(meant));
                let meant = match guessed {
                    Some((_, meant)) => did_you_mean(Some(meant)),
                    None => instead(&name, known.iter().copied()),
                };
                let reason = format!("is unknown{meant}");
                self.problem(shown(&name).trim_matches('"'), reason);
            }
        }
    }
}
