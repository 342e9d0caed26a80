//! What modules say in the mail about what was paid: for each thing bought, what to do with it.

use std::fmt::Write as _;
use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::file::MailFile;
use super::in_one_line;
use super::templates::{button, escaped, escaped_lines};
use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::Language;

/// An order that was paid, as its mail tells about it.
#[derive(Debug, Clone)]
pub struct PaidOrder {
    /// The order's id.
    pub order_id: i64,
    /// The language of the mail.
    pub language: Language,
    /// The capabilities of what was bought.
    pub capabilities: Vec<String>,
    /// The order's page with its key, where what was bought can be used without a login; none in a shop without such a page.
    pub page: Option<String>,
}

impl PaidOrder {
    /// Whether something with this capability was bought.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}

/// A part of a mail: what it is about, what is said of it, where it leads, and what goes along.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MailPart {
    /// What it is about, in a line.
    pub title: String,
    /// What is said, in paragraphs of one line or several.
    pub paragraphs: Vec<String>,
    /// A page that it leads to: what its button says, and the address.
    pub link: Option<(String, String)>,
    /// Files that go along.
    pub files: Vec<MailFile>,
}

impl MailPart {
    /// A part with a title.
    pub fn new(title: &str) -> Self {
        Self { title: in_one_line(title), ..Self::default() }
    }

    /// Says a paragraph.
    #[must_use]
    pub fn say(mut self, paragraph: &str) -> Self {
        self.paragraphs.push(paragraph.lines().map(in_one_line).collect::<Vec<_>>().join("\n"));
        self
    }

    /// Leads to a page, by `https://…` or `http://…`.
    #[must_use]
    pub fn link(mut self, label: &str, url: &str) -> Self {
        self.link = Some((in_one_line(label), in_one_line(url)));
        self
    }

    /// Brings a file.
    #[must_use]
    pub fn file(mut self, file: MailFile) -> Self {
        self.files.push(file);
        self
    }

    pub(super) fn text(&self) -> String {
        let link = self.link.iter().map(|(label, url)| format!("{label}:\n{url}"));
        let title = Some(&self.title).filter(|title| !title.is_empty()).cloned();
        title.into_iter().chain(self.paragraphs.iter().cloned()).chain(link).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn html(&self) -> String {
        let mut html = String::new();
        if !self.title.is_empty() {
            let title = escaped(&self.title);
            let _ = writeln!(html, "<h2 style=\"margin:16px 0 4px;font-size:16px;color:#1f2328;\">{title}</h2>");
        }
        for paragraph in &self.paragraphs {
            let _ = writeln!(html, "<p style=\"margin:0 0 8px;\">{}</p>", escaped_lines(paragraph));
        }
        if let Some((label, url)) = &self.link {
            let _ = writeln!(html, "<p style=\"margin:8px 0;\">{}</p>", button(label, url));
        }
        html
    }
}

/// Writes a module's part of the mail about what was paid. Register it with
/// [`ModuleContext::mail_part`](crate::module::ModuleContext::mail_part).
pub trait WriteMailPart: Send + Sync + 'static {
    /// What it works with.
    type Uses: FromShop;

    /// It is asked only about orders with one of these capabilities; about each order while there are none.
    const WANTS: &'static [&'static str] = &[];

    /// What is said about this order: one part for each thing, or none. Other listeners of the payment may not have worked yet, so
    /// it says what follows from what was ordered; nothing secret belongs into a mail.
    fn parts(
        &self,
        order: &PaidOrder,
        uses: &Self::Uses,
    ) -> impl Future<Output = Result<Vec<MailPart>, DbError>> + Send;
}

trait ErasedMailPart: Send + Sync {
    fn parts<'a>(&'a self, order: &'a PaidOrder, shop: &'a ShopParts) -> BoxFuture<'a, Result<Vec<MailPart>, DbError>>;
}

impl<W: WriteMailPart> ErasedMailPart for W {
    fn parts<'a>(&'a self, order: &'a PaidOrder, shop: &'a ShopParts) -> BoxFuture<'a, Result<Vec<MailPart>, DbError>> {
        async move { WriteMailPart::parts(self, order, &W::Uses::from_shop(shop)).await }.boxed()
    }
}

/// What a feature or module has registered.
pub(crate) struct MailPartWriter {
    owner: &'static str,
    wants: &'static [&'static str],
    writer: Arc<dyn ErasedMailPart>,
}

impl MailPartWriter {
    pub(crate) fn of<W: WriteMailPart>(owner: &'static str, writer: W) -> Self {
        Self { owner, wants: W::WANTS, writer: Arc::new(writer) }
    }

    pub(crate) fn owner(&self) -> &'static str {
        self.owner
    }
}

/// Asks the modules for their parts.
#[derive(Clone)]
pub struct MailParts(ShopParts);

impl FromShop for MailParts {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

impl MailParts {
    /// What is to be said about an order, core first, then by module.
    pub async fn read(&self, order: &PaidOrder) -> Result<Vec<MailPart>, DbError> {
        let mut parts = Vec::new();
        for writer in self.0.mail_templates.parts() {
            if writer.wants.is_empty() || writer.wants.iter().any(|wanted| order.has(wanted)) {
                parts.extend(writer.writer.parts(order, &self.0).await?);
            }
        }
        Ok(parts)
    }
}
