//! What is usual in a country: the currency, the language that amounts are written in, and the standard rate of its VAT.
//!
//! The rates are those of 2026, from the European Commission's database of taxes and the tax offices of the other countries; they
//! are proposals, which whoever is asked can change.

/// Member states of the European Union, with the standard rate of VAT in hundredths of a percent.
const EUROPEAN_UNION: [(&str, i64); 27] = [
    ("AT", 2000),
    ("BE", 2100),
    ("BG", 2000),
    ("HR", 2500),
    ("CY", 1900),
    ("CZ", 2100),
    ("DK", 2500),
    ("EE", 2400),
    ("FI", 2550),
    ("FR", 2000),
    ("DE", 1900),
    ("GR", 2400),
    ("HU", 2700),
    ("IE", 2300),
    ("IT", 2200),
    ("LV", 2100),
    ("LT", 2100),
    ("LU", 1700),
    ("MT", 1800),
    ("NL", 2100),
    ("PL", 2300),
    ("PT", 2300),
    ("RO", 2100),
    ("SK", 2300),
    ("SI", 2200),
    ("ES", 2100),
    ("SE", 2500),
];

const ELSEWHERE: [(&str, i64); 4] = [("CH", 810), ("GB", 2000), ("LI", 810), ("NO", 2500)];

/// Countries whose currency is not the euro.
const CURRENCIES: [(&str, &str); 18] = [
    ("AU", "AUD"),
    ("CA", "CAD"),
    ("CH", "CHF"),
    ("CZ", "CZK"),
    ("DK", "DKK"),
    ("GB", "GBP"),
    ("HU", "HUF"),
    ("IN", "INR"),
    ("IS", "ISK"),
    ("JP", "JPY"),
    ("LI", "CHF"),
    ("NO", "NOK"),
    ("NZ", "NZD"),
    ("PL", "PLN"),
    ("RO", "RON"),
    ("SE", "SEK"),
    ("US", "USD"),
    ("ZA", "ZAR"),
];

const LANGUAGES: [(&str, &str); 8] = [
    ("AT", "de-AT"),
    ("BE", "nl-BE"),
    ("CH", "de-CH"),
    ("DE", "de-DE"),
    ("GB", "en-GB"),
    ("IE", "en-IE"),
    ("NL", "nl-NL"),
    ("US", "en-US"),
];

fn of<T: Copy>(table: &[(&str, T)], country: &str) -> Option<T> {
    table.iter().find(|(code, _)| *code == country).map(|(_, value)| *value)
}

/// Whether the law of the European Union holds there.
pub(super) fn is_in_european_union(country: &str) -> bool {
    of(&EUROPEAN_UNION, country).is_some()
}

/// The standard rate of VAT, in hundredths of a percent; 0 where it is not known here.
pub(super) fn standard_rate(country: &str) -> i64 {
    of(&EUROPEAN_UNION, country).or_else(|| of(&ELSEWHERE, country)).unwrap_or(0)
}

/// The currency that shops there have.
pub(super) fn currency(country: &str) -> &'static str {
    of(&CURRENCIES, country).unwrap_or("EUR")
}

/// The language that amounts are written in there.
pub(super) fn locale(country: &str) -> &'static str {
    of(&LANGUAGES, country).unwrap_or("en")
}
