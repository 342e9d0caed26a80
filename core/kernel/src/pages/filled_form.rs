//! What was typed, put back into the form of a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use stoa_base::html::escape;

use super::tags::{Tag, tags, unescape};

/// The field that proves where a form comes from; each page has its own.
const CSRF: &str = "csrf";

/// What a form was sent with, in its order.
pub type TypedFields = [(String, String)];

/// Whether what was typed into a field may be shown once more: passwords and secrets may not.
pub(crate) fn is_kept(name: &str) -> bool {
    name != CSRF && !["password", "secret", "credential"].iter().any(|hidden| name.contains(hidden))
}

/// The page with everything that was typed in the form that is sent to this path; none if it has no such form. The form says
/// as `data-kept` at which address it stands. Passwords and files are left as they are.
pub fn fill_form(html: &str, address: &str, action: &str, typed: &TypedFields) -> Option<String> {
    filled(html, Some(address), action, typed)
}

/// The same for a page that answers the form itself. What nobody sees in the form stays as the page has it, such as the state that the
/// form is made from.
pub fn refill_form(html: &str, action: &str, typed: &TypedFields) -> Option<String> {
    filled(html, None, action, typed)
}

fn filled(html: &str, address: Option<&str>, action: &str, typed: &TypedFields) -> Option<String> {
    let tags = tags(html);
    let (begin, end) = form_of(&tags, action, typed)?;
    let id = tags[begin].value("id");
    let mut filling = Filling { typed, fills_hidden: address.is_some(), taken: BTreeMap::new() };
    let mut page = Rewritten { html, text: String::with_capacity(html.len()), at: 0 };
    let around = around(&tags, begin);
    let mut chosen = None;
    for (place, tag) in tags.iter().enumerate() {
        if place == begin {
            page.put(tag.begin, tag.end, &tag.with("data-kept", address));
        } else if around.contains(&place) {
            page.put(tag.begin, tag.end, &tag.with("open", Some("")));
        }
        if tag.closes("select") {
            chosen = None;
        }
        let is_inside = match tag.value("form") {
            Some(form) => id == Some(form),
            None => (begin..end).contains(&place),
        };
        if !is_inside || tag.closes {
            continue;
        }
        let name = tag.value("name").unwrap_or_default();
        match tag.name {
            "input" => {
                if let Some(filled) = filling.input(tag, name) {
                    page.put(tag.begin, tag.end, &filled);
                }
            }
            "textarea" => {
                let closing = tags[place..].iter().find(|tag| tag.closes("textarea"));
                if let Some((closing, value)) = closing.zip(filling.next(name)) {
                    // A browser leaves out the first line break behind the tag.
                    page.put(tag.end, closing.begin, &format!("\n{}", escape(value)));
                }
            }
            "select" => chosen = filling.next(name),
            "option" => {
                let Some(chosen) = chosen else { continue };
                let text_end = tags.get(place + 1).map_or(html.len(), |next| next.begin);
                let text = || unescape(html[tag.end..text_end].trim());
                let value = tag.value("value").map_or_else(text, str::to_owned);
                page.put(tag.begin, tag.end, &tag.with("selected", (value == chosen).then_some("")));
            }
            _ => {}
        }
    }
    Some(page.end())
}

/// The page with a field that nobody sees in each form that is sent below this path.
pub(crate) fn add_to_forms(html: &str, below: &str, name: &str, value: &str) -> String {
    let mut page = Rewritten { html, text: String::with_capacity(html.len() + value.len()), at: 0 };
    let field = format!("<input type=\"hidden\" name=\"{}\" value=\"{}\">", escape(name), escape(value));
    for form in tags(html).iter().filter(|tag| is_sent(tag, |action| action.starts_with(below))) {
        page.put(form.end, form.end, &field);
    }
    page.end()
}

