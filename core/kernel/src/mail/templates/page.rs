//! Templates that are HTML themselves: the layout of all mails, and the operator's own content of some.
//!
//! They name placeholders as texts do, whose values are escaped. An empty line ends a block, and a block that names a value which is
//! empty is left out.

use super::html::{Blocks, Filled, Say};
use super::piece::{Piece, TemplateProblem, paragraph, paragraphs};
use super::template::{Values, has_all};

/// The layout that comes with the shop.
pub(super) const LAYOUT: &str = include_str!("layout.html");

/// What a layout can name.
pub(super) const LAYOUT_PLACEHOLDERS: &[&str] =
    &["language", "subject", "preview", "content", "shop_name", "shop_address"];

/// HTML that was read without a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    blocks: Vec<Vec<Piece>>,
    /// Whether it is a whole document, which needs no layout.
    is_whole: bool,
}

impl Page {
    /// Reads HTML that may name these placeholders, and tells all that is wrong with it.
    pub(super) fn parse(text: &str, known: &[&'static str]) -> Result<Self, Vec<TemplateProblem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut problems = Vec::new();
        let lines = paragraphs(text.lines(), 1);
        let blocks = lines.iter().map(|lines| paragraph(lines, known, &mut problems)).collect::<Vec<_>>();
        if blocks.is_empty() {
            problems.push(TemplateProblem {
                line: 1,
                column: 1,
                message: String::from("there is nothing in this file"),
            });
        }
        let start = text.trim_start().get(..9).unwrap_or_default().to_ascii_lowercase();
        let is_whole = start.starts_with("<!doctype") || start.starts_with("<html");
        if problems.is_empty() { Ok(Self { blocks, is_whole }) } else { Err(problems) }
    }

    /// Reads a layout, which is a document around the content.
    pub(super) fn layout(text: &str) -> Result<Self, Vec<TemplateProblem>> {
        let page = Self::parse(text, LAYOUT_PLACEHOLDERS)?;
        if page.blocks.iter().flatten().any(|piece| *piece == Piece::Value("content")) {
            return Ok(page);
        }
        let message = String::from("a layout must name {content} where the mail's content belongs");
        Err(vec![TemplateProblem { line: 1, column: 1, message }])
    }

    /// Whether it is a whole document.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The HTML with these values.
    pub(super) fn fill(&self, values: &Values, blocks: &Blocks) -> String {
        let say = Filled { values, blocks };
        let said = self.blocks.iter().filter(|block| has_all(block, values));
        let html = said.map(|block| {
            let pieces = block.iter().map(|piece| match piece {
                Piece::Text(html) => html.clone(),
                Piece::Value(name) => say.block(name).unwrap_or_else(|| say.plain(name)),
            });
            pieces.collect::<String>()
        });
        html.collect::<Vec<_>>().join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(text: &str, name: &str) -> String {
        let page = Page::parse(text, &["name", "items"]).expect("it is sound");
        let values = Values::from([("name", name.to_owned()), ("items", String::from("text"))]);
        page.fill(&values, &Blocks::from([("items", String::from("<b>html</b>"))]))
    }

    #[test]
    fn values_are_escaped_and_blocks_are_html() {
        let html = fill("<p title=\"{name}\">{name}</p>\n{items} {{x}}", "<a\"\nb>");
        assert_eq!(html, "<p title=\"&lt;a&quot;<br>\nb&gt;\">&lt;a&quot;<br>\nb&gt;</p>\n<b>html</b> {x}\n");
    }

    #[test]
    fn a_block_without_its_value_is_left_out() {
        assert_eq!(fill("<p>a</p>\n\n<p>{name}</p>\n<p>b</p>\n\n<p>c</p>", ""), "<p>a</p>\n<p>c</p>\n");
    }

    #[test]
    fn the_layout_that_comes_with_the_shop_is_one() {
        assert!(Page::layout(LAYOUT).expect("it is sound").is_whole());
        let refused = Page::layout("<html>\n\n{{x}}</html>").expect_err("it has no place for the content");
        assert!(refused[0].message.contains("{content}"), "{refused:?}");
        let refused = Page::parse("<p>\n<style>p { color: red }</style>", &[]).expect_err("braces are doubled");
        assert_eq!((refused[0].line, refused[0].column), (2, 10), "{refused:?}");
    }
}
