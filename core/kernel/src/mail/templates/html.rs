//! HTML of mails, made of their texts: paragraphs, links and buttons, everything else escaped.
//!
//! Styles stand in the elements, since many mail programs read no others; what the layout says beside them is for dark screens.

use std::fmt::Write;

use super::piece::Piece;
use super::template::{Template, Values, value};

/// HTML of values that are more than a text, by placeholder.
pub(crate) type Blocks = std::collections::BTreeMap<&'static str, String>;

/// Placeholders that end so stand for addresses of pages.
const URL: &str = "_url";

const PARAGRAPH: &str = "<p style=\"margin:0 0 16px;\">";
const BLOCK: &str = "<div style=\"margin:0 0 16px;\">";

/// A text as it stands in HTML, in an attribute too.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(letter),
        }
    }
    html
}

/// The same of a text that may have several lines, with the blanks that they begin with.
pub(crate) fn escaped_lines(text: &str) -> String {
    let line = |line: &str| {
        let rest = line.trim_start_matches(' ');
        "&nbsp;".repeat(line.len() - rest.len()) + &escaped(rest)
    };
    let lines = text.split('\n').enumerate().map(|(at, text)| if at == 0 { escaped(text) } else { line(text) });
    lines.collect::<Vec<_>>().join("<br>\n")
}

/// A link that looks like a button.
pub(crate) fn button(label: &str, url: &str) -> String {
    format!(
        "<a class=\"button\" href=\"{}\" style=\"display:inline-block;padding:12px 20px;border-radius:6px;background:#1f2328;\
         color:#ffffff;font-weight:bold;text-decoration:none;\">{}</a>",
        escaped(url),
        escaped(label)
    )
}

fn link(url: &str) -> String {
    let url = escaped(url);
    format!("<a class=\"link\" href=\"{url}\" style=\"color:#1f2328;word-break:break-all;\">{url}</a>")
}

fn is_page(url: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()))
        && !url.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

/// A text of the shop's own, in which addresses of pages become links.
fn linked(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some(start) = ["https://", "http://"].iter().filter_map(|scheme| rest.find(scheme)).min() {
        let (before, tail) = rest.split_at(start);
        let end = tail.find(|letter: char| letter.is_whitespace() || "<>\"'".contains(letter)).unwrap_or(tail.len());
        let url = tail[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
        html.push_str(&escaped_lines(before));
        html.push_str(&if is_page(url) { link(url) } else { escaped(url) });
        rest = &tail[url.len().max(1)..];
    }
    html.push_str(&escaped_lines(rest));
    html
}

/// What values are written as: themselves, or as placeholders of a template that is still to be filled.
pub(super) trait Say {
    /// The HTML of a placeholder in a line.
    fn value(&self, name: &'static str) -> String;
    /// The HTML of a placeholder that has some of its own.
    fn block(&self, name: &'static str) -> Option<String>;
    /// A text of the template's own.
    fn text(&self, text: &str) -> String;
    /// A button that leads where this placeholder says; none where it names no page.
    fn button(&self, label: &str, name: &'static str) -> Option<String>;
}

impl Filled<'_> {
    /// The HTML of a value that links nowhere.
    pub(super) fn plain(&self, name: &str) -> String {
        escaped_lines(value(name, self.values))
    }
}

/// Values as they are.
pub(super) struct Filled<'a> {
    pub(super) values: &'a Values,
    pub(super) blocks: &'a Blocks,
}

impl Say for Filled<'_> {
    fn value(&self, name: &'static str) -> String {
        let text = value(name, self.values);
        if name.ends_with(URL) && is_page(text) { link(text) } else { escaped_lines(text) }
    }

    fn block(&self, name: &'static str) -> Option<String> {
        self.blocks.get(name).cloned()
    }

    fn text(&self, text: &str) -> String {
        linked(text)
    }

    fn button(&self, label: &str, name: &'static str) -> Option<String> {
        let url = value(name, self.values);
        is_page(url).then(|| button(label, url))
    }
}

/// Placeholders, for a template that the operator goes on with.
struct AsTemplate;

impl AsTemplate {
    fn braced(text: &str) -> String {
        text.replace('{', "{{").replace('}', "}}")
    }
}

impl Say for AsTemplate {
    fn value(&self, name: &'static str) -> String {
        if name.ends_with(URL) { link(&format!("{{{name}}}")) } else { format!("{{{name}}}") }
    }

    fn block(&self, _: &'static str) -> Option<String> {
        None
    }

    fn text(&self, text: &str) -> String {
        Self::braced(&linked(text))
    }

    fn button(&self, label: &str, name: &'static str) -> Option<String> {
        Some(button(&Self::braced(label), &format!("{{{name}}}")))
    }
}

/// A paragraph as HTML.
fn paragraph(pieces: &[Piece], say: &impl Say) -> String {
    if let [Piece::Value(name)] = pieces
        && !name.ends_with(URL)
    {
        return format!("{BLOCK}{}</div>", say.block(name).unwrap_or_else(|| say.value(name)));
    }
    if let Some(html) = with_button(pieces, say) {
        return html;
    }
    let is_block = pieces.iter().any(|piece| matches!(piece, Piece::Value(name) if say.block(name).is_some()));
    let (start, end) = if is_block { (BLOCK, "</div>") } else { (PARAGRAPH, "</p>") };
    format!("{start}{}{end}", inline(pieces, say))
}

fn inline(pieces: &[Piece], say: &impl Say) -> String {
    let html = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => say.text(text),
        Piece::Value(name) => say.block(name).unwrap_or_else(|| say.value(name)),
    });
    html.collect()
}

