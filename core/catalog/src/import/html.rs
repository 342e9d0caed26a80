//! HTML descriptions reduced to plain text that is safe to show anywhere.
//!
//! Only the tokens of the HTML are looked at, no tree is built: a text needs none, and trees of hostile HTML can grow
//! with the square of its length.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// What a line feed within the text of an HTML source means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineFeeds {
    /// A blank, as everywhere in HTML.
    Blank,
    /// A line break, and an empty line a paragraph, as WordPress shows its texts.
    Break,
}

/// The longest HTML source that is read, in bytes (512 KiB).
pub(super) const MAX_HTML_BYTES: usize = 512 * 1024;

/// The readable text of an HTML source: paragraphs as line breaks, entities decoded, no element left.
///
/// Escaped markup (`&lt;b&gt;`) is text and stays, but its angle brackets become `‹` and `›`: a client that mistakes
/// the text for HTML must not get an element out of it.
pub(super) fn plain_text(html: &str, line_feeds: LineFeeds) -> String {
    let text = TextSink(RefCell::new(TextWriter::new(line_feeds)));
    let tokenizer = Tokenizer::new(text, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    // The tokenizer stops at certain tags for those who want to run scripts or change the encoding.
    while !queue.is_empty() {
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner().finished
}

struct TextSink(RefCell<TextWriter>);

impl TokenSink for TextSink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut text = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(characters) => text.write(&characters),
            Token::TagToken(tag) => return text.apply(&tag),
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

/// Puts words, blanks and breaks together so that none of them doubles.
struct TextWriter {
    finished: String,
    line_feeds: LineFeeds,
    due: Due,
    /// An opening bracket was replaced, so the next closing one is too.
    bracket_replaced: bool,
    /// Within an element that goes with everything in it.
    dropped: bool,
}

/// What comes before the next word, if there is one.
#[derive(Default)]
struct Due {
    /// Line breaks that elements ask for, 2 at most.
    breaks: usize,
    /// Line feeds of the source.
    fed: usize,
    blank: bool,
    /// The next word begins an item of a list.
    item: bool,
}

impl TextWriter {
    fn new(line_feeds: LineFeeds) -> Self {
        Self { finished: String::new(), line_feeds, due: Due::default(), bracket_replaced: false, dropped: false }
    }

    fn apply(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let begins = tag.kind == TagKind::StartTag;
        match &*tag.name {
            // Their content is no HTML, so the tokenizer has to be told, and no text to be read.
            "script" if begins => return self.drop_until_end(RawKind::ScriptData),
            "style" | "iframe" | "noscript" | "noembed" | "noframes" if begins => {
                return self.drop_until_end(RawKind::Rawtext);
            }
            "title" | "textarea" if begins => return self.drop_until_end(RawKind::Rcdata),
            "script" | "style" | "iframe" | "noscript" | "noembed" | "noframes" | "title" | "textarea" => {
                self.dropped = false;
            }
            "br" => self.due.breaks = (self.due.breaks + 1).min(2),
            "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "blockquote" | "ul" | "ol" | "dl" | "table" | "pre"
            | "hr" | "section" | "article" | "figure" => self.due.breaks = 2,
            "li" => {
                self.due.breaks = self.due.breaks.max(1);
                self.due.item = begins;
            }
            "div" | "tr" | "dt" | "dd" | "caption" | "figcaption" => {
                self.due.breaks = self.due.breaks.max(1);
            }
            "td" | "th" | "option" | "img" => self.due.blank = true,
            // Anything else may stand within a word.
            _ => {}
        }
        TokenSinkResult::Continue
    }

    const fn drop_until_end(&mut self, kind: RawKind) -> TokenSinkResult<()> {
        self.dropped = true;
        self.due.blank = true;
        TokenSinkResult::RawData(kind)
    }

    fn write(&mut self, text: &str) {
        if self.dropped {
            return;
        }
        for character in text.chars() {
            if character.is_whitespace() {
                self.due.blank = true;
                if character == '\n' && self.line_feeds == LineFeeds::Break {
                    self.due.fed += 1;
                }
            } else if !character.is_control() {
                self.write_due();
                self.write_visible(character);
            }
        }
    }

    fn write_due(&mut self) {
        let due = std::mem::take(&mut self.due);
        let breaks = due.breaks.max(due.fed.min(2));
        if !self.finished.is_empty() {
            if breaks > 0 {
                self.finished.extend(std::iter::repeat_n('\n', breaks));
            } else if due.blank {
                self.finished.push(' ');
            }
        }
        if due.item {
            self.finished.push_str("- ");
        }
    }

    fn write_visible(&mut self, character: char) {
        let opens = character.is_ascii_alphabetic() || matches!(character, '/' | '!' | '?');
        if opens && self.finished.ends_with('<') {
            self.finished.pop();
            self.finished.push('‹');
            self.bracket_replaced = true;
        }
        if character == '>' && self.bracket_replaced {
            self.finished.push('›');
            self.bracket_replaced = false;
        } else {
            self.finished.push(character);
        }
    }
}
