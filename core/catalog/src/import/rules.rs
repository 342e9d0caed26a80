//! What the texts of a record may look like, whichever format they come from.
//!
//! The checks return the reason of a refusal as a sentence that says what was expected.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use url::Url;

use stoa_kernel::http::rules::is_email;

use super::problems::shown;
use crate::facts::is_gtin;

/// The highest price and the highest price adjustment, in minor units.
///
/// A cart of some hundred lines at the highest quantity still adds up within 63 bits.
pub const MAX_AMOUNT: i64 = 10_000_000_000_000;
/// The longest slug, in characters.
pub const MAX_SLUG: usize = 191;
/// The longest name, subtitle, option label and choice label, in characters.
pub const MAX_NAME: usize = 255;
/// The longest brand, in characters.
pub const MAX_BRAND: usize = 255;
/// The most digits of a global trade item number.
pub const MAX_GTIN: usize = 14;
/// The highest weight, in grams: a thousand tonnes.
pub const MAX_WEIGHT_GRAMS: i64 = 1_000_000_000;
/// The longest stock keeping unit, in characters.
pub const MAX_SKU: usize = 100;
/// The longest description, in characters.
pub const MAX_DESCRIPTION: usize = 65_535;
/// The longest option key, capability key, module key and tax class, in characters.
pub const MAX_KEY: usize = 64;
/// The longest value of a choice, in characters.
pub const MAX_CHOICE_VALUE: usize = 191;
/// The longest image URL or path, in characters.
pub const MAX_IMAGE: usize = 2_048;
/// The most images of a product.
pub const MAX_IMAGES: usize = 250;
/// The longest postal address of who is responsible for a product, in characters.
pub(super) const MAX_ADDRESS: usize = 1_000;
/// The longest e-mail address, in characters (RFC 5321, 4.5.3.1.3).
pub(super) const MAX_EMAIL: usize = 254;
/// The longest reference quantity of a unit price, in characters.
pub(super) const MAX_REFERENCE: usize = 50;
/// The most options of a product.
pub const MAX_OPTIONS: usize = 100;
/// The most choices of an option, and the most variants of a product.
pub const MAX_CHOICES: usize = 2_048;
/// The most capabilities of a product.
pub const MAX_CAPABILITIES: usize = 64;

