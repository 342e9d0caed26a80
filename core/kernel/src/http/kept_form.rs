//! What somebody typed into a form of the console that could not be taken: the session was over, or the page out of date.
//!
//! It is kept by the pages of the login, sealed, and put back into the form afterwards. Nothing of it stands in the database, so
//! whoever has no session fills nothing.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::form::FormFields;
use crate::encryption::{Cipher, SealContext};
use crate::pages::is_kept;

/// The field of the login's forms that carries it.
pub(super) const KEPT_FIELD: &str = "kept";

/// Most of it, in bytes, so that it fits into a form.
const MOST: usize = 512 * 1024;

/// It stands in no table; the name keeps what is sealed for one from being taken for it.
const CONTEXT: SealContext = SealContext { table: "console", column: "kept_form", row: 0 };

/// A form that could not be taken.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptForm {
    /// Whose it is, if that was known.
    pub(super) staff_id: Option<i64>,
    /// Where it was sent to.
    pub(super) action: String,
    /// Where it may stand, the likeliest first.
    pub(super) pages: Vec<String>,
    /// What was typed.
    pub(super) typed: Vec<(String, String)>,
}

impl KeptForm {
    /// What was sent to this path of the console at `console`, by the page that it came from; none where nothing was typed, or too
    /// much.
    pub(super) fn new(
        console: &str,
        staff_id: Option<i64>,
        (action, came_from): (&str, Option<String>),
        sent: &FormFields,
    ) -> Option<Self> {
        let typed = sent.fields().filter(|(name, _)| is_kept(name));
        let typed = typed.map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>();
        let length = typed.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        if typed.is_empty() || length > MOST {
            return None;
        }
        let is_of_console = |page: &String| page.starts_with(console) && !is_door(console, page);
        let mut pages = came_from.filter(is_of_console).into_iter().collect::<Vec<_>>();
        // A form that was refused stands at the path that it was sent to, which cannot be opened: the page above it can.
        let above = action.match_indices('/').map(|(place, _)| &action[..place]);
        let above = above.filter(|page| page.len() >= console.len()).collect::<Vec<_>>();
        for page in std::iter::once(action).chain(above.into_iter().rev()) {
            if !pages.iter().any(|known| known == page) {
                pages.push(page.to_owned());
            }
        }
        Some(Self { staff_id, action: action.to_owned(), pages, typed })
    }

    /// As the login's forms carry it.
    pub(super) fn seal(&self, cipher: &Cipher) -> Option<String> {
        let plain = serde_json::to_vec(self).ok()?;
        Some(URL_SAFE_NO_PAD.encode(cipher.seal(CONTEXT, &plain)))
    }

    /// What a form of the login carries; none of anything that this shop has not sealed.
    pub(super) fn carried(cipher: &Cipher, sent: &FormFields) -> Option<Self> {
        let sealed = URL_SAFE_NO_PAD.decode(sent.get(KEPT_FIELD)?).ok()?;
        let plain = cipher.open(CONTEXT, &sealed).ok()?;
        serde_json::from_slice(&plain).ok()
    }
}

/// Whether this is a page of the login.
pub(super) fn is_door(console: &str, page: &str) -> bool {
    page.strip_prefix(console).is_some_and(|page| page.starts_with("/login"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(sent: &[(&str, &str)]) -> FormFields {
        sent.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>().into()
    }

    #[test]
    fn a_form_is_looked_for_where_it_came_from_then_where_it_went_and_above() {
        let sent = fields(&[("csrf", "x"), ("note", "y"), ("password", "z")]);
        let kept = |came_from: &str| {
            let path = ("/console/orders/O-1/note", Some(came_from.to_owned()));
            KeptForm::new("/console", None, path, &sent).expect("something was typed")
        };
        let above = ["/console/orders/O-1/note", "/console/orders/O-1", "/console/orders", "/console"];
        assert_eq!(kept("/console/login?next=x").pages, above);
        assert_eq!(kept("/cart").pages, above);
        assert_eq!(kept("/console/x?a=1").pages[..2], ["/console/x?a=1", "/console/orders/O-1/note"]);
        assert_eq!(kept("/cart").typed, [("note".to_owned(), "y".to_owned())]);
    }

    #[test]
    fn a_button_alone_is_not_kept() {
        assert_eq!(KeptForm::new("/console", None, ("/console/a", None), &fields(&[("csrf", "x")])), None);
    }
}
