//! Case folding: how names are sorted and how terms are compared, beyond ASCII too.

use icu_casemap::CaseMapper;

/// The text with all differences of case removed, as Unicode's full case folding does it: `Straße`
/// and `STRASSE` become the same.
pub fn fold(text: &str) -> String {
    CaseMapper::new().fold_string(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn case_is_folded_in_every_script() {
        assert_eq!(fold("STRASSE"), fold("Straße"));
        assert_eq!(fold("ÉCLAIR"), fold("éclair"));
        assert_eq!(fold("ΣΊΣΥΦΟΣ"), fold("Σίσυφος"));
        assert_eq!(fold("ЧАЙ"), fold("чай"));
    }
}
