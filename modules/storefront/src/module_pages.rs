//! Pages of other modules, in the frame of the storefront's own.

use axum::response::Response;

use stoa_core::pages::{FramePages, FramedPage, Visitor};
use stoa_core::prelude::*;

use crate::view::{Shop, Storefront, View};

/// Frames modules' pages by the theme.
pub(crate) struct ModulePages(pub(crate) Storefront);

impl FramePages for ModulePages {
    type Uses = Shop;

    async fn show(&self, page: FramedPage, shop: Shop) -> ApiResult<Response> {
        let FramedPage { visitor, target, status, template, values, for_everybody } = page;
        let view = View::of(self.0.clone(), shop, visitor, target);
        if for_everybody && !view.is_personal() {
            return view.show_for_a_minute(template, values).await.map(|answer| answer.0);
        }
        view.show_as(status, template, values).await.map(|answer| answer.0)
    }

    fn lead(&self, visitor: Visitor, to: &str, notice: &str, shop: Shop) -> Response {
        let mut view = View::of(self.0.clone(), shop, visitor, to.to_owned());
        view.notice(notice);
        view.redirect(to).0
    }
}
