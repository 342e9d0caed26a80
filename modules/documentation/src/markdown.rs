//! Markdown becomes a page: anchors as the repository's website makes them, links to other pages, tables that can be scrolled.

use std::collections::HashMap;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::links::resolve;
use crate::page::{Heading, Page, PageLink, Section};

/// Makes a page of a file.
pub(crate) fn page(address: String, source: &str, text: &str) -> Page {
    let mut page = Page {
        address,
        source: source.to_owned(),
        title: String::new(),
        language: language_of(source),
        html: String::new(),
        headings: Vec::new(),
        sections: vec![Section::default()],
        links: Vec::new(),
    };
    let mut writer = Writer { page: &mut page, anchors: Anchors::default(), link: None, code: None };
    let mut events = Vec::new();
    let mut parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    while let Some(event) = parser.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let inner = parser.by_ref().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
                let inner = inner.map(|event| writer.linked(event)).collect::<Vec<_>>();
                writer.heading(level, inner, &mut events);
            }
            event => writer.event(event, &mut events),
        }
    }
    html::push_html(&mut page.html, events.into_iter());
    // A column without a name has no heading to be read out.
    page.html = page.html.replace("<th></th>", "<td></td>");
    page
}

/// A file that is no Markdown, as it stands.
pub(crate) fn verbatim(address: String, source: &str, text: &str) -> Page {
    let title = source.to_owned();
    let written = format!("<h1>{}</h1>\n<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(&title), escaped(text));
    let sections = vec![Section { id: String::new(), heading: title.clone(), text: text.to_owned() }];
    let (headings, links, source) = (Vec::new(), Vec::new(), source.to_owned());
    Page { address, source, title, language: "en", html: written, headings, sections, links }
}

/// The language of a file, which its name ends with: `quick-start.de.md`.
fn language_of(source: &str) -> &'static str {
    let languages = [(".de.md", "de"), (".nl.md", "nl")];
    languages.iter().find(|(ending, _)| source.ends_with(ending)).map_or("en", |(_, language)| language)
}

struct Writer<'p> {
    page: &'p mut Page,
    anchors: Anchors,
    /// The page that is linked to, with the words of the link.
    link: Option<(String, String)>,
    /// What a block of code holds, and in which language.
    code: Option<(String, Language)>,
}

impl Writer<'_> {
    fn event<'e>(&mut self, event: Event<'e>, events: &mut Vec<Event<'e>>) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                self.code = Some((String::new(), Language::of(&kind)));
            }
            Event::End(TagEnd::CodeBlock) => {
                let (text, language) = self.code.take().unwrap_or_default();
                self.add(" ");
                events.push(Event::Html(code(&text, language).into()));
            }
            Event::Text(text) if self.code.is_some() => {
                self.add(&text);
                if let Some((code, _)) = &mut self.code {
                    code.push_str(&text);
                }
            }
            Event::Start(Tag::Table(alignments)) => {
                events.push(Event::Html("<div class=\"scroll\" tabindex=\"0\">".into()));
                events.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>\n".into()));
            }
            event => {
                let event = self.linked(event);
                self.read(&event);
                events.push(event);
            }
        }
    }

    /// Takes the text of an event for the search, and the words of a link.
    fn read(&mut self, event: &Event<'_>) {
        match event {
            Event::Text(text) | Event::Code(text) => {
                self.add(text);
                if let Some((_, words)) = &mut self.link {
                    words.push_str(text);
                }
            }
            Event::End(TagEnd::Link) => {
                let under = self.page.sections.last().map(|section| section.heading.clone()).unwrap_or_default();
                let found = self.link.take().map(|(address, text)| PageLink { address, text, under });
                self.page.links.extend(found);
            }
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                self.add(" ");
            }
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        self.page.sections.last_mut().expect("there is always one").text.push_str(text);
    }

    /// The event with its link as this page needs it.
    fn linked<'e>(&mut self, event: Event<'e>) -> Event<'e> {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let to = resolve(&dest_url, &self.page.source);
                let page = to.strip_prefix("/docs").map(|rest| rest.split('#').next().unwrap_or_default());
                self.link = page.map(|page| (page.trim_start_matches('/').to_owned(), String::new()));
                Event::Start(Tag::Link { link_type, dest_url: to.into(), title, id })
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from(resolve(&dest_url, &self.page.source));
                Event::Start(Tag::Image { link_type, dest_url, title, id })
            }
            event => event,
        }
    }

    fn heading<'e>(&mut self, level: HeadingLevel, inner: Vec<Event<'e>>, events: &mut Vec<Event<'e>>) {
        let words = inner.iter().filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(&**text),
            _ => None,
        });
        let text = words.collect::<String>();
        let id = self.anchors.of(&text);
        let number = level as u8;
        if number == 1 && self.page.title.is_empty() {
            self.page.title.clone_from(&text);
            self.page.sections.last_mut().expect("there is always one").heading.clone_from(&text);
        } else {
            self.page.sections.push(Section { id: id.clone(), heading: text.clone(), text: String::new() });
            self.page.headings.push(Heading { level: number, id: id.clone(), text });
        }
        events.push(Event::Html(format!("<{level} id=\"{}\">", escaped(&id)).into()));
        events.extend(inner);
        events.push(Event::Html(format!("</{level}>\n").into()));
        self.link = None;
    }
}

