//! Bodies and queries in the form of HTML forms.

use std::collections::BTreeMap;

use url::form_urlencoded;

/// The fields of a form; none when one stands there twice.
pub(crate) fn fields(text: &[u8]) -> Option<BTreeMap<String, String>> {
    let mut fields = BTreeMap::new();
    for (key, value) in form_urlencoded::parse(text) {
        if fields.insert(key.into_owned(), value.into_owned()).is_some() {
            return None;
        }
    }
    Some(fields)
}
