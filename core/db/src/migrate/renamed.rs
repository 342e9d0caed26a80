//! Names of before, in migrations that are applied after something was renamed.

/// What a set has renamed, although migrations of other sets have the former name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Renamed {
    /// The migration that did it.
    #[cfg_attr(not(feature = "testing"), expect(dead_code, reason = "only tests stop before a migration"))]
    pub(super) version: i64,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
}

impl Renamed {
    /// The text of a migration of another set, with the name of today.
    pub(super) fn translate(self, text: &str) -> String {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let mut translated = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(self.old) {
            translated.push_str(before);
            translated.push_str(if before.ends_with(is_word) || after.starts_with(is_word) {
                self.old
            } else {
                self.new
            });
            rest = after;
        }
        translated + rest
    }
}
