//! Documents of modules.

use chrono::NaiveDate;

use stoa_kernel::i18n::Language;

use crate::pdf::{Leaflet, LeafletPart, Pattern, render_leaflet};

fn leaflet(parts: Vec<LeafletPart>) -> Leaflet {
    Leaflet {
        title: "Gutschein über 50 €".to_owned(),
        author: "Übermut Leuchten GmbH".to_owned(),
        language: Language::DE,
        day: NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day"),
        number: "V-000042".to_owned(),
        parts,
    }
}

fn pages(leaflet: &Leaflet) -> Vec<String> {
    let file = render_leaflet(leaflet).expect("it can be written");
    let pdf = lopdf::Document::load_mem(&file).expect("it can be read");
    let numbers = pdf.get_pages().into_keys();
    numbers.map(|number| pdf.extract_text(&[number]).expect("its text can be read")).collect()
}

fn pattern() -> LeafletPart {
    let dark = (0..21 * 21).map(|square| square % 3 == 0).collect();
    LeafletPart::Pattern(Pattern::new(21, dark, "a pattern").expect("it is a square"), 180.0)
}

#[test]
fn everything_that_is_said_can_be_read() {
    let facts = vec![("Für".to_owned(), "Соломія Їжаченко".to_owned()), ("Code".to_owned(), "Ü-42".to_owned())];
    let said = pages(&leaflet(vec![
        LeafletPart::Facts(facts),
        pattern(),
        LeafletPart::Heading("Viel Freude!".to_owned()),
        LeafletPart::Text("Zeile eins\nZeile zwei".to_owned()),
    ]));
    assert_eq!(said.len(), 1);
    for part in ["Gutschein über 50 €", "Für", "Соломія Їжаченко", "Ü-42", "Viel Freude!", "Zeile eins", "Zeile zwei"]
    {
        assert!(said[0].contains(part), "{part} is in\n{}", said[0]);
    }
}

#[test]
fn the_same_leaflet_is_the_same_file() {
    let leaflet = leaflet(vec![pattern()]);
    assert_eq!(render_leaflet(&leaflet).expect("it is written"), render_leaflet(&leaflet).expect("it is written"));
}

#[test]
fn what_does_not_fit_goes_on_another_page() {
    let patterns = std::iter::repeat_with(pattern).take(9).collect();
    assert_eq!(pages(&leaflet(patterns)).len(), 3);
    let facts = (0..200).map(|number| (format!("fact {number}"), "value ".repeat(40))).collect();
    let said = pages(&leaflet(vec![LeafletPart::Facts(facts), LeafletPart::NewPage, pattern()]));
    assert!(said.len() > 3, "{}", said.len());
    let all = said.concat();
    for number in 0..200 {
        assert!(all.contains(&format!("fact {number}")), "{number}");
    }
}

#[test]
fn a_leaflet_of_nothing_can_be_written() {
    let mut empty = leaflet(vec![LeafletPart::Facts(vec![(String::new(), String::new())])]);
    empty.title = "\u{202e}\0".to_owned();
    empty.author = String::new();
    assert_eq!(pages(&empty).len(), 1);
}
