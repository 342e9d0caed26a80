//! All pages, in the order of their contents.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use stoa_core::pages::assets::Assets;

use crate::links::address_of;
use crate::markdown;
use crate::page::Page;
use crate::sources;

/// All pages. They are made when the first is asked for.
pub(crate) static LIBRARY: LazyLock<Library> = LazyLock::new(Library::read);

/// The style sheet and the icon.
pub(crate) static ASSETS: LazyLock<Assets> = LazyLock::new(|| {
    let mut assets = Assets::default();
    assets.put("docs.css", include_bytes!("../assets/docs.css").to_vec());
    assets.put("favicon.svg", include_bytes!("../assets/favicon.svg").to_vec());
    assets
});

/// All pages.
pub(crate) struct Library {
    pages: BTreeMap<String, Page>,
    /// The chapters of the contents.
    pub(crate) chapters: Vec<Chapter>,
}

/// The address of a page below `/docs/`, and what the contents call it.
pub(crate) type Named = (String, String);

/// A heading of the contents with the pages below it.
pub(crate) struct Chapter {
    /// The heading.
    pub(crate) title: String,
    /// Its pages.
    pub(crate) pages: Vec<Named>,
}

impl Library {
    fn read() -> Self {
        let made = sources::paths().filter_map(|path| {
            let address = address_of(path)?;
            let text = sources::text(path)?;
            Some(match path.strip_suffix(".md") {
                Some(_) => markdown::page(address, path, text),
                None => markdown::verbatim(address, path, text),
            })
        });
        let pages = made.map(|page| (page.address.clone(), page)).collect::<BTreeMap<_, _>>();
        let chapters = chapters(&pages);
        Self { pages, chapters }
    }

    /// The page at an address.
    pub(crate) fn page(&self, address: &str) -> Option<&Page> {
        self.pages.get(address)
    }

    /// All pages, those of the contents first and in its order.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &Page> {
        let listed = self.chapters.iter().flat_map(|chapter| &chapter.pages);
        let listed = listed.filter_map(|(address, _)| self.page(address));
        listed.chain(self.pages.values().filter(|page| !self.is_listed(&page.address)))
    }

    /// Whether the contents name a page.
    pub(crate) fn is_listed(&self, address: &str) -> bool {
        self.chapters.iter().any(|chapter| chapter.pages.iter().any(|(listed, _)| listed == address))
    }

    /// The pages before and after one in the contents.
    pub(crate) fn neighbours(&self, address: &str) -> (Option<&Named>, Option<&Named>) {
        let all = self.chapters.iter().flat_map(|chapter| &chapter.pages).collect::<Vec<_>>();
        let Some(at) = all.iter().position(|(listed, _)| listed == address) else { return (None, None) };
        (at.checked_sub(1).map(|before| all[before]), all.get(at + 1).copied())
    }
}

/// The chapters of the contents: each link there, once.
fn chapters(pages: &BTreeMap<String, Page>) -> Vec<Chapter> {
    let mut chapters = Vec::<Chapter>::new();
    let Some(contents) = pages.get("") else { return chapters };
    for link in &contents.links {
        let is_known = chapters.iter().any(|chapter| chapter.pages.iter().any(|(address, _)| *address == link.address));
        if is_known || !pages.contains_key(&link.address) || link.address.is_empty() || link.under == contents.title {
            continue;
        }
        let named = (link.address.clone(), link.text.clone());
        match chapters.last_mut().filter(|chapter| chapter.title == link.under) {
            Some(chapter) => chapter.pages.push(named),
            None => chapters.push(Chapter { title: link.under.clone(), pages: vec![named] }),
        }
    }
    chapters
}
