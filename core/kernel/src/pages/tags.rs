//! The tags of a page that the shop has made itself, for putting something into its forms.

/// A tag where it stands in the page.
pub(super) struct Tag<'a> {
    /// Its first byte, and the one behind its last.
    pub(super) begin: usize,
    pub(super) end: usize,
    pub(super) name: &'a str,
    /// Whether it closes an element.
    pub(super) closes: bool,
    attributes: Vec<(&'a str, Option<String>)>,
}

impl Tag<'_> {
    /// Whether it opens an element of this name.
    pub(super) fn opens(&self, name: &str) -> bool {
        !self.closes && self.name == name
    }

    /// Whether it closes an element of this name.
    pub(super) fn closes(&self, name: &str) -> bool {
        self.closes && self.name == name
    }

    /// The value of an attribute; empty for one without, none where it is not there.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_deref().unwrap_or_default())
    }

    /// The tag with this attribute, in place of the one that it may have; without one if there is no value.
    pub(super) fn with(&self, name: &str, value: Option<&str>) -> String {
        let mut text = format!("<{}", self.name);
        let kept = self.attributes.iter().filter(|(known, _)| !known.eq_ignore_ascii_case(name));
        let kept = kept.map(|(known, value)| (*known, value.as_deref()));
        for (name, value) in kept.chain(value.map(|value| (name, Some(value)))) {
            text.push(' ');
            text.push_str(name);
            if let Some(value) = value {
                text.push_str("=\"");
                text.push_str(&stoa_base::html::escape(value));
                text.push('"');
            }
        }
        text.push('>');
        text
    }
}

/// All tags of a page in their order.
pub(super) fn tags(html: &str) -> Vec<Tag<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = html[at..].find('<').map(|place| at + place) {
        let rest = &html[begin + 1..];
        if rest.starts_with("!--") {
            at = rest.find("-->").map_or(html.len(), |end| begin + 1 + end + 3);
            continue;
        }
        let closes = rest.starts_with('/');
        let name_at = begin + 1 + usize::from(closes);
        let name = until(&html[name_at..], |letter| !letter.is_ascii_alphanumeric());
        at = name_at + name.len();
        if name.is_empty() {
            at = begin + 1;
            continue;
        }
        let (attributes, end) = attributes(html, at);
        found.push(Tag { begin, end, name, closes, attributes });
        at = end;
    }
    found
}

/// The attributes that begin here, and where their tag ends.
fn attributes(html: &str, mut at: usize) -> (Vec<(&str, Option<String>)>, usize) {
    let mut found = Vec::new();
    let skip = |at: usize| at + until(&html[at..], |letter| !letter.is_ascii_whitespace() && letter != '/').len();
    loop {
        at = skip(at);
        let name = until(&html[at..], |letter| letter.is_ascii_whitespace() || matches!(letter, '=' | '>' | '/'));
        at += name.len();
        let Some(next) = html[at..].chars().next() else { return (found, html.len()) };
        if name.is_empty() {
            at += next.len_utf8();
            if next == '>' {
                return (found, at);
            }
            continue;
        }
        let Some(given) = html[at..].strip_prefix('=') else {
            found.push((name, None));
            continue;
        };
        let quote = given.chars().next().filter(|first| matches!(first, '"' | '\''));
        let value = match quote {
            Some(quote) => until(&given[1..], |letter| letter == quote),
            None => until(given, |letter| letter.is_ascii_whitespace() || letter == '>'),
        };
        at = (at + 1 + value.len() + 2 * usize::from(quote.is_some())).min(html.len());
        found.push((name, Some(unescape(value))));
    }
}

fn until(text: &str, is_end: impl Fn(char) -> bool) -> &str {
    &text[..text.find(is_end).unwrap_or(text.len())]
}

/// The text that stands escaped in a page.
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after.split_once(';').and_then(|(name, behind)| Some((letter(name)?, behind)));
        let (letter, behind) = entity.unwrap_or(('&', after));
        plain.push(letter);
        rest = behind;
    }
    plain.push_str(rest);
    plain
}

fn letter(entity: &str) -> Option<char> {
    let number = match entity {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => entity.strip_prefix('#')?,
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_every_way_that_they_are_written() {
        let html = "a < b <!-- <i x=1> --><input name='a' value=\"1 &gt; &#x2f;&amp;&#39;\" required/></p><b";
        let found = tags(html);
        let names = found.iter().map(|tag| (tag.name, tag.closes)).collect::<Vec<_>>();
        assert_eq!(names, [("input", false), ("p", true), ("b", false)]);
        assert_eq!(found[0].value("name"), Some("a"));
        assert_eq!(found[0].value("value"), Some("1 > /&'"));
        assert_eq!((found[0].value("required"), found[0].value("checked")), (Some(""), None));
        assert_eq!(found[0].with("value", Some("\"")), "<input name=\"a\" required value=\"&quot;\">");
    }

    #[test]
    fn what_breaks_off_ends_with_the_page() {
        for html in ["<", "<a", "<a b", "<a b=", "<a b=\"", "<a b=\"c", "<!--", "</", "<ä ö=ü>"] {
            for tag in tags(html) {
                assert!(tag.end <= html.len(), "{html}");
            }
        }
    }
}