/// The page with what was typed as plain text at its beginning, where the form is not there any more.
pub(crate) fn tell_typed(html: &str, told: &str, typed: &TypedFields) -> Option<String> {
    let main = tags(html).into_iter().find(|tag| tag.opens("main"))?;
    let mut text = format!("<section class=\"panel\"><p>{}</p><dl>", escape(told));
    for (name, value) in typed.iter().filter(|(_, value)| !value.is_empty()) {
        // Writing into memory cannot fail.
        let _ = write!(text, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }
    text.push_str("</dl></section>");
    let mut page = Rewritten { html, text: String::new(), at: 0 };
    page.put(main.end, main.end, &text);
    Some(page.end())
}

/// A page with some places written anew, from its beginning to its end.
struct Rewritten<'a> {
    html: &'a str,
    text: String,
    at: usize,
}

impl Rewritten<'_> {
    fn put(&mut self, begin: usize, end: usize, text: &str) {
        self.text.push_str(&self.html[self.at..begin]);
        self.text.push_str(text);
        self.at = end;
    }

    fn end(mut self) -> String {
        self.text.push_str(&self.html[self.at..]);
        self.text
    }
}

/// What is still to be put back: of several fields of one name, each gets its own.
struct Filling<'a> {
    typed: &'a TypedFields,
    fills_hidden: bool,
    taken: BTreeMap<String, usize>,
}

impl<'a> Filling<'a> {
    fn next(&mut self, name: &str) -> Option<&'a str> {
        if !is_kept(name) {
            return None;
        }
        let taken = self.taken.entry(name.to_owned()).or_default();
        let value = self.typed.iter().filter(|(known, _)| known == name).nth(*taken);
        *taken += 1;
        value.map(|(_, value)| value.as_str())
    }

    fn input(&mut self, tag: &Tag<'_>, name: &str) -> Option<String> {
        match tag.value("type").unwrap_or_default() {
            "password" | "file" | "submit" | "button" | "image" | "reset" => None,
            "checkbox" | "radio" if !name.is_empty() => {
                let value = tag.value("value").unwrap_or("on");
                let is_on = self.typed.iter().any(|(known, sent)| known == name && sent == value);
                Some(tag.with("checked", is_on.then_some("")))
            }
            kind => {
                let value = self.next(name).filter(|_| self.fills_hidden || kind != "hidden");
                value.map(|value| tag.with("value", Some(value)))
            }
        }
    }
}

/// Where the form begins and ends that is sent to this path. Of several, such as one in each row of a table, the one that says
/// unseen what was sent; of those, the first.
fn form_of(tags: &[Tag<'_>], action: &str, typed: &TypedFields) -> Option<(usize, usize)> {
    let is_it = |sent_to: &str| sent_to.split('?').next() == Some(action);
    let forms = tags.iter().enumerate().filter(|(_, tag)| is_sent(tag, is_it)).map(|(begin, _)| {
        let length = tags[begin..].iter().position(|tag| tag.closes("form"));
        let end = length.map_or(tags.len(), |length| begin + length);
        let unseen = tags[begin..end].iter().filter(|tag| tag.value("type") == Some("hidden"));
        let was_sent = |tag: &&Tag<'_>| {
            typed.iter().any(|(name, value)| tag.value("name") == Some(name) && tag.value("value") == Some(value))
        };
        (unseen.filter(was_sent).count(), begin, end)
    });
    let best = forms.reduce(|best, form| if form.0 > best.0 { form } else { best });
    best.map(|(_, begin, end)| (begin, end))
}

/// Whether a tag opens a form that writes, to such a path.
fn is_sent(tag: &Tag<'_>, is_it: impl Fn(&str) -> bool) -> bool {
    let writes = tag.value("method").is_some_and(|method| method.eq_ignore_ascii_case("post"));
    tag.opens("form") && writes && tag.value("action").is_some_and(is_it)
}

