//! Our own format: JSON Lines, one record a line (contract 4).

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;

use serde_json::{Map, Value};
use stoa_kernel::suggestion::instead;

use super::input::{Input, Line, MAX_LINE_BYTES};
use super::json::{kind_of, parse_object};
use super::outcome::{Problem, Rejection};
use super::problems::Problems;
use super::rules::{
    MAX_ADDRESS, MAX_AMOUNT, MAX_BRAND, MAX_CAPABILITIES, MAX_CHOICE_VALUE, MAX_CHOICES, MAX_DESCRIPTION, MAX_EMAIL,
    MAX_GTIN, MAX_IMAGE, MAX_IMAGES, MAX_KEY, MAX_NAME, MAX_OPTIONS, MAX_REFERENCE, MAX_SKU, MAX_SLUG,
    check_category_slug, check_email, check_gtin, check_image, check_key, check_language, check_option_key, check_slug,
};
use super::stoa_members::Members;
use super::{
    CategoryRecord, ChoiceRecord, FactsRecord, Member, OptionRecord, OptionType, Outcome, ProblemLocation,
    ProductRecord, ReadItem, Record, UnreadableFile,
};
use crate::safety::{ProductSafety, SafetyContact};
use crate::unit_price::UnitPriceRecord;

/// Reads lines of JSON.
#[derive(Debug)]
pub(super) struct StoaLines<R> {
    pub(super) input: Input<R>,
    buffer: Vec<u8>,
    line: u64,
    /// The line on which each category's and each product's slug was used.
    used: [HashMap<String, u64>; 2],
}

impl<R: BufRead> StoaLines<R> {
    pub(super) fn new(input: Input<R>) -> Self {
        Self { input, buffer: Vec::new(), line: 0, used: Default::default() }
    }

    /// Reads up to the next line that is not blank; nothing at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<ReadItem>, UnreadableFile> {
        loop {
            self.line += 1;
            let outcome = match self.input.read_line(&mut self.buffer)? {
                Line::End => return Ok(None),
                Line::TooLong => {
                    Err(self.whole_line(format!("the line is longer than {MAX_LINE_BYTES} bytes and was skipped")))
                }
                Line::Read if self.buffer.trim_ascii().is_empty() => continue,
                Line::Read => self.read_line(),
            };
            let outcome = match outcome {
                Ok(record) => Outcome::Record(record),
                Err(rejection) => Outcome::Rejected(rejection),
            };
            return Ok(Some(ReadItem { line: self.line, outcome }));
        }
    }

    fn read_line(&mut self) -> Result<Record, Rejection> {
        let text = std::str::from_utf8(&self.buffer).map_err(|error| {
            self.whole_line(format!("byte {} is not UTF-8: save the file as UTF-8", error.valid_up_to() + 1))
        })?;
        let object = parse_object(text).map_err(|reason| self.whole_line(reason))?;
        let record = read_record(object, self.line)?;
        let used = &mut self.used[usize::from(matches!(record, Record::Product(_)))];
        if let Some(first) = used.get(record.slug()) {
            let reason = format!("the slug `{}` is used by line {first} already", record.slug());
            let slug = Some(record.slug().to_owned());
            let mut problems = Problems::default();
            problems.add(self.line, Some(ProblemLocation::Member("slug".to_owned())), reason);
            return Err(problems.into_rejection(slug));
        }
        used.insert(record.slug().to_owned(), self.line);
        Ok(record)
    }

    fn whole_line(&self, reason: String) -> Rejection {
        Rejection { slug: None, problems: vec![Problem::new(self.line, None, reason)] }
    }
}

/// A record from the object of one line, by all rules of the format.
///
/// What comes some other way than in a file goes through the same rules, as the object that a line would have had.
pub fn read_record(object: Map<String, Value>, line: u64) -> Result<Record, Rejection> {
    let mut problems = Problems::default();
    let mut members = Members::new(object, String::new(), line, &mut problems);
    let kind = members.text("type", MAX_KEY);
    let kind = members.required("type", kind);
    let record = match kind.as_deref() {
        Some("category") => Some(Record::Category(read_category(&mut members))),
        Some("product") => Some(Record::Product(Box::new(read_product(&mut members)))),
        Some(other) => {
            let instead = instead(other, ["category", "product"]);
            members.problem("type", format!("is `{other}`, which is no type of record{instead}"));
            None
        }
        None => None,
    };
    if record.is_some() {
        members.finish();
    }
    match record {
        Some(record) if problems.is_empty() => Ok(record),
        record => Err(problems.into_rejection(record.map(|record| record.slug().to_owned()))),
    }
}

