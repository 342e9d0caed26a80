//! Errors, shown to people.

use axum::response::{IntoResponse, Response};
use serde_json::json;

use stoa_core::pages::answer::{HtmlPage, Keeping};
use stoa_core::pages::{ErrorPage, ShowErrors, TemplateValue};

use crate::frame::frame;
use crate::view::{Shop, Storefront};

/// Shows errors by the theme's `error.html`.
pub(crate) struct Errors(pub(crate) Storefront);

impl ShowErrors for Errors {
    type Uses = Shop;

    fn show(&self, error: &ErrorPage, shop: &Shop) -> Response {
        let mut values = frame(&self.0, shop, error.language, "");
        values["status"] = json!(error.status.as_u16());
        values["message"] = json!(error.message);
        let filled =
            self.0.theme(shop).ok().map(|theme| theme.render("error.html", &TemplateValue::from_serialize(&values)));
        // The page of errors must not be one.
        let Some(Ok(html)) = filled else { return error.message.clone().into_response() };
        HtmlPage { status: error.status, html: html.into(), keeping: Keeping::Nobody, takes_gzip: false }
            .into_response()
    }
}