/// What has to be opened for the form to be seen.
fn around(tags: &[Tag<'_>], form: usize) -> Vec<usize> {
    let mut open = Vec::new();
    for (place, tag) in tags[..form].iter().enumerate().filter(|(_, tag)| tag.name == "details") {
        if tag.closes {
            open.pop();
        } else {
            open.push(place);
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn everything_that_was_typed_is_in_the_form_again() {
        let page = "<details><form method=\"post\" action=\"/console&#x2f;a\"><input type=\"hidden\" name=\"csrf\" value=\"new\">\
            <input name=\"name\" value=\"old\"><input type=\"password\" name=\"password\"><textarea name=\"text\">old</textarea>\
            <input type=\"checkbox\" name=\"on\" value=\"1\"><input type=\"checkbox\" name=\"off\" value=\"1\" checked>\
            <select name=\"kind\"><option value=\"a\" selected>A</option><option>b &amp; c</option></select></form></details>\
            <form method=\"post\" action=\"/console/b\"><input name=\"name\"></form>";
        let sent = [
            ("csrf", "old"),
            ("name", "\"Vase\""),
            ("password", "hidden"),
            ("text", "<b>\n1"),
            ("on", "1"),
            ("kind", "b & c"),
        ];
        let filled = fill_form(page, "/console/x", "/console/a", &typed(&sent)).expect("it has the form");
        assert_eq!(
            filled,
            "<details open=\"\"><form method=\"post\" action=\"/console/a\" data-kept=\"/console/x\">\
             <input type=\"hidden\" name=\"csrf\" value=\"new\"><input name=\"name\" value=\"&quot;Vase&quot;\">\
             <input type=\"password\" name=\"password\"><textarea name=\"text\">\n&lt;b&gt;\n1</textarea>\
             <input type=\"checkbox\" name=\"on\" value=\"1\" checked=\"\"><input type=\"checkbox\" name=\"off\" value=\"1\">\
             <select name=\"kind\"><option value=\"a\">A</option><option selected=\"\">b &amp; c</option></select></form></details>\
             <form method=\"post\" action=\"/console/b\"><input name=\"name\"></form>"
        );
        assert_eq!(fill_form(page, "/console/x", "/console/c", &typed(&sent)), None);
    }

    #[test]
    fn a_page_that_answers_a_form_has_what_was_typed_and_its_own_hidden_fields() {
        let page = "<form method=\"post\" action=\"/a\"><input type=\"hidden\" name=\"seen\" value=\"2\"><input name=\"note\"></form>";
        let filled = refill_form(page, "/a", &typed(&[("seen", "1"), ("note", "x")])).expect("it has the form");
        assert_eq!(
            filled,
            "<form method=\"post\" action=\"/a\"><input type=\"hidden\" name=\"seen\" value=\"2\"><input name=\"note\" value=\"x\"></form>"
        );
    }

    #[test]
    fn of_the_forms_of_a_table_the_one_of_the_same_row_is_filled() {
        let row = |key: &str| {
            format!(
                "<form method=\"post\" action=\"/role\"><input type=\"hidden\" name=\"row\" value=\"{key}\"><input name=\"role\"></form>"
            )
        };
        let filled = fill_form(&(row("1") + &row("2")), "/", "/role", &typed(&[("row", "2"), ("role", "owner")]));
        let (before, behind) = filled.as_deref().and_then(|page| page.split_once("value=\"2\"")).expect("it is there");
        assert!(!before.contains("owner") && behind.contains("value=\"owner\""));
    }

    #[test]
    fn fields_of_one_name_keep_their_order_and_those_outside_belong_to_their_form() {
        let page = "<input type=\"checkbox\" name=\"row\" value=\"7\" form=\"bulk\"><input type=\"checkbox\" name=\"row\" value=\"8\" \
            form=\"bulk\"><form id=\"bulk\" method=\"post\" action=\"/bulk\"><input name=\"a\"><input name=\"a\"></form>";
        let filled =
            fill_form(page, "/", "/bulk", &typed(&[("row", "8"), ("a", "1"), ("a", "2")])).expect("it is there");
        assert!(
            !filled.contains("value=\"7\" form=\"bulk\" checked")
                && filled.contains("value=\"8\" form=\"bulk\" checked")
        );
        assert!(filled.contains("<input name=\"a\" value=\"1\"><input name=\"a\" value=\"2\">"), "{filled}");
    }

    #[test]
    fn what_has_no_form_any_more_is_told() {
        let page = tell_typed("<main id=\"main\">x</main>", "Typed:", &typed(&[("note", "<i>"), ("empty", "")]));
        assert_eq!(
            page.as_deref(),
            Some(
                "<main id=\"main\"><section class=\"panel\"><p>Typed:</p><dl><dt>note</dt><dd>&lt;i&gt;</dd></dl></section>x</main>"
            )
        );
    }
}