/// A text of one line, trimmed; nothing when it is blank.
pub(super) fn single_line(text: &str, limit: usize) -> Result<Option<String>, String> {
    let text = text.trim();
    if let Some(reason) = control_character(text, &[]) {
        return Err(reason);
    }
    within(text, limit)?;
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// A text of several lines, trimmed and with plain line feeds; nothing when it is blank.
pub(super) fn multi_line(text: &str, limit: usize) -> Result<Option<String>, String> {
    let text = text.trim().replace("\r\n", "\n");
    if let Some(reason) = control_character(&text, &['\n', '\t']) {
        return Err(reason);
    }
    within(&text, limit)?;
    Ok((!text.is_empty()).then_some(text))
}

fn within(text: &str, limit: usize) -> Result<(), String> {
    // Bytes are counted first: no character is shorter than one.
    let length = if text.len() <= limit { 0 } else { text.chars().count() };
    if length > limit {
        return Err(format!("has {length} characters; at most {limit} are allowed"));
    }
    Ok(())
}

fn control_character(text: &str, allowed: &[char]) -> Option<String> {
    let (position, found) =
        text.chars().enumerate().find(|(_, character)| character.is_control() && !allowed.contains(character))?;
    let what = match found {
        '\n' | '\r' => "a line break, but must be a single line".to_owned(),
        '\t' => "a tab character".to_owned(),
        _ => format!("the control character U+{:04X}", u32::from(found)),
    };
    Some(format!("holds {what} (character {})", position + 1))
}

/// Whether a character may stand in a slug besides `-`, `_`, `.` and `~`.
///
/// Marks are needed for scripts that write vowels with them.
pub(super) fn is_word_character(character: char) -> bool {
    use GeneralCategory as G;
    if character.is_ascii() {
        return character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    matches!(
        category,
        G::LowercaseLetter | G::ModifierLetter | G::OtherLetter | G::NonspacingMark | G::SpacingMark | G::DecimalNumber
    ) && character.to_lowercase().eq([character])
}

/// Checks a slug of a product.
pub(super) fn check_slug(slug: &str) -> Result<(), String> {
    within(slug, MAX_SLUG)?;
    if slug.starts_with('.') {
        return Err(format!("{} starts with a dot, which a slug may not", shown(slug)));
    }
    let bad =
        slug.chars().find(|character| !(is_word_character(*character) || matches!(character, '-' | '_' | '.' | '~')));
    match bad {
        None => Ok(()),
        Some(character) => Err(format!(
            "{} is no slug because of {}: use lower-case letters, digits, `-`, `_`, `.` and `~`",
            shown(slug),
            shown(character.encode_utf8(&mut [0; 4]))
        )),
    }
}

/// Checks a slug of a category, which must not look like an id (S4.2 rule 3).
pub(super) fn check_category_slug(slug: &str) -> Result<(), String> {
    check_slug(slug)?;
    if slug.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{} is only digits and could be taken for a category's id: add a letter", shown(slug)));
    }
    Ok(())
}

/// Checks the key of a capability or of a module.
pub(super) fn check_key(key: &str) -> Result<(), String> {
    within(key, MAX_KEY)?;
    let tail = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if key.starts_with(|first: char| first.is_ascii_lowercase()) && key.bytes().all(tail) {
        return Ok(());
    }
    Err(format!("{} is no key: use lower-case letters a to z, digits and `_`, beginning with a letter", shown(key)))
}

/// Checks the key of an option, which later is part of names such as `selections.size`.
pub(super) fn check_option_key(key: &str) -> Result<(), String> {
    within(key, MAX_KEY)?;
    let bad = key.chars().find(|character| {
        !(character.is_alphanumeric() || is_word_character(*character) || matches!(character, '-' | '_'))
    });
    if bad.is_some() {
        return Err(format!("{} is no option key: use letters, digits, `-` and `_`", shown(key)));
    }
    Ok(())
}

/// Checks a global trade item number.
pub(super) fn check_gtin(gtin: &str) -> Result<(), String> {
    if is_gtin(gtin) {
        return Ok(());
    }
    let bad = shown(gtin);
    Err(format!("{bad} is no GTIN: give 8, 12, 13 or 14 digits, of which the last is the check digit"))
}

/// Checks an e-mail address.
pub(super) fn check_email(email: &str) -> Result<(), String> {
    if is_email(email) {
        return Ok(());
    }
    Err(format!("{} is no e-mail address, such as `safety@example.com`", shown(email)))
}

/// Checks the name of a language: that of the language alone, or with that of a country (BCP 47).
pub(super) fn check_language(language: &str) -> Result<(), String> {
    let (name, country) = language.split_once('-').map_or((language, None), |(name, country)| (name, Some(country)));
    let is_name = matches!(name.len(), 2 | 3) && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_country = |country: &str| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_name && country.is_none_or(is_country) {
        return Ok(());
    }
    Err(String::from("is no language: use a code such as `en`, `de` or `pt-BR`"))
}

/// Checks an image: an absolute http(s) URL, or a path below the media folder.
pub(super) fn check_image(image: &str) -> Result<(), String> {
    within(image, MAX_IMAGE)?;
    if image.contains(char::is_whitespace) && image.contains("://") {
        return Err(format!("{} holds a blank: write it as %20", shown(image)));
    }
    match Url::parse(image) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            Err(format!("{} has the scheme {}: use http or https", shown(image), shown(url.scheme())))
        }
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            Err("holds a user name or a password, which customers would see".to_owned())
        }
        // `http:a.jpg` parses as a URL too, but no client of ours should have to know that.
        Ok(_) if !image.contains("://") => Err(not_an_image(image)),
        Ok(_) => Ok(()),
        Err(url::ParseError::RelativeUrlWithoutBase) => check_media_path(image),
        Err(error) => Err(format!("{} is no URL: {error}", shown(image))),
    }
}

fn check_media_path(path: &str) -> Result<(), String> {
    let unsafe_part = |part: &str| part.is_empty() || part.starts_with('.') || part.trim().len() != part.len();
    if path.contains(['\\', '?', '#', '%', ':']) || path.split('/').any(unsafe_part) {
        return Err(not_an_image(path));
    }
    Ok(())
}

fn not_an_image(image: &str) -> String {
    format!(
        "{} is no image: give an absolute http(s) URL, or a path below the media folder such as `chairs/oak.jpg`",
        shown(image)
    )
}