/// Anchors of headings: lower case, without punctuation, spaces as hyphens; the second of a name has a number.
#[derive(Default)]
struct Anchors(HashMap<String, usize>);

impl Anchors {
    fn of(&mut self, text: &str) -> String {
        let kept = text.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        let anchor = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let count = self.0.entry(anchor.clone()).or_default();
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    }
}

/// What a block of code holds, as far as it is shown in a way of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Language {
    /// Commands with their prompts.
    Commands,
    /// Rust, with lines for its compiler alone.
    Rust,
    /// Something else.
    #[default]
    Other,
}

impl Language {
    fn of(kind: &CodeBlockKind<'_>) -> Self {
        match kind {
            CodeBlockKind::Fenced(name) if &**name == "console" => Self::Commands,
            CodeBlockKind::Fenced(name) if name.starts_with("rust") => Self::Rust,
            _ => Self::Other,
        }
    }
}

/// A block of code, which can be scrolled with the keyboard. The prompts of commands are not copied along, and what only the compiler
/// needs of an example is left out, as its documentation does.
fn code(text: &str, language: Language) -> String {
    let mut shown = String::from("<pre tabindex=\"0\"><code>");
    let is_for_the_compiler = |line: &&str| {
        let line = line.trim_start();
        language == Language::Rust && (line == "#" || line.starts_with("# "))
    };
    for line in text.lines().filter(|line| !is_for_the_compiler(line)) {
        match line.split_at_checked(2) {
            Some((prompt @ ("$ " | "# "), command)) if language == Language::Commands => {
                shown.push_str("<span class=\"prompt\">");
                shown.push_str(prompt);
                shown.push_str("</span>");
                shown.push_str(&escaped(command));
            }
            _ => shown.push_str(&escaped(line)),
        }
        shown.push('\n');
    }
    shown.push_str("</code></pre>\n");
    shown
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_anchors_that_links_in_the_repository_name() {
        let text = "# Page\n\n## C1 Members of `--json`\n\n## Twice\n\n## Twice\n\n## What you'd ask\n";
        let page = page(String::from("a"), "docs/a.md", text);
        let ids = page.headings.iter().map(|heading| heading.id.as_str()).collect::<Vec<_>>();
        assert_eq!(ids, ["c1-members-of---json", "twice", "twice-1", "what-youd-ask"]);
        assert_eq!(page.title, "Page");
    }

    #[test]
    fn what_only_the_compiler_needs_of_an_example_is_left_out() {
        let page = page(String::from("a"), "docs/a.md", "```rust\n# use a::b;\n#[test]\nfn c() {}\n# }\n```\n");
        assert!(page.html.contains("<code>#[test]\nfn c() {}\n</code>"), "{}", page.html);
    }

    #[test]
    fn a_prompt_stands_beside_its_command() {
        let page = page(String::from("a"), "docs/a.md", "```console\n$ stoa import - < a.csv\n    --dry-run\n```\n");
        let expected = "<span class=\"prompt\">$ </span>stoa import - &lt; a.csv\n    --dry-run\n";
        assert!(page.html.contains(expected), "{}", page.html);
    }
}