fn read_category(members: &mut Members<'_>) -> CategoryRecord {
    let slug = members.checked_text("slug", MAX_SLUG, check_category_slug);
    let slug = members.required("slug", slug).unwrap_or_default();
    let name = members.text("name", MAX_NAME);
    let record = CategoryRecord {
        name: members.never_null("name", name),
        parent: members.checked_text("parent", MAX_SLUG, check_category_slug),
        image: members.checked_text("image", MAX_IMAGE, check_image),
        active: members.flag("active"),
        slug,
    };
    if record.parent.value().is_some_and(|parent| *parent == record.slug) {
        members.problem("parent", "is the category itself");
    }
    record
}

fn read_product(members: &mut Members<'_>) -> ProductRecord {
    let slug = members.checked_text("slug", MAX_SLUG, check_slug);
    let slug = members.required("slug", slug).unwrap_or_default();
    let name = members.text("name", MAX_NAME);
    let record = ProductRecord {
        slug,
        name: members.never_null("name", name),
        subtitle: members.text("subtitle", MAX_NAME),
        sku: members.text("sku", MAX_SKU),
        description: members.long_text("description", MAX_DESCRIPTION),
        price_amount: members.amount("price_amount", 0),
        facts: FactsRecord {
            brand: members.text("brand", MAX_BRAND),
            gtin: members.checked_text("gtin", MAX_GTIN, check_gtin),
            weight_grams: members.grams("weight_grams"),
            compare_at_amount: members.clearable_amount("compare_at_amount"),
            unit_price: read_unit_price(members),
            safety: read_safety(members),
        },
        tax_class: members.text("tax_class", MAX_KEY),
        category: members.checked_text("category", MAX_SLUG, check_category_slug),
        images: members.texts("images", MAX_IMAGES, check_image),
        active: members.flag("active"),
        capabilities: members.texts("capabilities", MAX_CAPABILITIES, check_key),
        options: read_options(members),
        modules: read_modules(members),
    };
    let capabilities = record.capabilities.value().map_or(&[][..], Vec::as_slice);
    if let Some(twice) = repeated(capabilities) {
        members.problem("capabilities", format!("holds `{twice}` twice"));
    }
    if let (Some(price), Some(options)) = (record.price_amount.value(), record.options.value())
        && price + OptionRecord::lowest_adjustment(options) < 0
    {
        members.problem("options", "lower the price below 0 for some selection");
    }
    record
}

/// Both members must be given: half of a unit price says nothing.
fn read_unit_price(members: &mut Members<'_>) -> Member<UnitPriceRecord> {
    members.part("unit_price", |part| {
        let amount = part.amount("amount", 0);
        let amount = part.required("amount", amount);
        let reference = part.text("reference", MAX_REFERENCE);
        let reference = part.required("reference", reference);
        Some(UnitPriceRecord { amount: amount?, reference: reference? })
    })
}

/// An object that says nothing counts as null.
fn read_safety(members: &mut Members<'_>) -> Member<ProductSafety> {
    let safety = members.part("safety", |part| {
        Some(ProductSafety {
            manufacturer: part.part("manufacturer", read_contact).or_stored(None),
            responsible_person: part.part("responsible_person", read_contact).or_stored(None),
            warnings: part.part("warnings", |texts| Some(read_warnings(texts))).or_stored(None).unwrap_or_default(),
        })
    });
    match safety {
        Member::Value(safety) => Member::known(Some(safety).filter(|safety| *safety != ProductSafety::default())),
        said => said,
    }
}

fn read_contact(members: &mut Members<'_>) -> Option<SafetyContact> {
    let name = members.text("name", MAX_NAME);
    let name = members.required("name", name);
    let address = members.long_text("address", MAX_ADDRESS);
    let address = members.required("address", address);
    let email = members.checked_text("email", MAX_EMAIL, check_email);
    let email = members.required("email", email);
    Some(SafetyContact { name: name?, address: address?, email: email? })
}

fn read_warnings(members: &mut Members<'_>) -> BTreeMap<String, String> {
    let mut warnings = BTreeMap::new();
    for (language, text) in members.texts_by_name(MAX_DESCRIPTION) {
        match check_language(&language) {
            Ok(()) => drop(warnings.insert(language, text)),
            Err(reason) => members.problem(&language, reason),
        }
    }
    warnings
}

