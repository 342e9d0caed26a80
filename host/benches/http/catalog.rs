//! The catalog that is measured: made from a seed, so it is the same for everybody.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::Outcome;
use crate::lexicon::{Lexicon, pick};

/// Where all randomness of the catalog comes from.
const SEED: u64 = 0x0053_746f_6121;

/// Texts that search terms are drawn from.
const SAMPLED_TEXTS: u32 = 5_000;

/// What the scenarios have to know about a catalog.
pub(crate) struct Catalog {
    /// The slugs of all products.
    pub(crate) slugs: Vec<String>,
    /// Names and descriptions of some products spread over the catalog, in small letters.
    pub(crate) texts: Vec<String>,
    /// Size of the catalog's file in bytes.
    pub(crate) bytes: u64,
}

impl Catalog {
    /// Makes a catalog of so many products, all of them active, and writes it in the format `stoa`.
    pub(crate) fn write(products: u32, file: &Path) -> Outcome<Self> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let lexicon = Lexicon::new(&mut random);
        let mut out = BufWriter::new(File::create(file)?);
        let mut line = |value: &Value| -> Outcome<()> {
            serde_json::to_writer(&mut out, value)?;
            out.write_all(b"\n")?;
            Ok(())
        };
        for (department, things) in &lexicon.departments {
            line(&json!({"type": "category", "slug": slug(department), "name": department}))?;
            for thing in things {
                line(&json!({"type": "category", "slug": slug(thing), "name": thing, "parent": slug(department)}))?;
            }
        }
        let mut catalog = Self { slugs: Vec::new(), texts: Vec::new(), bytes: 0 };
        let every = products.div_ceil(SAMPLED_TEXTS);
        for number in 1..=products {
            let (_, things) = lexicon.departments.choose(&mut random).expect("there are departments");
            let product = product(number, pick(things, &mut random), &lexicon, &mut random);
            line(&product)?;
            let text = |member: &str| product[member].as_str().unwrap_or_default().to_lowercase();
            if number % every == 0 {
                catalog.texts.push(format!("{} {}", text("name"), text("description")));
            }
            catalog.slugs.push(text("slug"));
        }
        out.into_inner()?.sync_all()?;
        catalog.bytes = std::fs::metadata(file)?.len();
        Ok(catalog)
    }

    /// Number of products.
    pub(crate) fn products(&self) -> usize {
        self.slugs.len()
    }
}

fn product(number: u32, thing: &str, lexicon: &Lexicon, random: &mut Xoshiro256PlusPlus) -> Value {
    let name = lexicon.name(thing, random);
    let slug = format!("{}-{number}", slug(&name));
    let subtitle = random.random_ratio(1, 2).then(|| lexicon.text(1, random));
    // Most descriptions are short, some are long.
    let longest = random.random_range(1..=9);
    let sentences = random.random_range(1..=longest);
    let description = random.random_ratio(29, 30).then(|| lexicon.text(sentences, random));
    let images = (1..=random.random_range(1..=4)).map(|image| format!("products/{slug}-{image}.jpg"));
    let capabilities: &[&str] = if random.random_ratio(9, 10) { &["shippable"] } else { &[] };
    json!({
        "type": "product",
        "slug": slug,
        "name": name,
        "subtitle": subtitle,
        "sku": format!("{}-{number:06}", thing.chars().filter(char::is_ascii_alphabetic).take(3).collect::<String>()),
        "description": description,
        "price_amount": random.random_range(2..=400) * 50 - 1,
        "category": self::slug(thing),
        "images": images.collect::<Vec<_>>(),
        "capabilities": capabilities,
        "options": options(lexicon, random),
    })
}

/// Options on three products of ten.
fn options(lexicon: &Lexicon, random: &mut Xoshiro256PlusPlus) -> Vec<Value> {
    match random.random_range(0..10) {
        0 => {
            let colors = lexicon.colors.sample(random, 3).map(|color| choice(color, 0));
            vec![option("color", "Color", "select", &colors.collect::<Vec<_>>())]
        }
        1 => vec![
            option("size", "Size", "select", &[choice("Small", 0), choice("Medium", 200), choice("Large", 450)]),
            option("extras", "Extras", "checkbox", &[choice("Gift box", 300), choice("Spare part", 750)]),
        ],
        2 => vec![option("engraving", "Engraving", "text", &[])],
        _ => Vec::new(),
    }
}

fn option(key: &str, label: &str, kind: &str, choices: &[Value]) -> Value {
    let required = kind == "select";
    json!({"key": key, "label": label, "type": kind, "required": required, "active": true, "choices": choices})
}

fn choice(label: &str, adjustment: u32) -> Value {
    json!({"value": slug(label), "label": label, "price_adjustment_amount": adjustment, "active": true})
}

/// A name as it stands in URLs: letters and digits of ASCII, joined by single hyphens.
fn slug(name: &str) -> String {
    let words = name
        .split(|character: char| !character.is_alphanumeric())
        .map(|word| word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}