/// A line of words above a line with nothing but the address of a page is a button; what stands above both is text.
fn with_button(pieces: &[Piece], say: &impl Say) -> Option<String> {
    let end_of_line = Piece::Text(String::from("\n"));
    let (Piece::Value(name), above) = pieces.split_last()? else { return None };
    let (last, above) = above.split_last()?;
    let (Piece::Text(label), above) = above.split_last()? else { return None };
    if !name.ends_with(URL) || *last != end_of_line || label.contains('\n') {
        return None;
    }
    let above = match above.split_last() {
        None => &[],
        Some((piece, above)) if *piece == end_of_line => above,
        Some(_) => return None,
    };
    let button = say.button(label.trim_end_matches([':', ' ']), name)?;
    let words = if above.is_empty() { String::new() } else { format!("{PARAGRAPH}{}</p>\n", inline(above, say)) };
    Some(format!("{words}{PARAGRAPH}{button}</p>"))
}

/// The HTML of a mail's text with these values. `action` is what the button says for an address that stands in a paragraph of its own.
pub(super) fn content(template: &Template, values: &Values, blocks: &Blocks, action: Option<&str>) -> String {
    let say = Filled { values, blocks };
    let mut html = String::new();
    for pieces in template.said(values) {
        let lone = match pieces {
            [Piece::Text(text)] if is_page(text) => action.map(|label| button(label, text)),
            _ => None,
        };
        let _ = match lone {
            Some(button) => writeln!(html, "{PARAGRAPH}{button}</p>"),
            None => writeln!(html, "{}", paragraph(pieces, &say)),
        };
    }
    html
}

/// The HTML of a mail's text as a template to go on with.
pub(super) fn as_template(template: &Template) -> String {
    let paragraphs = template.paragraphs().iter().map(|pieces| paragraph(pieces, &AsTemplate));
    paragraphs.collect::<Vec<_>>().join("\n\n") + "\n"
}

/// The first words of a mail, as mailboxes show them beside the subject: those behind the greeting.
pub(super) fn preview(text: &str) -> String {
    const MOST: usize = 140;
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut paragraphs = paragraphs.filter(|paragraph| !paragraph.is_empty()).peekable();
    let first = paragraphs.peek().cloned().unwrap_or_default();
    let told = paragraphs.find(|paragraph| !paragraph.ends_with(',')).unwrap_or(first);
    match told.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", told[..end].trim_end()),
        None => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["name", "order_url", "items"];

    fn made(text: &str, name: &str, url: &str) -> String {
        let template = Template::parse(&format!("Subject: x\n\n{text}"), KNOWN).expect("a template");
        let values = Values::from([
            ("name", name.to_owned()),
            ("order_url", url.to_owned()),
            ("items", String::from("1 × Lamp")),
        ]);
        let blocks = Blocks::from([("items", String::from("<b>1 &times; Lamp</b>"))]);
        content(&template, &values, &blocks, None)
    }

    #[test]
    fn values_are_text_whatever_they_hold() {
        let html = made("Hello {name},\nthis is <it> & \"more\".", "<script>\"'&\n  b", "");
        assert!(html.contains("Hello &lt;script&gt;&quot;&#39;&amp;<br>\n&nbsp;&nbsp;b,<br>\nthis is &lt;it&gt; &amp; &quot;more&quot;."), "{html}");
        assert!(!html.contains("<script") && !html.contains("<it>"), "{html}");
    }

    #[test]
    fn words_above_an_address_are_its_button() {
        let url = "https://shop.example/order/1?key=a&b=\"";
        let html = made("Text.\nYour order:\n{order_url}", "", url);
        assert!(html.contains("href=\"https://shop.example/order/1?key=a&amp;b=&quot;\""), "{html}");
        assert!(html.contains(">Your order</a></p>") && html.contains(">Text.</p>"), "{html}");
        let html = made("Your order: {order_url}", "", url);
        assert!(html.contains("Your order: <a class=\"link\"") && !html.contains("button"), "{html}");
    }

    #[test]
    fn only_pages_become_links() {
        for url in ["javascript:alert(1)", "https://", "http://a b", "//shop.example"] {
            assert!(!made("Look:\n{order_url}", "", url).contains("href"), "{url}");
        }
        let html = made("See https://a.example/x, or (http://b.example).", "https://evil.example", "");
        assert!(html.contains("href=\"https://a.example/x\"") && html.contains("href=\"http://b.example\""), "{html}");
        let html = made("Hello {name}", "https://evil.example", "");
        assert!(!html.contains("href"), "what customers call themselves leads nowhere: {html}");
    }

    #[test]
    fn what_has_html_of_its_own_is_a_block() {
        assert!(made("{items}", "", "").contains("<div style=\"margin:0 0 16px;\"><b>1 &times; Lamp</b></div>"));
        assert!(made("Bought: {items}", "", "").contains("<div style=\"margin:0 0 16px;\">Bought: <b>"));
    }

    #[test]
    fn a_preview_is_what_stands_behind_the_greeting() {
        assert_eq!(preview("Hello Ada,\n\nthank you\nfor it.\n\nMore.\n"), "thank you for it.");
        assert_eq!(preview("Hello,\n"), "Hello,");
        assert_eq!(preview(&format!("Hi,\n\n{}", "é".repeat(200))), format!("{}…", "é".repeat(140)));
    }
}
