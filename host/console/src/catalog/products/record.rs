//! From what was typed to the product's record, by the rules of imports and the command line.

use serde_json::{Map, Value, json};
use stoa_core::catalog::import::{ProblemLocation, read_record};
use stoa_core::catalog::{ProductRecord, Record};
use stoa_core::money::{MoneyFormatter, parse_form_amount};

use super::Workbench;
use super::draft::Draft;
use super::settings;
use crate::form::Problem;

/// The members that are texts, and cleared by an empty one.
const CLEARABLE: [&str; 7] = ["subtitle", "description", "sku", "brand", "gtin", "tax_class", "category"];

/// Those of whom can be turned to.
const CONTACT: [&str; 3] = ["name", "address", "email"];

impl Draft {
    /// The record of the product of this slug, or everything that is wrong.
    pub(super) fn record(
        &self,
        slug: &str,
        bench: &Workbench,
        stored: Option<&ProductRecord>,
    ) -> Result<Record, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut object = self.object(slug, &bench.money, &mut problems);
        if stored.is_some_and(|stored| self.leaves_unit_price(stored, &bench.money)) {
            // What is not said follows the price.
            object.shift_remove("unit_price");
        }
        let nothing = Map::new();
        let stored = stored.and_then(|stored| stored.modules.value()).unwrap_or(&nothing);
        let kept = bench.modules.all().iter().filter(|module| module.enabled && module.has_settings());
        let modules = kept.map(|module| {
            (module.name.to_owned(), settings::object(module, self, stored.get(module.name), &mut problems))
        });
        // What is null already need not be said.
        let modules = modules.filter(|(name, value)| !value.is_null() || stored.contains_key(name));
        object.insert(String::from("modules"), Value::Object(modules.collect()));
        match read_record(object, 1) {
            Ok(record) if problems.is_empty() => Ok(record),
            Ok(_) => Err(problems),
            Err(rejection) => {
                let found = rejection.problems.into_iter().map(|problem| {
                    let member = problem.place.as_ref().map_or("", ProblemLocation::name);
                    Problem::new(member, problem.reason)
                });
                for problem in found {
                    if !problems.iter().any(|known| known.member == problem.member) {
                        problems.push(problem);
                    }
                }
                Err(problems)
            }
        }
    }

    fn object(&self, slug: &str, money: &MoneyFormatter, problems: &mut Vec<Problem>) -> Map<String, Value> {
        let mut object = Map::new();
        let mut say = |member: &str, value: Value| drop(object.insert(member.to_owned(), value));
        say("type", json!("product"));
        say("slug", json!(slug));
        for member in CLEARABLE {
            say(member, json!(self.text(member)));
        }
        match self.text("name") {
            "" => problems.push(Problem::new("name", "is missing")),
            name => say("name", json!(name)),
        }
        match self.amount("price_amount", money, problems) {
            Some(Value::Null) => problems.push(Problem::new("price_amount", "is missing")),
            Some(amount) => say("price_amount", amount),
            None => {}
        }
        if let Some(amount) = self.amount("compare_at_amount", money, problems) {
            say("compare_at_amount", amount);
        }
        if let Some(amount) = self.amount("unit_price.amount", money, problems) {
            let reference = self.text("unit_price.reference");
            let is_said = !amount.is_null() || !reference.is_empty();
            let said = json!({"amount": amount, "reference": reference});
            say("unit_price", if is_said { without_null(said) } else { Value::Null });
        }
        if let Some(grams) = self.grams(problems) {
            say("weight_grams", grams);
        }
        say("safety", self.safety());
        say("active", json!(self.active));
        say("capabilities", json!(self.capabilities));
        say("images", json!(self.kept_images()));
        let options = self.options.iter().enumerate().map(|(at, option)| option.object(at, money, problems));
        say("options", Value::Array(options.collect()));
        object
    }

    fn leaves_unit_price(&self, stored: &ProductRecord, money: &MoneyFormatter) -> bool {
        let amount = self.text("unit_price.amount");
        stored.facts.unit_price.value().is_some_and(|unit| {
            money.decimal(unit.amount) == amount && unit.reference == self.text("unit_price.reference")
        })
    }

    /// An amount, null where nothing is typed; nothing for what is none.
    fn amount(&self, member: &str, money: &MoneyFormatter, problems: &mut Vec<Problem>) -> Option<Value> {
        let text = self.text(member);
        if text.is_empty() {
            return Some(Value::Null);
        }
        match parse_form_amount(text, money) {
            Ok(amount) => Some(json!(amount)),
            Err(error) => {
                problems.push(Problem::new(member, error.to_string()));
                None
            }
        }
    }

    /// A weight, null where nothing is typed; nothing for what is none.
    fn grams(&self, problems: &mut Vec<Problem>) -> Option<Value> {
        let text = self.text("weight_grams");
        if text.is_empty() {
            return Some(Value::Null);
        }
        let grams = text.parse::<i64>().ok().map(Value::from);
        if grams.is_none() {
            let reason = format!("is “{text}”, but must be a whole number of grams, such as 250");
            problems.push(Problem::new("weight_grams", reason));
        }
        grams
    }

    fn safety(&self) -> Value {
        let contact = |who: &str| {
            let texts = CONTACT.map(|part| (part.to_owned(), self.text(&format!("safety.{who}.{part}")).to_owned()));
            let is_said = texts.iter().any(|(_, text)| !text.is_empty());
            is_said.then(|| texts.into_iter().map(|(part, text)| (part, json!(text))).collect::<Map<_, _>>())
        };
        let warnings =
            self.texts.iter().filter_map(|(name, text)| Some((name.strip_prefix("safety.warnings.")?, text)));
        let warnings = warnings.map(|(language, text)| (language.to_owned(), json!(text))).collect::<Map<_, _>>();
        json!({
            "manufacturer": contact("manufacturer"), "responsible_person": contact("responsible_person"),
            "warnings": warnings,
        })
    }
}

/// An object without the members that say nothing.
fn without_null(value: Value) -> Value {
    match value {
        Value::Object(members) => members.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        value => value,
    }
}
