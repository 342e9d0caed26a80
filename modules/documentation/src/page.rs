//! A page: what it is made of, and the sections that a search finds.

/// A heading below the title.
pub(crate) struct Heading {
    /// 2 or more.
    pub(crate) level: u8,
    /// Its anchor.
    pub(crate) id: String,
    /// Its words.
    pub(crate) text: String,
}

/// The text below a heading, up to the next one.
#[derive(Default)]
pub(crate) struct Section {
    /// The anchor; empty for what stands before the first heading below the title.
    pub(crate) id: String,
    /// The heading's words.
    pub(crate) heading: String,
    /// The words below it, without markup.
    pub(crate) text: String,
}

/// A page of the documentation.
pub(crate) struct Page {
    /// Its address below `/docs/`; empty for the contents.
    pub(crate) address: String,
    /// The file that it is made of, from the top of the repository.
    pub(crate) source: String,
    /// The title.
    pub(crate) title: String,
    /// The language, such as `en`.
    pub(crate) language: &'static str,
    /// The document's body.
    pub(crate) html: String,
    /// The headings below the title.
    pub(crate) headings: Vec<Heading>,
    /// What a search looks through.
    pub(crate) sections: Vec<Section>,
    /// The links to other pages of the documentation, each with its words and the heading that it stands under.
    pub(crate) links: Vec<PageLink>,
}

/// A link to another page of the documentation.
pub(crate) struct PageLink {
    /// The address of the page below `/docs/`.
    pub(crate) address: String,
    /// The words of the link.
    pub(crate) text: String,
    /// The heading of the section that it stands in.
    pub(crate) under: String,
}

impl Page {
    /// Whether its file is Markdown.
    pub(crate) fn is_markdown(&self) -> bool {
        self.source.strip_suffix(".md").is_some()
    }

    /// Where it is.
    pub(crate) fn path(&self) -> String {
        if self.address.is_empty() { String::from("/docs") } else { format!("/docs/{}", self.address) }
    }
}
