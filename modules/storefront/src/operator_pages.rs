//! The operator's own pages: a folder of Markdown, with the language in the name: `terms.md`, `terms.de.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use axum::extract::State;
use pulldown_cmark::{Options, Parser, html};
use serde_json::{Value, json};

use stoa_core::http::extract::Name;
use stoa_core::i18n::Language;
use stoa_core::pages::answer::PageResponse;
use stoa_core::pages::theme::ThemeError;
use stoa_core::prelude::*;

use crate::view::{Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.page", "/pages/{slug}", show)
}

/// A page in one language.
struct Page {
    title: String,
    html: String,
}

/// The pages by slug, each by language; the empty one is for all others.
#[derive(Default)]
pub(crate) struct OperatorPages(BTreeMap<String, BTreeMap<String, Page>>);

impl OperatorPages {
    /// Reads the folder.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, has no title, or a name that can be no address.
    pub(crate) fn read(folder: Option<&Path>, languages: &[Language]) -> Result<Self, ThemeError> {
        let Some(folder) = folder else { return Ok(Self::default()) };
        if !folder.is_dir() {
            return Err(ThemeError::NoFolder { setting: "modules.storefront.pages", path: folder.to_owned() });
        }
        let unreadable = |path: &Path, error| ThemeError::Unreadable { path: path.to_owned(), error };
        let mut pages = BTreeMap::<String, BTreeMap<String, Page>>::new();
        for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let source = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let (slug, language) = stem.rsplit_once('.').unwrap_or((&stem, ""));
            check_name(slug, language, languages)
                .map_err(|message| ThemeError::Template { place: path.display().to_string(), message })?;
            let page = read_page(&source).map_err(|(line, message)| ThemeError::Template {
                place: format!("{}:{line}", path.display()),
                message,
            })?;
            pages.entry(slug.to_owned()).or_default().insert(language.to_owned(), page);
        }
        Ok(Self(pages))
    }

    /// Their names in addresses.
    pub(crate) fn slugs(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    fn find(&self, slug: &str, language: Language) -> Option<&Page> {
        let languages = self.0.get(slug)?;
        let wanted = languages.get(language.tag()).or_else(|| languages.get(""));
        wanted.or_else(|| languages.values().next())
    }

    /// Slug and title of each, for the foot of every page.
    pub(crate) fn links(&self, language: Language) -> Value {
        let named = self.0.keys().filter_map(|slug| Some((slug, self.find(slug, language)?)));
        named.map(|(slug, page)| json!({"slug": slug, "title": page.title})).collect()
    }
}

/// Whether the name of a file can be an address in a language of the shop.
fn check_name(slug: &str, language: &str, languages: &[Language]) -> Result<(), String> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if slug.is_empty() || !slug.bytes().all(is_plain) {
        return Err(
            "the name becomes the page's address: it may have lower-case letters, digits and hyphens, as in `terms.md`"
                .to_owned(),
        );
    }
    if !language.is_empty() && !languages.iter().any(|known| known.tag() == language) {
        let known = languages.iter().map(Language::tag).collect::<Vec<_>>().join(", ");
        return Err(format!(
            "`{language}` is no language of this shop; it has {known}, as in `{slug}.{}.md`",
            languages[0].tag()
        ));
    }
    Ok(())
}

/// Reads front matter with the title, and the text below.
fn read_page(source: &str) -> Result<Page, (usize, String)> {
    let source = source.replace("\r\n", "\n");
    let mut title = None;
    let mut body = source.as_str();
    if let Some(rest) = source.strip_prefix("---\n") {
        let (front, text) =
            rest.split_once("\n---").ok_or((1, "the front matter has no end; close it with `---`".to_owned()))?;
        for (number, line) in front.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let (key, value) = line.split_once(':').ok_or((number + 2, format!("`{line}` is no `key: value`")))?;
            match key.trim() {
                "title" => {
                    let text = read_text(value.trim());
                    title = Some(text.ok_or((number + 2, format!("`{value}` is no text; write\ntitle: Terms")))?);
                }
                other => return Err((number + 2, format!("`{other}` is unknown; known is `title`"))),
            }
        }
        body = text.trim_start_matches('-').trim_start();
    }
    let title = title.filter(|title| !title.is_empty());
    let title = title.ok_or((1, "a page needs a title: begin the file with\n---\ntitle: Terms\n---".to_owned()))?;
    let mut written = String::new();
    // The operator's own words, markup included: whoever writes this folder writes the configuration.
    html::push_html(&mut written, Parser::new_ext(body, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH));
    Ok(Page { title, html: written })
}

/// A plain or quoted text of YAML; none for anything else, such as a list, or for a quotation mark without its other half.
fn read_text(value: &str) -> Option<String> {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote) {
            return rest.strip_suffix(quote).map(str::to_owned);
        }
    }
    (!value.starts_with(['[', '{', '|', '>', '&', '*', '!'])).then(|| value.to_owned())
}

async fn show(State(storefront): State<Storefront>, Name(slug): Name, view: View) -> ApiResult<PageResponse> {
    let page = storefront.own_pages().find(&slug, view.visitor.language).ok_or_else(ApiError::not_found)?;
    let values = json!({"page": {"slug": slug, "title": page.title, "html": page.html}});
    view.show("page.html", values).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_title_of_its_front_matter() {
        let page = read_page("---\ntitle: \"Our terms\"\n---\n\n# Hello\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
            .unwrap_or_else(|(line, message)| panic!("{line}: {message}"));
        assert_eq!(page.title, "Our terms");
        assert!(page.html.starts_with("<h1>Hello</h1>") && page.html.contains("<table>"), "{}", page.html);
    }

    #[test]
    fn what_is_wrong_with_a_page_is_told_with_its_line() {
        assert_eq!(read_page("# Hello").err().map(|(line, _)| line), Some(1));
        assert_eq!(read_page("---\ntitle: a\nauthor: b\n---\n").err().map(|(line, _)| line), Some(3));
        assert_eq!(read_page("---\ntitle: a\n").err().map(|(line, _)| line), Some(1));
        for title in ["[x", "\"half", "'", "{a: b}"] {
            assert_eq!(
                read_page(&format!("---\ntitle: {title}\n---\n")).err().map(|(line, _)| line),
                Some(2),
                "{title}"
            );
        }
        assert!(read_page("---\r\ntitle: Terms\r\n---\r\nText").is_ok());
    }

    #[test]
    fn a_name_that_can_be_no_address_is_told() {
        let languages = Language::BUILT_IN;
        for (slug, language) in [("terms", ""), ("terms", "de"), ("faq-2", "nl")] {
            assert_eq!(check_name(slug, language, &languages), Ok(()), "{slug}.{language}");
        }
        for (slug, language) in [("terms", "xx"), ("Bad Name", ""), ("", "de"), ("größe", "")] {
            assert!(check_name(slug, language, &languages).is_err(), "{slug}.{language}");
        }
    }
}
