//! What modules bring to the pages that customers see.

use std::sync::Arc;

use super::context::{ModuleContext, RegisterError};
use super::facets::{OwnedFacet, ProductFacet};
use crate::from_shop::OrderPage;
use crate::http::table::{Access, Base, Routes};
use crate::pages::{FramePages, ListPages, OwnedPanel, PageLister, PageTemplate, Panel, PanelOn, ShowErrors};

impl ModuleContext<'_> {
    /// Adds pages at the shop's own root, open to everybody's browser: `routes().get("teas.page", "/teas", page)`. Reading them counts
    /// against the limit of the catalog, a form that is sent against that of protected routes, and it must come from a page of the
    /// shop. Handlers take a [`ShopPage`](crate::pages::ShopPage), which shows them in the frame of the storefront, or a
    /// [`Visitor`](crate::pages::Visitor), and ask the API on the visitor's behalf. A form comes as [`FormFields`](crate::pages::FormFields).
    pub fn pages<S: Clone + Send + Sync + 'static>(&mut self, state: S, pages: Routes<S>) -> Result<(), RegisterError> {
        self.tables.routes.add(self.module, &state, pages.all_opened(Base::Site, Access::ShopPage));
        Ok(())
    }

    /// Adds what pages are made of, such as style sheets, at the shop's own root. Reading it counts nothing, so that no page that was let in stands
    /// there without it.
    pub fn page_files<S: Clone + Send + Sync + 'static>(
        &mut self,
        state: S,
        files: Routes<S>,
    ) -> Result<(), RegisterError> {
        self.tables.routes.add(self.module, &state, files.all_opened(Base::Site, Access::Page));
        Ok(())
    }

    /// Has a page of the module's, shown by [`ShopPage`](crate::pages::ShopPage), use this template.
    pub fn page_template(&mut self, template: PageTemplate) {
        if !template.name.strip_prefix(self.module).is_some_and(|rest| rest.starts_with('/')) {
            let (module, name) = (self.module, template.name);
            let mistake = format!(
                "module `{module}`: the template `{name}` must be called `{module}/…`, as in `{module}/page.html`"
            );
            self.note(Err(mistake));
        }
        if self.enabled {
            self.tables.page_templates.push(template);
        }
    }

    /// Puts the pages of all modules into the frame of this one's.
    pub fn page_frame(&mut self, frame: impl FramePages) {
        if self.enabled {
            self.tables.page_frame = Some(Arc::new(frame));
        }
    }

    /// Has errors outside of the API shown to people, on pages that the module makes.
    pub fn error_pages(&mut self, pages: impl ShowErrors) {
        if self.enabled {
            self.tables.error_pages = Some(Arc::new(pages));
        }
    }

    /// Has mails lead to a page of the module's that shows one order to whoever has its link: `/order/{number}`, which is asked for with
    /// `?key=…`.
    pub fn order_page(&mut self, path: &'static str) {
        if self.enabled {
            self.tables.order_page = OrderPage(Some(path));
        }
    }

    /// Has the shop's sitemap tell search engines of the module's public pages.
    pub fn sitemap(&mut self, lister: impl ListPages) {
        if self.enabled {
            self.tables.sitemap.push(PageLister::new(lister));
        }
    }

    /// Adds a part to a page of the storefront.
    pub fn storefront_panel(&mut self, panel: Panel) {
        let (module, place) = (self.module, panel.on.name());
        let mut refuse = |call: &str, why: &str| {
            let mistake = format!("module `{module}`: the panel `{module}/{place}.html` has `.{call}(…)`, {why}");
            self.note(Err(mistake));
        };
        if panel.path.is_some() && !panel.on.is_answered() {
            refuse("path", "but shows what its page has and asks for nothing");
        }
        if panel.own.is_some() && panel.on != PanelOn::BelowProduct {
            refuse("own", "which `PanelOn::BelowProduct` alone asks for");
        }
        if self.enabled {
            self.tables.panels.push(OwnedPanel { owner: self.module, panel });
        }
    }

    /// Lets customers choose products by something of the module's, in `GET /products`, `GET /browse` and the storefront's lists.
    pub fn product_facet<F: ProductFacet>(&mut self, facet: F) {
        if self.enabled {
            self.tables.facets.push(OwnedFacet::new(self.module, facet));
        }
    }
}