fn read_modules(members: &mut Members<'_>) -> Member<Map<String, Value>> {
    let modules = members.object("modules");
    for (key, settings) in modules.value().into_iter().flatten() {
        if let Err(reason) = check_key(key) {
            members.problem("modules", reason);
        } else if !matches!(settings, Value::Object(_) | Value::Null) {
            let reason = format!("is {}, but must be an object", kind_of(settings));
            members.problem(&format!("modules.{key}"), reason);
        }
    }
    modules
}

fn read_options(members: &mut Members<'_>) -> Member<Vec<OptionRecord>> {
    let values = match members.list("options", MAX_OPTIONS) {
        Member::Absent => return Member::Absent,
        Member::Null => return Member::Null,
        Member::Value(values) => values,
    };
    let mut options: Vec<OptionRecord> = Vec::with_capacity(values.len());
    for (index, value) in values.into_iter().enumerate() {
        let Some(mut entry) = members.entry("options", index, value) else { continue };
        let option = read_option(&mut entry);
        entry.finish();
        if let Some(option) = option {
            if options.iter().any(|other| other.key == option.key) {
                let reason = format!("is `{}`, which another option has", option.key);
                members.problem(&format!("options[{index}].key"), reason);
            }
            options.push(option);
        }
    }
    Member::Value(options)
}

fn read_option(members: &mut Members<'_>) -> Option<OptionRecord> {
    let key = members.checked_text("key", MAX_KEY, check_option_key);
    let key = members.required("key", key);
    let label = members.text("label", MAX_NAME);
    let label = members.required("label", label);
    let kind_name = members.text("type", MAX_KEY);
    let kind_name = members.required("type", kind_name);
    let kind = kind_name.as_deref().and_then(OptionType::from_name);
    if let (Some(name), None) = (&kind_name, kind) {
        let instead = instead(name, OptionType::ALL.map(OptionType::as_str));
        members.problem("type", format!("is `{name}`, which is no type of option{instead}"));
    }
    let required = members.flag("required").or_stored(None).unwrap_or(false);
    let active = members.flag("active").or_stored(None).unwrap_or(true);
    let (choices, given) = read_choices(members);
    let kind = kind?;
    if !kind.has_choices() && given {
        members.problem("choices", format!("are given, but an option of type `{}` has none", kind.as_str()));
    } else if kind.has_choices() && !given && active {
        members.problem(
            "choices",
            format!("are missing: an active option of type `{}` needs one at least", kind.as_str()),
        );
    }
    Some(OptionRecord { key: key?, label: label?, kind, required, active, choices })
}

/// The choices, and whether any were given, if only refused ones.
fn read_choices(members: &mut Members<'_>) -> (Vec<ChoiceRecord>, bool) {
    let values = members.list("choices", MAX_CHOICES);
    let values = values.or_stored(None).unwrap_or_default();
    let given = !values.is_empty() || members.has_problem("choices");
    let mut choices: Vec<ChoiceRecord> = Vec::with_capacity(values.len());
    let mut seen = HashMap::new();
    for (index, value) in values.into_iter().enumerate() {
        let Some(mut entry) = members.entry("choices", index, value) else { continue };
        let value = entry.text("value", MAX_CHOICE_VALUE);
        let value = entry.required("value", value);
        let label = entry.text("label", MAX_NAME);
        let label = entry.required("label", label);
        let amount = entry.amount("price_adjustment_amount", -MAX_AMOUNT);
        let sku = entry.text("sku", MAX_SKU).or_stored(None);
        let active = entry.flag("active").or_stored(None).unwrap_or(true);
        entry.finish();
        let (Some(value), Some(label)) = (value, label) else { continue };
        if let Some(first) = seen.insert(value.clone(), index) {
            let reason = format!("is `{value}`, which choice {first} of this option has");
            members.problem(&format!("choices[{index}].value"), reason);
        }
        let price_adjustment_amount = amount.or_stored(None).unwrap_or(0);
        choices.push(ChoiceRecord { value, label, price_adjustment_amount, sku, active });
    }
    (choices, given)
}

fn repeated(texts: &[String]) -> Option<&String> {
    texts.iter().enumerate().find(|(index, text)| texts[..*index].contains(text)).map(|(_, t)| t)
}
